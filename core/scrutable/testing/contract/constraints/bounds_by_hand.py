"""Checks of fairness constraints at many limits, on uneven groups and few rows: counted by hand, each of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.fairness import DivergenceBound, Groups, RateBound
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.constraints.payers import (
    RATES,
    bound_quietly,
    claimed,
    event_of,
    kept,
    on_rates,
    regions,
)
from scrutable.testing.contract.subject import Subject

#: Good and bad rows of each region; groups differ in size and in who pays. The first is the largest.
_UNEVEN = (
    {"north": (180, 90), "south": (40, 110), "west": (95, 35)},
    {"north": (9, 6), "south": (3, 5), "west": (7, 2)},
)
_LIMITS = {"slack": (0.0, 0.02, 0.05, 0.2, 0.5), "ratio": (0.5, 0.7, 0.8, 0.95, 1.0)}
_BOUNDS = (0.0, 0.001, 0.01, 0.0137, 0.025, 1 / 3, 2.0)
#: Limits of which every digit counts, and regions of which a row is less than their last one.
_DIGITS = {"slack": (1e-3, 0.0137, 0.025, 1 / 3), "ratio": (1 / 3, 0.8137, 0.925, 0.9995)}
_MANY = {"north": (2500, 2500), "south": (1900, 2300), "west": (2100, 1700)}
#: Regions of which some have few rows of one class.
_LACKING = {"north": (100, 100), "south": (60, 4), "west": (4, 60), "east": (80, 80)}
_TINY = 1e-9


@deciding("constraint", of=on_rates, hint="hand slack and ratio on as they are, and leave rates to RateBound")
def it_counts_by_hand_at_any_limit(subject: Subject) -> None:
    """At any slack or ratio, of uneven groups and of few rows, its bounds hold where rates by hand are near enough."""
    for sizes, (option, values) in itertools.product(_UNEVEN, _LIMITS.items()):
        for limit in values if option in subject.parameters else ():
            _check_limit(subject, sizes, option, limit)


@deciding("constraint", of=on_rates, hint="keep slack and ratio as they are given; round them nowhere")
def every_digit_of_a_limit_counts(subject: Subject) -> None:
    """A slack or ratio of many digits stays as it is, and one row beside it decides, of thousands of rows."""
    for option, values in _DIGITS.items():
        for limit in values if option in subject.parameters else ():
            kept = getattr(subject.make(**{option: limit}), option, limit)
            require(kept == limit, f"{option}={limit} becomes another", got=kept)
            _check_limit(subject, _MANY, option, limit)


@deciding("constraint", of=on_rates, hint="yield the bound of every rate and class that has rows enough")
def a_small_class_takes_no_other_bound_away(subject: Subject) -> None:
    """Where a region has few rows of a class, its other class and all other regions are bounded as ever."""
    for order in (list(_LACKING), ["east", "west", "south", "north"]):
        good, region = _rows({name: _LACKING[name] for name in order})
        groups = regions(region, "north")
        made = {(bound.group, bound.given) for bound in _bound(subject, good, groups, min_group_size=30)}
        for claim, (name, sizes) in itertools.product(claimed(subject), _LACKING.items()):
            given = RATES[claim][1]
            enough = sum(sizes) if given is None else sizes[0 if given else 1]
            bounded = name == "north" or enough < 30 or (name, given) in made
            require(
                bounded, f"the {claim} of {name!r} is not bounded, which has {enough} rows", got=sorted(map(str, made))
            )


@deciding("constraint", hint="bind every attribute and every group alike, whatever its name and place")
def every_attribute_is_bounded_alike(subject: Subject) -> None:
    """Of several attributes each is bounded as it is alone, the last as well as the first."""
    good, region = _rows(_LACKING)
    age = np.array(["old", "young", "middle"], dtype=object)[np.arange(len(good)) % 3]
    frames = {"region": region, "age": age, "sex": np.where(np.arange(len(good)) % 2 == 0, "f", "m")}
    alone = {
        name: set(_bind(subject, good, Groups.from_frame(pd.DataFrame({name: values}), min_group_size=0)))
        for name, values in frames.items()
    }
    both = _bind(subject, good, Groups.from_frame(pd.DataFrame(frames), min_group_size=0))
    for name, wanted in alone.items():
        bounds = {bound for bound in both if bound.attribute == name}
        require(bounds == wanted, f"beside other attributes {name!r} has other bounds than alone", got=bounds ^ wanted)


@deciding("constraint", hint="hand the option bound on as it is")
def its_divergences_have_any_bound(subject: Subject) -> None:
    """Bounds on divergences are those that are asked for, small and large ones, for every group."""
    good, region = _rows(_LACKING)
    groups = regions(region)
    for value in _BOUNDS if "bound" in subject.parameters else ():
        kept_as = getattr(subject.make(bound=value), "bound", value)
        require(kept_as == value, f"bound={value} becomes another", got=kept_as)
        bounds = [each for each in _bind(subject, good, groups, bound=value) if isinstance(each, DivergenceBound)]
        other = [each for each in bounds if each.bound != value]
        require(not other, f"with bound={value:g} a group has another", got=other)


def _check_limit(subject: Subject, sizes: dict[str, tuple[int, int]], option: str, limit: float) -> None:
    """Require that bounds hold for exactly those decisions, near the limit, whose rates by hand are near enough."""
    good, region = _rows(sizes)
    groups = regions(region)
    bounds = _bound(subject, good, groups, **{option: limit}, min_group_size=1)
    contrasts = [(bound, bound.contrast(good, groups)) for bound in bounds]
    for approved in _decisions(sizes, good, region, option, limit):
        sums = [(each, each.value(event_of(bound.rate, approved, good))) for bound, each in contrasts]
        held = all(each.low - _TINY <= value <= each.high + _TINY for each, value in sums)
        asked = itertools.product(claimed(subject), bounds)
        right = all(kept(claim, each, {option: limit}, approved, good, region) for claim, each in asked)
        said = "hold" if held else "are broken"
        fault = f"with {option}={limit:g} its bounds {said} where rates by hand say not"
        require(held == right, fault, got=f"{approved.sum()} approved")


def _bound(subject: Subject, good: Any, groups: Groups, **options: Any) -> list[RateBound]:
    return [each for each in _bind(subject, good, groups, **options) if isinstance(each, RateBound)]


def _bind(subject: Subject, good: Any, groups: Groups, **options: Any) -> tuple[Any, ...]:
    return bound_quietly(subject.make(**options), good, groups)


def _rows(sizes: dict[str, tuple[int, int]]) -> tuple[Any, Any]:
    """(n,) outcomes and regions."""
    good = np.concatenate([np.arange(sum(each)) < each[0] for each in sizes.values()])
    return good, np.repeat(list(sizes), [sum(each) for each in sizes.values()]).astype(object)


def _decisions(sizes: dict[str, tuple[int, int]], good: Any, region: Any, option: str, limit: float) -> Iterator[Any]:
    """(n,) decisions: one region's approvals are a row beside the limit, of good payers, of bad ones, and of both."""
    usual = (0.6, 0.4)
    rows = {
        each: np.flatnonzero((region == each[0]) & (good == each[1]))
        for each in itertools.product(sizes, (True, False))
    }
    for name, sides in itertools.product(list(sizes)[1:], ((True, True), (True, False), (False, True))):
        ends = (limit, 1 / limit) if option == "ratio" else (-limit, limit)
        for end, more in itertools.product(ends, (-1, 0, 1)):
            approved = np.zeros(len(good), dtype=bool)
            for other, outcome in itertools.product(sizes, (True, False)):
                side = 0 if outcome else 1
                rate, size = usual[side], sizes[other][side]
                moved = other == name and sides[side]
                wanted = (rate * end if option == "ratio" else rate + end) if moved else rate
                count = min(max(round(wanted * size) + (more if moved else 0), 0), size)
                approved[rows[other, outcome][:count]] = True
            yield approved
