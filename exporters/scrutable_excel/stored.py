"""What the formulas give, from the evaluator: stored beside them, for programs that compute nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scrutable.data import Bools
from scrutable.data.frames import Column
from scrutable.model.evaluator import ClauseMasks, evaluate
from scrutable_excel.card import CharacteristicRows
from scrutable_excel.columns import Layout


def results(layout: Layout, applicants: Mapping[str, Column], n_rows: int) -> dict[int, list[Any]]:
    """The values of every column of formulas in the rows of applicants, all inside the domain."""
    model = layout.card.model
    evaluation = evaluate(model, {name: column.values for name, column in applicants.items()})
    frame = evaluation.frame()
    values: dict[int, list[Any]] = {layout.check: [0] * n_rows}
    for name, place in layout.results.items():
        values[place] = ["" if value is None or value != value else value for value in frame[name].tolist()]
    lines = [
        _lines(block, evaluation.attribute[block.feature.name].tolist(), applicants[block.feature.name].values.tolist())
        for block in layout.card.blocks
    ]
    masks = ClauseMasks(model.features, applicants, n_rows)
    flags: list[Bools] = [masks.conjunction(rule.when) for rule in layout.card.policy.knock_outs]
    values |= {layout.lines + place: each for place, each in enumerate(lines)}
    values |= {layout.flags + place: each.astype(int).tolist() for place, each in enumerate(flags)}
    values |= {layout.strengths + place: _strengths(layout, code, lines) for place, code in enumerate(layout.codes)}
    return values


def _lines(block: CharacteristicRows, attributes: list[int], values: list[Any]) -> list[int]:
    """The line of each row: its attribute's, or the one of its value where an attribute has several."""
    numbers = {(line.position, line.value): number for number, line in enumerate(block.lines, 1)}
    pairs = zip(attributes, values, strict=True)
    return [numbers[pair if pair in numbers else (pair[0], None)] for pair in pairs]


def _strengths(layout: Layout, code: str, lines: list[list[int]]) -> list[int]:
    """The strongest that a code is in each row."""
    place = layout.place(code)
    strongest = np.zeros(len(lines[0]), dtype=int)
    for position, block in layout.carriers(code):
        strengths = [layout.card.strength(line) if line.code_place == place else 0 for line in block.lines]
        strongest = np.maximum(strongest, np.array(strengths)[np.array(lines[position]) - 1])
    strongest_by_row: list[int] = strongest.tolist()
    return strongest_by_row
