"""Approval rates, bad rates and ratios of decisions, as far as they may be told beside others."""

from __future__ import annotations

import math

import numpy as np

from scrutable.data import Bools, Cohort
from scrutable.fairness import four_fifths_ratios
from scrutable_policy.disclosed import Told
from scrutable_policy.rates import GroupRates, Rates

_EVERYBODY, _OUTCOMES = "everybody", "outcomes"


def rates_of(cohort: Cohort, approved: Bools, told: Told) -> Rates:
    """The rates of some decisions, but for those that differ from rates already told by the decisions about few people.

    What is told of groups is told of all groups of an attribute, and with what is told of everybody; else a difference
    would give away what is kept back.

    Parameters
    ----------
    approved : (n,) the decisions.
    told : of which decisions rates are told already.

    Examples
    --------
    >>> cohort = Cohort.read(4, [True, True, True, False])
    >>> rates_of(cohort, np.array([True, False, True, True]), Told(least=1))
    Rates(approval_rate=0.75, bad_rate=0.3333333333333333, groups=(), four_fifths=())
    """
    counted = cohort.weight > 0
    everybody = told.tells(_EVERYBODY, approved, [counted])
    outcomes = everybody and told.tells(_OUTCOMES, approved, [counted & cohort.known])
    approval, bad = _quotients(cohort, approved)
    groups: list[GroupRates] = []
    ratios: list[tuple[str, float | None]] = []
    for attribute in cohort.groups.attributes if cohort.groups is not None else ():
        inside = [counted & (share > 0) for share in attribute.membership.T]
        shown = everybody and told.tells(attribute.name, approved, inside)
        paid = outcomes and shown
        paid = paid and told.tells(f"{attribute.name} {_OUTCOMES}", approved, [rows & cohort.known for rows in inside])
        groups += _of_groups(cohort, approved, attribute.name, shown=shown, paid=paid)
    if cohort.groups is not None:
        known = {each.attribute: each.approval_rate is not None for each in groups}
        for ratio in four_fifths_ratios(approved, cohort.groups, sample_weight=cohort.sample_weight):
            ratios.append((ratio.attribute, ratio.ratio if known[ratio.attribute] else None))
    return Rates(
        approval_rate=approval if everybody else None,
        bad_rate=bad if outcomes else None,
        groups=tuple(groups),
        four_fifths=tuple(ratios),
    )


def _of_groups(cohort: Cohort, approved: Bools, attribute: str, *, shown: bool, paid: bool) -> list[GroupRates]:
    members = [member for member in cohort.by_group() if member.attribute == attribute]
    rates = {member.group: _quotients(member.cohort, approved) for member in members}
    return [
        GroupRates(
            attribute=attribute,
            group=member.group,
            reference=member.reference,
            approval_rate=rates[member.group][0] if shown else None,
            adverse_impact_ratio=_quotient(rates[member.group][0], rates[member.reference][0]) if shown else None,
            bad_rate=rates[member.group][1] if paid else None,
        )
        for member in members
    ]


def _quotients(cohort: Cohort, approved: Bools) -> tuple[float, float]:
    """Approval rate, and bad rate among the approved whose outcome is known."""
    [[good, bad, unknown]] = cohort.tally(np.where(approved, 0, -1), 1).tolist()
    return _quotient(good + bad + unknown, cohort.total), _quotient(bad, good + bad)


def _quotient(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
