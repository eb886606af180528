"""Checks of binners and learners: each option of a number, truth value or literal does something."""

from __future__ import annotations

import contextlib
import functools
import math
import typing
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.plugins.options import Alternatives, Limits, stated
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import AsDeclared, Fault, deciding
from scrutable.testing.contract.estimators.alternatives import makes_them
from scrutable.testing.contract.estimators.biting import CONSTRAINTS
from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_quantities
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.results import bare, content
from scrutable.testing.contract.subject import Subject

#: How a descriptor declares that one option does nothing here: this, and the name of the option.
PREFIX = "every-option-does-something: "
#: Options that are about speed, words and chance wherever scikit-learn's conventions are kept.
SILENT = ("n_jobs", "verbose", "random_state", "warm_start", "time_limit")
_ROWS = 400
#: An option is tried beside so many constraints of a kind, and values of an option that is None by default.
_CONSTRAINTS = 2
_OTHERS = 3
_REFUSED = (ScrutableError, TypeError, ValueError)


@deciding(
    "binner",
    "learner",
    hint=f"let the option do what it says, take it out, or declare it in known_failures as {PREFIX + 'NAME'!r}",
)
def every_option_does_something(subject: Subject) -> None:
    """Each number, truth value or literal, at an end of its limits, alone or with a bound, changes what is learned."""
    declared = {
        name.removeprefix(PREFIX): reason
        for name, reason in subject.component.known_failures.items()
        if name.startswith(PREFIX)
    }
    usual: dict[str, str] = {}
    for name, alternatives in stated_of(subject).items():
        values = list(values_of(alternatives, default_of(subject, name)))
        if name in SILENT or not values:
            continue
        does = _does_something(subject, name, values, usual, alone=name in declared)
        if does is False and makes_them(subject.component):
            does = _changes_alternatives(subject, name, values)
        if does is False and name not in declared:
            raise Fault(f"the option {name} does nothing", got=f"the same model with {values}")
        if does and name in declared:
            raise Fault(f"the option {name} is declared to do nothing, and does something")
    if declared:
        raise AsDeclared("; ".join(f"{name}: {reason}" for name, reason in declared.items()))


def _does_something(subject: Subject, name: str, values: list[Any], usual: dict[str, str], alone: bool) -> bool | None:
    """Whether one of the values changes what is learned, alone or beside others; None if all of them are refused."""
    taken = None
    for beside in [{}] if alone else _beside(subject, name):
        try:
            if repr(beside) not in usual:
                usual[repr(beside)] = _learned(subject, beside)
        except _REFUSED:
            continue
        for value in values:
            with contextlib.suppress(*_REFUSED):
                if _learned(subject, {**beside, name: value}) != usual[repr(beside)]:
                    return True
                taken = False
    return taken


def _changes_alternatives(subject: Subject, name: str, values: list[Any]) -> bool:
    """Whether one of the values changes an alternative that the learner makes."""
    usual = _alternatives(subject, {})
    for value in values:
        with contextlib.suppress(*_REFUSED):
            if _alternatives(subject, {name: value}) != usual:
                return True
    return False


def _alternatives(subject: Subject, options: dict[str, Any]) -> list[str]:
    sample = _rows(learns_quantities(subject))
    made = subject.make(**options).alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features)
    return [bare(each.model) for each in made]


def stated_of(subject: Subject) -> dict[str, Alternatives]:
    """The types that each option of a component may have."""
    loaded: Any = subject.load()
    return stated(loaded)


def default_of(subject: Subject, name: str) -> Any:
    """What an option is where nobody sets it: as the descriptor says, or the constructor."""
    return subject.options.get(name, subject.parameters[name].default)


def values_of(alternatives: Alternatives, default: Any) -> Iterator[Any]:
    """Values that an option may have beside its default: words, truth values, and numbers at and between its limits."""
    for hint, limits in alternatives:
        origin: Any = typing.get_origin(hint)
        if origin is Literal:
            values = list(typing.get_args(hint))
        elif hint is bool:
            values = [True, False]
        elif hint in (int, float):
            values = list(_numbers(hint, limits, default))
        else:
            continue
        yield from dict.fromkeys(each for each in values if each != default)


def _numbers(hint: Any, limits: Limits, default: Any) -> Iterator[Any]:
    """Numbers within limits: the ends, where these are finite, and such as are far from the default."""
    base = default if isinstance(default, int | float) and not isinstance(default, bool) else 1
    step = 1 if hint is int else 1e-6
    ends = [limits.low + (step if limits.above else 0) if math.isfinite(limits.low) else 0, limits.high]
    near = [base / 4, base * 3 + 1, base * 10, 30] if hint is float else [base // 3, base + 1, base * 3 + 1, 30]
    for each in [*(end for end in ends if math.isfinite(end)), *near]:
        if limits.hold(each):
            yield hint(each)


def _learned(subject: Subject, options: dict[str, Any]) -> str:
    sample = _rows(learns_quantities(subject))
    groups = {"sensitive_features": sample.sensitive_features} if "constraints" in options else {}
    return content(fit(subject.make(**options), sample, **groups))


def _beside(subject: Subject, name: str) -> Iterator[dict[str, Any]]:
    """What an option is tried beside: nothing, bounds of the kinds that are accepted, and what is off by default."""
    yield {}
    for kind in subject.component.accepts if has_option(subject, "constraints") else ():
        for constraint, options in CONSTRAINTS[kind][:_CONSTRAINTS]:
            yield {"constraints": [registry().create("constraint", constraint, **options)]}
    for other, alternatives in stated_of(subject).items():
        if other not in (name, *SILENT) and default_of(subject, other) is None:
            yield from ({other: value} for value in list(values_of(alternatives, None))[:_OTHERS])


@functools.cache
def _rows(quantity: bool) -> TrainingSample:
    """Columns that go along, a rare value, rare texts, missing values, and a group of lower values."""
    chance, place = np.random.default_rng(51), np.arange(_ROWS)
    poor, common = place % 3 == 0, chance.normal(size=_ROWS)
    a = np.round(common - 0.7 * poor + chance.normal(0, 0.3, _ROWS), 2)
    b = np.round(common + chance.normal(0, 0.3, _ROWS), 2)
    c = np.where(place % 100 == 7, 9.0, place // 3 % 4)
    d = np.where(place % 17 == 3, np.nan, np.round(chance.exponential(3.0, _ROWS)))
    text = np.where(
        place % 125 == 9, "rare", np.where(place % 20 == 1, "seldom", np.array(list("xyz"))[place // 4 % 3])
    )
    score = a + 0.5 * b + 0.8 * (c == 2) * np.sign(a) - 0.2 * np.nan_to_num(d) + 0.8 * (text == "x") + 0.5
    score = score - 3.0 * (text == "rare") - 3.0 * (text == "seldom")
    good = chance.uniform(size=_ROWS) < 1 / (1 + np.exp(-2.0 * score))
    columns = {"a": a, "b": b, "c": c, "d": d, "text": pd.Series(text, dtype=object)}
    return TrainingSample.of(columns, score / 10 if quantity else good, sex=np.where(poor, "f", "m"))
