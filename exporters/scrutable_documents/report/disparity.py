"""The section on protected groups: what was measured of each, and what was tried before the model was picked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scrutable.data import MIN_GROUP_SIZE
from scrutable.fairness import FourFifths, GroupMetrics, Measured, OperatingPoint, four_fifths_ratios, group_metrics
from scrutable.model import RegressionScorecard
from scrutable.model.evaluator import Evaluation
from scrutable_documents.common.figures import count, decimals, interval, percent, plain, points
from scrutable_documents.common.sections import Block, Cell, Gap, Heading, Paragraph, Section, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.options import NO_EVIDENCE, named
from scrutable_documents.report.subject import Subject

_HEADERS = (
    "Group",
    "Applicants",
    "Approved",
    "Adverse impact ratio",
    "Gap of approvals among good",
    "Gap of approvals among bad",
    "Bad among approved",
    "AUC",
    "As picture",
)
#: What ratios are drawn from and to at least, and at most.
_SCALE, _WIDEST = (0.7, 1.1), (0.0, 2.0)
_RATIO = "adverse_impact_ratio"
#: Entries of a search log that are told one by one.
_TOLD = 60


def disparity(subject: Subject, measured: Mapping[str, Measured]) -> Section:
    """Rates by group with intervals, at the cutoff and at a fixed approval rate; and the search log."""
    blocks = [*_groups(subject, measured), Heading("What was tried"), *_search(subject)]
    return Section("groups", "Protected groups", blocks)


def _groups(subject: Subject, measured: Mapping[str, Measured]) -> Iterator[Block]:
    sample = subject.sample
    if isinstance(subject.model, RegressionScorecard):
        yield Paragraph("The model approves nobody, so there are no approvals to compare.")
        return
    if sample is None or sample.cohort.groups is None or sample.outcomes is None:
        yield Gap(f"Groups were not compared here. Give {named('data', 'target', 'protected')}.")
        return
    yield Paragraph(
        "Adverse impact ratios and gaps compare a group with its reference; the four-fifths ratio is the lowest "
        f"approval rate divided by the highest, of groups of {MIN_GROUP_SIZE} rows or more. The four-fifths rule, "
        "which asks for 0.8, is a guideline of employment law (29 CFR 1607.4(D)), not of lending law. Approvals at the "
        "cutoff alone can be moved by moving the cutoff, so that they are told at a fixed approval rate, too. In "
        "brackets: intervals from resampling, the thresholds held fixed; ratios and gaps of fewer rows have none, and "
        "the group is marked. In the pictures the dot is the adverse impact ratio and the line its interval; the grey "
        "upright is 1, the reference, and the orange one four fifths. These are measurements, and no judgement on what "
        "the law allows."
    )
    whole = measured.get("")
    if whole is None or whole.fairness is None:
        yield from _decisions(subject)
        return
    report = whole.fairness
    one = whole.ranked_by == "score"
    own = f"At the cutoff {points(report.at_cutoff.threshold)}" if one else "At the cutoff of each segment"
    yield from _point(report.at_cutoff, own)
    how = "as many as pay" if one else "as many as pay, by their probability across segments"
    yield from _point(
        report.at_approval_rate, f"At an approval rate of {percent(report.requested_approval_rate)} ({how})"
    )


def _point(point: OperatingPoint, title: str) -> Iterator[Block]:
    bad = percent(point.bad_rate_among_approved)
    yield Paragraph(f"{title}: {percent(point.approval_rate)} are approved, and {bad} of these are bad.")
    yield from _tables(point.groups, title)
    yield _ratios(point.four_fifths, title)


def _ratios(ratios: Sequence[FourFifths], title: str) -> Table:
    """The four-fifths ratio of each attribute."""
    rows = [
        [
            each.attribute,
            interval(each.ratio, each.interval),
            f"{each.lowest} / {each.highest}" if each.lowest else "",
            ", ".join(each.groups),
            ", ".join(each.too_small),
        ]
        for each in ratios
    ]
    headers = ("Attribute", "Four-fifths ratio", "Lowest / highest rate", "Groups compared", "Too small")
    caption = f"Four-fifths ratios: {title[0].lower()}{title[1:]}"
    return Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({1}))


def _tables(groups: Sequence[GroupMetrics], title: str) -> Iterator[Block]:
    low, high = _scale(groups)
    for attribute in dict.fromkeys(group.attribute for group in groups):
        rows = [[*_row(group), _picture(group, low, high)] for group in groups if group.attribute == attribute]
        caption = f"{attribute}: {title[0].lower()}{title[1:]}"
        last = len(_HEADERS) - 1
        numbers = frozenset(range(1, last))
        yield Table(caption=caption, headers=_HEADERS, rows=rows, numbers=numbers, bars=frozenset({last}))


def _scale(groups: Sequence[GroupMetrics]) -> tuple[float, float]:
    """From where to where the ratios of all groups are drawn, with their intervals."""
    ends = [end for each in groups for end in (each.adverse_impact_ratio, *each.intervals.get(_RATIO, ()))]
    known = [end for end in ends if math.isfinite(end)]
    return max(min([_SCALE[0], *known]), _WIDEST[0]), min(max([_SCALE[1], *known]), _WIDEST[1])


def _picture(group: GroupMetrics, low: float, high: float) -> Cell:
    if group.is_reference:
        return ""
    return pictures.ratio(group.adverse_impact_ratio, group.intervals.get(_RATIO), low, high)


def _row(group: GroupMetrics) -> list[Cell]:
    def told(name: str) -> str:
        return interval(getattr(group, name), group.intervals.get(name))

    compared = (_RATIO, "opportunity_gap", "false_approval_gap")
    return [
        group.group + (" (reference)" if group.is_reference else "") + (" (few rows)" if group.small else ""),
        count(group.size),
        told("approval_rate"),
        *(["", "", ""] if group.is_reference else map(told, compared)),
        told("bad_rate_among_approved"),
        decimals(group.auc),
    ]


def _decisions(subject: Subject) -> Iterator[Block]:
    """Groups of a model of many classes, or of applicants of one outcome, at the model's decisions."""
    sample = subject.sample
    assert sample is not None
    assert sample.cohort.groups is not None
    assert isinstance(sample.evaluation, Evaluation)
    good = np.asarray(sample.outcomes == sample.evaluation.outcome.favourable, dtype=bool)
    rates = group_metrics(good, sample.evaluation.approved, sample.cohort.groups)
    yield from _tables(rates, "At the model's decisions")
    yield _ratios(four_fifths_ratios(sample.evaluation.approved, sample.cohort.groups), "At the model's decisions")


def _search(subject: Subject) -> Iterator[Block]:
    if subject.evidence is None:
        yield Gap(NO_EVIDENCE)
        return
    log = subject.evidence.search_log
    if not log:
        yield Paragraph("The evidence holds no search log: this model was fitted, and not picked among others.")
    for entry in log:
        if isinstance(entry, Mapping) and "candidates" in entry:
            yield from _candidates(entry)
    steps = [entry for entry in log if isinstance(entry, Mapping) and "candidates" not in entry]
    if steps:
        yield from _steps(steps)


def _candidates(log: Mapping[str, Any]) -> Iterator[Block]:
    if log.get("why"):
        yield Paragraph(f"Candidate {log.get('picked')} was picked: {log['why']}")
    if log.get("ratio_in_words"):
        yield Paragraph(f"Ratio of approval rates: {log['ratio_in_words']}.")
    rows = [_candidate(each) for each in log["candidates"]]
    headers = ("No.", "Candidate", "AUC", "Smallest ratio of groups at the cutoff", "Approved", "Remarks")
    yield Table(caption="Candidates on the validation rows", headers=headers, rows=rows, numbers=frozenset({2, 3, 4}))


def _candidate(candidate: Mapping[str, Any]) -> list[str]:
    performance, at_cutoff = candidate.get("performance", {}), candidate.get("at_cutoff", {})
    ratio = at_cutoff.get("ratio", {})
    marks = {"picked": "picked", "baseline": "baseline", "on_frontier": "on the frontier"}
    remarks = [word for key, word in marks.items() if candidate.get(key)]
    return [
        str(candidate.get("number", "")),
        str(candidate.get("name", candidate.get("method", ""))),
        _measure(performance.get("auc"), performance.get("auc_interval")),
        _measure(ratio.get("value"), ratio.get("interval")),
        _measure(at_cutoff.get("approval_rate"), None),
        "; ".join([*remarks, *([candidate["why"]] if candidate.get("why") else [])]),
    ]


def _measure(value: Any, ends: Any) -> str:
    if not isinstance(value, int | float):
        return "undefined"
    whole = isinstance(ends, list | tuple) and len(ends) == 2 and all(isinstance(end, int | float) for end in ends)
    return interval(float(value), (float(ends[0]), float(ends[1])) if whole else None)


def _steps(steps: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    headers = ("Step", *dict.fromkeys(str(key) for step in steps for key in step))
    shown = steps if len(steps) <= _TOLD else [*steps[: _TOLD // 2], *steps[-_TOLD // 2 :]]
    rows = [[str(steps.index(step) + 1), *(_entry(step.get(key)) for key in headers[1:])] for step in shown]
    left_out = (
        f"; {len(steps) - len(shown):,} in the middle are in the evidence only" if len(shown) < len(steps) else ""
    )
    caption = f"Steps of the learner{left_out}"
    yield Table(caption=caption, headers=headers, rows=rows, numbers=frozenset(range(1, len(headers))))


def _entry(value: Any) -> str:
    return plain(value) if isinstance(value, float) else "" if value is None else str(value)
