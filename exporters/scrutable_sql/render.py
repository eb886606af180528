"""From a statement as data to its text."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jinja2

from scrutable_sql import dbt
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, Step
from scrutable_sql.quoting import comment, parts, qualified


@dataclass(frozen=True, slots=True)
class Statement:
    """A query: common table expressions, the first of which reads a table, and the columns of the final SELECT."""

    steps: Sequence[Step]
    results: Sequence[Column]
    options: SQLOptions

    @property
    def engine(self) -> Dialect:
        """What the text is for."""
        return self.options.target

    @property
    def table(self) -> str:
        """The table, and what it is called in the first step."""
        return f"{dbt.relation(self.options)} {self.engine.alias}"

    @property
    def prefix(self) -> str:
        """What sets the names of steps apart from the table's: SQLite takes a table named like a step for that step."""
        prefix, taken = "", parts(self.options.table)[-1].casefold()
        while any(f"{prefix}{step.name}" == taken for step in self.steps):
            prefix += "step_"
        return prefix


def render(header: Sequence[str], statement: Statement) -> str:
    """The text of a statement under lines of words, which are cleaned here."""
    create = "" if statement.options.created is None else f"{_create(statement.options)}\n"
    return laid_out("statement.sql.jinja", statement, header, statement.options, create=create)


def schema(header: Sequence[str], plan: Plan, options: SQLOptions) -> str:
    """What dbt is told of a model and its columns."""
    columns = [(text, "as it is in the table") for text in options.ids]
    columns += [(result.name, result.about) for result in plan.results]
    return (
        templates()
        .get_template("schema.yml.jinja")
        .render(
            name=options.name,
            description=dbt.yaml("\n".join(header)),
            columns=[{"name": dbt.yaml(text), "about": dbt.yaml(about)} for text, about in columns],
        )
    )


def laid_out(template: str, statement: Statement, header: Sequence[str], options: SQLOptions, **words: Any) -> str:
    """A template's text, in the form that the options ask for."""
    text: str = (
        templates()
        .get_template(template)
        .render(
            header=[comment(line) for line in header],
            statement=statement,
            end="" if options.form == "dbt" else ";",
            **words,
        )
    )
    return dbt.model_text(text, options) if options.form == "dbt" else text


@functools.cache
def templates() -> jinja2.Environment:
    """The templates of this package."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_sql"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )


def _create(options: SQLOptions) -> str:
    assert options.created is not None
    create = "CREATE VIEW {} AS" if options.form == "view" else options.target.create_table
    assert create is not None, "checked before"
    return create.format(qualified(options.created, options.target))
