"""Constraints on what happens to applicants of the same outcome, and on errors as such."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scrutable.errors.checks import check_choice
from scrutable.fairness import Rate
from scrutable_fairness.rate_gap import RateGap

if TYPE_CHECKING:
    from scrutable.data import Outcomes
    from scrutable.model import ClassLabel

Outcome = Literal["favourable", "unfavourable", "both"]

#: Classes of a boolean outcome.
_GIVEN: dict[Outcome, tuple[bool, ...]] = {"favourable": (True,), "unfavourable": (False,), "both": (True, False)}


@dataclass(frozen=True)
class Opportunity(RateGap):
    """Approval rates among good payers that differ by at most `slack`.

    abs(P(approved | good payer, group) - P(approved | good payer, reference)) <= slack: equal opportunity of Hardt et
    al. (2016), equation (21) of the RUG paper, with the favourable outcome as the positive class.

    Parameters
    ----------
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : as in `RateGap`.
    KindError : class labels as outcomes, when bound.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> [bound] = Opportunity(0.05, min_group_size=1).bind([True, True, False], groups)
    >>> bound.rate, bound.given, bound.slack
    ('approval', True, 0.05)
    """

    def rates(self, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
        """Approval among good payers."""
        return _approvals("favourable", y)


@dataclass(frozen=True)
class ErrorRateBalance(RateGap):
    """Approval rates among the applicants of one outcome, or of each, that differ by at most `slack`.

    abs(P(approved | outcome, group) - P(approved | outcome, reference)) <= slack. Where good payers are declined and
    bad payers approved, the lender errs, so these are the gaps of its two error rates. With both outcomes this is
    equalized odds, equation (20) of the RUG paper; `DisparateMistreatment` says the same of errors.

    Parameters
    ----------
    outcome : "favourable" (good payers: the same as `Opportunity`), "unfavourable" (bad payers), or "both".
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : an unknown outcome, or as in `RateGap`.
    KindError : class labels as outcomes, when bound.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> bounds = ErrorRateBalance(0.05, min_group_size=1).bind([True, False, True, False], groups)
    >>> [(bound.rate, bound.given) for bound in bounds]
    [('approval', True), ('approval', False)]
    """

    outcome: Outcome = "both"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.outcome, tuple(_GIVEN), "outcome of ErrorRateBalance")

    def rates(self, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
        """Approval among the applicants of the outcomes chosen."""
        return _approvals(self.outcome, y)


@dataclass(frozen=True)
class DisparateMistreatment(RateGap):
    """Misclassification rates of every class that differ by at most `slack` (DMC).

    abs(P(error | class k, group) - P(error | class k, reference)) <= slack for every class k that occurs: (8) to (11)
    of the RUG paper, which compares all pairs of groups. With two classes every gap is one of `ErrorRateBalance` up to
    its sign, so it is equalized odds. With more classes it asks less: how often a class is mistaken, not for which.

    Parameters
    ----------
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : as in `RateGap`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> bounds = DisparateMistreatment(0.05, min_group_size=1).bind(["paid", "late", "late", "paid"], groups)
    >>> [(bound.rate, bound.given) for bound in bounds]
    [('error', 'late'), ('error', 'paid')]
    """

    def rates(self, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
        """Errors within each class."""
        from scrutable.data import classes_of

        for given in classes_of(y):
            yield "error", given


@dataclass(frozen=True)
class OverallMistreatment(RateGap):
    """Overall misclassification rates that differ by at most `slack` (ODM).

    abs(P(error | group) - P(error | reference)) <= slack: (12) to (15) of the RUG paper, which compares all pairs of
    groups. Errors against and in favour of the applicant count alike and can offset each other.

    Parameters
    ----------
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : as in `RateGap`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> [bound] = OverallMistreatment(0.05, min_group_size=1).bind(["paid", "late", "default"], groups)
    >>> bound.rate, bound.given
    ('error', None)
    """

    def rates(self, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
        """Errors among all rows."""
        yield "error", None


def _approvals(outcome: Outcome, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
    """Approval among the applicants of an outcome, which must be known as favourable or not.

    Raises
    ------
    KindError : class labels.
    """
    from scrutable.data import favourable

    favourable(y, "y")
    for given in _GIVEN[outcome]:
        yield "approval", given
