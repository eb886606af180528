"""The bins of one feature while they are edited, and what each edit makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

from scrutable.binning.edits import BinEdit, PolicyName
from scrutable.binning.missing_treatments import AttributePolicy
from scrutable.binning.sample import Sample, distinct, pooled
from scrutable.binning.tables import Trend, categories, intervals
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.features import Value
from scrutable.errors import InputError, did_you_mean
from scrutable.model import Categories, Feature, Interval, Missing, Special
from scrutable.model.conditions import AttributeCondition
from scrutable.writing.decimals import number

Groups = tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """A policy for missing values, or for one special code; `bin` is a value in the bin of the policy "with"."""

    code: Value | None
    policy: PolicyName
    bin: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """Cuts of a numeric feature or groups of a categorical one, its trend, and its policies.

    Parameters
    ----------
    nominal : whether its values are categories.
    cuts, groups : whichever the feature has.
    stated : values that a review began with; they need not be in the rows.
    """

    feature: Feature
    nominal: bool
    cuts: tuple[float, ...] = ()
    groups: Groups = ()
    stated: frozenset[Value] = frozenset()
    trend: Trend | None = None
    treatments: tuple[Treatment, ...] = ()

    @classmethod
    def of(cls, feature: Feature, nominal: bool, proposal: Iterable[Any]) -> Bins:
        """What a binner proposes."""
        if nominal:
            return cls(feature=feature, nominal=nominal, groups=tuple(tuple(group) for group in proposal))
        return cls(feature=feature, nominal=nominal, cuts=tuple(float(cut) for cut in proposal))

    @property
    def proposal(self) -> list[Any]:
        """The cuts or groups, as binners propose them."""
        return list(self.groups if self.nominal else self.cuts)

    @property
    def conditions(self) -> tuple[AttributeCondition, ...]:
        """The attributes."""
        return categories(self.groups, self.feature) if self.nominal else intervals(self.cuts, self.feature)

    @property
    def policies(self) -> tuple[AttributePolicy, ...]:
        """The treatments other than their own value, by position of the attributes."""
        conditions = self.conditions if self.treatments else ()
        policies = []
        for each in self.treatments:
            wanted = Missing() if each.code is None else Special((each.code,))
            policies.append(
                AttributePolicy(
                    position=conditions.index(wanted),
                    treated=cast(Any, each.policy),  # "own" is never kept
                    bin=None if each.bin is None else self.holder(each.bin),
                )
            )
        return tuple(policies)

    def holder(self, value: Value) -> int | None:
        """Position of the interval or categories that hold an ordinary value; None if none does."""
        for position, condition in enumerate(self.conditions):
            if isinstance(condition, Categories) and value in condition.values:
                return position
            if isinstance(condition, Interval) and not isinstance(value, str):
                last = condition.upper == float("inf")
                if condition.lower <= value and (last or value < condition.upper):
                    return position
        return None


def edited(bins: Bins, edit: BinEdit, sample: Sample, *, pool: bool = True) -> Bins:
    """The bins after an edit.

    Parameters
    ----------
    sample : the ordinary values; categories must be among them, and a trend is judged by them.
    pool : whether a trend merges neighbours that go against it. Without, they are left to whoever merges bins anyway.

    Raises
    ------
    InputError : the edit does not fit the feature or its present bins.
    """
    _check_kind(bins, edit)
    return _EDITORS[edit.action](bins, edit, sample, pool)


def _check_kind(bins: Bins, edit: BinEdit) -> None:
    numeric = edit.at is not None or edit.cuts is not None or edit.trend is not None
    nominal = edit.values is not None or edit.groups is not None
    if (nominal and not bins.nominal) or (numeric and bins.nominal):
        raise InputError(
            f"the column is {'categorical' if bins.nominal else 'numeric'}",
            where=edit.where,
            got=edit.detail,
            allowed="merge of values, split, merges" if bins.nominal else "cut, merge at a cut, move, cuts, trend",
            fix="give an edit that fits the column",
        )


def _cut(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    assert edit.at is not None
    if edit.at in bins.cuts:
        raise InputError("there is a cut already", where=edit.where, got=edit.at, allowed=_known_cuts(bins))
    return replace(bins, cuts=tuple(sorted([*bins.cuts, edit.at])))


def _move(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    assert edit.to is not None
    position = _position(bins, edit)
    ends = (float("-inf"), *bins.cuts, float("inf"))
    low, high = ends[position], ends[position + 2]
    if not low < edit.to < high:
        raise InputError(
            "a cut moves between its neighbours",
            where=edit.where,
            got=edit.to,
            allowed=f"above {number(low)} and below {number(high)}",
            fix="merge the bins in between first",
        )
    return replace(bins, cuts=(*bins.cuts[:position], edit.to, *bins.cuts[position + 1 :]))


def _merge(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    if edit.values is None:
        position = _position(bins, edit)
        return replace(bins, cuts=bins.cuts[:position] + bins.cuts[position + 1 :])
    _check_values(bins, edit, edit.values, sample)
    joined = [group for group in bins.groups if set(group) & set(edit.values)]
    loose = tuple(value for value in edit.values if not any(value in group for group in joined))
    if len(joined) + len(loose) < 2:
        raise InputError(
            "they are in one group already",
            where=edit.where,
            got=list(edit.values),
            fix="name values of at least two groups",
        )
    merged = (*(value for group in joined for value in group), *loose)
    first = bins.groups.index(joined[0]) if joined else len(bins.groups)
    rest = [group for group in bins.groups if group not in joined]
    before = sum(bins.groups.index(group) < first for group in rest)
    return replace(bins, groups=(*rest[:before], merged, *rest[before:]))


def _cuts(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    assert edit.cuts is not None
    return replace(bins, cuts=edit.cuts)


def _split(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    assert edit.values is not None
    _check_values(bins, edit, edit.values, sample)
    if any(set(group) == set(edit.values) for group in bins.groups):
        raise InputError("they are a group of their own already", where=edit.where, got=list(edit.values))
    groups: list[tuple[Value, ...]] = []
    for group in bins.groups:
        if rest := tuple(value for value in group if value not in edit.values):
            groups.append(rest)
    return replace(bins, groups=(*groups, edit.values))


def _merges(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    assert edit.groups is not None
    named = tuple(value for group in edit.groups for value in group)
    _check_values(bins, edit, named, sample)
    rest = (tuple(value for value in group if value not in named) for group in bins.groups)
    return replace(bins, groups=(*edit.groups, *filter(None, rest)))


def _trend(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    trend = None if edit.trend == "none" else edit.trend
    cuts = bins.cuts if edit.cuts is None else edit.cuts
    if trend is not None and edit.cuts is None and pool:
        cuts = tuple(pooled(list(cuts), replace(sample, trend=trend)))
    return replace(bins, trend=trend, cuts=cuts)


def _start(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    trend = None if edit.trend == "none" else edit.trend
    if not bins.nominal:
        return replace(bins, cuts=edit.cuts or (), trend=trend)
    groups = edit.groups or ()
    stated = frozenset(value for group in groups for value in group)
    later = [tuple(value for value in group if value not in stated) for group in bins.groups]
    return replace(bins, groups=(*groups, *filter(None, later)), stated=stated)


def _same(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    return bins


def _missing(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    return _treated(bins, edit, [None], sample)


def _special(bins: Bins, edit: BinEdit, sample: Sample, pool: bool) -> Bins:
    known = bins.feature.special_codes
    for code in edit.codes or (known or (None,)):
        if code not in known:
            raise InputError(
                "no such special code",
                where=edit.where,
                got=code,
                allowed=", ".join(map(repr, known)) or "none",
                fix="name the codes that are no measurement in special_codes",
            )
    return _treated(bins, edit, edit.codes or known, sample)


def _treated(bins: Bins, edit: BinEdit, codes: Iterable[Value | None], sample: Sample) -> Bins:
    assert edit.policy is not None
    if edit.policy == "worst" and sample.continuous:
        fix = "use 'neutral', or 'with' a bin"
        raise InputError("a quantity has no worst bin", where=edit.where, got=edit.policy, fix=fix)
    if edit.bin is not None and (edit.bin in bins.feature.special_codes or bins.holder(edit.bin) is None):
        allowed = "a value that lies in an interval or a category"
        raise InputError("no bin holds the value", where=edit.where, got=edit.bin, allowed=allowed)
    about = tuple(codes)
    kept = tuple(each for each in bins.treatments if each.code not in about)
    if edit.policy == "own":
        return replace(bins, treatments=kept)
    new = tuple(Treatment(code=code, policy=edit.policy, bin=edit.bin) for code in about)
    return replace(bins, treatments=(*kept, *new))


def _position(bins: Bins, edit: BinEdit) -> int:
    """Position of the cut that an edit is about."""
    if edit.at not in bins.cuts:
        fix = "name a cut that there is; `start` states the bins that the edits are about"
        raise InputError("there is no such cut", where=edit.where, got=edit.at, allowed=_known_cuts(bins), fix=fix)
    return bins.cuts.index(edit.at)


def _check_values(bins: Bins, edit: BinEdit, named: Iterable[Value], sample: Sample) -> None:
    known = set(distinct(sample)) | bins.stated
    for value in named:
        if value not in known:
            fix = did_you_mean(value, _common(sample) | bins.stated)
            raise InputError("the value is not in the data", where=edit.where, got=value, fix=fix)


def _common(sample: Sample) -> set[Value]:
    """The values that so many rows have that they are no single person's."""
    return set(sample.values[sample.rows >= min_cell()].tolist())


def _known_cuts(bins: Bins) -> str:
    return ", ".join(map(number, bins.cuts)) or "no cut"


_EDITORS: dict[str, Callable[[Bins, BinEdit, Sample, bool], Bins]] = {
    "cut": _cut,
    "merge": _merge,
    "move": _move,
    "cuts": _cuts,
    "split": _split,
    "merges": _merges,
    "trend": _trend,
    "missing": _missing,
    "special": _special,
    "select": _same,
    "start": _start,
}
