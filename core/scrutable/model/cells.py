"""A feature's domain, cut into the cells on which nothing in the model changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Feature, Value
from scrutable.data.frames import Column
from scrutable.model.characteristics import Characteristic
from scrutable.model.conditions import AttributeCondition, Clause, Interval
from scrutable.model.domain import next_double
from scrutable.model.interactions import Axis
from scrutable.model.limits import Limit, spelled_alike
from scrutable.model.program.buckets import bucket
from scrutable.model.program.ladders import Ladder, of_attributes, of_clause, simplest
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
        return bucket(of_attributes(conditions, self.feature), self.witnesses).astype(np.intp)

    def locate(self, column: Column) -> NDArray[np.intp]:
        """(n,) the cell of each value of a column of the feature's kind."""
        if self.feature.kind == "numeric":
            return np.where(column.missing, 0, np.searchsorted(self.cuts, column.values, side="right"))
        of_level = [0 if text is None else self.groups.get(text, 1) for text in column.coding.levels]
        return np.take(np.array(of_level, dtype=np.intp), column.coding.codes)

    def ladder(self, grouped: Sequence[int]) -> Ladder:
        """The ladder that tells the cells, or groups of them.

        Parameters
        ----------
        grouped : the group of each cell, numbered from 0.
        """
        missing, *rest = grouped
        size = max(grouped) + 1
        if self.feature.kind == "numeric":
            return simplest("numeric", size, list(zip(self.cuts, rest, strict=True)), {}, missing)
        named: dict[Value, int] = {text: grouped[cell] for text, cell in self.groups.items()}
        return simplest("categorical", size, [(-math.inf, rest[0])], named, missing)

    def truth(self, clause: Clause) -> NDArray[np.bool_]:
        """The cells on which a clause holds."""
        return bucket(of_clause(clause, self.feature), self.witnesses).astype(np.bool_)

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
    return cells_of_ladders(feature, [of_attributes(conditions, feature)])


def cells_of(
    features: Iterable[Feature], cuts: Iterable[Characteristic | Axis], clauses: Iterable[Clause]
) -> dict[str, Cells]:
    """The cells of every feature for what cuts it and the clauses that read it; what reads others has no part."""
    ladders: dict[str, list[Ladder]] = {feature.name: [] for feature in features}
    by_name = {feature.name: feature for feature in features}
    for item in cuts:
        if item.feature in by_name:
            ladders[item.feature].append(of_attributes(item.conditions, by_name[item.feature]))
    for clause in dict.fromkeys(clauses):
        if clause.feature in by_name:
            ladders[clause.feature].append(of_clause(clause, by_name[clause.feature]))
    return {name: cells_of_ladders(by_name[name], own) for name, own in ladders.items()}


def cells_of_ladders(feature: Feature, ladders: Sequence[Ladder]) -> Cells:
    """The cells that some ladder tells apart, so that neighbours and texts of equal meaning are one cell.

    Examples
    --------
    >>> ladder = Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(18.0,), missing=0)
    >>> cells_of_ladders(Feature(name="age", kind="numeric"), [ladder]).words()
    ['missing', '< 18', '>= 18']
    """
    return _of_texts(feature, ladders) if feature.kind == "categorical" else _of_numbers(feature, ladders)


def _of_numbers(feature: Feature, ladders: Sequence[Ladder]) -> Cells:
    cuts = {-math.inf, *(cut for ladder in ladders for cut in ladder.cuts)}
    values = [float(value) for ladder in ladders for value, _ in ladder.named]
    starts = sorted(cuts.union(values, map(next_double, values)))
    meaning = _meaning(_numbers(feature, starts), ladders)[1:]
    changed = [True, *(meaning[1:] != meaning[:-1]).any(axis=1).tolist()]
    kept = list(compress(starts, changed))
    return Cells(feature=feature, witnesses=_numbers(feature, kept), cuts=tuple(kept))


def _of_texts(feature: Feature, ladders: Sequence[Ladder]) -> Cells:
    texts = list(dict.fromkeys(str(value) for ladder in ladders for value, _ in ladder.named))
    ordered = [None, max(texts, default="") + "x", *texts]
    meaning = list(map(tuple, _meaning(_texts(feature, ordered), ladders).tolist()))
    cells, groups, kept = {meaning[1]: 1}, dict[str, int](), ordered[:2]
    for text, own in zip(texts, meaning[2:], strict=True):
        if own not in cells:
            cells[own] = len(kept)
            kept.append(text)
        if cells[own] > 1:
            groups[text] = cells[own]
    return Cells(feature=feature, witnesses=_texts(feature, kept), groups=groups)


def _meaning(values: Column, ladders: Sequence[Ladder]) -> NDArray[np.intp]:
    """(values, ladders) the bucket of each value in each ladder."""
    meaning = np.zeros((len(values.values), len(ladders)), dtype=np.intp)
    for place, ladder in enumerate(ladders):
        meaning[:, place] = bucket(ladder, values)
    return meaning


def _numbers(feature: Feature, cuts: Sequence[float]) -> Column:
    return Column(feature.name, "numeric", np.array([math.nan, *cuts]))


def _texts(feature: Feature, texts: Sequence[Any]) -> Column:
    return Column(feature.name, "categorical", np.array(texts, dtype=object))
