"""From score to PD: refitting the calibration of a model, how well it holds, and the scale of its points.

Names are imported on first use, so that `import scrutable_lifecycle.calibration` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable.measures import Reliability, ReliabilityBin, ReliabilityCurve, model_reliability, reliability
    from scrutable_lifecycle.calibration.refit import Calibrated, calibrate
    from scrutable_lifecycle.calibration.rescaled import Rescaled, rescale
    from scrutable_lifecycle.calibration.scale import odds_at, pd_at, score_at

__all__ = [
    "Calibrated",
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

__getattr__ = lazily(__name__)
