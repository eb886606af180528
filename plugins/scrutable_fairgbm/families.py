"""Constraints as the paper states them: the same rate in every group of an attribute, or one rate below a ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrutable.errors import InputError
from scrutable.fairness import Bound, Groups, RateBound
from scrutable_fairgbm.gradients import Floats
from scrutable_fairgbm.rates import RateRows

#: What is counted, without groups and limit, and whether these are favourable decisions.
_Key = tuple[RateBound, bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """Rates of m groups, of which none may lie more than `slack` below the highest; or one below a ceiling.

    Parameters
    ----------
    names : (m,) what each constraint is called.
    share : (m, K) what a unit of weight of events in a cell adds to the rate of a group.
    positives : whether the events are favourable decisions; else they are errors.
    slack : the allowed violation, epsilon in the paper; for a ceiling, the ceiling.
    ceiling : whether the one rate is bounded from above.
    """

    names: tuple[str, ...]
    share: Floats
    positives: bool
    slack: float
    ceiling: bool = False

    def violations(self, errors: Floats, rows: RateRows) -> Floats:
        """(m,) how far each constraint is broken (equation 5), for true errors in the cells."""
        rates = self.share @ (np.where(rows.good, rows.total - errors, errors) if self.positives else errors)
        broken: Floats = (rates if self.ceiling else rates.max() - rates) - self.slack
        return broken

    def weights(self, multipliers: Floats, losses: Floats) -> Floats:
        """(K,) by which the gradients of the proxies of rows are multiplied (equation 8).

        The factor m - 1 is in the printed gradient of the group with the largest proxy, and not in the derivative of
        the Lagrangian; for two groups it is 1.

        Parameters
        ----------
        multipliers : (m,) of these constraints.
        losses : (K,) sums of the proxy in the cells.
        """
        if self.ceiling:
            return multipliers @ self.share
        highest = int(np.argmax(self.share @ losses))
        of_groups = -multipliers
        of_groups[highest] = (len(multipliers) - 1) * (multipliers.sum() - multipliers[highest])
        return of_groups @ self.share


def families(bounds: Sequence[Bound], groups: Groups | None, rows: RateRows) -> list[Family]:
    """The families that bounds belong to.

    A bound among the rows of one class is on their error rate, FNR or FPR; one on everybody's approvals is demographic
    parity. All groups that are bounded or compared with take part. Of several slacks the smallest counts.

    Raises
    ------
    InputError : a bound on a ratio.
    """
    members: dict[_Key, list[RateBound]] = {}
    for bound in bounds:
        if not isinstance(bound, RateBound):
            continue
        if bound.slack is None:
            raise InputError(
                "the paper's method bounds differences of rates",
                where="constraints",
                got=bound,
                allowed="constraints with a slack",
                fix="use method='signed'",
            )
        given = None if bound.given is None else bool(bound.given)
        positives = bound.rate == "approval" and given is None
        counted = replace(bound, rate="error", given=given, group="", reference=None, slack=0.0)
        members.setdefault((counted, positives), []).append(bound)
    assert groups is not None or not members
    return [_family(key, own, groups, rows) for key, own in members.items() if groups is not None]


def ceiling(name: str, among: bool | None, limit: float, rows: RateRows) -> Family:
    """A ceiling on the error rate of one class; with None, on everybody's favourable decisions."""
    counted = rows.total if among is None else np.where(rows.good == among, rows.total, 0.0)
    share = np.where(counted > 0, 1.0, 0.0) / counted.sum()
    return Family(names=(name,), share=share[None, :], positives=among is None, slack=limit, ceiling=True)


def _family(key: _Key, bounds: Sequence[RateBound], groups: Groups, rows: RateRows) -> Family:
    counted, positives = key
    attribute = counted.attribute
    given = None if counted.given is None else bool(counted.given)
    named = {bound.group for bound in bounds} | {bound.reference for bound in bounds if bound.reference is not None}
    labels = [label for label in groups[attribute].labels if label in named]
    weight = rows.weight if rows.weight.size > 1 else np.full(len(rows.cell), rows.weight[0])
    outcome = rows.good[rows.cell]
    share = np.empty((len(labels), len(rows.total)))
    for at, label in enumerate(labels):
        own = replace(counted, rate=bounds[0].rate, group=label)
        size = np.bincount(rows.cell, own.sides(outcome, groups, weight)[0], len(rows.total))
        share[at] = size / np.where(rows.total > 0, rows.total, 1.0) / size.sum()
    rate = "approval rate" if positives else {True: "FNR", False: "FPR", None: "error rate"}[given]
    return Family(
        names=tuple(f"{rate}, {attribute}: {label!r}" for label in labels),
        share=share,
        positives=positives,
        slack=min(bound.slack for bound in bounds if bound.slack is not None),
    )
