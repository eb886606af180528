"""Checks of binners and learners: a row that weighs more counts for more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import ROWS, fit, sample_for
from scrutable.testing.contract.results import bare, content
from scrutable.testing.contract.subject import Subject

_HEAVY = 40.0


@deciding("binner", "learner", hint="hand sample_weight on, and count and fit with data.weight")
def weights_matter(subject: Subject) -> None:
    """What is learned depends on sample_weight."""
    sample = sample_for(subject)
    learned = _learned(fit(subject.make(), sample))
    # each third of the rows weighs heavily in turn, so that something differs for the coarsest of models
    weighted = (np.where(np.arange(ROWS) % 3 == turn, _HEAVY, 1.0) for turn in range(3))
    others = (_learned(fit(subject.make(), sample, sample_weight=weight)) for weight in weighted)
    same = all(other == learned for other in others)
    require(not same, f"what is learned is the same whichever rows weigh {_HEAVY:g} times as much, so weights are lost")


def _learned(estimator: Any) -> str:
    """What is learned, without the cutoff, which the base class finds."""
    if getattr(getattr(estimator, "model_", None), "cutoff", None) is None:
        return content(estimator)
    return bare(replace(estimator.model_, cutoff=0.0))
