"""What a binner or learner makes of the same columns with several outcomes and weights, one after another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_quantities
from scrutable.testing.contract.examples.known_payers import has_option, sample_of
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

_ROWS = 240


def fits(subject: Subject) -> dict[str, Callable[[], str]]:
    """Fits of the same columns, of which the best cuts lie elsewhere each time, by what differs: what each learns."""
    x = np.random.default_rng(41).permutation(_ROWS) / 2.0
    heavy = np.where(x > 0.7 * x.max(), 30.0, 1.0)

    def rows(good: Any) -> TrainingSample:
        return sample_of(subject, {"x": x.tolist(), "kind": [f"kind {each % 6:g}" for each in x // 8]}, good)

    early, late = (rows((x > part * x.max()) ^ (np.arange(_ROWS) % 11 == 0)) for part in (0.2, 0.8))
    calls = {"outcomes that turn early": lambda: _learned(subject, early)}
    if has_option(subject, "favourable") and not learns_quantities(subject):
        calls["another favourable class"] = lambda: _learned(subject, early, favourable="bad")
    calls["other weights"] = lambda: _learned(subject, early, sample_weight=heavy)
    calls["outcomes that turn late"] = lambda: _learned(subject, late)
    return calls


def learned_in_order(subject: Subject, order: Sequence[str]) -> dict[str, str]:
    """What each of these fits learns, one after another in this process."""
    made = fits(subject)
    return {name: made[name]() for name in order}


def _learned(subject: Subject, sample: TrainingSample, sample_weight: Any = None, **options: Any) -> str:
    learned = content(fit(subject.make(**options), sample, sample_weight=sample_weight))
    return hashlib.sha256(learned.encode()).hexdigest()
