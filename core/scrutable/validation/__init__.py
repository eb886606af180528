"""Validating a model on applicants that it did not learn from: separation, calibration, stability, disparity.

Names are imported on first use, so that `import scrutable.validation` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.facades import lazily

if TYPE_CHECKING:
    from scrutable.validation.dates import OutOfTime, out_of_time
    from scrutable.validation.indeterminate import Indeterminates, without_indeterminates
    from scrutable.validation.results import Disparity, Validation
    from scrutable.validation.stability import Drift, psi_interval
    from scrutable.validation.validating import validate

__all__ = [
    "Disparity",
    "Drift",
    "Indeterminates",
    "OutOfTime",
    "Validation",
    "out_of_time",
    "psi_interval",
    "validate",
    "without_indeterminates",
]

__getattr__ = lazily(__name__)
