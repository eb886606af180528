"""The candidates of a search as tables, in as many columns as the terminal has room for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table

from scrutable.cli import lines, table
from scrutable_lifecycle.commands.picked_files import table_of
from scrutable_lifecycle.commands.wording import figure, percent
from scrutable_lifecycle.search import Candidate, SearchResult
from scrutable_lifecycle.search.ratio import Ratio
from scrutable_lifecycle.search.ratio_words import RATIO_TITLES
from scrutable_lifecycle.search.settings import CONFIDENCE, Settings

#: Columns between two others of a table, and at its edges.
_BETWEEN, _EDGES = 3, 2
#: The longest word of a name that gets room unbroken.
_WORD = 20
#: Measures that give way where there is no room, the first one first.
_YIELDING = ("attri-\nbutes", "approved", "bad\nrate", "low\nend")


def candidates(result: SearchResult, width: int) -> Table:
    """What each candidate does at its cutoff, by falling AUC."""
    measured = [(*_named(each, result), _measures(each, result)) for each in _sorted(result)]
    headers = list(measured[0][-1])

    def rows() -> list[list[str]]:
        return [[*names, *(figures[key] for key in headers)] for *names, figures in measured]

    for header in _YIELDING:
        if header in headers and _needed(rows(), ["", "", "", *headers]) > width:
            headers.remove(header)
    whole = len(headers) == len(measured[0][-1])
    title = "On the validation rows" + ("" if whole else f"; all columns: {table_of(result)}")
    return _table(headers, rows(), title)


def at_rates(result: SearchResult, width: int) -> Table:
    """What each candidate does at the fixed approval rates, in the same order."""
    rates = result.settings.approval_rates
    shown = len(rates)
    while True:
        headers = [header for rate in rates[:shown] for header in _at_headers(rate, result)]
        rows = [[*_named(each, result), *_at(each, rates[:shown], result)] for each in _sorted(result)]
        if shown == 1 or _needed(rows, ["", "", "", *headers]) <= width:
            break
        shown -= 1
    title = "At fixed approval rates, on the validation rows"
    return _table(headers, rows, title if shown == len(rates) else f"{title}; the others are in {table_of(result)}")


def reading(result: SearchResult, *, rows: str) -> str:
    """What the marks and figures mean; `rows` names those that cutoffs are set on."""
    not_compared = [each for each in result.candidates if not each.comparable]
    aside = ""
    if any(not each.aside for each in not_compared):
        aside += " aside: approves far more, which lifts a ratio by itself; not compared."
    if any(each.aside for each in not_compared):
        aside += " aside: knock-outs or overrides leave too few, so that it cannot approve as many; not compared."
    cutoffs = f"Cutoffs are set to approve {result.settings.approval_rate or 0.0:.1%} of the {rows}.{aside}"
    if not result.settings.by_groups:
        return f"Low end: of the AUC's {CONFIDENCE:.0%} interval. {cutoffs}"
    return (
        f"* on the frontier: no other has both ratio and AUC as high. Ratio: the smallest of all "
        f"({result.about['ratio_in_words']}); and the low end of its {CONFIDENCE:.0%} interval. {cutoffs}"
    )


def beside_champion(result: SearchResult) -> Table:
    """What the probabilities of each model are worth, and whom it decides otherwise than the champion."""
    rows = []
    for each in _sorted(result):
        assert each.beside is not None
        figures = each.beside.figures()
        of_pd = [figure(figures[name], 3) for name in ("expected_over_observed", "calibration_slope")]
        swaps = [
            percent(figures[f"{side}{which}"], undefined="-")
            for side in ("swapped_in", "swapped_out")
            for which in ("", "_bad_rate")
        ]
        rows.append([each.name, f"{each.judgement.performance.ks:.3f}", *of_pd, figure(figures["brier"], 4), *swaps])
    swaps_of = ("swapped\nin", "bad\nrate", "swapped\nout", "bad\nrate")
    names = ("model", "KS", "expected /\nobserved", "slope", "Brier", *swaps_of)
    headers = [lines(name.split("\n")) for name in names]
    title = "Separation, calibration, and swap sets with the champion"
    return table(headers, rows, title=title, right=range(1, len(headers)))


def beside_baseline(result: SearchResult, *, name: str) -> str:
    """The AUC of the pick beside the baseline's, and whether that one meets the requirement; `name` is what it is."""
    settings, baseline = result.settings, result.baseline
    if result.picked.number == baseline.number:
        return f"It is the {name} itself."
    aucs = f"Its AUC is {result.picked.auc:.4f}, the {name}'s {baseline.auc:.4f}."
    if not settings.by_groups:
        return aucs
    meets = settings.meets(baseline.ratio)
    verdict, how = ("meets the required ratio already", "at least") if meets else ("misses the required ratio", "below")
    said = f"{aucs} The {name} {verdict}: {settings.in_words(baseline.ratio)} is {how} {settings.required_ratio:g}."
    if settings.margin is not None or meets or baseline.ratio.value < settings.required_ratio:
        return said
    return (
        f"{said} Its ratio itself, {baseline.ratio.value:.3f}, reaches it: more validation rows narrow the interval, "
        "and --margin 0 asks for the ratio alone."
    )


def on_held_out(ratio: Ratio | None, settings: Settings) -> str:
    """Whether the ratio on the rows held out reaches what is required, in words."""
    if ratio is None:
        return "No group has rows enough held out to say whether the required ratio is met there."
    low, high = ratio.interval
    required = settings.required_ratio
    if ratio.value < required:
        verdict = "is not met"
    elif low < required:
        verdict = "is met, but not by the low end of the interval"
    else:
        verdict = "is met, by the low end of the interval too"
    return (
        f"The required ratio of {required:g} {verdict}: the pick's smallest {RATIO_TITLES[ratio.kind]} is "
        f"{ratio.value:.3f} ({ratio.attribute}: {ratio.group} / {ratio.against}), its {CONFIDENCE:.0%} interval "
        f"{low:.3f} to {high:.3f}."
    )


def _measures(candidate: Candidate, result: SearchResult) -> dict[str, str]:
    ratio = {"ratio": f"{candidate.ratio.value:.3f}", "low\nend": f"{candidate.ratio.interval[0]:.3f}"}
    return {
        "AUC": f"{candidate.auc:.4f}",
        **(ratio if result.settings.by_groups else {"low\nend": figure(candidate.auc_interval[0], 4)}),
        "approved": f"{candidate.approval_rate:.1%}",
        "bad\nrate": f"{candidate.bad_rate:.2%}",
        "attri-\nbutes": "" if candidate.attributes is None else str(candidate.attributes),
    }


def _at_headers(rate: float, result: SearchResult) -> tuple[str, ...]:
    bad = f"bad rate\nat {100 * rate:.3g}%"
    return (f"ratio\nat {100 * rate:.3g}%", "bad\nrate") if result.settings.by_groups else (bad,)


def _at(candidate: Candidate, rates: Sequence[float], result: SearchResult) -> Iterator[str]:
    for rate in rates:
        there = candidate.judgement.at_rates[rate]
        if result.settings.by_groups:
            yield "-" if there is None else f"{there.ratio.value:.3f}"
        yield "-" if there is None else f"{there.point.bad_rate_among_approved:.2%}"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> Table:
    right = [1, *range(3, 3 + len(headers))]
    broken = (lines(header.split("\n")) for header in headers)
    return table(("", "", "candidate", *broken), rows, title=title, right=right, whole=[0])


def _needed(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> int:
    """Columns of text that a table takes, its names broken between words."""
    total = _EDGES + _BETWEEN * (len(headers) - 1)
    for place, header in enumerate(headers):
        texts = [*header.split("\n"), *(row[place] for row in rows)]
        words = [min(len(word), _WORD) for text in texts for word in text.split()] if place == 2 else map(len, texts)
        total += max(words, default=0)
    return total


def _sorted(result: SearchResult) -> Iterable[Candidate]:
    return sorted(result.candidates, key=lambda each: (-each.auc, each.number))


def _named(candidate: Candidate, result: SearchResult) -> tuple[str, str, str]:
    marks = "* " if candidate.on_frontier and result.settings.by_groups else "  "
    if candidate.number == result.picked.number:
        marks += "pick"
    return marks if candidate.comparable else "aside", str(candidate.number), candidate.name
