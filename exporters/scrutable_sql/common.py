"""What a statement begins and ends with: reading the columns, and the results."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Feature, Model, features_read
from scrutable.plugins import heading_lines
from scrutable_sql import dbt
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step
from scrutable_sql.quoting import comment, inner, literal, name


@dataclass(frozen=True, slots=True)
class Result:
    """A column of the result: its name, unquoted, its value, what it is, in words, and its type if it is cast."""

    name: str
    expression: str | Case
    about: str = ""
    cast: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps after `inputs`, and the results in the order of `Evaluation.frame()`.

    Parameters
    ----------
    laddered : features that nothing but ladders asks for, which take NaN for missing themselves.
    """

    steps: tuple[Step, ...]
    results: tuple[Result, ...]
    laddered: frozenset[str] = frozenset()


def input_name(feature: str, dialect: Dialect) -> str:
    """The column of the step `inputs` that holds a feature."""
    return inner(f"x_{feature}", dialect)


def inputs(model: Model, laddered: frozenset[str], options: SQLOptions) -> Step:
    """Read each column once: identifiers as they are, numbers as doubles, NaN and NULL as missing, texts binary."""
    d = options.target
    columns = [Column(d.column.format(name(column, d)), f"id_{i}") for i, column in enumerate(options.ids, 1)]
    rungs = []
    for feature in features_read(model):
        x = d.column.format(name(options.column(feature.name), d))
        reading = d.reading("boolean" if feature.name in options.booleans else feature.kind)
        value = reading.with_nan if feature.name in laddered and reading.with_nan else reading.value
        columns.append(Column(value.format(x), input_name(feature.name, d), note=_about(feature)))
        if d.kind is not None:
            kinds = ", ".join(literal(kind, d) for kind in reading.kinds)
            kind = d.kind.format(column=x, table=dbt.relation(options))
            rungs.append(Rung(f"{kind} NOT IN ({kinds})", "0"))
    readable = Case(tuple(rungs), "1") if rungs else "1"
    columns.append(Column(readable, "readable", note="whether the values are of the kinds read; no results otherwise"))
    return Step("inputs", "the columns that the model reads; NULL is missing", tuple(columns))


def guarded(result: Result, options: SQLOptions) -> Column:
    """A result, NULL where the inputs cannot be read."""
    return Column(Case((Rung("readable = 1", result.expression),)), name(result.name, options.target), result.cast)


def heading(model: Model, options: SQLOptions) -> list[str]:
    """What stands at the top of the file."""
    subject, *further = heading_lines(model)
    return [subject, options.target.heading, *further]


def _about(feature: Feature) -> str:
    if not feature.special_codes:
        return comment(feature.label)
    codes = ", ".join(map(repr, feature.special_codes))
    return comment(f"{feature.title}; special codes {codes}")
