"""Approval rates, bad rates and ratios of some decisions, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable.writing import plain, plain_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRates:
    """What one group gets; None where it is kept back, NaN where there is nobody to divide by.

    Parameters
    ----------
    adverse_impact_ratio : approval rate over the reference's.
    bad_rate : bad payers among the approved of the group whose outcome is known.
    """

    attribute: str
    group: str
    reference: str
    approval_rate: float | None
    adverse_impact_ratio: float | None
    bad_rate: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined or kept back."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What some decisions mean; None where it is kept back, NaN where it is undefined.

    Parameters
    ----------
    approval_rate : approved among all applicants.
    bad_rate : bad payers among the approved whose outcome is known.
    four_fifths : by protected attribute, the lowest approval rate by the highest.
    """

    approval_rate: float | None
    bad_rate: float | None
    groups: tuple[GroupRates, ...] = ()
    four_fifths: tuple[tuple[str, float | None], ...] = ()

    @property
    def hides_some(self) -> bool:
        """Whether a rate of everybody or of a group is kept back."""
        rates = [self.approval_rate, self.bad_rate]
        rates += [rate for group in self.groups for rate in (group.approval_rate, group.bad_rate)]
        return None in rates

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined or kept back."""
        return {
            "approval_rate": plain(self.approval_rate),
            "bad_rate": plain(self.bad_rate),
            "groups": [group.to_dict() for group in self.groups],
            "four_fifths": {attribute: plain(ratio) for attribute, ratio in self.four_fifths},
        }
