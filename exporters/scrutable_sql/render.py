"""From a statement as data to its text."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jinja2

from scrutable_sql import dbt
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, Step
from scrutable_sql.quoting import comment, parts

#: Names of what stands beside the steps.
_BESIDE = ("kinds", "scored", "results", "counts", "checks", "counted")
#: How the names begin of what stands after the results where a table is watched.
WATCHED = "watched_"
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Around:
    """What stands before the query, between its steps and the final SELECT, and after it."""

    before: str = ""
    between: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A query: common table expressions, the first of which reads a table, and the columns of the final SELECT.

    Parameters
    ----------
    ids, readable : columns that stand beside the steps: identifiers, and whether the values can be read.
    source : what is read, where that is not the table as it is.
    """

    steps: Sequence[Step]
    results: Sequence[Column]
    options: SQLOptions
    ids: Sequence[Column]
    readable: Column
    source: str = ""

    @property
    def engine(self) -> Dialect:
        """What the text is for."""
        return self.options.target

    @property
    def table(self) -> str:
        """The table, what it is called in the first step, and what sets it apart from the steps."""
        apart = f" {self.engine.fence_table}" if self.engine.fence_table else ""
        return f"{self.source or dbt.relation(self.options)} {self.engine.alias}{apart}"

    @property
    def prefix(self) -> str:
        """What sets the names of steps apart from the table's: SQLite takes a table named like a step for that step."""
        prefix, taken = "", parts(self.options.table)[-1].casefold()
        names = (*_BESIDE, *(step.name for step in self.steps))
        while taken.startswith(f"{prefix}{WATCHED}") or any(f"{prefix}{name}" == taken for name in names):
            prefix += "step_"
        return prefix

    def first(self, step: Step) -> list[Column]:
        """The columns of the step that reads the table."""
        return [*self.ids, *step.columns, self.readable]

    def kept(self, step: Step) -> list[str]:
        """What a step hands on of the one before, in lines."""
        beside = [] if self.engine.lateral else [column.name for column in (*self.ids, self.readable)]
        return _lines([*beside, *step.kept])

    def fence(self, step: Step) -> str:
        """What ends a step, so that it is not merged into the next."""
        beside = 0 if self.engine.lateral else len(self.ids) + 1
        count = beside + len(step.kept) + len(step.columns)
        return self.engine.fence_after.format(nulls=", ".join(["NULL"] * count))


def render(header: Sequence[str], statement: Statement, around: Around) -> str:
    """The text of a statement under lines of words, which are cleaned here."""
    return laid_out("statement.sql.jinja", statement, header, statement.options, configured=True, around=around)


def laid_out(
    template: str,
    statement: Statement | None,
    header: Sequence[str],
    options: SQLOptions,
    *,
    configured: bool = False,
    **words: Any,
) -> str:
    """A template's text, in the form that the options ask for.

    Parameters
    ----------
    configured : whether it is the text of a model of dbt's.
    """
    text: str = (
        templates()
        .get_template(template)
        .render(
            header=words_of(header),
            statement=statement,
            end="" if options.form == "dbt" else ";",
            **words,
        )
    )
    return dbt.model_text(text, options, configured=configured) if options.form == "dbt" else text


def words_of(header: Sequence[str]) -> list[str]:
    """Lines of words as comments."""
    return [comment(line) for line in header]


@functools.cache
def templates() -> jinja2.Environment:
    """The templates of this package."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_sql"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )


def _lines(names: Sequence[str]) -> list[str]:
    """Names with commas after them, in lines of no great length."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < _WIDTH:
            lines[-1] += f" {name},"
        else:
            lines.append(f"{name},")
    return lines
