"""From score to PD: refitting the calibration of a model, how well it holds, and the scale of its points.

Names are imported on first use, so that `import scrutable.calibration` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.calibration.observed import model_reliability, reliability
    from scrutable.calibration.refit import Calibrated, calibrate
    from scrutable.calibration.rescaled import Rescaled, rescale
    from scrutable.calibration.results import (
        BrierScore,
        GroupReliability,
        Reliability,
        ReliabilityBin,
        ReliabilityCurve,
    )
    from scrutable.calibration.scale import odds_at, pd_at, score_at

__all__ = [
    "BrierScore",
    "Calibrated",
    "GroupReliability",
    "Reliability",
    "ReliabilityBin",
    "ReliabilityCurve",
    "Rescaled",
    "calibrate",
    "model_reliability",
    "odds_at",
    "pd_at",
    "reliability",
    "rescale",
    "score_at",
]

_HOME = {
    **dict.fromkeys(("Calibrated", "calibrate"), "refit"),
    **dict.fromkeys(("model_reliability", "reliability"), "observed"),
    **dict.fromkeys(("BrierScore", "GroupReliability", "Reliability", "ReliabilityBin", "ReliabilityCurve"), "results"),
    **dict.fromkeys(("Rescaled", "rescale"), "rescaled"),
    **dict.fromkeys(("odds_at", "pd_at", "score_at"), "scale"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
