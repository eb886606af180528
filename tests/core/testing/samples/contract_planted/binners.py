"""Binners that decide wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyBinner

from contract_planted.fault import planted
from scrutable.binning.sample import Sample
from scrutable.model import Interval, Missing, Special
from scrutable.plugins.bases import estimator
from scrutable.plugins.registry import registry

_TABLES = {"produces": ("binning",), "enforces": ("trend",)}
_LIMITED = {"produces": ("binning",), "enforces": ("min-share", "max-bins", "trend")}
_Optimal: Any = registry().load("binner", "optimal")
_Bounded: Any = registry().load("binner", "fiv-bounded")


def with_statistics(binning: Any, change: Any) -> Any:
    """A binning whose statistics are changed, attribute by attribute."""
    tables = []
    for table in binning.tables:
        pairs = zip(table.conditions, table.statistics, strict=True)
        tables.append(replace(table, statistics=tuple(change(condition, each) for condition, each in pairs)))
    return replace(binning, tables=tuple(tables))


class Revalued(TinyBinner):
    """Changes the statistics of a healthy binning."""

    def bin(self, data: Any) -> Any:
        return with_statistics(super().bin(data), self.change)

    def change(self, condition: Any, statistics: Any) -> Any:
        return statistics


@planted("binner", check="scores-favour-the-favourable-class", **_TABLES)
class BinsTheLastClass(TinyBinner):
    """Counts the last class as good, whichever is favourable."""

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return super().read(X, y, **options | {"favourable": None})


@planted("binner", check="weights-of-evidence-are-those-of-the-counts", **_TABLES)
class TurnsEvidence(Revalued):
    """Gives the weight of evidence of a bad payer."""

    def change(self, condition: Any, statistics: Any) -> Any:
        return replace(statistics, woe=-statistics.woe)


@planted("binner", check="weights-of-evidence-are-those-of-the-counts", **_TABLES)
class HalvesShares(Revalued):
    """Gives half of the share of each attribute."""

    def change(self, condition: Any, statistics: Any) -> Any:
        return replace(statistics, share=statistics.share / 2)


@planted("binner", check="missing-values-are-worth-what-their-rows-say", **_TABLES)
class MissingIsNothing(Revalued):
    """Counts missing values, and gives them no weight of evidence."""

    def change(self, condition: Any, statistics: Any) -> Any:
        return replace(statistics, woe=0.0) if isinstance(condition, Missing) else statistics


@planted("binner", check="special-codes-are-worth-what-their-rows-say", **_TABLES)
class CodesAreNothing(Revalued):
    """Counts special codes, and gives them no weight of evidence."""

    def change(self, condition: Any, statistics: Any) -> Any:
        return replace(statistics, woe=0.0) if isinstance(condition, Special) else statistics


@planted("binner", check="weights-decide", known_failures={"weights-matter": "rows are rows"}, **_TABLES)
class BinsUnweighted(TinyBinner):
    """Ignores weights, behind a declaration."""

    def bin(self, data: Any) -> Any:
        return super().bin(replace(data, weight=np.ones_like(data.weight)))


@planted("binner", check="learners-can-use-it", **_TABLES)
class WorksAlone(TinyBinner):
    """Bins only what its own fit has read."""

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        self._read = super().read(X, y, **options)
        return self._read

    def bin(self, data: Any) -> Any:
        return super().bin(self._read)

    def prebins(self, data: Any) -> Any:
        raise NotImplementedError("nobody does this")


@planted("binner", check="bin-does-what-fit-does", **_TABLES)
class BinsInFit(TinyBinner):
    """Finds its cuts in fit, where no learner looks."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        super().fit(X, y, **more)
        data = self.read(X, y)
        cuts = {
            f.name: [float(np.nanmedian(data.columns[f.name].values))] for f in data.features if f.kind == "numeric"
        }
        kept, self.cuts = self.cuts, {**cuts, **(self.cuts or {})}
        super().fit(X, y, **more)
        self.cuts = kept
        return self


@planted("binner", check="bin-does-what-fit-does", **_TABLES)
class KeepsInBin(TinyBinner):
    """Notes what it bins on itself, so that a learner changes it."""

    def bin(self, data: Any) -> Any:
        self.seen_ = data
        return super().bin(data)


@planted("binner", check="options-shadow-nothing-of-the-base", **_TABLES)
class ShadowsFixed(TinyBinner):
    """Has an option of the name of a method that learners call.

    Parameters
    ----------
    fixed : whether something is.
    trends, cuts, merges, edits, special_codes, categorical, favourable, encoding : as in `Binner`.
    """

    def __init__(
        self,
        *,
        fixed: bool = False,
        trends: Any = None,
        cuts: Any = None,
        merges: Any = None,
        edits: Any = (),
        special_codes: Any = None,
        categorical: Any = (),
        favourable: Any = None,
        encoding: str = "woe",
    ) -> None:
        shared = {"special_codes": special_codes, "categorical": categorical, "favourable": favourable}
        super().__init__(trends=trends, cuts=cuts, merges=merges, edits=edits, encoding=encoding, **shared)
        self.fixed = fixed


@planted("binner", check="frequent-texts-have-attributes", **_TABLES)
class KeepsTwoTexts(TinyBinner):
    """Treats all but two texts as never seen."""

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Any]]:
        return super().find_groups(sample)[:2]


@planted("binner", check="neighbours-are-told-apart", **_TABLES)
class CutsAboveTheLast(TinyBinner):
    """Cuts at the highest value as if it were below the cut."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        finite = sample.values[np.isfinite(sample.values)]
        return [] if len(finite) == 0 else [float(np.nextafter(finite.max(), np.inf))]


@planted("binner", check="values-are-where-conditions-say", **_TABLES)
class TransformsByHand(TinyBinner):
    """Looks values up with the wrong side of each cut."""

    def transform(self, X: Any) -> Any:
        found = super().transform(X)
        for place, table in enumerate(self.binning_.tables):
            cuts = [c.lower for c in table.conditions if isinstance(c, Interval) and np.isfinite(c.lower)]
            if cuts and self.encoding == "index":
                values = X[table.feature.name].to_numpy()
                found[:, place] = np.where(np.isin(values, cuts), found[:, place] - 1, found[:, place])
        return found


@planted("binner", check="edits-of-a-review-are-replayed", **_TABLES)
class ForgetsPolicies(TinyBinner):
    """Replays the edits of a review, but for what they say of missing values."""

    def bin(self, data: Any) -> Any:
        binning = super().bin(data)
        return replace(binning, tables=tuple(replace(table, policies=()) for table in binning.tables))


@planted("binner", check="edits-of-a-review-are-replayed", **_TABLES)
class ForgetsEdits(TinyBinner):
    """Takes the edits of a review, and replays none."""

    def bin(self, data: Any) -> Any:
        kept, self.edits = self.edits, ()
        binning = super().bin(data)
        self.edits = kept
        return binning


@planted("binner", check="a-trend-is-handed-on", **_TABLES)
class KeepsTrendsToItself(TinyBinner):
    """Pools for a trend, and does not tell learners of it."""

    def bin(self, data: Any) -> Any:
        binning = super().bin(data)
        return replace(binning, tables=tuple(replace(table, trend=None) for table in binning.tables))


@planted(
    "binner", check="bounds-it-accepts-bite", accepts=("divergence",), enforces=("divergence",), produces=("binning",)
)
@estimator
class ClaimsDivergence(TinyBinner):
    """Takes a bound on divergences, and does nothing with it.

    Parameters
    ----------
    constraints : what it binds.
    trends, cuts, merges, edits, special_codes, categorical, favourable, encoding : as in `Binner`.
    """

    accepts_bounds = ("divergence",)

    constraints: Any = ()


@planted("binner", check="numbers-that-are-categories-have-no-order", **_TABLES)
class OrdersCodes(TinyBinner):
    """Cuts numbers that are categories."""

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return super().read(X, y, **options | {"categorical": ()})

    def bin(self, data: Any) -> Any:
        kept, self.categorical = self.categorical, ()
        binning = super().bin(data)
        self.categorical = kept
        return binning


@planted("binner", check="a-fit-knows-nothing-of-those-before", **_TABLES)
class RemembersCuts(TinyBinner):
    """Cuts a column where it cut one of that name before."""

    known: dict[str, Any]

    def bin(self, data: Any) -> Any:
        binning = super().bin(data)
        memory = type(self).__dict__.get("memory") or {}
        found = memory.get(len(data.weight), binning)
        type(self).memory = {**memory, len(data.weight): found}
        return found


@planted("binner", check="index-and-types-do-not-matter", **_TABLES)
class CountsByIndex(TinyBinner):
    """Leaves out rows whose index label came before."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        if hasattr(X, "index") and hasattr(y, "index") and not more.get("sample_weight"):
            first = ~X.index.duplicated()
            if first.sum() > 1 and len(set(y[first])) > 1:
                return super().fit(X[first], y[first])
            return super().fit(X.iloc[: len(X) // 2], y.iloc[: len(X) // 2])
        return super().fit(X, y, **more)


@planted("binner", check="columns-may-have-any-name", **_TABLES)
class SkipsTheTarget(TinyBinner):
    """Leaves a column called target in one piece."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        return [] if sample.feature.name in ("target", "y") else super().find_cuts(sample)


@planted("binner", check="groups-change-nothing-unless-asked", **_TABLES)
class BinsTheFirstGroup(TinyBinner):
    """Bins the rows of the first group alone, where groups are known."""

    def bin(self, data: Any) -> Any:
        if data.groups is not None:
            data = replace(data, weight=data.weight * data.groups.attributes[0].membership[:, 0])
        return super().bin(data)


@planted("binner", check="rows-count-wherever-they-stand", **_TABLES)
class BinsASample(TinyBinner):
    """Bins the first hundred rows."""

    def bin(self, data: Any) -> Any:
        return super().bin(replace(data, weight=np.where(np.arange(len(data.weight)) < 100, data.weight, 0.0)))


@planted("binner", check="limits-hold-among-all-rows", **_LIMITED)
class SharesOfOrdinaryRows(_Optimal):
    """Takes a least share for one of the rows that have a value."""

    def _sizes(self, sample: Sample) -> Any:
        return super()._sizes(replace(sample, every=replace(sample.every, weight=float(sample.weight.sum()))))


@planted("binner", check="few-ordinary-rows-leave-one-bin", **_LIMITED)
class AtMostHalf(_Optimal):
    """Asks for no more than half of the rows that have a value."""

    def _sizes(self, sample: Sample) -> Any:
        most = float(sample.weight.sum()) / 2
        every = replace(sample.every, weight=min(sample.every.weight, most / max(self.min_share, 1e-9)))
        return super()._sizes(replace(sample, every=every))


@planted("binner", check="trends-leave-the-bins-that-follow-them", **_LIMITED)
class GivesUpFallingTrends(_Optimal):
    """Leaves a column in one piece where its trend falls."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        return [] if sample.trend == "descending" else super().find_cuts(sample)


@planted("binner", check="bins-of-quantities-are-told-apart", **_TABLES)
class SeesNoSmallQuantities(TinyBinner):
    """Leaves a column in one piece where the quantity moves by less than a hundredth."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        return [] if sample.continuous and np.ptp(sample.target) < 0.01 else super().find_cuts(sample)


@planted("binner", check="options-set-later-count", **_LIMITED)
class KeepsItsBins(_Optimal):
    """Bins rows that it has binned before as it did then, whatever its options are now."""

    def bin(self, data: Any) -> Any:
        known, found = getattr(self, "_known", (None, None))
        if known != data.fingerprint():
            found = super().bin(data)
            self._known = (data.fingerprint(), found)
        return found


@planted("binner", check="fixed-cuts-are-honoured", **_TABLES)
class JoinsPureBins(TinyBinner):
    """Joins neighbours that are all good, cuts by hand between them or not."""

    def bin(self, data: Any) -> Any:
        kept, self.cuts = self.cuts, {name: self._apart(data, name, cuts) for name, cuts in (self.cuts or {}).items()}
        binning = super().bin(data)
        self.cuts = kept
        return binning

    def _apart(self, data: Any, name: str, cuts: Any) -> list[float]:
        values = data.columns[name].values
        bad = [values[~data.good & (values < cut)].size for cut in cuts]
        return [cut for cut, below in zip(cuts, bad, strict=True) if below]


@planted(
    "binner",
    check="bounds-hold-beside-cuts-and-merges-by-hand",
    accepts=("divergence",),
    enforces=("divergence", "trend"),
    produces=("binning",),
)
class BoundsProposals(_Bounded):
    """Keeps bounds in the bins that it finds, and lets cuts and merges by hand break them."""

    def bin(self, data: Any) -> Any:
        kept = self.constraints
        if self.cuts or self.merges:
            self.constraints = ()
        binning = super().bin(data)
        self.constraints = kept
        return binning


@planted("binner", check="a-column-may-have-any-unit", **_TABLES)
class CutsAtWholeNumbers(TinyBinner):
    """Rounds its cuts to whole numbers, where columns are in small units, too."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        return [float(np.ceil(each)) for each in super().find_cuts(sample)]


_FOUND: dict[Any, Sequence[float]] = {}


@planted("binner", check="what-a-process-did-before-does-not-matter", **_LIMITED)
class RemembersColumns(_Optimal):
    """Cuts a column where it cut the same values before, whatever their outcomes and weights are now."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        key = (sample.feature.name, self.max_bins, sample.trend, sample.values.tobytes())
        if key not in _FOUND:
            _FOUND[key] = super().find_cuts(sample)
        return _FOUND[key]
