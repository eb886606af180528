"""Checks of bounds on data that break every one of them: whatever accepts a bound has to bend to it."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, Groups, RateBound
from scrutable.plugins.component import Component
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, enforcing, require
from scrutable.testing.contract.estimators.bounds import fairness_information_values
from scrutable.testing.contract.examples.data import TrainingSample, fit
from scrutable.testing.contract.subject import Subject

#: Constraints of each kind, by name and options; a component may refuse those after the first of its kind.
CONSTRAINTS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "rate": (
        ("demographic-parity", {"slack": 0.05}),
        ("adverse-impact-ratio", {"ratio": 0.9}),
        ("opportunity", {"slack": 0.05}),
        ("error-rate-balance", {"slack": 0.05, "outcome": "unfavourable"}),
        ("disparate-mistreatment", {"slack": 0.05}),
    ),
    "divergence": (
        ("fairness-information-value", {"bound": 0.05}),
        ("fairness-information-value", {"bound": 0.1, "rows": "events"}),
    ),
}
#: What is left, at most, of what goes beyond a bound that is accepted and not enforced.
LEFT = 0.6
#: Less than this beyond a bound says nothing of what bends to it.
WORTH_IT = 0.05


def accepts_bounds_at_all(component: Component) -> bool:
    return bool(component.accepts)


@deciding(
    "binner",
    "learner",
    of=accepts_bounds_at_all,
    hint="hand what Learner.bounds returns on to what learns, or take the kind of bound out of accepts",
)
def bounds_it_accepts_bite(subject: Subject) -> None:
    """On rows whose groups differ each bound that it accepts bends what it learns; one that it enforces is kept."""
    for kind in subject.component.accepts:
        for poor in ("f", "m"):
            for name, options in CONSTRAINTS[kind]:
                _bites(subject, kind, unequal(poor), name, options)


@deciding(
    "binner",
    "learner",
    of=accepts_bounds_at_all,
    hint="go through all bounds that Learner.bounds returns, and weigh rows in each of them",
)
def every_bound_and_every_weight_counts(subject: Subject) -> None:
    """With three groups the bound on each of them bites, and with weights bounds are about rates of weight."""
    for kind in subject.component.accepts:
        name, options = CONSTRAINTS[kind][0]
        for poor in ("b", "c"):
            _bites(subject, kind, _three_groups(poor), name, options)
        sample = unequal("f")
        heavy = (sample.X["x"] == 4.0) & (sample.sensitive_features["sex"] == "f")
        _bites(subject, kind, sample, name, options, np.where(heavy, 8.0, 1.0))


@deciding(
    "binner",
    of=enforcing("divergence"),
    hint="measure bounds on the attributes that are left at last; refuse cuts and merges that break one by InputError",
)
def bounds_hold_beside_cuts_and_merges_by_hand(subject: Subject) -> None:
    """Cuts and merges by hand that break a bound that it enforces are refused, or the bound is kept all the same."""
    name, options = CONSTRAINTS["divergence"][0]
    numbers = unequal("f")
    words = replace(numbers, X=numbers.X.assign(x=numbers.X["x"].map("level {:.0f}".format)))
    by_hand = ((numbers, {"cuts": {"x": [2.0, 3.0, 4.0]}}), (words, {"merges": {"x": [["level 1"], ["level 4"]]}}))
    for sample, given in by_hand:
        constraint = registry().create("constraint", name, **options)
        made, groups = subject.make(constraints=[constraint], **given), sample.sensitive_features
        try:
            bent = fit(made, sample, sensitive_features=groups)
        except InputError:
            continue
        left = _excess(bent, sample, name, options, None)
        require(left <= 1e-9, f"with {', '.join(given)} by hand a bound on divergences is broken", got=f"by {left:.4g}")


def _bites(
    subject: Subject, kind: str, sample: TrainingSample, name: str, options: dict[str, Any], weight: Any = None
) -> None:
    """Require that a constraint is kept where it is enforced, and that little is left beyond it elsewhere."""
    bent = _bent(subject, sample, name, options, weight)
    before = _excess(without_bounds(subject, sample, weight), sample, name, options, weight)
    if bent is None or before < WORTH_IT:
        return
    after = _excess(bent, sample, name, options, weight)
    allowed = 1e-9 if kind in subject.component.enforces else LEFT * before
    groups = " and ".join(sorted(set(sample.sensitive_features["sex"])))
    weighted = ", weighted" if weight is not None else ""
    fault = f"a bound does too little: {name} with {options}, groups {groups}{weighted}"
    require(after <= allowed, fault, got=f"{after:.4g} beyond it, and {before:.4g} without it")


def without_bounds(subject: Subject, sample: TrainingSample, weight: Any = None) -> Any:
    """The component fitted to one of the samples here without a bound; made once for all checks."""
    key = f"fitted without bounds to sample {id(sample)}, {None if weight is None else weight.tobytes()!r}"
    _, fitted = subject.once(key, lambda: (sample, fit(subject.make(), sample, sample_weight=weight)))  # no other's id
    return fitted


def _bent(subject: Subject, sample: TrainingSample, name: str, options: dict[str, Any], weight: Any) -> Any:
    """The component fitted under a constraint; None where it refuses it."""
    constraint = registry().create("constraint", name, **options)
    try:
        made, groups = subject.make(constraints=[constraint]), sample.sensitive_features
        return fit(made, sample, sensitive_features=groups, sample_weight=weight)
    except InputError:
        return None


def _excess(estimator: Any, sample: TrainingSample, name: str, options: dict[str, Any], weight: Any) -> float:
    """How far what was learned is beyond the bounds of a constraint, on the rows of fit."""
    groups, good = Groups.from_frame(sample.sensitive_features), (sample.y == "good").to_numpy()
    bounds = registry().create("constraint", name, **options).bind(good, groups)
    return max(beyond(bound, estimator, sample, groups, weight) for bound in bounds)


def beyond(bound: Any, estimator: Any, sample: TrainingSample, groups: Groups, weight: Any) -> float:
    if isinstance(bound, RateBound):
        approved, good = np.asarray(estimator.evaluate(sample.X).approved), (sample.y == "good").to_numpy()
        contrast = bound.contrast(good, groups, sample_weight=weight)
        value = contrast.value(approved if bound.rate == "approval" else approved != good)
        return max(contrast.low - value, value - contrast.high, 0.0)
    assert isinstance(bound, DivergenceBound)
    values = fairness_information_values(bound, estimator, sample, groups, weight)
    return max([value - bound.bound for value in values.values()] + [0.0])


@functools.cache
def unequal(poor: str) -> TrainingSample:
    """Two groups of which one has low values of x; who pays depends on x and, in both alike, on z."""
    chance, rows = np.random.default_rng(7), 400
    is_poor = np.arange(rows) % 2 == 0
    x = np.where(
        is_poor, chance.choice(4, rows, p=[0.5, 0.3, 0.1, 0.1]), chance.choice(4, rows, p=[0.1, 0.1, 0.3, 0.5])
    )
    z = chance.integers(0, 2, rows)
    good = chance.uniform(size=rows) < np.array([0.1, 0.35, 0.65, 0.9])[x] + np.array([-0.09, 0.09])[z]
    rich = "m" if poor == "f" else "f"
    return TrainingSample.of({"x": x + 1.0, "z": z + 1.0}, good, sex=np.where(is_poor, poor, rich))


@functools.cache
def _three_groups(poor: str) -> TrainingSample:
    """Some of the same rows: of two groups beside the reference one is poor, and the other as rich as it."""
    sample, place = unequal("poor"), np.arange(400)
    is_poor = (sample.sensitive_features["sex"] == "poor").to_numpy()
    other = {"b": "c", "c": "b"}[poor]
    group = np.where(is_poor, poor, np.where(place % 20 < 6, other, "a"))
    kept = ~is_poor | (place % 4 == 0)
    return replace(sample, sensitive_features=pd.DataFrame({"sex": group}, dtype=object)).repeated(kept)
