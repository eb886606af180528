"""Checks of fairness constraints against rates counted by hand: the right people, and exactly as much as is asked."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.fairness import DivergenceBound, Groups, RateBound, SmallGroupWarning
from scrutable.plugins.component import Component
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.subject import Subject

Bools = NDArray[np.bool_]

#: What a descriptor may say in `enforces` of a constraint on rates: what is counted, and among whose rows.
RATES: dict[str, tuple[str, bool | None]] = {
    "approval": ("approval", None),
    "approval-of-good": ("approval", True),
    "approval-of-bad": ("approval", False),
    "error": ("error", None),
    "error-of-good": ("error", True),
    "error-of-bad": ("error", False),
}
#: Good rows of each region, and as many bad ones; the first is the largest, and so the reference.
_SIZES = {"north": 200, "south": 100, "west": 100}
#: Of a hundred rows so many more are approved in a region than elsewhere: at limits, and one beyond them.
_MORE = (-25, -24, -13, -12, -11, -10, -6, -5, 0, 5, 6, 10, 11)
_LIMITS = {"slack": 0.05, "ratio": 0.8}
_TINY = 1e-9


def on_rates(component: Component) -> bool:
    return "rate" in component.produces


@deciding(
    "constraint",
    of_descriptor=True,
    of=on_rates,
    hint=f"say in enforces of the Component what is bounded: {', '.join(RATES)}; several together",
)
def its_descriptor_says_whose_rates_it_bounds(subject: Subject) -> None:
    """Where it bounds rates, `enforces` says which: of approvals or errors, among everybody or among a class."""
    claimed = subject.component.enforces
    require(claimed, "its descriptor does not say whose rates it bounds")
    unknown = sorted(set(claimed) - {*RATES, *subject.component.produces})
    require(not unknown, "enforces names rates that no check knows of", got=", ".join(unknown))


@deciding(
    "constraint",
    of=on_rates,
    hint="look at rate, given, group, reference, slack and ratio of each RateBound; given=True is good payers",
)
def its_bounds_are_those_counted_by_hand(subject: Subject) -> None:
    """Its bounds hold for exactly those decisions for which rates, counted by hand, are as near as is asked."""
    limits = {name: value for name, value in _LIMITS.items() if name in subject.parameters}
    made = subject.make(**limits)
    good, region = _people()
    groups = Groups.from_frame(pd.DataFrame({"region": region}))
    bounds = [each for each in made.bind(good, groups) if isinstance(each, RateBound)]
    _are_pairs_with_the_reference(bounds, made, groups)
    contrasts = [(bound, bound.contrast(good, groups)) for bound in bounds]
    for approved, what in _decisions(good, region):
        sums = [(each, each.value(event_of(bound.rate, approved, good))) for bound, each in contrasts]
        held = all(each.low - _TINY <= value <= each.high + _TINY for each, value in sums)
        asked = itertools.product(claimed(subject), bounds)
        right = all(kept(claim, bound, limits, approved, good, region) for claim, bound in asked)
        fault = f"its bounds {'hold' if held else 'are broken'} where the rates that it is about say otherwise"
        require(held == right, fault, got=what)


@deciding("constraint", hint="leave bind and reference_of to the base class")
def its_reference_is_that_of_the_groups(subject: Subject) -> None:
    """Groups are compared with the reference that the user names, or with everyone."""
    good, region = _people()
    for named in _SIZES:
        groups = Groups.from_frame(pd.DataFrame({"region": region}), reference={"region": named})
        made = subject.make()
        bounds = made.bind(good, groups)
        reference = made.reference_of(groups["region"])
        require(reference in (named, None), "groups are compared with another one than the reference", got=reference)
        _are_pairs_with_the_reference(bounds, made, groups)


@deciding("constraint", hint="leave bind to the base class, which counts the rows of each group")
def small_groups_are_left_out_and_told(subject: Subject) -> None:
    """Groups smaller than min_group_size are not bounded and a SmallGroupWarning names them; others are bounded."""
    good = np.tile([True, False], 110)
    region = np.repeat(["north", "south", "west"], [120, 80, 20]).astype(object)
    whole = not any(RATES.get(name, ("", None))[1] is not None for name in subject.component.enforces)
    enough, few = (20, 21) if whole else (10, 21)
    groups = regions(region)
    for size, bounded in ((enough, True), (few, False)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            bounds = subject.make(min_group_size=size).bind(good, groups)
        named = any("west" in (bound.group, bound.reference) for bound in bounds)
        fault = f"a group of 20 rows is {'not ' if bounded else ''}bounded with min_group_size={size}"
        require(named == bounded, fault, got=bounds)
        require(any(bound.group == "south" for bound in bounds), "a group that is large enough is not bounded")
        said = any(issubclass(each.category, SmallGroupWarning) and "west" in str(each.message) for each in told)
        require(said or bounded, "no SmallGroupWarning names the group that is too small to be bounded")


@deciding("constraint", hint="leave bind to the base class, which adds memberships up")
def groups_are_counted_by_membership(subject: Subject) -> None:
    """Where membership is a probability, groups are as large as their probabilities add up to."""
    rows = 400
    west = np.full(rows, 0.1)
    shares = pd.DataFrame({"north": 0.6 - west / 2, "south": 0.4 - west / 2, "west": west})
    groups = Groups.from_probabilities({"region": shares}, min_group_size=0)
    for size, bounded in ((15, True), (45, False)):
        bounds = subject.make(min_group_size=size).bind(np.arange(rows) % 2 == 0, groups)
        named = {bound.group for bound in bounds}
        fault = f"400 rows that belong to a group by a tenth are {'not ' if bounded else ''}bounded from {size} rows on"
        require(("west" in named) == bounded and "south" in named, fault, got=sorted(named))


@deciding("constraint", hint="read outcomes and memberships row by row, and nothing of their order or type")
def rows_may_come_in_any_order(subject: Subject) -> None:
    """Rows in another order, or outcomes in a list, give the same bounds."""
    good, region = _people()
    usual = subject.make().bind(good, Groups.from_frame(pd.DataFrame({"region": region})))
    order = np.random.default_rng(0).permutation(len(good))
    other = subject.make().bind(good[order].tolist(), Groups.from_frame(pd.DataFrame({"region": region[order]})))
    require(set(other) == set(usual), "rows in another order give other bounds", got=other)


@deciding("constraint", hint="hand options on to DivergenceBound, which says what they are")
def its_divergences_are_as_asked(subject: Subject) -> None:
    """Bounds on divergences have the bound and the rows that are asked for."""
    good, region = _people()
    groups = Groups.from_frame(pd.DataFrame({"region": region}))
    for option, values in (("bound", (0.05, 0.2)), ("rows", ("all", "events"))):
        for value in values if option in subject.parameters else ():
            for bound in subject.make(**{option: value}).bind(good, groups):
                if isinstance(bound, DivergenceBound):
                    kept = getattr(bound, option)
                    require(kept == value, f"with {option}={value!r} its bounds have another", got=kept)


def regions(region: Any, reference: str | None = None) -> Groups:
    """Groups by region, small ones too, compared with a reference that is named, or with the largest."""
    named = None if reference is None else {"region": reference}
    return Groups.from_frame(pd.DataFrame({"region": region}), reference=named, min_group_size=0)


def bound_quietly(made: Any, y: Any, groups: Groups) -> tuple[Any, ...]:
    """The bounds that a constraint makes, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of groups that are small
        return tuple(made.bind(y, groups))


def claimed(subject: Subject) -> list[str]:
    return [name for name in subject.component.enforces if name in RATES]


def _people() -> tuple[Bools, NDArray[np.object_]]:
    """(n,) outcomes and regions; some rows are of no known region."""
    region = np.repeat([*_SIZES, None], [2 * size for size in _SIZES.values()] + [40]).astype(object)
    return np.tile([True, False], len(region) // 2), region


def _decisions(good: Bools, region: Any) -> Iterator[tuple[Bools, str]]:
    """(n,) decisions in which one region differs by known numbers of good and bad rows, and what they are."""
    for name, more_good, more_bad in itertools.product(list(_SIZES)[1:], _MORE, _MORE):
        approved = np.zeros(len(good), dtype=bool)
        for other, size in _SIZES.items():
            for outcome, usual, more in ((True, 0.6, more_good), (False, 0.4, more_bad)):
                rows = np.flatnonzero((region == other) & (good == outcome))
                approved[rows[: round(usual * size) + (more if other == name else 0)]] = True
        yield approved, f"in {name!r} {more_good:+d} good and {more_bad:+d} bad rows of 100 approved"


def event_of(rate: str, approved: Bools, good: Bools) -> Bools:
    return approved if rate == "approval" else approved != good


def kept(claim: str, bound: RateBound, limits: dict[str, float], approved: Bools, good: Bools, region: Any) -> bool:
    """Whether the rates of a pair of groups are as near as is asked, all of it counted here."""
    rate, given = RATES[claim]
    event = event_of(rate, approved, good)
    among = np.ones(len(good), dtype=bool) if given is None else good == given
    first = event[among & (region == bound.group)].mean()
    second = event[among & ((region == bound.reference) | (bound.reference is None))].mean()
    return as_near(first, second, limits.get("slack", bound.slack), limits.get("ratio", bound.ratio))


def as_near(first: float, second: float, slack: float | None, ratio: float | None) -> bool:
    """Whether two rates are as near as one limit asks."""
    if ratio is not None:
        return bool(first - ratio * second >= -_TINY)
    assert slack is not None
    return bool(abs(first - second) <= slack + _TINY)


def _are_pairs_with_the_reference(bounds: Any, made: Any, groups: Groups) -> None:
    attribute = groups["region"]
    reference = made.reference_of(attribute)
    pairs = {(bound.group, bound.reference) for bound in bounds}
    lacking = [group for group in attribute.known if group != reference and (group, reference) not in pairs]
    require(not lacking, f"a group is not compared with {reference or 'everyone'}", got=", ".join(lacking))
