"""Constraints that bind the wrong people, or by as much as nobody asked for."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from contract_samples.healthy import TinyConstraint

from contract_planted.fault import patched, planted
from scrutable.data.array_checks import classes_of, favourable
from scrutable.fairness import DivergenceBound, ProtectedAttribute, RateBound, SmallGroupWarning
from scrutable.plugins.bases import FairnessConstraint
from scrutable.plugins.registry import registry

_COUNTED = "its-bounds-are-those-counted-by-hand"

_Divergence: Any = registry().load("constraint", "fairness-information-value")


def _on(*enforces: str) -> dict[str, tuple[str, ...]]:
    return {"produces": ("rate",), "enforces": enforces}


class Changing(TinyConstraint):
    """Changes the bounds of a healthy constraint."""

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        for bound in super().bounds_for(attribute, group, y):
            yield self.change(bound)

    def change(self, bound: Any) -> Any:
        return bound


@patched(Changing, "change", check=_COUNTED, **_on("approval-of-good"))
def bad_payers(self: Any, bound: Any) -> Any:
    """Bounds approvals of bad payers, and says good ones."""
    return replace(bound, given=False)


@planted("constraint", check=_COUNTED, **_on("approval-of-good"))
class Everybody(Changing):
    """Bounds approvals of everybody, and says good payers."""


@patched(Changing, "change", check=_COUNTED, **_on("approval-of-good", "approval-of-bad"))
def half_the_odds(self: Any, bound: Any) -> Any:
    """Bounds approvals of good payers, and says of both."""
    return replace(bound, given=True)


@planted("constraint", check=_COUNTED, **_on("error"))
class ApprovalsForErrors(Changing):
    """Bounds approvals, and says errors."""


@patched(Changing, "change", check=_COUNTED, **_on("approval"))
def doubled_slack(self: Any, bound: Any) -> Any:
    """Allows twice the slack that is asked for."""
    return replace(bound, slack=min(1.0, 2 * bound.slack))


@patched(Changing, "change", check=_COUNTED, **_on("approval"))
def rounded_slack(self: Any, bound: Any) -> Any:
    """Rounds the slack up to the next tenth."""
    return replace(bound, slack=min(1.0, round(bound.slack + 0.05, 1)))


@patched(Changing, "change", check=_COUNTED, **_on("approval"))
def half_slack_each_way(self: Any, bound: Any) -> Any:
    """Divides the slack between the two sides."""
    return replace(bound, slack=bound.slack / 2)


@dataclass(frozen=True)
class Ratio(FairnessConstraint):
    """Approval rates of at least a ratio of the reference's.

    Parameters
    ----------
    ratio : smallest allowed quotient.
    attributes, min_group_size : as in `FairnessConstraint`.
    """

    ratio: float = 0.8

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
        reference = self.reference_of(attribute)
        yield RateBound(rate="approval", attribute=attribute.name, group=group, reference=reference, ratio=self.limit)

    @property
    def limit(self) -> float:
        return self.ratio


@planted("constraint", check=_COUNTED, **_on("approval"))
class SquaredRatio(Ratio):
    """Allows the square of the ratio that is asked for."""

    @property
    def limit(self) -> float:
        return self.ratio**2


@patched(Ratio, "bounds_for", check=_COUNTED, **_on("approval"))
def turned_ratio(self: Any, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
    """Bounds the reference against the group."""
    for bound in Ratio.bounds_for(self, attribute, group, y):
        yield replace(bound, group=bound.reference, reference=bound.group)


@patched(Ratio, "bounds_for", check=_COUNTED, **_on("approval"))
def slack_for_ratio(self: Any, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
    """Takes a ratio for one less a slack."""
    for bound in Ratio.bounds_for(self, attribute, group, y):
        yield replace(bound, ratio=None, slack=1 - self.ratio)


@patched(TinyConstraint, "reference_of", check="its-reference-is-that-of-the-groups", **_on("approval"))
def own_reference(self: Any, attribute: Any) -> str | None:
    """Compares with the group whose name comes first."""
    return str(sorted(attribute.known)[0])


@patched(TinyConstraint, "bind", check="small-groups-are-left-out-and-told", **_on("approval"))
def bounds_the_small(self: Any, y: Any, groups: Any) -> Any:
    """Takes min_group_size, and bounds every group."""
    return (
        TinyConstraint.bind(self, y, groups)
        if self.min_group_size == 1
        else replace(self, min_group_size=1).bind(y, groups)
    )


@planted("constraint", check="small-groups-are-left-out-and-told", **_on("approval"))
class LeavesOutTooMany(TinyConstraint):
    """Leaves out groups of exactly the size that is enough."""

    def bind(self, y: Any, groups: Any) -> Any:
        known = self.min_group_size in groups.attributes[0].sizes.values()
        return (replace(self, min_group_size=self.min_group_size + 1) if known else super()).bind(y, groups)


@patched(TinyConstraint, "bind", check="small-groups-are-left-out-and-told", **_on("approval"))
def leaves_out_silently(self: Any, y: Any, groups: Any) -> Any:
    """Leaves out small groups, and tells nobody."""
    every = replace(self, min_group_size=1)
    bounds = TinyConstraint.bind(every, y, groups)
    sizes = {name: groups[name].sizes for name in groups.names}
    return tuple(each for each in bounds if sizes[each.attribute][each.group] >= self.min_group_size)


@patched(TinyConstraint, "bounds_for", check="rows-may-come-in-any-order", **_on("approval"))
def looks_at_the_first(self: Any, attribute: Any, group: str, y: Any) -> Iterator[Any]:
    """Allows more where the first applicant was good."""
    more = 0.1 if bool(y[0]) else 0.0
    for bound in TinyConstraint.bounds_for(self, attribute, group, y):
        yield replace(bound, slack=min(1.0, bound.slack + more))


@planted("constraint", check="its-descriptor-says-whose-rates-it-bounds", **_on())
class SaysNothing(TinyConstraint):
    """Does not say whose rates it bounds."""


@patched(
    registry().load("constraint", "fairness-information-value"),
    "bounds_for",
    check="its-divergences-are-as-asked",
    produces=("divergence",),
)
def other_rows(self: Any, attribute: Any, group: str, y: Any) -> Iterator[DivergenceBound]:
    """Compares every row where events are asked for."""
    for bound in registry().load("constraint", "fairness-information-value").bounds_for(self, attribute, group, y):
        yield replace(bound, rows="all")


@patched(
    registry().load("constraint", "fairness-information-value"),
    "bounds_for",
    check="its-divergences-are-as-asked",
    produces=("divergence",),
)
def doubled_divergence(self: Any, attribute: Any, group: str, y: Any) -> Iterator[DivergenceBound]:
    """Allows twice the divergence that is asked for."""
    for bound in registry().load("constraint", "fairness-information-value").bounds_for(self, attribute, group, y):
        yield replace(bound, bound=2 * bound.bound)


@patched(Changing, "change", check="it-counts-by-hand-at-any-limit", **_on("approval"))
def caps_the_slack(self: Any, bound: Any) -> Any:
    """Allows no slack beyond a tenth, whatever is asked for."""
    return replace(bound, slack=min(bound.slack, 0.1))


@patched(TinyConstraint, "bounds_for", check="it-counts-by-hand-at-any-limit", **_on("approval"))
def eases_for_few(self: Any, attribute: Any, group: str, y: Any) -> Iterator[Any]:
    """Allows small groups more than is asked for."""
    more = 0.1 if attribute.sizes[group] < 20 else 0.0
    for bound in TinyConstraint.bounds_for(self, attribute, group, y):
        yield replace(bound, slack=min(1.0, bound.slack + more))


@patched(
    TinyConstraint,
    "bounds_for",
    check="a-small-class-takes-no-other-bound-away",
    **_on("approval-of-good", "approval-of-bad"),
)
def all_or_nothing(self: Any, attribute: Any, group: str, y: Any) -> Iterator[Any]:
    """Bounds nothing of a group of which one class is small."""
    inside = attribute.membership[:, attribute.labels.index(group)] > 0
    for bound in TinyConstraint.bounds_for(self, attribute, group, y):
        if min(y[inside].sum(), (~y[inside]).sum()) >= self.min_group_size:
            yield from (replace(bound, given=given) for given in (True, False))


@patched(TinyConstraint, "bind", check="every-attribute-is-bounded-alike", **_on("approval"))
def minds_the_first(self: Any, y: Any, groups: Any) -> Any:
    """Allows twice the slack in every attribute but the first."""
    first = groups.names[0]
    bounds = TinyConstraint.bind(self, y, groups)
    return tuple(each if each.attribute == first else replace(each, slack=2 * each.slack) for each in bounds)


@patched(_Divergence, "bounds_for", check="its-divergences-have-any-bound", produces=("divergence",))
def least_divergence(self: Any, attribute: Any, group: str, y: Any) -> Iterator[DivergenceBound]:
    """Asks for no bound below a twentieth."""
    for bound in _Divergence.bounds_for(self, attribute, group, y):
        yield replace(bound, bound=max(0.05, bound.bound))


def _enough(made: FairnessConstraint, attribute: Any, group: str, counts: dict[str, float]) -> bool:
    """Whether both sides have rows enough; who has not is told."""
    few = [each for each in (group, attribute.reference) if counts[each] < made.min_group_size]
    if few:
        warnings.warn(f"not bounded: {few}", SmallGroupWarning, stacklevel=2)
    return not few


@dataclass(frozen=True)
class GoodPayers(TinyConstraint):
    """Approval rates among good payers, of groups that have enough of them.

    Parameters
    ----------
    slack, attributes, min_group_size : as in `TinyConstraint`.
    """

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        counts = self.counts(attribute, favourable(y, "y"))
        if _enough(self, attribute, group, counts):
            for bound in super().bounds_for(attribute, group, y):
                yield replace(bound, given=True)

    def counts(self, attribute: Any, good: Any) -> dict[str, float]:
        return dict(zip(attribute.labels, (good @ attribute.membership).tolist(), strict=True))


@patched(GoodPayers, "counts", check="exactly-those-with-rows-enough-are-bounded", **_on("approval-of-good"))
def estimated_payers(self: Any, attribute: Any, good: Any) -> dict[str, float]:
    """Takes good payers for the same share of every group."""
    return {label: rows * float(good.mean()) for label, rows in attribute.sizes.items()}


_COUNTED_ONCE: WeakKeyDictionary[ProtectedAttribute, dict[str, float]] = WeakKeyDictionary()


@patched(GoodPayers, "counts", check="nothing-is-kept-between-calls", **_on("approval-of-good"))
def counted_once(self: Any, attribute: Any, good: Any) -> dict[str, float]:
    """Counts good payers of the same groups once, whatever the outcomes are."""
    return _COUNTED_ONCE.setdefault(attribute, GoodPayers.counts(self, attribute, good))


@dataclass(frozen=True)
class Mistaken(TinyConstraint):
    """Errors in two classes of which groups have enough rows.

    Parameters
    ----------
    slack, attributes, min_group_size : as in `TinyConstraint`.
    """

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        for given in self.classes(y):
            sizes = dict(zip(attribute.labels, ((y == given) @ attribute.membership).tolist(), strict=True))
            if _enough(self, attribute, group, sizes):
                for bound in super().bounds_for(attribute, group, y):
                    yield replace(bound, rate="error", given=given)

    def classes(self, y: Any) -> Any:
        return dict.fromkeys((classes_of(y)[0], classes_of(y)[-1]))


@planted("constraint", check="every-class-of-labels-is-bounded", **_on("error-of-good", "error-of-bad"))
class FirstAndLastClass(Mistaken):
    """Bounds the first class and the last one, and none between."""


@planted("constraint", check="classes-may-have-other-names", **_on("error-of-good", "error-of-bad"))
class LastClassTwice(Mistaken):
    """Allows the last class twice as much, where there are three."""

    def classes(self, y: Any) -> Any:
        return classes_of(y)

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        last = classes_of(y)[-1] if len(classes_of(y)) > 2 else None
        for bound in super().bounds_for(attribute, group, y):
            yield bound if bound.given != last or last is None else replace(bound, slack=2 * bound.slack)


@patched(Mistaken, "classes", check="two-labels-are-bounded-as-booleans-are", **_on("error-of-good", "error-of-bad"))
def second_label(self: Any, y: Any) -> Any:
    """Of two labels it bounds the second alone."""
    return classes_of(y) if y.dtype == bool or len(classes_of(y)) > 2 else classes_of(y)[1:]


@patched(TinyConstraint, "__post_init__", check="every-digit-of-a-limit-counts", **_on("approval"))
def whole_percents(self: Any) -> None:
    """Rounds the slack to whole percents."""
    TinyConstraint.__post_init__(self)
    object.__setattr__(self, "slack", round(self.slack, 2))


@patched(Changing, "change", check="every-digit-of-a-limit-counts", **_on("approval"))
def whole_percents_in_bounds(self: Any, bound: Any) -> Any:
    """Keeps the slack, and bounds by whole percents."""
    return replace(bound, slack=round(bound.slack, 2))
