"""What a fairness constraint asks for, in the two forms that learners and binners can enforce.

Every rate is read from the applicant's side. The *decision* is favourable (approval) or not; the *outcome* is
favourable (a good payer) or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scrutable.errors import InputError, KindError
from scrutable.errors.checks import check_choice

if TYPE_CHECKING:
    from scrutable.data.array_checks import Bools, Floats
    from scrutable.data.attribute import ProtectedAttribute
    from scrutable.data.groups import Groups
    from scrutable.data.outcome import ClassLabel
    from scrutable.fairness.contrast import Contrast
    from scrutable.fairness.counted_events import Rate, Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBound:
    """A bound on how far a rate of one group may lie from that of its reference.

    Let R(g) be the rate within group g:

    * `approval`: P(decision is favourable | group g),
    * `error`: P(decision differs from outcome | group g),

    each taken only over rows whose actual class is the label `given`, unless that is None. A boolean outcome has the
    class labels True (favourable) and False; so `rate="approval", given=True` is the approval rate among good payers.
    Membership probabilities and sample weights count as weights. The bound says

    * with `slack`: abs(R(group) - R(reference)) <= slack,
    * with `ratio`: R(group) / R(reference) >= ratio,

    where a `reference` of None stands for everyone, rows of unknown membership too. `contrast` gives the same as
    weights over rows: the value of the bound, its gradient and its row of a linear program.

    A bound on a rate of another definition is a subclass, a frozen dataclass, that says in `sides` which rows count,
    and how much. It may have a `kind` of its own; whoever accepts bounds on a rate keeps it, too.

    Raises
    ------
    InputError : not exactly one of `slack` and `ratio`, a value out of range, an unknown rate, or a group that is
        compared with itself.

    Examples
    --------
    >>> bound = RateBound(rate="approval", attribute="sex", group="female", reference="male", ratio=0.8)
    >>> bound.ratio, bound.slack, bound.given
    (0.8, None, None)
    """

    kind: ClassVar[str] = "rate"

    rate: Rate
    attribute: str
    group: str
    reference: str | None
    given: ClassLabel | None = None
    slack: float | None = None
    ratio: float | None = None

    def __post_init__(self) -> None:
        where = _where("rate bound", self.attribute, self.group)
        check_choice(self.rate, ("approval", "error"), f"rate of the {where}")
        _check_pair(self.group, self.reference, where)
        if (self.slack is None) == (self.ratio is None):
            raise InputError(
                "a rate bound has exactly one of slack and ratio",
                where=where,
                got={"slack": self.slack, "ratio": self.ratio},
                fix="give slack for an absolute difference, or ratio for a quotient",
            )
        if self.slack is not None:
            RateBound.check_slack(self.slack, where)
        if self.ratio is not None:
            RateBound.check_ratio(self.ratio, where)

    def describe(self) -> str:
        """What is compared, without the limit.

        >>> RateBound(rate="error", given=True, attribute="sex", group="f", reference=None, slack=0.05).describe()
        "error among good outcomes, sex: 'f' against everyone"
        """
        among = "" if self.given is None else f" among class {self.given!r}"
        if isinstance(self.given, bool):
            among = f" among {'good' if self.given else 'bad'} outcomes"
        reference = "everyone" if self.reference is None else repr(self.reference)
        return f"{self.rate}{among}, {self.attribute}: {self.group!r} against {reference}"

    def sides(self, y: Any, groups: Groups, sample_weight: Any = None) -> tuple[Floats, Floats]:
        """(n,) weights of the rows that the group's rate is taken over, and of those of its reference.

        All are 0 where nobody is left. A weight is the row's sample weight times its membership, times whatever the
        bound says of the outcome; it depends on nothing else of the row, so that a learner may put rows of one outcome
        and the same groups together, with the sum of their weights.

        Parameters
        ----------
        y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
        groups : protected groups of the same n rows.
        sample_weight : (n,) weights; None means 1 each.
        """
        from scrutable.data.sample_weights import weights

        counted = weights(sample_weight, groups.rows) * self._of_class(y, groups.rows)
        group = _shares(groups[self.attribute], self.group)
        reference = 1.0 if self.reference is None else _shares(groups[self.attribute], self.reference)
        return counted * group, counted * reference

    def contrast(self, y: Any, groups: Groups, *, sample_weight: Any = None) -> Contrast:
        """The bound as a linear inequality in the events of the rows, low <= sum_i weights[i] * event[i] <= high.

        The event is what `rate` counts: the favourable decision, or the error. With `slack` the sum is the gap,
        R(group) - R(reference), and the limits are -slack and slack. With `ratio` it is
        R(group) - ratio * R(reference), and the limits are 0 and infinity. `counted_in("error", y)` of what is returned
        gives the same inequality in the errors of the rows, whatever the bound counts.

        Parameters
        ----------
        y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
        groups : protected groups of the same n rows.
        sample_weight : (n,) weights; None means 1 each.

        Raises
        ------
        InputError : lengths that differ, an unknown attribute, or a side without rows of the class `given`.
        KindError : labels for a bound on True or False, or the other way round.

        Examples
        --------
        >>> from scrutable.fairness import Groups
        >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
        >>> bound = RateBound(rate="approval", given=True, attribute="sex", group="f", reference="m", slack=0.1)
        >>> found = bound.contrast([True, True, True, False], groups)
        >>> found.weights.tolist(), found.low, found.high
        ([0.5, 0.5, -1.0, 0.0], -0.1, 0.1)
        """
        from scrutable.fairness.contrast import Contrast

        group, reference = self.sides(y, groups, sample_weight)
        for label, side in ((self.group, group), (self.reference, reference)):
            if not side.any():
                raise self._without_rows(label)
        group, reference = group / group.sum(), reference / reference.sum()
        if self.ratio is not None:
            return Contrast(event=self.rate, weights=group - self.ratio * reference, low=0.0, high=math.inf)
        slack = self.slack or 0.0
        return Contrast(event=self.rate, weights=group - reference, low=-slack, high=slack)

    def _without_rows(self, label: str | None) -> InputError:
        from scrutable.data.attribute import attribute_place

        among = "" if self.given is None else f" whose class is {self.given!r}"
        return InputError(
            f"a rate is not defined without rows{among}",
            where=f"{attribute_place(self.attribute)}, {'everyone' if label is None else f'group {label!r}'}",
            fix="leave the bound out, or merge the group with another",
        )

    def _of_class(self, y: Any, rows: int) -> Bools | float:
        """Which rows have the actual class that the bound is about; 1 for all."""
        from scrutable.data.array_checks import outcomes

        outcome = outcomes(y, "y", rows)
        if self.given is None:
            return 1.0
        if isinstance(self.given, bool) != (outcome.dtype == bool):
            raise KindError(
                "the bound and the outcomes name classes differently",
                where=f"rate bound on {self.attribute!r}, group {self.group!r}",
                got=f"outcomes of {outcome.dtype} for the class {self.given!r}",
                allowed="the outcomes that the constraint was bound to, or others of the same kind",
                fix="pass booleans for True and False, labels for labels",
            )
        of_class: Bools = outcome == self.given
        return of_class

    @staticmethod
    def check_slack(value: float, where: str) -> None:
        """Refuse a slack that is not an absolute difference between two rates."""
        if not _is_number(value) or not 0 <= value <= 1:
            raise InputError(
                "slack is an absolute difference between two rates",
                where=where,
                got=value,
                allowed="a number from 0 to 1",
                fix="give 0.05 for five percentage points",
            )

    @staticmethod
    def check_ratio(value: float, where: str) -> None:
        """Refuse a ratio that cannot bound a group's rate from below."""
        if not _is_number(value) or not 0 < value <= 1:
            raise InputError(
                "ratio is the smallest allowed quotient of the group's rate and the reference's",
                where=where,
                got=value,
                allowed="a number above 0 and at most 1",
                fix="give 0.8 for the four-fifths rule, a guideline of employment law",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DivergenceBound:
    """A bound on how well one binned characteristic tells a group from its reference.

    The fairness information value (FIV) of a characteristic with bins i = 1..n is

        FIV = sum_i (p_i - q_i) * ln(p_i / q_i),

    where p_i is the share of the group's rows that fall into bin i, and q_i that of the reference's rows. With
    `rows="events"` only rows with y = 1 count: equation (6) of the LDA-XGB1 paper. Here y = 1 is the **favourable
    outcome**, so for a lender `events` compares good payers only. With `rows="all"` every row counts, whatever its
    outcome. Membership probabilities and sample weights count as weights; a bin that holds rows of one side only
    makes the FIV infinite, and a binner that smooths such cells says how.

    Raises
    ------
    InputError : a negative or non-finite bound, unknown rows, or a group that is compared with itself.

    Examples
    --------
    >>> DivergenceBound(attribute="sex", group="female", reference="male", rows="all", bound=0.1).bound
    0.1
    """

    kind: ClassVar[str] = "divergence"

    attribute: str
    group: str
    reference: str | None
    rows: Rows
    bound: float

    def __post_init__(self) -> None:
        where = _where("divergence bound", self.attribute, self.group)
        check_choice(self.rows, ("events", "all"), f"rows of the {where}")
        _check_pair(self.group, self.reference, where)
        DivergenceBound.check_bound(self.bound, where)

    @staticmethod
    def check_bound(value: float, where: str) -> None:
        """Refuse a bound that no information value can meet, or that every one meets."""
        if not _is_number(value) or not 0 <= value < math.inf:
            raise InputError(
                "bound is the largest allowed fairness information value",
                where=where,
                got=value,
                allowed="a finite number that is at least 0",
                fix="give 0.1 for a weak association with the group, or leave the constraint out",
            )


Bound = RateBound | DivergenceBound


def kinds_of(bound: Bound) -> tuple[str, ...]:
    """The kind of a bound, and those that it is a special case of.

    >>> class Own(RateBound):
    ...     kind = "own-rate"
    >>> kinds_of(Own(rate="error", attribute="sex", group="f", reference=None, slack=0.1))
    ('own-rate', 'rate')
    """
    classes = [each for each in type(bound).__mro__ if issubclass(each, RateBound | DivergenceBound)]
    return tuple(dict.fromkeys(each.kind for each in classes))


def _shares(attribute: ProtectedAttribute, label: str) -> Floats | float:
    """(n,) how far each row belongs to a group; 0 for a group that nobody belongs to."""
    return attribute.membership[:, attribute.labels.index(label)] if label in attribute.labels else 0.0


def _where(kind: str, attribute: str, group: str) -> str:
    return f"{kind} on {attribute!r}, group {group!r}"


def _check_pair(group: str, reference: str | None, where: str) -> None:
    if group == reference:
        raise InputError(
            "a group cannot be compared with itself",
            where=where,
            got=reference,
            allowed="another group, or None for everyone",
            fix="name another reference",
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
