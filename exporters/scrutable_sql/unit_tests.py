"""A second file: the statement over rows of literals, and where its results are not what the model says of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Model, features_read
from scrutable.model.evaluator import OutputFrame, results
from scrutable_sql import checks, common
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, chunks
from scrutable_sql.quoting import comment, literal, name, number
from scrutable_sql.render import Statement, laid_out

if TYPE_CHECKING:
    import pandas as pd

#: How far probabilities may be apart: engines' exponentials differ in the last place.
TOLERANCE = 1e-15
_SEED = 0
_ROWS = "test_rows"


@dataclass(frozen=True, slots=True)
class Difference:
    """One result, and when it is not what is expected."""

    row: str
    name: str
    expected: str
    got: str
    differs: str


def rows_of(model: Model, options: SQLOptions, held: Callable[[pd.DataFrame], Any]) -> pd.DataFrame:
    """Edge rows of a model that the engine can hold, as many as asked for, filled up with rows at random.

    Columns of truth values have 0, 1 and missing.

    Raises
    ------
    InputError : the model reads no feature.
    """
    from scrutable.proof import edge_rows

    count = options.test_rows
    if not model.features:
        raise InputError("the model reads no feature: all rows are the same", where="option test_rows", got=count)
    edges = edge_rows(model, n_random=0, seed=_SEED)
    rows = edge_rows(model, n_random=max(0, count - len(edges)), seed=_SEED)
    for feature in options.booleans:
        rows[feature] = (rows[feature] > 0).astype(float).where(rows[feature].notna())
    small = rows.select_dtypes("number").abs()
    written = ~((small > 0) & (small < options.target.smallest)).any(axis=1)
    chosen: pd.DataFrame = rows[held(rows) & written].head(count)
    return chosen


def unit_test(model: Model, plan: Plan, rows: pd.DataFrame, heading: Sequence[str], options: SQLOptions) -> str:
    """A query of the rows that differ: row, result, what is expected, what came out. None is as it should be."""
    d = options.target
    wanted = [result.name for result in plan.results]
    expected = results(model, rows, wanted)
    ids = _ids([options.column(feature.name) for feature in features_read(model)], len(wanted))
    read = options.of_a_select(table=_ROWS, ids=ids, key=None, texts=None, fingerprint=False)
    steps = (common.inputs(model, plan.laddered, read), *plan.steps)
    columns_told = [Column(f"id_{i}", name(text, d)) for i, text in enumerate(ids, 1)]
    columns_told += [common.guarded(result, model, read) for result in plan.results]
    columns, legend = _columns(model, plan, ids, expected, options)
    statement = Statement(steps, columns_told, read, common.ids(read), common.readable(model, read))
    checks.limits(statement)
    words = [
        f"Test of the statement: {len(rows)} rows and what must come out.",
        "Returns the results that differ; no row is as it should be.",
        f"Probabilities may be {TOLERANCE!r} apart, everything else is equal.",
    ]
    return laid_out(
        "unit_test.sql.jinja",
        statement,
        [*words, *heading],
        options,
        legend=[comment(line) for line in legend],
        names=[column.expression for column in columns],
        structure=literal(", ".join(f"{column.expression} {column.cast or d.stored_integer}" for column in columns), d),
        rows=_literals(model, rows, expected, wanted, columns, d),
        rows_name=name(_ROWS, d),
        rows_columns=columns,
        differences=chunks(_differences(wanted, ids, expected, d)),
    )


def literal_of(value: Any, d: Dialect) -> str:
    """A value of a row as the dialect writes it; None and NaN are NULL."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "NULL"
    return literal(value, d) if isinstance(value, str) else number(value, d)


def _ids(columns: Sequence[str], count: int) -> tuple[str, ...]:
    """Names for the row's number and for what is expected, that no column of the table has."""
    taken, prefix = {column.casefold() for column in columns}, ""
    while any(column.startswith((f"{prefix}test_row", f"{prefix}expected_")) for column in taken):
        prefix += "_"
    return (f"{prefix}test_row", *(f"{prefix}expected_{i}" for i in range(1, count + 1)))


def _columns(
    model: Model, plan: Plan, ids: Sequence[str], expected: OutputFrame, options: SQLOptions
) -> tuple[list[Column], list[str]]:
    """The columns of the rows, cast from literals in_1, in_2, … and out_1, out_2, …, and a legend of those."""
    d = options.target
    columns, legend = [Column("n", name(ids[0], d))], []
    for i, feature in enumerate(features_read(model), 1):
        kind = d.double if feature.kind == "numeric" else d.text
        truth = d.boolean is not None and feature.name in options.booleans
        if d.no_alias is not None and re.search(d.no_alias, options.column(feature.name)):
            raise UnsupportedModel(
                f"{d.title} drops how this name begins where rows are literals",
                where="unit tests",
                got=options.column(feature.name),
                fix="map the feature to a column of another name with columns=",
            )
        column = name(options.column(feature.name), d)
        columns.append(Column(f"in_{i}", column, cast=d.stored_boolean if truth else kind))
        legend.append(f"in_{i}: {options.column(feature.name)}")
    kinds = {"i": "", "f": d.double, "O": d.text}
    for i, (result, text) in enumerate(zip(plan.results, ids[1:], strict=True), 1):
        columns.append(Column(f"out_{i}", name(text, d), cast=kinds[expected[result.name].dtype.kind]))
        legend.append(f"out_{i}: {result.name}")
    return columns, legend


def _literals(
    model: Model,
    rows: pd.DataFrame,
    expected: OutputFrame,
    wanted: Sequence[str],
    columns: Sequence[Column],
    d: Dialect,
) -> list[list[str]]:
    """The rows as literals; with names in the first one, where the dialect has no other place for them."""
    read = [rows[feature.name].tolist() for feature in features_read(model)]
    records = zip(range(1, len(rows) + 1), *read, *(expected[key].tolist() for key in wanted), strict=True)
    literals = [[literal_of(value, d) for value in row] for row in records]
    if d.literals == "selects" and literals:
        literals[0] = [f"{value} AS {column.expression}" for value, column in zip(literals[0], columns, strict=True)]
    return literals


def _differences(wanted: Sequence[str], ids: Sequence[str], expected: OutputFrame, d: Dialect) -> list[Difference]:
    differences = []
    for key, text in zip(wanted, ids[1:], strict=True):
        want, got = name(text, d), name(key, d)
        nothing = f" THEN 0 WHEN {want} IS NULL AND {got} IS NULL"
        if expected[key].dtype == object:
            binary = d.categorical.value.format
            same = f"{binary(want)} = {binary(got)}{nothing}"
        elif key.startswith("probability"):
            same = f"ABS({got} - {want}) <= {number(TOLERANCE, d)}"
        elif key.startswith("short_"):
            same = f"{got} = {want}{nothing}"
        else:
            same = f"{got} = {want}"
        shown, came = (f"CAST({column} AS {d.text})" for column in (want, got))
        differs = f"CASE WHEN {same} THEN 0 ELSE 1 END = 1"
        differences.append(Difference(name(ids[0], d), literal(key, d), shown, came, differs))
    return differences
