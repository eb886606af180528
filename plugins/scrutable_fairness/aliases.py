"""The field's names for rates of a positive class, translated to the favourable outcome.

Papers call either class positive: the applicant who repays, or the default that is to be detected. So the name of a
rate alone does not say who is protected, and each constraint here asks which class is meant.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scrutable.errors import InputError
from scrutable.fairness import Rate
from scrutable_fairness.error_rates import ErrorRateBalance
from scrutable_fairness.rate_gap import RateGap

if TYPE_CHECKING:
    from scrutable.data import Outcomes
    from scrutable.model import ClassLabel

Positive = Literal["favourable", "unfavourable"]

_OTHER: dict[Positive, Positive] = {"favourable": "unfavourable", "unfavourable": "favourable"}


@dataclass(frozen=True)
class PositiveClassRate(RateGap):
    """A rate named by the class called positive, which differs between groups by at most `slack`.

    Each such rate is about the applicants of a single outcome, and its gaps are those of their approval rates, up to
    the sign. `translation` is the constraint that says so.

    Parameters
    ----------
    positive : the class that the rate counts as positive, "favourable" or "unfavourable".
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : an unknown class, or as in `RateGap`.
    KindError : class labels as outcomes, when bound.
    """

    # It must be said: None stands for nothing said, and is refused with what is allowed.
    positive: Positive = field(default=None, kw_only=True)  # type: ignore[arg-type]  # None is refused

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.positive, str) or self.positive not in _OTHER:
            raise InputError(
                "the name of the rate does not say which class is called positive",
                where=f"positive of {type(self).__name__}",
                got=self.positive,
                allowed="'favourable' or 'unfavourable'",
                fix="say positive='unfavourable' where a default is what is detected, 'favourable' where repayment is",
            )

    @property
    @abstractmethod
    def outcome(self) -> Positive:
        """The outcome of the applicants whom the rate is about."""

    @property
    def translation(self) -> ErrorRateBalance:
        """The constraint of which this is another name. With the favourable outcome it is `Opportunity`."""
        return ErrorRateBalance(
            self.slack,
            self.outcome,
            compare=self.compare,
            attributes=self.attributes,
            min_group_size=self.min_group_size,
        )

    def rates(self, y: Outcomes) -> Iterable[tuple[Rate, ClassLabel | None]]:
        """Approval among the applicants whom the rate is about."""
        return self.translation.rates(y)


@dataclass(frozen=True)
class FalsePositiveRate(PositiveClassRate):
    """False positive rates, P(predicted positive | actually negative, group), that differ by at most `slack`.

    They are about the class that is *not* positive:

    * positive="unfavourable" (a default is detected, y = 1 is bad): good payers who are declined. The gap is that of
      their approvals with the other sign, so this is `Opportunity`.
    * positive="favourable" (a good payer is recognised, y = 1 is good): bad payers who are approved, so this is
      `ErrorRateBalance` with outcome="unfavourable".

    Also called predictive equality. Parameters and errors are those of `PositiveClassRate`.

    Examples
    --------
    >>> FalsePositiveRate(0.05, positive="unfavourable").translation.outcome
    'favourable'
    """

    @property
    def outcome(self) -> Positive:
        """The class that is not positive."""
        return _OTHER[self.positive]


@dataclass(frozen=True)
class FalseNegativeRate(PositiveClassRate):
    """False negative rates, P(predicted negative | actually positive, group), that differ by at most `slack`.

    They are about the positive class:

    * positive="unfavourable" (a default is detected, y = 1 is bad): bad payers who are approved, so this is
      `ErrorRateBalance` with outcome="unfavourable".
    * positive="favourable" (a good payer is recognised, y = 1 is good): good payers who are declined. The gap is that
      of their approvals with the other sign, so this is `Opportunity`.

    Parameters and errors are those of `PositiveClassRate`.

    Examples
    --------
    >>> FalseNegativeRate(0.05, positive="unfavourable").translation.outcome
    'unfavourable'
    """

    @property
    def outcome(self) -> Positive:
        """The positive class."""
        return self.positive


@dataclass(frozen=True)
class EqualOpportunity(FalseNegativeRate):
    """True positive rates, P(predicted positive | actually positive, group), that differ by at most `slack` (EOP).

    The gap is that of the false negative rates with the other sign, so this is `FalseNegativeRate` of the same
    `positive`. Hardt et al. (2016) call the favourable outcome positive, hence the default, and this is `Opportunity`.
    Papers that equalise false negative rates under this name where y = 1 is the bad outcome mean "unfavourable".

    Examples
    --------
    >>> EqualOpportunity(0.05).translation.outcome
    'favourable'
    """

    positive: Positive = field(default="favourable", kw_only=True)
