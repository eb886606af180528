"""Checks of fairness constraints: exactly those groups and classes are bounded that have rows enough, by hand."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, Groups, SmallGroupWarning
from scrutable.testing.contract.check import Fault, deciding, require, said
from scrutable.testing.contract.constraints.payers import RATES, claimed, regions
from scrutable.testing.contract.subject import Subject

#: Rows and share of good ones of each region; the first is the largest.
_HARD: tuple[dict[str | None, tuple[int, float]], ...] = (
    {"north": (210, 0.85), "south": (130, 0.2), "west": (70, 0.95), "east": (45, 0.4), None: (35, 0.5)},
    {"north": (240, 0.3), "south": (60, 0.9), "west": (110, 0.55)},
)
_SOFT_ROWS, _EIGHTHS = 300, 8
_SEED = 11


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of groups and classes, counted by membership; everyone is counted as None, and all classes as None.

    Parameters
    ----------
    by_class : rows of each group, by class.
    """

    by_class: dict[Any, dict[str | None, float]]

    @classmethod
    def of(cls, y: NDArray[Any], groups: Groups, name: str) -> Counts:
        """The counts of one protected attribute."""
        attribute = groups[name]
        counts: dict[Any, dict[str | None, float]] = {}
        for given in (None, *sorted({*y.tolist()})):
            rows = attribute.membership if given is None else attribute.membership[y == given]
            counts[given] = {
                None: float(len(rows)),
                **dict(zip(attribute.labels, map(float, rows.sum(axis=0)), strict=True)),
            }
        return cls(counts)

    def enough(self, group: str, reference: str | None, given: Any, least: int) -> bool:
        """Whether a group and its reference have so many rows, of the class and in all."""
        sides = [self.by_class[among].get(each, 0.0) for among in (None, given) for each in (group, reference)]
        return min(sides) >= least

    def limits(self) -> list[int]:
        """Every count, and the numbers beside it, that a least number of rows may be."""
        counts = {each for sizes in self.by_class.values() for each in sizes.values()}
        near = {int(np.floor(each)) + step for each in counts for step in (-1, 0, 1)}
        return sorted(each for each in near if each >= 1)


@deciding(
    "constraint",
    hint="count (y == given) @ attribute.membership of the group and of its reference, and compare with min_group_size",
)
def exactly_those_with_rows_enough_are_bounded(subject: Subject) -> None:
    """A group is bounded, in each class, exactly where it and its reference have min_group_size rows, by membership."""
    for y, groups in _drawn():
        counts = Counts.of(y, groups, "region")
        for least in counts.limits():
            check_who_is_bounded(subject.make(min_group_size=least), claimed(subject), y, groups, counts)


def check_who_is_bounded(made: Any, claims: list[str], y: NDArray[Any], groups: Groups, counts: Counts) -> None:
    """Require that a constraint bounds exactly those groups and classes that have rows enough, and names all others."""
    least, attribute = made.min_group_size, groups["region"]
    reference = made.reference_of(attribute)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            bounds = made.bind(y, groups)
        except InputError as error:
            few = counts.by_class[None][reference] < least
            if few:
                return
            raise Fault(f"it refuses groups of which the reference has {least} rows", got=said(error)) from error
    words = " ".join(str(each.message) for each in told if issubclass(each.category, SmallGroupWarning))
    made_of = {(each.group, _class_of(each)) for each in bounds if each.reference == reference}
    classes = _classes_asked(claims, y)
    for group in attribute.known:
        for given in classes if group != reference else ():
            bounded, due = (group, given) in made_of, counts.enough(group, reference, given, least)
            sides = ", ".join(
                f"{each or 'everyone'} {counts.by_class[given].get(each, 0.0):g}" for each in (group, reference)
            )
            among = "" if given is None else f" of class {given!r}"
            fault = f"with min_group_size={least} {group!r} is {'' if bounded else 'not '}bounded; rows{among}: {sides}"
            require(bounded == due, fault)
            named = due or group in words or (reference is not None and reference in words)
            require(named, f"{fault}, and no SmallGroupWarning names it")
    _check_no_others(bounds, counts, least)


def _check_no_others(bounds: Any, counts: Counts, least: int) -> None:
    """Require that further bounds, of other pairs, have rows enough too."""
    for bound in bounds:
        given = _class_of(bound)
        right = given not in counts.by_class or counts.enough(bound.group, bound.reference, given, least)
        require(right, f"with min_group_size={least} groups are compared that have fewer rows", got=bound)


def _classes_asked(claims: list[str], y: NDArray[Any]) -> list[Any]:
    """The classes whose rates are bounded by claims, None for all rows; of labels all, where good and bad are."""
    among = {RATES[claim][1] for claim in claims} or {None}
    if y.dtype == bool or among == {None}:
        return sorted(among, key=str)
    return [*({None} & among), *(sorted({*y.tolist()}) if {True, False} <= among else ())]


def _class_of(bound: Any) -> Any:
    """The class among whose rows a bound compares; whoever compares events need not count them."""
    return None if isinstance(bound, DivergenceBound) else bound.given


def _drawn() -> Iterator[tuple[NDArray[np.bool_], Groups]]:
    """(n,) outcomes and groups that pay unlike; the last belong to their groups by eighths, and more so if they pay."""
    chance = np.random.default_rng(_SEED)
    for sizes in _HARD:
        names = np.array(list(sizes), dtype=object)
        region = chance.permutation(np.repeat(names, [rows for rows, _ in sizes.values()]))
        good = chance.uniform(size=len(region)) < [sizes[each][1] for each in region]
        yield good, regions(region)
    good = chance.uniform(size=_SOFT_ROWS) < 0.5
    parts = np.where(good[:, None], [5, 2, 1], [2, 2, 4]) + chance.integers(-1, 2, size=(_SOFT_ROWS, 1)) * [1, -1, 0]
    shares = pd.DataFrame(parts / _EIGHTHS, columns=["north", "south", "west"])
    yield good, Groups.from_probabilities({"region": shares}, min_group_size=0)
