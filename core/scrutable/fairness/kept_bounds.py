"""How far decisions keep the bounds on rates that a constraint sets."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scrutable.data.array_checks import Bools, Floats, outcomes
from scrutable.data.groups import Groups
from scrutable.errors import InputError, ScrutableWarning
from scrutable.fairness.bounds import Bound, RateBound
from scrutable.fairness.contrast import events_of
from scrutable.writing.plain_values import plain

#: Absorbs the rounding of a difference of two rates, far below the share of any row.
_ROUNDING = 1e-12


class BrokenBoundWarning(ScrutableWarning):
    """A model that does not keep a bound that was asked for, on the very rows it was learned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredBound:
    """What a bounded rate is in a group and in its reference; NaN where one has no row of the class `given`."""

    bound: RateBound
    group_rate: float
    reference_rate: float

    @property
    def gap(self) -> float:
        """Group minus reference."""
        return self.group_rate - self.reference_rate

    @property
    def ratio(self) -> float:
        """Group over reference; NaN where the reference's rate is 0."""
        return self.group_rate / self.reference_rate if self.reference_rate else math.nan

    @property
    def kept(self) -> bool | None:
        """Whether the bound holds for these decisions; None where a rate is undefined."""
        if math.isnan(self.gap):
            return None
        if self.bound.ratio is not None:
            return self.group_rate >= self.bound.ratio * self.reference_rate - _ROUNDING
        return abs(self.gap) <= (self.bound.slack or 0.0) + _ROUNDING

    def describe(self) -> str:
        """What is compared, and the gap or the ratio.

        >>> bound = RateBound(rate="error", given=True, attribute="sex", group="f", reference="m", slack=0.05)
        >>> MeasuredBound(bound=bound, group_rate=0.3, reference_rate=0.2).describe()
        "error among good outcomes, sex: 'f' against 'm', has a gap of +0.100"
        """
        said = f"a gap of {self.gap:+.3f}" if self.bound.ratio is None else f"a ratio of {self.ratio:.3f}"
        return f"{self.bound.describe()}, has {said}"

    @property
    def excess(self) -> float:
        """By how much the bound is broken, in units of the rate or of the ratio; NaN where a rate is undefined."""
        if self.bound.ratio is not None:
            return self.bound.ratio - self.ratio
        return abs(self.gap) - (self.bound.slack or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """One flat row of plain values for tables and JSON; None for what is undefined."""
        bound = self.bound
        measured = {"group_rate": self.group_rate, "reference_rate": self.reference_rate}
        return {
            "attribute": bound.attribute,
            "group": bound.group,
            "reference": bound.reference,
            "rate": bound.rate,
            "given": bound.given,
            "slack": bound.slack,
            "smallest_ratio": bound.ratio,
            **plain(measured | {"gap": self.gap, "ratio": self.ratio}),
            "kept": self.kept,
        }


def measure_bounds(
    bounds: Iterable[Bound], y: Any, predicted: Any, groups: Groups, *, sample_weight: Any = None
) -> tuple[MeasuredBound, ...]:
    """The rates that each bound is about, counted in decisions or predicted classes.

    The rows need not be those that a constraint was bound to: bounds set on training rows can be measured on others.

    Parameters
    ----------
    bounds : bounds on rates, from `FairnessConstraint.bind`.
    y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
    predicted : (n,) the same for the decision, or for the predicted class.
    groups : protected groups of the same n rows.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : a bound that is not on a rate, an unknown attribute, or lengths that differ.
    KindError : class labels where approvals are counted, or outcomes and predictions of different kinds.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> bound = RateBound(rate="approval", attribute="sex", group="f", reference="m", slack=0.2)
    >>> [found] = measure_bounds([bound], [True] * 4, [True, False, True, True], groups)
    >>> found.group_rate, found.gap, found.kept
    (0.5, -0.5, False)
    """
    Groups.check(groups)
    checked = [_rate_bound(bound) for bound in bounds]
    actual = outcomes(y, "y", groups.rows)
    events = {rate: events_of(rate, actual, predicted) for rate in {bound.rate for bound in checked}}
    measured = []
    for bound in checked:
        group, reference = (_rate(rows, events[bound.rate]) for rows in bound.sides(actual, groups, sample_weight))
        measured.append(MeasuredBound(bound=bound, group_rate=group, reference_rate=reference))
    return tuple(measured)


def _rate_bound(bound: Bound) -> RateBound:
    if isinstance(bound, RateBound):
        return bound
    raise InputError(
        "only bounds on rates can be measured in decisions",
        where="bounds",
        got=bound,
        allowed="RateBound",
        fix="leave the others out",
    )


def _rate(rows: Floats, event: Bools) -> float:
    total = float(rows.sum())
    return float(rows[event].sum()) / total if total else math.nan
