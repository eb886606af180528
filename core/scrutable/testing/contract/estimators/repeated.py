"""Checks of binners and learners: a row of weight 3 is three rows, whatever else is asked for."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.biting import beyond
from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_classes, learns_quantities
from scrutable.testing.contract.examples.known_payers import has_option, worths
from scrutable.testing.contract.subject import Subject

#: Constraints of each kind, loose and tight ones.
_CONSTRAINTS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "rate": (
        ("demographic-parity", {"slack": 0.06}),
        ("demographic-parity", {"slack": 0.15}),
        ("adverse-impact-ratio", {"ratio": 0.8}),
        ("opportunity", {"slack": 0.08}),
    ),
    "divergence": (("fairness-information-value", {"bound": 0.1}),),
}
#: scikit-learn's check of the same without constraints: what declares that it fails is held to its bounds alone.
SCIKIT_LEARNS = "check_sample_weight_equivalence_on_dense_data"
_ROWS = 540
_TINY = 1e-9
_NEAR = 1e-6
#: How far probabilities may be apart that are found by steps.
_PROBABLE = 0.02


@deciding("binner", "learner", hint="count rows by data.weight, in bounds, cutoffs and limits as elsewhere")
def whole_weights_are_repeated_rows(subject: Subject) -> None:
    """A row of weight 3 decides what three rows do, with and without a cutoff, a rate or a bound that it enforces."""
    if SCIKIT_LEARNS in subject.component.known_failures:
        return
    for sample, weight in _weighted(subject):
        repeated = sample.repeated(weight.astype(int))
        for options in _asked(subject):
            first = _fitted(subject, sample, weight, options)
            again = _fitted(subject, repeated, None, options)
            told = f"with {options or 'no options'} a row of a whole weight is not what so many rows are"
            require((first is None) == (again is None), told, got="one of them is refused")
            if first is not None:
                _are_alike(subject, first, again, sample.X, told)


@deciding("binner", "learner", hint="hand sample_weight=data.weight to RateBound.contrast")
def bounds_it_enforces_are_about_weight(subject: Subject) -> None:
    """Bounds that it enforces hold among rows by weight, wherever the weight is."""
    for sample, weight in _weighted(subject) if subject.component.kind == "learner" else ():
        groups, good = _groups(sample), (sample.y == "good").to_numpy()
        for name, options, constraint in _enforced(subject):
            made = _fitted(subject, sample, weight, {"constraints": [constraint]})
            for bound in constraint.bind(good, groups) if made is not None else ():
                left = beyond(bound, made, sample, groups, weight)
                require(left <= _TINY, f"{name} with {options} is broken among weighted rows", got=f"by {left:.4g}")


def _fitted(subject: Subject, sample: TrainingSample, weight: Any, options: dict[str, Any]) -> Any:
    """The component fitted; None where it refuses the options."""
    groups = {"sensitive_features": _groups(sample)} if "constraints" in options else {}
    try:
        return fit(subject.make(**options), sample, sample_weight=weight, **groups)
    except InputError:
        if "constraints" not in options:
            raise
        return None


def _groups(sample: TrainingSample) -> Groups:
    """The groups, compared with one that is named: which is the largest depends on whether rows or weights count."""
    return Groups.from_frame(sample.sensitive_features, reference={"sex": "m"})


def _are_alike(subject: Subject, first: Any, again: Any, rows: pd.DataFrame, told: str) -> None:
    """Require the same decisions, unless all are alike, and probabilities; else the same values."""
    rows = rows.drop_duplicates()
    if learns_classes(subject):
        decisions = [np.asarray(each.predict(rows)) for each in (first, again)]
        if any(len(np.unique(each)) > 1 for each in decisions):
            differing = np.flatnonzero(decisions[0] != decisions[1])
            require(not len(differing), told, got=rows.iloc[differing[:1]].to_dict("records"))
        ours, theirs = (np.asarray(each.predict_proba(rows)) for each in (first, again))
        far = float(np.abs(ours - theirs).max())
        require(far <= _PROBABLE, told, got=f"probabilities {far:g} apart")
        return
    ours, theirs = (np.array(worths(each, rows)) for each in (first, again))
    far = float(np.abs(ours - theirs).max())
    require(far <= _NEAR * max(1.0, float(np.ptp(ours))), told, got=f"{far:g} apart")


def _asked(subject: Subject) -> Iterator[dict[str, Any]]:
    """Options under which rows are weighed: none, a rate, a cutoff, and each constraint that it enforces."""
    yield {}
    if has_option(subject, "approval_rate"):
        yield {"approval_rate": 0.37}
    if has_option(subject, "cutoff"):
        yield {"cutoff": 500.5}
    yield from ({"constraints": [constraint]} for _, _, constraint in _enforced(subject))


def _enforced(subject: Subject) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Constraints of the kinds that it says it enforces."""
    for kind in subject.component.enforces if has_option(subject, "constraints") else ():
        for name, options in _CONSTRAINTS.get(kind, ()):
            yield name, options, registry().create("constraint", name, **options)


def _weighted(subject: Subject) -> Iterator[tuple[TrainingSample, Any]]:
    """Rows of two groups and whole weights: heavy are bad rows of the poor group, then its good ones of high values."""
    sample = _people(learns_quantities(subject))
    poor, x = (sample.sensitive_features["sex"] == "f").to_numpy(), sample.X["x"].to_numpy()
    bad = sample.y.to_numpy() == "bad" if sample.y.dtype == object else sample.y.to_numpy() < 0.5
    yield sample, np.where(poor & bad, 4.0, 1.0)
    yield sample, np.where(poor & (x > 4), 3.0, np.where(bad, 2.0, 1.0))


@functools.cache
def _people(quantity: bool) -> TrainingSample:
    """Two groups, one of which has lower values of x, on which payment depends; each pair has twenty rows and more."""
    chance, place = np.random.default_rng(21), np.arange(_ROWS)
    poor = place // 18 % 3 == 0
    x = np.maximum(place % 6 + 1.0 - (poor & (place // 54 % 2 == 0)), 1.0)
    z = place // 6 % 3 + 0.0
    share = np.clip(0.1 + 0.15 * (x - 1) + 0.06 * (z - 1), 0.02, 0.98)
    good = chance.uniform(size=_ROWS) < share
    y = share + chance.normal(0, 0.05, _ROWS) if quantity else good
    return TrainingSample.of({"x": x, "z": z}, y, sex=np.where(poor, "f", "m"))
