"""A feature's domain, cut into the cells on which nothing in the model changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Feature
from scrutable.data.frames import Column
from scrutable.model.characteristics import Characteristic
from scrutable.model.conditions import AttributeCondition, Categories, Clause, Interval, Special
from scrutable.model.domain import next_double, witnesses
from scrutable.model.evaluator.assign import ClauseMasks, assign
from scrutable.model.limits import Limit, spelled_alike
from scrutable.writing.decimals import number

Conditions = Sequence[AttributeCondition]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Cells of one feature, numbered from 0, which is missing.

    Whatever the model says of a value, it says of every value in the cell; so each of its tables has an entry a cell,
    and that is what the evaluator says of the cell's witness.

    Parameters
    ----------
    witnesses : a value of each cell.
    cuts : numeric features: the smallest number of each cell from 1 on, rising from -inf.
    groups : categorical features: the cell of each text that has one; any other text is in cell 1.
    """

    feature: Feature
    witnesses: Column
    cuts: tuple[float, ...] = ()
    groups: Mapping[str, int] = field(default_factory=dict)

    def attributes(self, conditions: Conditions) -> NDArray[np.intp]:
        """Position of the condition that each cell satisfies, of conditions that partition the domain."""
        return assign(conditions, self.feature, self.witnesses)

    def locate(self, column: Column) -> NDArray[np.intp]:
        """(n,) the cell of each value of a column of the feature's kind."""
        if self.feature.kind == "numeric":
            return np.where(column.missing, 0, np.searchsorted(self.cuts, column.values, side="right"))
        of_level = [0 if text is None else self.groups.get(text, 1) for text in column.coding.levels]
        return np.take(np.array(of_level, dtype=np.intp), column.coding.codes)

    def truth(self, clause: Clause) -> NDArray[np.bool_]:
        """The cells on which a clause holds."""
        return _truth(clause, self.feature, self.witnesses)

    def words(self) -> list[str]:
        """What is in each cell."""
        if self.feature.kind == "numeric":
            return ["missing", *(self.words_between(cell, cell + 1) for cell in range(1, len(self.cuts) + 1))]
        named: list[list[str]] = [[] for _ in self.witnesses.values[2:]]
        for text, cell in self.groups.items():
            named[cell - 2].append(repr(text))
        return ["missing", "any other text", *(" or ".join(texts) for texts in named)]

    def words_between(self, first: int, end: int) -> str:
        """What is in the cells of numbers from one to the one before another."""
        ends = [*self.cuts, math.inf]
        lower, upper = ends[first - 1], ends[end - 1]
        return number(lower) if upper <= next_double(lower) else Interval(lower, upper).told(self.spelled)

    @property
    def spelled(self) -> dict[Limit, Limit]:
        """How the limits of cells are spelled, alike but for those beside single numbers."""
        single = [(low, high) for low, high in pairwise(self.cuts) if high <= next_double(low)]
        beside = {(high, False): (low, True) for low, high in single}
        others = set(self.cuts).difference(*single)
        return beside | dict(spelled_alike((cut, False) for cut in others))


def cells_of_conditions(feature: Feature, conditions: Conditions) -> Cells:
    """The cells of a feature of which only conditions matter that partition its domain."""
    return _merged(feature, conditions, [conditions], [])


def cells_of(
    features: Iterable[Feature], characteristics: Iterable[Characteristic], clauses: Iterable[Clause]
) -> dict[str, Cells]:
    """The cells of every feature for the characteristics and clauses that read it."""
    partitions: dict[str, list[Conditions]] = {}
    for item in characteristics:
        partitions.setdefault(item.feature, []).append([attribute.condition for attribute in item.attributes])
    asked: dict[str, list[Clause]] = {}
    for clause in dict.fromkeys(clauses):
        asked.setdefault(clause.feature, []).append(clause)
    cells = {}
    for feature in features:
        tiles, own = partitions.get(feature.name, []), asked.get(feature.name, [])
        every = [*(c for conditions in tiles for c in conditions), *(c for clause in own for c in clause.any_of)]
        cells[feature.name] = _merged(feature, every, tiles, own)
    return cells


def _merged(feature: Feature, every: Conditions, tiles: Sequence[Conditions], clauses: Sequence[Clause]) -> Cells:
    """The cells that some condition tells apart, so that neighbours and texts of equal meaning are one cell."""
    if feature.kind == "categorical":
        return _merged_texts(feature, every, tiles, clauses)
    cuts = _cuts(feature, every)
    meaning = _meaning(feature, _numbers(feature, cuts), tiles, clauses)
    kept = [cut for i, cut in enumerate(cuts, 1) if i == 1 or (meaning[i] != meaning[i - 1]).any()]
    return Cells(feature=feature, witnesses=_numbers(feature, kept), cuts=tuple(kept))


def _merged_texts(feature: Feature, every: Conditions, tiles: Sequence[Conditions], clauses: Sequence[Clause]) -> Cells:
    _, *texts, unseen = witnesses(feature, [*every, *(Special((code,)) for code in feature.special_codes)])
    ordered = [None, unseen, *texts]
    meaning = _meaning(feature, _texts(feature, ordered), tiles, clauses)
    cells: dict[tuple[Any, ...], int] = {tuple(meaning[1]): 1}
    groups: dict[str, int] = {}
    kept = ordered[:2]
    for text, row in zip(texts, meaning[2:].tolist(), strict=True):
        if tuple(row) not in cells:
            cells[tuple(row)] = len(kept)
            kept.append(text)
        if cells[tuple(row)] > 1:
            groups[str(text)] = cells[tuple(row)]
    return Cells(feature=feature, witnesses=_texts(feature, kept), groups=groups)


def _meaning(
    feature: Feature, values: Column, tiles: Sequence[Conditions], clauses: Sequence[Clause]
) -> NDArray[np.intp]:
    """(values, questions): what each question of the model gives for each value."""
    answers = [assign(conditions, feature, values) for conditions in tiles]
    answers += [_truth(clause, feature, values).astype(np.intp) for clause in clauses]
    return np.stack(answers, axis=1) if answers else np.zeros((len(values.values), 1), dtype=np.intp)


def _truth(clause: Clause, feature: Feature, values: Column) -> NDArray[np.bool_]:
    return ClauseMasks((feature,), {feature.name: values}, len(values.values)).clause(clause)


def _cuts(feature: Feature, conditions: Conditions) -> list[float]:
    """-inf and wherever a condition or a special code begins or ends: the first number that is no longer below it."""
    cuts = {-math.inf}
    values = {float(code) for code in feature.special_codes}
    for condition in conditions:
        if isinstance(condition, Interval):
            cuts.add(condition.lower if condition.closed_lower else next_double(condition.lower))
            if condition.upper < math.inf:
                cuts.add(next_double(condition.upper) if condition.closed_upper else condition.upper)
        elif isinstance(condition, Categories):
            values.update(map(float, condition.values))
    cuts.update(end for value in values for end in (value, next_double(value)))
    return sorted(cuts)


def _numbers(feature: Feature, cuts: Sequence[float]) -> Column:
    return Column(feature.name, "numeric", np.array([math.nan, *cuts]))


def _texts(feature: Feature, texts: Sequence[Any]) -> Column:
    return Column(feature.name, "categorical", np.array(texts, dtype=object))
