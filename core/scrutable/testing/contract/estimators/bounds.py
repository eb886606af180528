"""Checks of what keeps fairness constraints: bounds of the kinds that it accepts, and no others."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, Groups, RateBound
from scrutable.measures.numerics.counts import information_value
from scrutable.model import Scaling
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import check, deciding, enforcing, failing_as, require, said
from scrutable.testing.contract.examples.data import TrainingSample, fit, sample_for
from scrutable.testing.contract.subject import Subject

#: A constraint that makes bounds of each kind, by name and options.
_CONSTRAINTS: dict[str, tuple[str, dict[str, Any]]] = {
    "rate": ("demographic-parity", {"slack": 0.02}),
    "divergence": ("fairness-information-value", {"bound": 0.05}),
}
_TOLERANCE = 1e-9
_ROWS, _SLACKS = 1200, tuple(place / 66 for place in range(1, 14))


@check("binner", "learner", hint="say the same in accepts of the Component and in accepts_bounds of the class")
def the_bounds_it_accepts_are_declared(subject: Subject) -> None:
    """`accepts` of its descriptor and `accepts_bounds` of its class are the same, and it takes `constraints` if any."""
    declared, loaded = tuple(subject.component.accepts), subject.load()
    own = tuple(getattr(loaded, "accepts_bounds", ()))
    require(set(own) == set(declared), f"accepts_bounds is {own}, and its descriptor accepts {declared}")
    takes = "constraints" in subject.parameters
    require(takes or not declared, "it accepts bounds and has no option constraints")


@check("binner", "learner", hint="bind constraints with Learner.bounds, or scrutable.plugins.bases.bound_by")
def bounds_it_accepts_work_and_others_are_refused(subject: Subject) -> None:
    """It fits with a constraint of each kind that it accepts, and refuses one of every other kind."""
    if "constraints" not in subject.parameters:
        return
    for kind in _CONSTRAINTS:
        accepted = kind in subject.component.accepts
        try:
            with failing_as(f"it fails on a constraint that makes bounds on a {kind}", InputError):
                _constrained(subject, kind)
        except InputError as error:
            fault = f"it accepts bounds on a {kind}, and refuses a constraint that makes them"
            require(not accepted, fault, got=said(error))
        else:
            require(accepted, f"it takes a constraint on a {kind}, which its descriptor does not accept")


@deciding(
    "binner",
    "learner",
    of=enforcing("rate", "divergence"),
    hint="keep to the bound on the rows of fit, or take its kind out of enforces in the Component",
)
def bounds_it_enforces_hold(subject: Subject) -> None:
    """Bounds of the kinds that it enforces hold on the rows that it was fitted on."""
    kinds = [kind for kind in _CONSTRAINTS if kind in subject.component.enforces]
    sample = sample_for(subject)
    groups = Groups.from_frame(sample.sensitive_features)
    for kind in kinds:
        estimator = _constrained(subject, kind)
        for bound in _constraint(kind).bind((sample.y == "good").to_numpy(), groups):
            for what, value, low, high in _measured(bound, estimator, sample, groups):
                inside = low - _TOLERANCE <= value <= high + _TOLERANCE
                require(
                    inside, f"a bound that it enforces is broken: {what} is {value:.6g}, allowed {low:g} to {high:g}"
                )


@deciding(
    "learner",
    of=enforcing("rate"),
    hint="measure bounds on the model that is returned, after rounding, scaling and cutting",
)
def bounds_it_enforces_hold_among_many_scores(subject: Subject) -> None:
    """Where scores are many and points are rounded, bounds on rates hold, whatever the slack; or fit refuses them."""
    sample, options = _many_scores(), subject.parameters
    groups = Groups.from_frame(sample.sensitive_features)
    settings: list[dict[str, Any]] = [{}]
    settings += [{"decimals": places} for places in (0, 1) if "decimals" in options]
    settings += [{"scaling": Scaling(decimals=places)} for places in (0, 1) if "scaling" in options]
    for given in settings:
        for slack in _SLACKS:
            bound = registry().create("constraint", "demographic-parity", slack=slack)
            try:
                made = fit(subject.make(constraints=[bound], **given), sample, sensitive_features=groups)
            except (InputError, TypeError):
                continue
            for each in bound.bind((sample.y == "good").to_numpy(), groups):
                for what, value, low, high in _measured(each, made, sample, groups):
                    inside = low - _TOLERANCE <= value <= high + _TOLERANCE
                    told = f"with {given or 'no options'} and slack={slack}, {what} is beyond the bound"
                    require(inside, told, got=f"{value:.6g}, allowed {low:g} to {high:g}")


@functools.cache
def _many_scores() -> TrainingSample:
    """Three columns of many numbers each, of which one is lower in one group."""
    chance = np.random.default_rng(23)
    poor = np.arange(_ROWS) % 2 == 0
    a, b, c = chance.normal(size=(3, _ROWS))
    a = a - 0.9 * poor
    good = chance.uniform(size=_ROWS) < 1 / (1 + np.exp(-(a + b + c)))
    return TrainingSample.of({"a": a.round(2), "b": b.round(2), "c": c.round(2)}, good, sex=np.where(poor, "f", "m"))


def _measured(
    bound: Any, estimator: Any, sample: TrainingSample, groups: Groups
) -> list[tuple[str, float, float, float]]:
    """What a bound is about, its value and its limits."""
    if isinstance(bound, RateBound):
        approved = estimator.evaluate(sample.X).approved
        contrast = bound.contrast((sample.y == "good").to_numpy(), groups)
        return [("the gap of approval rates", contrast.value(approved), contrast.low, contrast.high)]
    assert isinstance(bound, DivergenceBound)
    values = fairness_information_values(bound, estimator, sample, groups).items()
    return [(f"the fairness information value of {name!r}", value, 0.0, bound.bound) for name, value in values]


def fairness_information_values(
    bound: DivergenceBound, estimator: Any, sample: TrainingSample, groups: Groups, weight: Any = None
) -> dict[str, float]:
    """The fairness information value of every feature whose attributes were learned, by feature."""
    attribute = groups[bound.attribute]
    rows = np.ones(len(sample.y)) if weight is None else np.asarray(weight, dtype=float)
    rows = rows * (sample.y == "good").to_numpy() if bound.rows == "events" else rows
    group, reference = (
        attribute.membership[:, attribute.labels.index(label)] * rows for label in (bound.group, bound.reference)
    )
    values = {}
    for name, position in _positions(estimator, sample).items():
        counts = [np.bincount(position, weights=side) for side in (group, reference)]
        values[name] = float(information_value(*counts, zero="inf"))
    return values


def _positions(estimator: Any, sample: TrainingSample) -> dict[str, NDArray[np.intp]]:
    """(n,) position of each row's attribute, by feature, where what was learned has attributes."""
    if hasattr(estimator, "binning_"):
        places = estimator.set_params(encoding="index").transform(sample.X)
        return {table.feature.name: places[:, i] for i, table in enumerate(estimator.binning_.tables)}
    return dict(getattr(evaluate(estimator.model_, sample.X), "attribute", {}))


def _constrained(subject: Subject, kind: str) -> Any:
    sample = sample_for(subject)
    estimator = subject.make(constraints=[_constraint(kind)])
    return fit(estimator, sample, sensitive_features=sample.sensitive_features)


def _constraint(kind: str) -> Any:
    name, options = _CONSTRAINTS[kind]
    return registry().create("constraint", name, **options)
