"""The candidates of a search as tables."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from scrutable.cli.output import table
from scrutable.search import Candidate, SearchResult

#: Fixed approval rates that a terminal has room for; the others are in frontier.csv.
_SHOWN_RATES = 3


def candidates(result: SearchResult) -> Table:
    """What each candidate does at its cutoff, by falling AUC."""
    headers = ("", "", "candidate", "AUC", "ratio", "low end", "approved", "bad rate", "attributes")
    rows = [
        [
            *_named(each, result),
            f"{each.auc:.4f}",
            f"{each.ratio.value:.3f}",
            f"{each.ratio.interval[0]:.3f}",
            f"{each.approval_rate:.1%}",
            f"{each.bad_rate:.2%}",
            "" if each.attributes is None else str(each.attributes),
        ]
        for each in _sorted(result)
    ]
    return table(headers, rows, title="On the validation rows", right=[1, *range(3, 9)], whole=[0])


def at_rates(result: SearchResult) -> Table:
    """What each candidate does at the fixed approval rates, in the same order."""
    rates = result.settings.approval_rates[:_SHOWN_RATES]
    headers = ["", "", "candidate"]
    for rate in rates:
        headers += [f"ratio at {rate:.0%}", "bad rate"]
    rows = []
    for each in _sorted(result):
        cells = [*_named(each, result)]
        for rate in rates:
            its = each.judgement.at_rates[rate]
            cells += [f"{its.ratio.value:.3f}", f"{its.point.bad_rate_among_approved:.2%}"]
        rows.append(cells)
    right = [1, *range(3, 3 + 2 * len(rates))]
    return table(headers, rows, title="At fixed approval rates, on the validation rows", right=right, whole=[0])


def reading(approval_rate: float) -> str:
    """What the marks and figures mean."""
    return (
        "* on the frontier: no other has both ratio and AUC as high. Ratio: the smallest AIR or 1 / AIR of a group, "
        "and the low end of its 90% bootstrap interval. Cutoffs are set to approve "
        f"{approval_rate:.1%} of the rows learned from; one that must approve far more is not picked."
    )


def _sorted(result: SearchResult) -> Iterable[Candidate]:
    return sorted(result.candidates, key=lambda each: (-each.auc, each.number))


def _named(candidate: Candidate, result: SearchResult) -> list[str]:
    marks = "* " if candidate.on_frontier else "  "
    if candidate.number == result.picked.number:
        marks += "pick"
    return [marks, str(candidate.number), candidate.name]
