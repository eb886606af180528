"""Reason policies, and methods beside them, as tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from scrutable.cli import table
from scrutable.model import SingleModel, TextFault
from scrutable.plugins.bases import Agreement
from scrutable_reason_codes.policies import Agreements, Policies, lines_of


def compared_tables(agreements: Agreements) -> list[Table]:
    """A row for each method, in a table for each segment."""
    segments = dict.fromkeys(each.segment for each in agreements.methods)
    return [_compared_table([each for each in agreements.methods if each.segment == name]) for name in segments]


def policy_tables(policies: Policies) -> list[Table]:
    """A row for each code and feature that has it, or for a code of attributes, in the order that settles ties.

    A model of segments has a table for each of them.
    """
    return [_policy_table(model, "" if name is None else f"Segment {name!r}. ") for name, model in policies.parts()]


def faults_table(faults: Sequence[TextFault]) -> Table:
    """A row for each text that is not fit to be sent, and what is wrong with it."""
    rows = [(each.code, each.language or "-", each.text, each.fault) for each in faults]
    return table(("code", "language", "text", "fault"), rows, title="Texts that are not fit to be sent")


def _compared_table(methods: Sequence[Agreement]) -> Table:
    headers = ("method", "same first reason", "same reasons", "reasons shared", "without a reason", "")
    segment = "" if methods[0].segment is None else f"Segment {methods[0].segment!r}: "
    title = f"{segment}{methods[0].declined:,} declined applicants, each method beside {methods[0].method!r}"
    rows = [
        (
            each.method,
            *("-" if share is None else f"{share:.1%}" for share in (each.first, each.same, each.shared)),
            "-" if each.without is None else f"{each.without:,}",
            each.note,
        )
        for each in methods
    ]
    return table(headers, rows, title=title, right=(1, 2, 3, 4))


def _policy_table(model: SingleModel, segment: str) -> Table:
    policy = model.reasons
    headers = ("code", "text", "feature", "baseline")
    if policy is None:
        return table(headers, [], title=f"{segment}No reason policy.")
    lines = list(lines_of(model))
    turning = any(each.turns is not None for each in lines)
    rows = [
        (each.code, each.text, each.feature, "" if each.baseline is None else f"{each.baseline:.4g}")
        + ((each.turns or "",) if turning else ())
        for each in lines
    ]
    about = f"{segment}Method {policy.method}, at most {policy.k} reasons. Population: {policy.population}."
    if policy.languages:
        about += f" Also in: {', '.join(policy.languages)}."
    return table((*headers, "points") if turning else headers, rows, title=about, right=(3,))
