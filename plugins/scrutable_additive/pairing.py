"""Pairs of features that tell more together than both do alone: which are looked at, and which are fitted."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import min_cell
from scrutable_additive.asked_pairs import AskedPairs
from scrutable_additive.cells import Cells, Side, pair_name
from scrutable_additive.dense import DenseFit, Start, dense_fit
from scrutable_additive.groups import grouped, grouped_alone
from scrutable_additive.narrowing import narrowed
from scrutable_additive.pair_tables import PairTables
from scrutable_additive.prebinned import PreBinned
from scrutable_additive.problem import Problem
from scrutable_additive.segments import summed_by
from scrutable_additive.solution import Solution
from scrutable_additive.two_way import Told, price_of

Floats = NDArray[np.float64]

#: Most groups of a feature in a pair; a pair takes two of each.
_GROUPS = 8
#: Newton steps after which strengths are estimated again, once a pair is added, and the gradient before the last fit.
_ESTIMATING, _ROUGHLY = 2, 1e-4
#: Pairs that did not pay of which the evidence tells.
_NEAREST = 3

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """A pair that was looked at.

    Parameters
    ----------
    features : both.
    gain, parameters : as `TwoWay.smooth` says, beside the pairs that were fitted before.
    auc : on the training rows, of the fine fit before it with values for its cells by one Newton step.
    auc_without : of that fit.
    fitted : whether it was added.
    """

    features: tuple[str, str]
    gain: float
    parameters: float
    auc: float
    auc_without: float
    fitted: bool

    @property
    def name(self) -> str:
        """Of the pair."""
        return pair_name(*self.features)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What came of looking for pairs.

    Parameters
    ----------
    n_pairs : how many were looked at.
    price : what a pair has to gain.
    told : those that were added, in this order, and those that came nearest.
    """

    n_pairs: int
    price: float
    told: tuple[LookedAt, ...]


def paired(
    alone: Solution, asked: AskedPairs, columns: Collection[str], every: Problem
) -> tuple[Problem, DenseFit, Search]:
    """The problem with pairs beside its features, its dense fit, and what was looked at.

    One after another, the pair that gains most is added and all is fitted again, until none gains the price. Where no
    pairs are named, they are looked for among the features of the card of which no trend was asked, and among those of
    a scorecard that is improved.

    Parameters
    ----------
    alone : the features without pairs.
    columns : names that no pair may have.
    every : all features, also those that were left out.
    """
    problem, dense, sides = alone.problem, alone.dense, _sides(alone, asked, every)
    left = _pairs(sides, asked, columns)
    n_pairs, price = len(left), price_of(len(left))
    told: list[LookedAt] = []
    while left:
        tables = PairTables.of(problem.rows, dense, sides)
        gains = {pair: tables.two_way(*pair).smooth(*(sides[name].ordered for name in pair)) for pair in left}
        held = [pair for pair in left if pair_name(*pair) in asked.must]
        pair = max(held or left, key=lambda each: gains[each].gain)
        if not held and (len(told) == asked.most or gains[pair].gain <= price):
            break
        told.append(_looked_at(problem, dense, _cells(tables, sides, pair), gains[pair], fitted=True))
        problem = problem.beside(*_narrow(tables, sides, pair), kept=pair in held)
        dense = _fitted(problem, dense)
        problem = problem.learned(dense)
        left.remove(pair)
    if told:
        dense = dense_fit(problem.rows, problem.penalties, dense.further, estimating=0)
    nearest = sorted(left, key=lambda each: -gains[each].gain)[:_NEAREST]
    told += [_looked_at(problem, dense, _cells(tables, sides, each), gains[each], fitted=False) for each in nearest]
    return problem, dense, Search(n_pairs=n_pairs, price=price, told=tuple(told))


def _sides(alone: Solution, asked: AskedPairs, every: Problem) -> dict[str, Side]:
    """The features that may be in pairs, by their names."""
    on_card = alone.path.on_card(alone.card)
    sides = {
        layout.name: Side(feature, grouped(alone.path, place, layout, _GROUPS))
        for place, (feature, layout) in enumerate(zip(alone.problem.features, alone.problem.layouts, strict=True))
        if layout.name in asked.features
        or (asked.named is None and not layout.asked and (place in on_card or layout.name in asked.standing))
    }
    if asked.named is not None:
        return sides
    fitted = {layout.name for layout in alone.problem.layouts}
    return sides | {
        layout.name: Side(feature, grouped_alone(layout, _lacking(alone, feature), _GROUPS))
        for feature, layout in zip(every.features, every.layouts, strict=True)
        if layout.name in asked.standing and layout.name not in fitted and not layout.asked
    }


def _lacking(alone: Solution, feature: PreBinned) -> Floats:
    """(bins,) about what the dense fit lacks in each bin of a feature that is not in it."""
    tables = PairTables.of(alone.problem.rows, alone.dense, {"": Side(feature, np.arange(feature.size))})
    residual, curvature = np.diag(tables.residual), np.diag(tables.curvature)
    return residual / np.maximum(curvature, 1.0)


def _pairs(sides: Mapping[str, Side], asked: AskedPairs, columns: Collection[str]) -> list[Pair]:
    """The pairs that are looked at; each with a name of its own."""
    if asked.named is not None:
        return list(asked.named)
    by_name: dict[str, Pair] = {}
    for pair in itertools.combinations([name for name, side in sides.items() if side.size > 1], 2):
        turned = asked.turned(pair)
        by_name.setdefault(pair_name(*turned), turned)
    return [pair for name, pair in by_name.items() if name not in columns]


def _narrow(tables: PairTables, sides: Mapping[str, Side], pair: Pair) -> tuple[Cells, float]:
    """The cells of a pair in as many rows and columns as it needs, and how strongly their values are drawn to 0."""
    rows, columns = (sides[name] for name in pair)
    table = tables.two_way(*pair)
    row, column = narrowed(table, rows.ordered, columns.ordered)
    count, _ = summed_by(row, tables.count_of(*pair))
    count, _ = summed_by(column, count.T)
    cells = Cells.of(rows.together(row), columns.together(column), count.T, min_cell())
    return cells, table.together(row, column).told.strength


def _cells(tables: PairTables, sides: Mapping[str, Side], pair: Pair) -> Cells:
    return Cells.of(sides[pair[0]], sides[pair[1]], tables.count_of(*pair), min_cell())


def _fitted(problem: Problem, before: DenseFit) -> DenseFit:
    """The dense fit with the last block beside those of a fit before."""
    size = problem.rows.size - len(before.values)
    start = Start(np.concatenate([before.values, np.zeros(size)]), before.intercept)
    return dense_fit(problem.rows, problem.penalties, start, estimating=_ESTIMATING, tolerance=_ROUGHLY)


def _looked_at(problem: Problem, dense: DenseFit, cells: Cells, told: Told, *, fitted: bool) -> LookedAt:
    rows, before = problem.as_they_are.beside(cells.block), np.append(dense.values, np.zeros(cells.size))
    values = before.copy()
    values[len(dense.values) :][: len(told.values)] = told.values
    now, then = rows.measures([(values, dense.intercept), (before, dense.intercept)])
    return LookedAt(
        features=cells.features,
        gain=told.gain,
        parameters=told.parameters,
        auc=now.merit(),
        auc_without=then.merit(),
        fitted=fitted,
    )
