"""Strategies as tables of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from rich.table import Table

from scrutable.cli import table
from scrutable_lifecycle.commands import wording
from scrutable_lifecycle.commands.wording import figure
from scrutable_lifecycle.strategy import CountedPart, Counts, Decided

#: A share, or a dash where it is undefined.
percent = partial(wording.percent, undefined="-")


def odds(counts: Counts) -> str:
    """Good payers for each bad one.

    >>> odds(Counts(good=31, bad=2, unknown=0, share=1))
    '15.5'
    """
    return figure(counts.odds, 1)


def counts_row(counts: Counts) -> tuple[str, ...]:
    """Applicants, share, good, bad, unknown and bad rate."""
    numbers = (counts.good, counts.bad, counts.unknown)
    return (figure(counts.applicants), percent(counts.share), *map(figure, numbers), percent(counts.bad_rate))


#: Headers of `counts_row`.
COUNTS = ("applicants", "share", "good", "bad", "unknown", "bad rate")


def decided_table(
    names: Sequence[str], policies: Sequence[Decided], title: str, *, further: Mapping[str, Sequence[str]] | None = None
) -> Table:
    """Approval rate and bad rate of several decisions side by side, and by group with both ratios of these.

    Parameters
    ----------
    further : cells of rows between those of everybody and those of groups, by what they say.
    """
    rows: list[list[str]] = [
        ["approved", *(percent(each.approval_rate) for each in policies)],
        ["bad rate among the approved", *(percent(each.bad_rate) for each in policies)],
        *([name, *cells] for name, cells in (further or {}).items()),
    ]
    for i, group in enumerate(policies[0].groups):
        own = [each.groups[i] for each in policies]
        whose = f"{group.attribute}: {group.group}"
        rows.append([f"approved, {whose}", *(percent(each.approval_rate) for each in own)])
        rows.append([f"  bad rate among them, {whose}", *(percent(each.bad_rate) for each in own)])
        if not group.is_reference:
            ratio = f"  adverse impact ratio, {whose} / {group.reference}"
            rows.append([ratio, *(figure(each.adverse_impact_ratio, 3) for each in own)])
    for i, first in enumerate(policies[0].four_fifths):
        ratios = [each.four_fifths[i] for each in policies]
        whose = first.title if len({each.title for each in ratios}) == 1 else first.attribute
        rows.append([f"four-fifths ratio, {whose}", *(figure(each.ratio, 3) for each in ratios)])
    return table(("", *names), rows, title=title, right=range(1, len(policies) + 1))


def parts_table(parts: Iterable[tuple[str, CountedPart]], title: str) -> Table:
    """Counts of each part, and of each group in it."""
    rows = []
    for name, part in parts:
        rows.append((name, *counts_row(part.counts)))
        for each in part.groups:
            rows.append((f"  {each.attribute}: {each.group}", *counts_row(each.counts)))
    return table(("", *COUNTS), rows, title=title, right=range(1, 7))
