"""Validating a model on applicants that it did not learn from: separation, calibration, stability, disparity.

Names are imported on first use, so that `import scrutable_lifecycle.validation` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable.data import out_of_time, without_indeterminates
    from scrutable_lifecycle.validation.results import Disparity, Validation
    from scrutable_lifecycle.validation.stability import Drift, psi_interval
    from scrutable_lifecycle.validation.validating import validate

__all__ = [
    "Disparity",
    "Drift",
    "Validation",
    "out_of_time",
    "psi_interval",
    "validate",
    "without_indeterminates",
]

__getattr__ = lazily(__name__)
