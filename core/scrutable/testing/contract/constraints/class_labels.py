"""Checks of fairness constraints on class labels, of any number: counted by hand, class by class."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import KindError
from scrutable.fairness import Groups, RateBound
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.constraints.group_sizes import Counts, check_who_is_bounded
from scrutable.testing.contract.constraints.payers import RATES, as_near, claimed, on_rates, regions
from scrutable.testing.contract.subject import Subject

#: Labels of classes, numbers and texts, in no order.
_CLASSES: tuple[tuple[Any, ...], ...] = (("paid", "late", "default"), (2, 0, 7), (30, 4, -1, 90))
#: Pairs of labels, of the bad class and of the good one.
_PAIRS: tuple[tuple[Any, Any], ...] = (("bad", "good"), ("yes", "no"), (0, 1), (1, 0))
_ROWS, _DRAWS, _SEED = 600, 60, 13
_TINY = 1e-9


@deciding("constraint", of=on_rates, hint="ask classes_of(y) for all classes, or favourable(y, 'y')")
def every_class_of_labels_is_bounded(subject: Subject) -> None:
    """Of three classes and more each is bounded where it has rows enough, and errors are those counted by hand."""
    groups = _groups()
    for labels in _CLASSES:
        y = _labels(labels)
        if _bounds(subject, y, groups) is None:
            return
        counts = Counts.of(y, groups, "region")
        for least in counts.limits()[::7]:
            check_who_is_bounded(subject.make(min_group_size=least), claimed(subject), y, groups, counts)
        _check_errors(subject, y, groups)


@deciding("constraint", of=on_rates, hint="tell classes apart by nothing but their rows, never by their order")
def classes_may_have_other_names(subject: Subject) -> None:
    """Where classes change their names, bounds are the same of the new names."""
    groups = _groups()
    for labels in _CLASSES:
        y = _labels(labels)
        usual = _bounds(subject, y, groups)
        if usual is None:
            return
        for turned in (labels[1:] + labels[:1], labels[::-1]):
            names = dict(zip(labels, turned, strict=True))
            due = {replace(each, given=names.get(each.given)) for each in usual}
            bounds = _bounds(subject, np.array([names[each] for each in y.tolist()]), groups) or set()
            require(
                bounds == due,
                f"with {names} as names of classes other bounds are made",
                got=sorted(map(str, bounds ^ due)),
            )


@deciding("constraint", of=on_rates, hint="refuse labels by favourable(y, 'y'), or bound each class alike")
def two_labels_are_bounded_as_booleans_are(subject: Subject) -> None:
    """Two labels, whichever of them comes first, give the bounds that booleans give; or they are refused."""
    groups, good = _groups(), _labels((True, False)).astype(bool)
    usual = _bounds(subject, good, groups) or set()
    for bad, paid in _PAIRS:
        bounds = _bounds(subject, np.where(good, paid, bad), groups)
        if bounds is None:
            continue
        names: dict[Any, Any] = {True: paid, False: bad, None: None}
        due = {replace(each, given=names[each.given]) for each in usual}
        fault = f"the labels {bad!r} and {paid!r} give other bounds than booleans"
        require(bounds == due, fault, got=sorted(map(str, bounds ^ due)))


def _check_errors(subject: Subject, y: NDArray[Any], groups: Groups) -> None:
    """Require that bounds hold for exactly those predictions whose errors by hand are near enough."""
    bounds = [each for each in _bounds(subject, y, groups) or () if each.rate == "error"]
    contrasts = [each.contrast(y, groups) for each in bounds]
    claims = {RATES[each][1] for each in claimed(subject) if RATES[each][0] == "error"}
    classes = [*({None} & claims), *(sorted({*y.tolist()}) if {True, False} <= claims else ())]
    region, chance = groups["region"].codes, np.random.default_rng(_SEED)
    for wrong in np.linspace(0.0, 0.4, _DRAWS) if bounds else ():
        error = chance.uniform(size=len(y)) < wrong * (1 + 0.5 * chance.integers(0, 2, 3)[region])
        held = all(each.low - _TINY <= each.value(error) <= each.high + _TINY for each in contrasts)
        pairs = {(each.group, each.reference, each.slack, each.ratio) for each in bounds}
        rates = (
            (_share(error, y, groups, group, given), _share(error, y, groups, reference, given), slack, ratio)
            for (group, reference, slack, ratio), given in itertools.product(pairs, classes)
        )
        right = all(itertools.starmap(as_near, rates))
        require(held == right, f"its bounds {'hold' if held else 'are broken'} where errors by hand say otherwise")


def _share(event: NDArray[np.bool_], y: NDArray[Any], groups: Groups, group: str | None, given: Any) -> float:
    """How often it is so in a group, or in all if None, among a class."""
    attribute = groups["region"]
    inside = (
        np.ones(len(y), dtype=bool) if group is None else attribute.membership[:, attribute.labels.index(group)] > 0
    )
    return float(event[inside if given is None else inside & (y == given)].mean())


def _bounds(subject: Subject, y: NDArray[Any], groups: Groups) -> set[RateBound] | None:
    """The bounds on rates; None where labels are refused."""
    try:
        return {each for each in subject.make(min_group_size=1).bind(y, groups) if isinstance(each, RateBound)}
    except KindError:
        return None


def _groups() -> Groups:
    """Three groups of other sizes."""
    region = np.repeat(["north", "south", "west"], [_ROWS // 2, _ROWS // 3, _ROWS // 6]).astype(object)
    return regions(region)


def _labels(labels: tuple[Any, ...]) -> NDArray[Any]:
    """(n,) classes, the first of which are the most frequent."""
    shares = np.arange(len(labels), 0, -1) / sum(range(len(labels) + 1))
    places = np.random.default_rng(_SEED).choice(len(labels), _ROWS, p=shares)
    return np.array([labels[each] for each in places])
