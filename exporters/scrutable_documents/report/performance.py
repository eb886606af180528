"""The section on how well the model separates and how true its probabilities are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import MIN_GROUP_SIZE, MIN_OUTCOMES
from scrutable.fairness import Measured, measure
from scrutable.measures import reliability
from scrutable.model import RegressionScorecard, SegmentedModel
from scrutable.model.evaluator import Evaluation
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.figures import count, decimals, interval, percent, plain, points
from scrutable_documents.common.part import ModelPart, told_by_part
from scrutable_documents.common.sections import Block, Facts, Gap, Heading, Paragraph, Picture, Section, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.options import named
from scrutable_documents.report.separation import separation_pictures
from scrutable_documents.report.subject import Subject

_ACROSS = (
    "Scores of segments may be on scales of their own. Applicants of all segments are therefore ranked by the "
    "calibrated probability of the favourable outcome, which the measures below are about."
)
_COLUMNS = 24

Floats = NDArray[np.float64]


def performance(subject: Subject, measured: Mapping[str, Measured]) -> Section:
    """Separation with intervals, calibration and the distribution of the score, of each segment by itself.

    Of a model of segments the separation of the whole comes first.

    Parameters
    ----------
    measured : by segment, and of the whole by an empty name, where both outcomes are there; see `measure_parts`.
    """
    blocks = [*_from_evidence(subject), *_given(subject)]
    if isinstance(subject.model, SegmentedModel) and "" in measured:
        blocks += [Heading("All segments"), Paragraph(_ACROSS), _separation(measured[""])]
        blocks += separation_pictures(subject.sample, subject.reference)
    blocks += told_by_part(subject.parts, lambda part: _blocks(part, measured.get(part.segment)))
    return Section("performance", "Performance", blocks)


def measure_parts(subject: Subject) -> dict[str, Measured]:
    """What is measured of the whole and of each part of two classes, on applicants of both outcomes."""
    wholes = {part.segment: (part.model, part.sample) for part in subject.parts} | {"": (subject.model, subject.sample)}
    by_segment = {}
    for name, (model, sample) in wholes.items():
        if sample is None or sample.outcomes is None or isinstance(model, RegressionScorecard):
            continue
        good = sample.outcomes == model.outcome.favourable
        if good.any() and not good.all():
            measured = measure(
                model, sample.table, sample.outcomes, groups=sample.cohort.groups, seed=subject.options.seed
            )
            if measured is not None:
                by_segment[name] = measured
    return by_segment


def _given(subject: Subject) -> Iterator[Block]:
    """Which applicants all figures that follow are about."""
    sample = subject.sample
    if sample is None or sample.outcomes is None:
        return
    yield Heading(f"On the {count(sample.n_rows)} applicants given as data")
    yield Paragraph(
        "Whether the model learned from some of these applicants cannot be told from its file. Figures on rows that it "
        "learned from are too good: read them as performance only if these rows were held out."
    )


def _blocks(part: ModelPart, measured: Measured | None) -> Iterator[Block]:
    sample = part.sample
    if sample is None or sample.outcomes is None:
        yield Gap(f"Performance was not measured here. Give {named('data', 'target')}.")
    elif not sample.n_rows:
        yield Gap("No applicant of the data belongs here.")
    elif isinstance(part.model, RegressionScorecard):
        yield _errors(sample)
    elif measured is None:
        yield from _classes(part, sample)
    else:
        yield _separation(measured)
        yield from separation_pictures(part.sample, part.reference)
        yield from _calibration(part, sample)
        yield _distribution(part, sample)


def _good(part: ModelPart, sample: Evaluated) -> NDArray[np.bool_]:
    assert sample.outcomes is not None
    assert not isinstance(part.model, RegressionScorecard)
    return np.asarray(sample.outcomes == part.model.outcome.favourable, dtype=bool)


def _separation(measured: Measured) -> Table:
    figures = measured.performance
    rows = [
        [name, interval(value, ends)]
        for name, value, ends in (
            ("AUC", figures.auc, figures.auc_interval),
            ("Gini", figures.gini, figures.gini_interval),
            ("KS", figures.ks, figures.ks_interval),
        )
    ]
    of = "" if measured.ranked_by == "score" else " of the probability"
    how = f"with {figures.confidence:.0%} bootstrap intervals of {figures.n_boot:,} draws"
    if figures.small:
        how = f"without intervals: fewer than {MIN_GROUP_SIZE} rows, or {MIN_OUTCOMES} of the scarcer outcome"
    caption = f"Separation{of} on these applicants, {how}"
    return Table(caption=caption, headers=("Measure", "Value"), rows=rows, numbers=frozenset({1}))


def _calibration(part: ModelPart, sample: Evaluated) -> Iterator[Block]:
    """The figures of `scrutable validate`, told of the favourable outcome; its bins are those of the PD."""
    assert isinstance(sample.evaluation, Evaluation)
    curve = reliability(1.0 - sample.evaluation.probability, _good(part, sample)).overall
    yield Facts(
        [
            ("Mean predicted", percent(1 - curve.mean_pd)),
            ("Observed", percent(1 - curve.bad_rate)),
            ("Brier score", decimals(curve.brier.score, 4)),
        ]
    )
    bins = curve.bins[::-1]  # the least probable first
    means = [(1 - each.mean_pd, 1 - each.bad_rate, each.size) for each in bins]
    picture = pictures.calibration_plot(*zip(*means, strict=True))
    yield Picture(svg=picture, caption="Observed share of the favourable outcome over the predicted probability")
    table = [
        [
            f"{1 - min(each.upper, 1.0):.1%} to {1 - max(each.lower, 0.0):.1%}",
            count(n),
            percent(p),
            percent(o),
            f"{o - p:z.1%}",
        ]
        for each, (p, o, n) in zip(bins, means, strict=True)
    ]
    headers = ("Predicted probability", "Applicants", "Mean predicted", "Observed", "Difference")
    yield Table(caption="Calibration", headers=headers, rows=table, numbers=frozenset({1, 2, 3, 4}))


def _distribution(part: ModelPart, sample: Evaluated) -> Picture:
    assert not isinstance(part.model, RegressionScorecard)
    assert part.model.cutoff is not None
    assert isinstance(sample.evaluation, Evaluation)
    assert sample.evaluation.score is not None
    score, good = sample.evaluation.score, _good(part, sample)
    low, high = float(score.min()), float(score.max())
    edges = np.linspace(low, high if high > low else low + 1, _COLUMNS + 1)
    shares = [np.histogram(score[rows], edges)[0] / max(int(rows.sum()), 1) for rows in (good, ~good)]
    cutoff = part.model.cutoff
    picture = pictures.distribution_plot(edges.tolist(), shares[0].tolist(), shares[1].tolist(), cutoff)
    caption = f"Scores of the favourable and of the unfavourable outcome; the cutoff is {points(cutoff)}"
    return Picture(svg=picture, caption=caption)


def _classes(part: ModelPart, sample: Evaluated) -> Iterator[Block]:
    assert isinstance(sample.evaluation, Evaluation)
    assert sample.outcomes is not None
    labels = list(part.model.outcome.classes) if not isinstance(part.model, RegressionScorecard) else []
    actual = np.array([labels.index(label) for label in sample.outcomes.tolist()])
    right = actual == sample.evaluation.predicted
    if len(labels) == 2:
        yield Paragraph("Only one outcome is among these applicants, so nothing can be said of separation.")
    rows = [["all", count(len(right)), percent(float(right.mean()))]]
    for position, label in enumerate(labels):
        of_class = actual == position
        share = float(right[of_class].mean()) if of_class.any() else float("nan")
        rows.append([str(label), count(float(of_class.sum())), percent(share)])
    headers = ("Class", "Applicants", "Predicted right")
    yield Table(caption="Classes", headers=headers, rows=rows, numbers=frozenset({1, 2}))


def _errors(sample: Evaluated) -> Facts:
    assert sample.outcomes is not None
    assert not isinstance(sample.evaluation, Evaluation)
    actual = np.asarray(sample.outcomes, dtype=float)
    error = actual - sample.evaluation.score
    variance = float(np.var(actual))
    r2 = 1 - float(np.mean(error**2)) / variance if variance else float("nan")
    return Facts(
        [
            ("R², share of the variance explained", decimals(r2)),
            ("Mean absolute error", plain(float(np.mean(np.abs(error))))),
            ("Root mean squared error", plain(float(np.sqrt(np.mean(error**2))))),
        ]
    )


def _from_evidence(subject: Subject) -> Iterator[Block]:
    """What was measured on held-out rows when the model was fitted."""
    held_out: Any = {} if subject.evidence is None else subject.evidence.metrics.get("held_out", {})
    figures = held_out.get("performance") if isinstance(held_out, Mapping) else None
    if figures is None:
        return
    names = {"auc": "AUC", "gini": "Gini", "ks": "KS"}
    rows = [
        [title, interval(figures[name], tuple(figures[f"{name}_interval"]))]
        for name, title in names.items()
        if name in figures
    ]
    yield Heading("Held out when the model was fitted")
    caption = f"From the evidence: measured on {held_out.get('rows')} held-out rows, which the model did not learn from"
    yield Table(caption=caption, headers=("Measure", "Value"), rows=rows, numbers=frozenset({1}))
