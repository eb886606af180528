"""Training rows as one problem: blocks of bins, what draws their values together, and what may be put together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BentTrends, Replay, check_trends, read_edits
from scrutable.data import CodedRows, QuantityData, TrainingData, TrainingRows
from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.plugins.bases import Binner
from scrutable_additive.cells import Cells
from scrutable_additive.dense import DenseFit
from scrutable_additive.families import Bernoulli, Family, Gaussian
from scrutable_additive.layout import Layout
from scrutable_additive.prebinned import PreBinned
from scrutable_additive.smoothing import Penalty
from scrutable_additive.standing import Standing
from scrutable_additive.tallies import Rows

Floats = NDArray[np.float64]

#: Edits that say what the attributes are.
_SHAPING = {"cut", "merge", "move", "cuts", "split", "merges", "start"}
#: Bytes beyond which nothing is begun, and those of a pair of bins in all tables that are there at once.
MOST_BYTES, _PAIR_BYTES = 2**33, 24
_RISING = {"ascending": 1, "descending": -1}
_BEND = {"convex": 1, "concave": -1}


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is fitted.

    Parameters
    ----------
    features : in pre-bins, a block each.
    rows : the rows in the bins of all blocks, with the weights that the fit gives them.
    layouts : of the blocks.
    penalties : of each block, with the strengths to begin with.
    audit : what the user's cuts, merges and edits did to the pre-bins.
    pairs : of features, whose blocks come after those of the features.
    """

    features: tuple[PreBinned, ...]
    rows: Rows
    layouts: tuple[Layout, ...]
    penalties: tuple[tuple[Penalty, ...], ...]
    audit: tuple[Any, ...]
    pairs: tuple[Cells, ...] = ()

    @classmethod
    def of(
        cls,
        data: TrainingData,
        binner: Binner,
        must: Collection[str] = (),
        trends: BentTrends | None = None,
        factors: tuple[float, float] = (1.0, 1.0),
        improves: Scorecard | None = None,
    ) -> Problem:
        """The problem of training rows of two classes in the pre-bins that a binner gives.

        Parameters
        ----------
        must : features that stay on the card.
        trends : what is asked beside the binner's trends; its edits come after them.
        factors : by which the losses of rows with the unfavourable and the favourable outcome are multiplied.
        improves : a scorecard to whose log-odds those of the card are added.
        """
        asked = asked_trends(binner, trends or {}, data)
        replay, standing = binner.prebins(data), None if improves is None else Standing.of(improves, len(data.features))
        return cls._of(data, replay, binner, must, asked, lambda coded: Bernoulli(factors), standing)

    @classmethod
    def of_quantity(
        cls, data: QuantityData, binner: Binner, must: Collection[str], trends: BentTrends | None = None
    ) -> Problem:
        """The problem of training rows with a quantity in the pre-bins that a binner gives."""
        asked = asked_trends(binner, trends or {}, data)
        return cls._of(data, binner.prebins_quantity(data), binner, must, asked, Gaussian.of)

    @classmethod
    def _of(
        cls,
        data: TrainingRows,
        replay: Replay[Any, Any, Any],
        binner: Binner,
        must: Collection[str],
        trends: BentTrends,
        family: Callable[[CodedRows], Family],
        standing: Standing | None = None,
    ) -> Problem:
        """The problem of rows in bins.

        Features stand in the order of what is counted in their bins, so that neither the order of the columns nor their
        names change a bit, not even of what two columns that tell the same have between them.

        Parameters
        ----------
        must : features that stay on the card.
        trends : what is asked beside the binner's trends; its edits come after them.
        family, standing : how well scores of the rows tell their target, as in `Rows`.

        Raises
        ------
        InputError : all pairs of bins need more memory than 8 GB.
        """
        fixed = fixed_by(binner)
        features = [
            PreBinned.of(each.name, place, replay, trends.get(each.name), fixed=each.name in fixed)
            for place, each in enumerate(data.features)
        ]
        _check_size(len(features), sum(each.size for each in features))
        codings = [each.coding for each in features]
        coded = data.coded([*codings, *(standing.codings if standing else ())])
        rows = Rows(
            coded,
            tuple(each.block for each in features),
            family(coded),
            standing=standing,
        )
        weight, told = _counted(rows)
        order = sorted(range(len(features)), key=lambda place: _count_key(features[place], weight[place], told[place]))
        features, weight = [features[place] for place in order], [weight[place] for place in order]
        layouts = _layouts(features, weight, must)
        return cls(
            features=tuple(features),
            rows=rows.only(order),
            layouts=layouts,
            penalties=tuple(_penalties(each) for each in layouts),
            audit=tuple(replay.audit),
        )

    def beside(self, pair: Cells, strength: float, *, kept: bool) -> Problem:
        """The problem with one block more, of a pair.

        Parameters
        ----------
        strength : with which the values of its cells are drawn to 0, to begin with.
        kept : whether it has to stay on the card.
        """
        count = self.rows.within([pair.block]).weight_by_bin
        layout = pair.layout(self.rows.size, count, kept=kept)
        penalty = replace(Penalty.free(layout.bins.start, pair.size, pair.size), strength=strength)
        return replace(
            self,
            rows=self.rows.beside(pair.block),
            layouts=(*self.layouts, layout),
            penalties=(*self.penalties, (penalty,)),
            pairs=(*self.pairs, pair),
        )

    @property
    def as_they_are(self) -> Rows:
        """The rows with the weights that they have."""
        return replace(self.rows, family=self.rows.family.plain())

    def learned(self, fit: DenseFit) -> Problem:
        """The problem with the strengths and the dispersion that a fit has estimated."""
        return replace(self, rows=replace(self.rows, family=fit.family), penalties=fit.penalties)

    def only(self, kept: Sequence[int]) -> Problem:
        """The problem of some of the features, before there are pairs."""
        starts = np.cumsum([0, *(self.features[place].size for place in kept)]).astype(np.intp)
        moves = {place: int(start) - self.layouts[place].bins.start for place, start in zip(kept, starts, strict=False)}
        layouts = [
            replace(self.layouts[place], bins=_moved(self.layouts[place].bins, by)) for place, by in moves.items()
        ]
        return Problem(
            features=tuple(self.features[place] for place in kept),
            rows=self.rows.only(kept),
            layouts=tuple(layouts),
            penalties=tuple(
                tuple(replace(each, bins=_moved(each.bins, by)) for each in self.penalties[place])
                for place, by in moves.items()
            ),
            audit=self.audit,
        )


def fixed_by(binner: Binner) -> set[str]:
    """Features whose attributes the user has said; policies, notes and trends say none."""
    by_edit = {edit.feature for edit in read_edits(binner.edits) if edit.action in _SHAPING}
    return {*(binner.cuts or {}), *(binner.merges or {}), *by_edit}


def asked_trends(binner: Binner, trends: BentTrends, data: TrainingRows) -> BentTrends:
    """What is asked of features: trends of a learner, those of its binner, and by edits, which come last.

    Raises
    ------
    InputError : a trend of no column, of one without order, or one that is none.
    """
    check_trends(trends, data, binner.categorical, bent=True)
    by_edit = {edit.feature for edit in read_edits(binner.edits) if edit.trend is not None or edit.action == "start"}
    return {**{name: trend for name, trend in trends.items() if name not in by_edit}, **binner.asked_trends()}


def _check_size(n_features: int, n_bins: int) -> None:
    """Refuse tables of all pairs of bins that are too large to begin."""
    if (needed := _PAIR_BYTES * n_bins**2) > MOST_BYTES:
        raise InputError(
            "the problem is too large",
            where=f"{n_features:,} columns in {n_bins:,} fine bins",
            got=f"{needed / 2**30:.3g} GB of memory",
            allowed=f"at most {MOST_BYTES / 2**30:g} GB",
            fix="leave columns out, or fit by rows (here: --learner scorecard, or scorecard-regressor for a quantity)",
        )


def _counted(rows: Rows) -> tuple[list[Floats], list[Floats]]:
    """By block (bins,) weight, and what is told of the target."""
    bound = rows.family.bounds(0.0).residual
    told = rows.by_bin(lambda part: rows.family.at(0.0 * part.target, part.target).residual, bound)
    return [rows.weight_by_bin[own] for own in rows.slices], [told[own] for own in rows.slices]


def _count_key(feature: PreBinned, weight: Floats, told: Floats) -> tuple[int, int, list[tuple[float, float]]]:
    """Sizes, and what is counted by bin; of categories, which have no order, sorted."""
    counts = list(zip(weight.tolist(), told.tolist(), strict=True))
    return feature.size, feature.n_ordinary, sorted(counts) if feature.nominal else counts


def _layouts(features: Sequence[PreBinned], weight: Sequence[Floats], must: Collection[str]) -> tuple[Layout, ...]:
    words = [(each.trend or "").split() for each in features]
    starts = np.cumsum([0, *(each.size for each in features)]).tolist()
    return tuple(
        Layout(
            name=each.feature.name,
            bins=slice(start, start + each.size),
            n_ordinary=each.n_ordinary,
            nominal=each.nominal,
            rising=sum(_RISING.get(word, 0) for word in asked),
            bend=sum(_BEND.get(word, 0) for word in asked),
            asked=bool(asked),
            fixed=each.fixed,
            apart=each.apart,
            kept=each.feature.name in must,
            count=count,
        )
        for each, asked, start, count in zip(features, words, starts, weight, strict=False)
    )


def _penalties(layout: Layout) -> tuple[Penalty, ...]:
    first, size, ordinary = layout.bins.start, len(layout.count), layout.n_ordinary
    if layout.nominal:
        return (Penalty.free(first, size, size - 1),)
    apart = Penalty.free(first + ordinary, size - ordinary, size - ordinary)
    return (Penalty.walk(first, ordinary), apart) if ordinary > 1 else (apart,)


def _moved(bins: slice, by: int) -> slice:
    return slice(bins.start + by, bins.stop + by)
