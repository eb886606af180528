"""Validating a model on applicants that it did not learn from: separation, calibration, stability, disparity.

Names are imported on first use, so that `import scrutable.validation` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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

_HOME = {
    **dict.fromkeys(("Indeterminates", "without_indeterminates"), "indeterminate"),
    **dict.fromkeys(("OutOfTime", "out_of_time"), "dates"),
    **dict.fromkeys(("Disparity", "Validation"), "results"),
    **dict.fromkeys(("Drift", "psi_interval"), "stability"),
    "validate": "validating",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
