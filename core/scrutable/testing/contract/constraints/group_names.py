"""Checks of fairness constraints under each option: names of groups and rows of unknown membership mean nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.fairness import Groups, RateBound
from scrutable.testing.contract.check import Fault, deciding, require
from scrutable.testing.contract.constraints.payers import bound_quietly, regions
from scrutable.testing.contract.estimators.each_option import default_of, stated_of, values_of
from scrutable.testing.contract.subject import Subject

#: Rows of each region; one has few, and it comes first, last and in between as names change.
_SIZES = {"a": 200, "b": 20, "c": 220, "d": 140, "e": 600}
_NAMES = ("v", "w", "x", "y", "z")
_UNKNOWN = (50, 2000)
#: Words of options that say among whose rows they limit a rate.
_CLASSES = {"good": True, "bad": False}
_LIMITS = (0.02, 0.3)


@deciding("constraint", hint="go through all groups and pairs, whatever their order, and skip only small ones")
def names_of_groups_mean_nothing(subject: Subject) -> None:
    """Groups of other names, and so in another order, are bounded as they were, pair by pair, under each option."""
    for options in _settings(subject):
        usual = None
        for names in itertools.islice(itertools.permutations(_NAMES), 0, None, 7):
            renamed = dict(zip(_SIZES, names, strict=True))
            region = np.repeat([renamed[each] for each in _SIZES], list(_SIZES.values())).astype(object)
            bounds = {_named(each, renamed) for each in _bind(subject, region, renamed["e"], options)}
            usual = bounds if usual is None else usual
            told = f"groups of other names are bounded otherwise{_told(options)}"
            require(bounds == usual, told, got=sorted(map(str, bounds ^ usual))[:2])


@deciding("constraint", hint="know a group by the names of its attribute and of itself, together")
def attributes_may_have_groups_of_the_same_names(subject: Subject) -> None:
    """Two attributes of the groups yes and no are bounded as two of the groups yes, no, never and ever."""
    place = np.arange(1200)
    first = np.where(place % 3 == 0, "yes", "no").astype(object)
    second = np.where(place % 5 < 2, "yes", "no").astype(object)
    renamed = np.where(second == "yes", "ever", "never").astype(object)
    alike, apart = (
        subject.make().bind(place % 4 > 0, Groups.from_frame(pd.DataFrame({"first": first, "second": other})))
        for other in (second, renamed)
    )
    told = "groups of two attributes that have the same names are taken for one"
    require(len(alike) == len(apart), told, got=f"{len(alike)} bounds, and {len(apart)} where names differ")


@deciding("constraint", hint="read labels from ProtectedAttribute.known, which leaves the unknown out")
def rows_of_unknown_groups_change_no_bound(subject: Subject) -> None:
    """Few and many rows of unknown membership change no bound, and are on no side of one, under each option."""
    known = np.repeat(list(_SIZES), list(_SIZES.values())).astype(object)
    for options, reference in itertools.product(_settings(subject), ("c", None)):
        usual = set(_bind(subject, known, reference, options))
        for rows in _UNKNOWN:
            region = np.concatenate([known, np.full(rows, None)])
            bounds = set(_bind(subject, region, reference, options))
            told = f"{rows} rows of unknown membership change the bounds{_told(options)}"
            require(bounds == usual, told, got=sorted(map(str, bounds ^ usual))[:2])


@deciding("constraint", hint="leave reference_of to the base class, or return None for everyone")
def its_reference_is_the_users_under_every_option(subject: Subject) -> None:
    """Under each of its options groups are compared with the reference that the user names, or with everyone."""
    region = np.repeat(list(_SIZES), list(_SIZES.values())).astype(object)
    for options, named in itertools.product(_settings(subject), ("a", "e")):
        reference = subject.make(**options).reference_of(regions(region, named)["region"])
        told = f"groups are compared with another one than the reference{_told(options)}"
        require(reference in (named, None), told, got=reference)


@deciding("constraint", hint="read the option in bounds_for, and hand it on to the bound that it is about")
def every_option_changes_its_bounds(subject: Subject) -> None:
    """Each number, truth value or word changes the bounds; one called good or bad those among that class alone."""
    region = np.repeat(list(_SIZES), list(_SIZES.values())).astype(object)
    usual = set(_bind(subject, region, "c", {}))
    for name, alternatives in stated_of(subject).items():
        values = list(values_of(alternatives, default_of(subject, name)))
        changed = [bounds for value in values if (bounds := _tried(subject, region, {name: value})) is not None]
        require(not changed or any(bounds != usual for bounds in changed), f"the option {name} changes no bound")
    for name, given in _by_class(subject):
        made = [_tried(subject, region, {name: limit}) for limit in _LIMITS]
        others = [{each for each in bounds if each.given is not given} for bounds in made if bounds is not None]
        told = f"{name} limits rates of other rows than of those that are {'good' if given else 'bad'}"
        require(not others or all(each == others[0] for each in others), told)


def _by_class(subject: Subject) -> Iterator[tuple[str, bool]]:
    """Options that are numbers and called good or bad, and which class that is."""
    if "rate" not in subject.component.produces:
        return
    for name, alternatives in stated_of(subject).items():
        words = set(name.split("_")) & set(_CLASSES)
        if len(words) == 1 and any(hint is float for hint, _ in alternatives):
            yield name, _CLASSES[words.pop()]


def _settings(subject: Subject) -> Iterator[dict[str, Any]]:
    """No options, and each word or truth value that one may have."""
    yield {}
    for name, alternatives in stated_of(subject).items():
        others = values_of(alternatives, default_of(subject, name))
        yield from ({name: value} for value in others if isinstance(value, str | bool))


def _tried(subject: Subject, region: Any, options: dict[str, Any]) -> set[Any] | None:
    """Its bounds; None where the options are refused."""
    try:
        return set(_bind(subject, region, "c", options))
    except (ScrutableError, Fault):
        return None


def _bind(subject: Subject, region: Any, reference: str | None, options: dict[str, Any]) -> tuple[Any, ...]:
    """Its bounds on these groups, of whom three in four pay."""
    return bound_quietly(subject.make(**options), np.arange(len(region)) % 4 > 0, regions(region, reference))


def _named(bound: Any, renamed: dict[str, str]) -> Any:
    """A bound with the names that its groups had before, and of equals in either order."""
    before = {name: each for each, name in renamed.items()}
    group, reference = before[bound.group], before.get(bound.reference)
    turned = isinstance(bound, RateBound) and bound.slack is not None and reference is not None and reference < group
    return replace(bound, group=reference if turned else group, reference=group if turned else reference)


def _told(options: dict[str, Any]) -> str:
    return f" with {options}" if options else ""
