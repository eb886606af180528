"""The pre-bins of all features, and the merges of them that keep to bounds."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable, Edit, refuse_policies
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.plugins import Selection
from scrutable.plugins.bases import Binner, Candidates, Selector
from scrutable_lda_xgb1.contrast import Contrast
from scrutable_lda_xgb1.fronts import Front, front
from scrutable_lda_xgb1.merging import merge
from scrutable_lda_xgb1.mixed_integer import merge_by_milp
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.prebins import Binned, PreBins

Floats = NDArray[np.float64]
Solver = Literal["labels", "milp"]

#: Degrees of freedom of a cut that stumps found: where a feature tells nothing, cuts gain as much by chance, by trial,
#: which the tests repeat. Friedman (1991), Multivariate adaptive regression splines, charges 3 for a knot.
_CUT_COST = 3.0


@dataclass(frozen=True, eq=False)
class Merged:
    """The features that a merge keeps, and the names of those it leaves out.

    A feature is left out where its missing or special values alone break a bound, or where one attribute is left.
    `borders` tells merges of the same study apart.
    """

    binned: tuple[Binned, ...]
    left_out: tuple[str, ...]
    borders: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, eq=False)
class Study:
    """All features in pre-bins, what the groups are, and how merged bins may look."""

    data: TrainingData
    prebins: tuple[PreBins, ...]
    contrasts: tuple[Contrast, ...]
    options: MergeOptions
    solver: Solver = "labels"
    #: What the user's cuts, merges and edits did to the pre-bins.
    audit: tuple[Edit, ...] = ()
    #: Which features were left to it, and why the others are not.
    selection: Selection | None = None
    #: Features merged before, by position and borders: the steps of a sweep have most of them in common.
    known: dict[tuple[int, tuple[int, ...]], Binned] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.solver not in ("labels", "milp"):
            raise InputError("unknown solver", where="solver", got=self.solver, allowed="'labels' or 'milp'")

    @classmethod
    def of(
        cls,
        data: TrainingData,
        binner: Binner,
        contrasts: Sequence[Contrast],
        options: MergeOptions,
        solver: Solver = "labels",
    ) -> Study:
        """The study of training rows, from the pre-bins that a binner gives."""
        replay, trends, codes = binner.prebins(data), binner.asked_trends(), tuple(binner.categorical)
        refuse_policies(list(replay.bins.values()), "whoever merges bins itself")
        prebins = tuple(
            PreBins.of(f, replay.bins[f.name].proposal, data, codes, trends.get(f.name)) for f in data.features
        )
        return cls(data, prebins, tuple(contrasts), options, solver, tuple(replay.audit))

    def selected(self, selector: Selector | None) -> Study:
        """The study of the features that a selector keeps of its merge, within the bounds of the contrasts."""
        if selector is None:
            return self
        binned = self.merged().binned
        tables = [each.table for each in binned]
        rows, woe = self.data.coded([table.coding for table in tables]), [table.woe for table in tables]
        selection = selector.select(Candidates.of(tables, rows, woe, self.data, cut_cost=_CUT_COST))
        kept = tuple(each for each in self.prebins if each.feature.name in selection.kept)
        return replace(self, prebins=kept, selection=selection, known={})

    def merged(self) -> Merged:
        """The merge of highest information value that keeps the bounds of the contrasts."""
        return self.chosen(self.borders())

    def borders(self) -> list[list[int] | None]:
        """Per feature the borders of that merge; None where even one bin breaks a bound."""
        return [self._best(position) for position in range(len(self.prebins))]

    def within(self, position: int, front: Front) -> list[int] | None:
        """Borders of the best merge of a feature's front that keeps the bound; None where there is none."""
        at = front.within(self.contrasts[0].bound)
        while at is not None and not self._kept(position, front.borders(at)):
            at = at - 1 if at else None
        return None if at is None else front.borders(at)

    def bounded(self, limits: Floats) -> Study:
        """A copy of this study with other bounds, one for each contrast."""
        bounds = zip(self.contrasts, limits.tolist(), strict=True)
        return replace(self, contrasts=tuple(replace(contrast, bound=limit) for contrast, limit in bounds))

    @functools.cached_property
    def fronts(self) -> tuple[Front, ...]:
        """Per feature, every merge that no other beats in information value and fairness information value both."""
        return tuple(front(p.counted(self.contrasts), self.options, trend=p.trend) for p in self.prebins)

    def chosen(self, borders: Sequence[Sequence[int] | None]) -> Merged:
        """The features with these borders; None leaves one out."""
        given = tuple(None if border is None else tuple(border) for border in borders)
        merged = [self._merged(position, border) for position, border in enumerate(given) if border is not None]
        kept = tuple(binned for binned in merged if binned.tells)
        names = {binned.table.feature.name for binned in kept}
        left_out = tuple(each.feature.name for each in self.prebins if each.feature.name not in names)
        return Merged(kept, left_out, given)

    def tables(self, merged: Merged) -> Iterator[BinTable]:
        """The tables of a merge, those of features that it leaves out for one attribute among them."""
        for position, borders in enumerate(merged.borders):
            if borders is not None:
                yield self._merged(position, borders).table

    def _best(self, position: int) -> list[int] | None:
        solve = merge if self.solver == "labels" else merge_by_milp
        prebins, step = self.prebins[position], 1e-15
        pre = prebins.counted(self.contrasts)
        borders = solve(pre, self.options, trend=prebins.trend)
        while borders is not None and not self._kept(position, borders):
            pre, step = replace(pre, limits=pre.limits * (1 - step) - 1e-300), 4 * step
            borders = solve(pre, self.options, trend=prebins.trend)
        return borders

    def _kept(self, position: int, borders: Sequence[int]) -> bool:
        """Whether a merge keeps the bounds as they are measured: added up in another order, FIVs end otherwise."""
        counted = self._merged(position, tuple(borders)).counted
        return all(contrast.fiv(counted) <= contrast.bound for contrast in self.contrasts)

    def _merged(self, position: int, borders: tuple[int, ...]) -> Binned:
        if (position, borders) not in self.known:
            self.known[position, borders] = self.prebins[position].merged(borders, self.data)
        return self.known[position, borders]
