"""What the formulas give, from the reference interpreter: stored beside them, for programs that compute nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np

from scrutable.data.frames import Column
from scrutable.model.program import Bucket, Rank, Ref, Rows, Texts, Words, sort_of
from scrutable_excel.columns import Layout, ScoreColumn
from scrutable_excel.formulas import RULES


def results(layout: Layout, applicants: Mapping[str, Column], n_rows: int) -> dict[int, list[Any]]:
    """The values of every column of formulas in the rows of applicants, all inside the domain."""
    rows = Rows(layout.program, applicants, slice(0, n_rows), n_rows)
    computed = {place: column for place, column in enumerate(layout.columns) if column.formula is not None}
    return {
        place: [0] * n_rows if column.of is None else _values(layout, rows, column, column.of)
        for place, column in computed.items()
    }


def _values(layout: Layout, rows: Rows, column: ScoreColumn, ref: Ref) -> list[Any]:
    node = layout.program[ref]
    if column.part == "line":
        assert isinstance(node, Bucket)
        return _lines(layout, ref, node, rows.value(node.of))
    if isinstance(node, Rank):
        short = np.array([np.maximum.reduce([rows.value(each) for each in of]) for of in node.of]).clip(min=0)
        own = short[column.code]
        if column.part == "short":
            return list(own.tolist())
        before, after = short[: column.code] >= own, short[column.code + 1 :] > own
        return list((1 + before.sum(axis=0) + after.sum(axis=0)).tolist())
    value = rows.value(ref)
    given = value.objects() if isinstance(value, Texts) else value
    if sort_of(layout.program, ref) == "truth":
        given = given.astype(int)
    values = ["" if each is None or each != each else each for each in given.tolist()]
    if column.name == "rules" or isinstance(node, Words):
        values = ["" if each is None else f"{RULES} {each}".strip() for each in given.tolist()]
    return values


def _lines(layout: Layout, ref: Ref, node: Bucket, value: Any) -> list[int]:
    """The line of each row: its value's or, where that has none, that of its rung."""
    lines, ladder = layout.tables.blocks[ref].lines, node.ladder
    own = {line.value: number for number, line in enumerate(lines, 1) if line.value is not None}
    values = value.values.tolist() if isinstance(value, Column) else value.tolist()
    return [
        len(lines)
        if each is None or each != each
        else own.get(each, 1 if isinstance(each, str) else 1 + bisect_right(ladder.cuts, each))
        for each in values
    ]
