"""Checks of bounds that come together: several at once, by membership, of uneven groups, at tight and loose limits."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.biting import (
    CONSTRAINTS,
    LEFT,
    WORTH_IT,
    accepts_bounds_at_all,
    beyond,
    unequal,
    without_bounds,
)
from scrutable.testing.contract.examples.data import TrainingSample
from scrutable.testing.contract.subject import Subject

_LIMITS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "rate": (("demographic-parity", {"slack": 0.2}), ("adverse-impact-ratio", {"ratio": 0.75})),
    "divergence": (("fairness-information-value", {"bound": 0.01}), ("fairness-information-value", {"bound": 0.3})),
}
_ROWS = 600


@deciding(
    "binner",
    "learner",
    of=accepts_bounds_at_all,
    hint="go through the bounds of all constraints and attributes together, and stop at none of them",
)
def bounds_bite_together(subject: Subject) -> None:
    """Bounds on two attributes, opposed ones too, in one constraint or in two in either order, all bite or hold."""
    for sample in (_two_attributes(), _opposed()):
        groups = Groups.from_frame(sample.sensitive_features)
        for kind in subject.component.accepts:
            name, options = CONSTRAINTS[kind][0]
            by_attribute = [_made(name, **options, attributes=[each]) for each in groups.names]
            for given in ([_made(name, **options)], by_attribute, by_attribute[::-1]):
                _bite(subject, kind, sample, groups, given, by_attribute)


@deciding(
    "binner",
    "learner",
    of=accepts_bounds_at_all,
    hint="count rows by ProtectedAttribute.membership, from RateBound.contrast, and not by the likeliest group",
)
def bounds_bite_by_membership(subject: Subject) -> None:
    """Where membership is a probability, and of uneven groups with a named reference, bounds bite or hold."""
    sample = unequal("f")
    chance = np.where(sample.sensitive_features["sex"] == "f", 0.45, 0.05)  # nobody is likelier to be of this group
    shares = Groups.from_probabilities({"sex": pd.DataFrame({"f": chance, "m": 1 - chance})})
    few = _few_poor()
    for kind in subject.component.accepts:
        name, options = CONSTRAINTS[kind][0]
        constraint = [_made(name, **options)]
        _bite(subject, kind, sample, shares, constraint, constraint)
        for reference in ("f", "m"):
            groups = Groups.from_frame(few.sensitive_features, reference={"sex": reference})
            _bite(subject, kind, few, groups, constraint, constraint)


@deciding(
    "binner",
    "learner",
    of=accepts_bounds_at_all,
    hint="read the limits of each bound, low and high, in place of limits of one's own",
)
def bounds_bite_at_their_limits(subject: Subject) -> None:
    """Tight and loose bounds bite or hold alike."""
    sample = unequal("m")
    groups = Groups.from_frame(sample.sensitive_features)
    for kind in subject.component.accepts:
        for name, options in _LIMITS[kind]:
            _bite(subject, kind, sample, groups, [_made(name, **options)], [_made(name, **options)])


def _made(name: str, **options: Any) -> Any:
    return registry().create("constraint", name, **options)


def _bite(
    subject: Subject,
    kind: str,
    sample: TrainingSample,
    groups: Groups,
    given: Sequence[Any],
    measured: Sequence[Any],
) -> None:
    """Require that little is left of what is beyond each of the measured constraints; nothing where it is enforced."""
    free = without_bounds(subject, sample)
    try:
        bent = subject.make(constraints=list(given)).fit(sample.X, sample.y, sensitive_features=groups)
    except InputError:
        return
    good = (sample.y == "good").to_numpy()
    for constraint in measured:
        for bound in constraint.bind(good, groups):
            before, after = (beyond(bound, each, sample, groups, None) for each in (free, bent))
            allowed = 1e-9 if kind in subject.component.enforces else LEFT * before
            if kind in subject.component.enforces or before > WORTH_IT:
                told = f"a bound does too little: {constraint}, {bound.group!r} against {bound.reference!r}"
                require(after <= allowed, told, got=f"{after:.4g} beyond it, and {before:.4g} without it")


@functools.cache
def _two_attributes() -> TrainingSample:
    """Two attributes that are independent: x is lower in one group of the first, and z in one of the second."""
    chance, place = np.random.default_rng(11), np.arange(_ROWS)
    poor, far = place % 2 == 0, place // 2 % 2 == 0
    x, z = (np.clip(chance.integers(0, 3, _ROWS) + 2 * ~low, 0, 4) for low in (poor, far))
    return _sample(x, z, chance, {"sex": np.where(poor, "f", "m"), "region": np.where(far, "far", "near")})


@functools.cache
def _opposed() -> TrainingSample:
    """Two attributes: most of the poor of the one are the rich of the other, and who mends one gap opens another."""
    chance, place = np.random.default_rng(13), np.arange(_ROWS)
    poor = place % 2 == 0
    far = np.where(place // 2 % 4 == 0, poor, ~poor)
    x, z = (np.clip(chance.integers(0, 3, _ROWS) + 2 * ~low, 0, 4) for low in (poor, far))
    return _sample(x, z, chance, {"sex": np.where(poor, "f", "m"), "region": np.where(far, "far", "near")})


@functools.cache
def _few_poor() -> TrainingSample:
    """Of two groups one is a sixth of the rows, and has low values of x."""
    chance = np.random.default_rng(12)
    poor = np.arange(_ROWS) % 6 == 0
    x = np.clip(chance.integers(0, 3, _ROWS) + 2 * ~poor, 0, 4)
    return _sample(x, chance.integers(1, 3, _ROWS), chance, {"sex": np.where(poor, "f", "m")})


def _sample(x: Any, z: Any, chance: np.random.Generator, groups: dict[str, Any]) -> TrainingSample:
    """Rows that are good the more often the higher x and z are, and a w that no group tells."""
    w = chance.integers(0, 3, len(x))
    good = chance.uniform(size=len(x)) < 1 / (1 + np.exp(5.0 - x - z - w))
    return TrainingSample.of({"x": x + 1.0, "z": z + 1.0, "w": w + 1.0}, good, **groups)
