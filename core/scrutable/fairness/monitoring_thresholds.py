"""From which value on a figure is remarked upon, and from which on it is an alert."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrutable.data.array_checks import share
from scrutable.data.sizes import MIN_GROUP_SIZE
from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.fairness.judged_ratio import RatioKind, check_ratio_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The thresholds of a monitoring; those by default are the usual ones.

    Parameters
    ----------
    psi_warn, psi_alert : population stability index of the score, of the segments' shares and of the reasons. 0.10
        and 0.25 are the usual reading (Siddiqi, "Credit Risk Scorecards", 2006): below little change, between some,
        from there on much.
    csi_warn, csi_alert : the same index of each characteristic, and of each rule of a rule set.
    auc_drop : by how much the AUC may fall below the baseline's. A fall beyond it is an alert if the baseline's AUC
        also lies above the interval of the new one, else a warning.
    impact_ratio : least ratio of approval rates; 0.80 is that of the four-fifths rule, a guideline of employment law
        (29 CFR 1607.4(D)).
    ratio : which ratio: "four-fifths", of each attribute the lowest rate by the highest, or "adverse-impact", of each
        group by its reference's.
    calibration_low, calibration_high : limits of the observed bad rate divided by the expected one. A ratio beyond
        them is an alert if it is significant, else a warning.
    smallest_group : groups of a smaller (weighted) number of applicants are shown, and not judged.
    significant : whether indices and ratios of approval rates need to be significant, too. By default a threshold alone
        decides, and the page says what so few rows give without any drift.
    confidence : of intervals; 1 minus this is the level of the tests.

    Raises
    ------
    InputError : a number out of its range, or a warning above its alert.

    Examples
    --------
    >>> Thresholds(psi_alert=0.2).psi_warn
    0.1
    """

    psi_warn: float = 0.10
    psi_alert: float = 0.25
    csi_warn: float = 0.10
    csi_alert: float = 0.25
    auc_drop: float = 0.05
    impact_ratio: float = 0.80
    ratio: RatioKind = "four-fifths"
    calibration_low: float = 0.80
    calibration_high: float = 1.25
    smallest_group: float = float(MIN_GROUP_SIZE)
    significant: bool = False
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for name in ("psi_warn", "psi_alert", "csi_warn", "csi_alert", "auc_drop", "smallest_group"):
            check_number(getattr(self, name), name, "0 or more")
        for name in ("impact_ratio", "calibration_low"):
            check_number(getattr(self, name), name, "a number from 0 to 1", high=1.0)
        check_ratio_kind(self.ratio)
        check_number(self.calibration_high, "calibration_high", "1 or more", low=1.0)
        share(self.confidence, "confidence")
        if not isinstance(self.significant, bool):
            raise InputError("neither true nor false", where="significant", got=self.significant, allowed="True, False")
        for index in ("psi", "csi"):
            warn, alert = getattr(self, f"{index}_warn"), getattr(self, f"{index}_alert")
            if warn > alert:
                raise InputError(
                    "the warning comes after the alert",
                    where=f"{index}_warn",
                    got=warn,
                    allowed=f"0 to {index}_alert, {alert:g}",
                    fix=f"lower {index}_warn, or raise {index}_alert",
                )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)
