"""Binners that decide wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyBinner

from contract_planted.fault import patched, planted
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


@patched(TinyBinner, "read", check="scores-favour-the-favourable-class", **_TABLES)
def bins_the_last_class(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Counts the last class as good, whichever is favourable."""
    return TinyBinner.read(self, X, y, **options | {"favourable": None})


@patched(Revalued, "change", check="weights-of-evidence-are-those-of-the-counts", **_TABLES)
def turns_evidence(self: Any, condition: Any, statistics: Any) -> Any:
    """Gives the weight of evidence of a bad payer."""
    return replace(statistics, woe=-statistics.woe)


@patched(Revalued, "change", check="weights-of-evidence-are-those-of-the-counts", **_TABLES)
def halves_shares(self: Any, condition: Any, statistics: Any) -> Any:
    """Gives half of the share of each attribute."""
    return replace(statistics, share=statistics.share / 2)


@patched(Revalued, "change", check="missing-values-are-worth-what-their-rows-say", **_TABLES)
def missing_is_nothing(self: Any, condition: Any, statistics: Any) -> Any:
    """Counts missing values, and gives them no weight of evidence."""
    return replace(statistics, woe=0.0) if isinstance(condition, Missing) else statistics


@patched(Revalued, "change", check="special-codes-are-worth-what-their-rows-say", **_TABLES)
def codes_are_nothing(self: Any, condition: Any, statistics: Any) -> Any:
    """Counts special codes, and gives them no weight of evidence."""
    return replace(statistics, woe=0.0) if isinstance(condition, Special) else statistics


@patched(TinyBinner, "bin", check="weights-decide", known_failures={"weights-matter": "rows are rows"}, **_TABLES)
def bins_unweighted(self: Any, data: Any) -> Any:
    """Ignores weights, behind a declaration."""
    return TinyBinner.bin(self, replace(data, weight=np.ones_like(data.weight)))


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


@patched(TinyBinner, "fit", check="bin-does-what-fit-does", **_TABLES)
def bins_in_fit(self: Any, X: Any, y: Any = None, **more: Any) -> Any:
    """Finds its cuts in fit, where no learner looks."""
    TinyBinner.fit(self, X, y, **more)
    data = self.read(X, y)
    cuts = {f.name: [float(np.nanmedian(data.columns[f.name].values))] for f in data.features if f.kind == "numeric"}
    kept, self.cuts = self.cuts, {**cuts, **(self.cuts or {})}
    TinyBinner.fit(self, X, y, **more)
    self.cuts = kept
    return self


@patched(TinyBinner, "bin", check="bin-does-what-fit-does", **_TABLES)
def keeps_in_bin(self: Any, data: Any) -> Any:
    """Notes what it bins on itself, so that a learner changes it."""
    self.seen_ = data
    return TinyBinner.bin(self, data)


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


@patched(TinyBinner, "find_groups", check="frequent-texts-have-attributes", **_TABLES)
def keeps_two_texts(self: Any, sample: Sample) -> Sequence[Sequence[Any]]:
    """Treats all but two texts as never seen."""
    return TinyBinner.find_groups(self, sample)[:2]


@patched(TinyBinner, "find_cuts", check="neighbours-are-told-apart", **_TABLES)
def cuts_above_the_last(self: Any, sample: Sample) -> Sequence[float]:
    """Cuts at the highest value as if it were below the cut."""
    finite = sample.values[np.isfinite(sample.values)]
    return [] if len(finite) == 0 else [float(np.nextafter(finite.max(), np.inf))]


@patched(TinyBinner, "transform", check="values-are-where-conditions-say", **_TABLES)
def transforms_by_hand(self: Any, X: Any) -> Any:
    """Looks values up with the wrong side of each cut."""
    found = TinyBinner.transform(self, X)
    for place, table in enumerate(self.binning_.tables):
        cuts = [c.lower for c in table.conditions if isinstance(c, Interval) and np.isfinite(c.lower)]
        if cuts and self.encoding == "index":
            values = X[table.feature.name].to_numpy()
            found[:, place] = np.where(np.isin(values, cuts), found[:, place] - 1, found[:, place])
    return found


@patched(TinyBinner, "bin", check="edits-of-a-review-are-replayed", **_TABLES)
def forgets_policies(self: Any, data: Any) -> Any:
    """Replays the edits of a review, but for what they say of missing values."""
    binning = TinyBinner.bin(self, data)
    return replace(binning, tables=tuple(replace(table, policies=()) for table in binning.tables))


@patched(TinyBinner, "bin", check="edits-of-a-review-are-replayed", **_TABLES)
def forgets_edits(self: Any, data: Any) -> Any:
    """Takes the edits of a review, and replays none."""
    kept, self.edits = self.edits, ()
    binning = TinyBinner.bin(self, data)
    self.edits = kept
    return binning


@patched(TinyBinner, "bin", check="a-trend-is-handed-on", **_TABLES)
def keeps_trends_to_itself(self: Any, data: Any) -> Any:
    """Pools for a trend, and does not tell learners of it."""
    binning = TinyBinner.bin(self, data)
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


@patched(TinyBinner, "fit", check="index-and-types-do-not-matter", **_TABLES)
def counts_by_index(self: Any, X: Any, y: Any = None, **more: Any) -> Any:
    """Leaves out rows whose index label came before."""
    if hasattr(X, "index") and hasattr(y, "index") and not more.get("sample_weight"):
        first = ~X.index.duplicated()
        if first.sum() > 1 and len(set(y[first])) > 1:
            return TinyBinner.fit(self, X[first], y[first])
        return TinyBinner.fit(self, X.iloc[: len(X) // 2], y.iloc[: len(X) // 2])
    return TinyBinner.fit(self, X, y, **more)


@patched(TinyBinner, "find_cuts", check="columns-may-have-any-name", **_TABLES)
def skips_the_target(self: Any, sample: Sample) -> Sequence[float]:
    """Leaves a column called target in one piece."""
    return [] if sample.feature.name in ("target", "y") else TinyBinner.find_cuts(self, sample)


@patched(TinyBinner, "bin", check="groups-change-nothing-unless-asked", **_TABLES)
def bins_the_first_group(self: Any, data: Any) -> Any:
    """Bins the rows of the first group alone, where groups are known."""
    if data.groups is not None:
        data = replace(data, weight=data.weight * data.groups.attributes[0].membership[:, 0])
    return TinyBinner.bin(self, data)


@patched(TinyBinner, "bin", check="rows-count-wherever-they-stand", **_TABLES)
def bins_a_sample(self: Any, data: Any) -> Any:
    """Bins the first hundred rows."""
    return TinyBinner.bin(self, replace(data, weight=np.where(np.arange(len(data.weight)) < 100, data.weight, 0.0)))


@patched(_Optimal, "_sizes", check="limits-hold-among-all-rows", **_LIMITED)
def shares_of_ordinary_rows(self: Any, sample: Sample) -> Any:
    """Takes a least share for one of the rows that have a value."""
    return _Optimal._sizes(self, replace(sample, every=replace(sample.every, weight=float(sample.weight.sum()))))


@patched(_Optimal, "_sizes", check="few-ordinary-rows-leave-one-bin", **_LIMITED)
def at_most_half(self: Any, sample: Sample) -> Any:
    """Asks for no more than half of the rows that have a value."""
    most = float(sample.weight.sum()) / 2
    every = replace(sample.every, weight=min(sample.every.weight, most / max(self.min_share, 1e-9)))
    return _Optimal._sizes(self, replace(sample, every=every))


@patched(_Optimal, "find_cuts", check="trends-leave-the-bins-that-follow-them", **_LIMITED)
def gives_up_falling_trends(self: Any, sample: Sample) -> Sequence[float]:
    """Leaves a column in one piece where its trend falls."""
    return [] if sample.trend == "descending" else _Optimal.find_cuts(self, sample)


@patched(TinyBinner, "find_cuts", check="bins-of-quantities-are-told-apart", **_TABLES)
def sees_no_small_quantities(self: Any, sample: Sample) -> Sequence[float]:
    """Leaves a column in one piece where the quantity moves by less than a hundredth."""
    return [] if sample.continuous and np.ptp(sample.by_row().target) < 0.01 else TinyBinner.find_cuts(self, sample)


@patched(_Optimal, "bin", check="options-set-later-count", **_LIMITED)
def keeps_its_bins(self: Any, data: Any) -> Any:
    """Bins rows that it has binned before as it did then, whatever its options are now."""
    known, found = getattr(self, "_known", (None, None))
    if known != data.fingerprint():
        found = _Optimal.bin(self, data)
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


@patched(
    _Bounded,
    "bin",
    check="bounds-hold-beside-cuts-and-merges-by-hand",
    accepts=("divergence",),
    enforces=("divergence", "trend"),
)
def bounds_proposals(self: Any, data: Any) -> Any:
    """Keeps bounds in the bins that it finds, and lets cuts and merges by hand break them."""
    kept = self.constraints
    if self.cuts or self.merges:
        self.constraints = ()
    binning = _Bounded.bin(self, data)
    self.constraints = kept
    return binning


@patched(TinyBinner, "find_cuts", check="a-column-may-have-any-unit", **_TABLES)
def cuts_at_whole_numbers(self: Any, sample: Sample) -> Sequence[float]:
    """Rounds its cuts to whole numbers, where columns are in small units, too."""
    return [float(np.ceil(each)) for each in TinyBinner.find_cuts(self, sample)]


_FOUND: dict[Any, Sequence[float]] = {}


@patched(_Optimal, "find_cuts", check="what-a-process-did-before-does-not-matter", **_LIMITED)
def remembers_columns(self: Any, sample: Sample) -> Sequence[float]:
    """Cuts a column where it cut the same values before, whatever their outcomes and weights are now."""
    key = (sample.feature.name, self.max_bins, sample.trend, sample.values.tobytes())
    if key not in _FOUND:
        _FOUND[key] = _Optimal.find_cuts(self, sample)
    return _FOUND[key]
