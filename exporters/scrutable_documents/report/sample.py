"""The section on the applicants that the model is measured on."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.data import LEAK_ENTRY, leaks_in_words, min_cell, separating
from scrutable.model import Feature, Outcome, RegressionScorecard
from scrutable.model.evaluator import read_inputs
from scrutable.plugins import DataDictionary
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.figures import count, percent, plain
from scrutable_documents.common.sections import Block, Facts, Gap, Paragraph, Section, Table
from scrutable_documents.report.about import paragraphs
from scrutable_documents.report.options import named
from scrutable_documents.report.subject import Subject
from scrutable_documents.report.values_seen import values_seen


def data(subject: Subject) -> Section:
    """Number of rows, outcomes, leaks, and missing values by feature; sources and dates in the user's words."""
    text = subject.options.about_data
    leaks = _leaks(subject)
    suspects = [Paragraph(leaks_in_words(leaks))] if leaks else []
    gap = Gap(f"Sources and dates of the data are not stated. Give them as {named('about_data')}.")
    blocks: list[Block] = [*(paragraphs(text) if text else [gap]), *suspects]
    sample = subject.sample
    if sample is None:
        none = Gap(f"No applicants to measure on were given. Give them as {named('data')}.")
        return Section("data", "Data", [*blocks, none])
    pairs = [("Applicants", count(sample.n_rows)), *_outcomes(subject, sample)]
    if subject.reference is not None:
        pairs.append(("Applicants of the development sample", count(subject.reference.n_rows)))
    return Section("data", "Data", [*blocks, Facts(pairs), _features(subject, sample), Paragraph(_ranges())])


def _leaks(subject: Subject) -> dict[str, str]:
    """Inputs that separate the outcome nearly perfectly: those that the evidence names, else those in the sample."""
    recorded: Any = {} if subject.evidence is None else subject.evidence.metrics.get(LEAK_ENTRY, {})
    sample, outcome = subject.sample, subject.model.outcome
    known = sample is not None and sample.outcomes is not None and sample.n_rows > 0
    if recorded or not known or not isinstance(outcome, Outcome) or not outcome.binary:
        return dict(recorded)
    assert sample is not None
    columns, n_rows = read_inputs(subject.model, sample.table)
    return separating(columns, np.asarray(sample.outcomes == outcome.favourable), np.ones(n_rows))


def _outcomes(subject: Subject, sample: Evaluated) -> list[tuple[str, str]]:
    target = subject.model.outcome.target
    if sample.outcomes is None:
        return [(f"Outcomes ({target})", f"not given; give them as {named('target')}")]
    if isinstance(subject.model, RegressionScorecard):
        return [(f"Mean of {target}", plain(float(np.mean(sample.outcomes)) if sample.n_rows else float("nan")))]
    shares = [
        f"{label!r}: {count(float(np.sum(sample.outcomes == label)))} ({percent(_share(sample.outcomes == label))})"
        for label in subject.model.outcome.classes
    ]
    return [(f"Outcomes ({target})", ", ".join(shares))]


def _ranges() -> str:
    return (
        f"Ranges tell of no fewer than {min_cell()} applicants: as many lie at each end or beyond it, and ends are "
        "rounded outward. Special codes are no part of a range or a median, and are counted apart."
    )


def _features(subject: Subject, sample: Evaluated) -> Table:
    columns, n_rows = read_inputs(subject.model, sample.table)
    said = DataDictionary.given(subject.options.dictionary)
    rows = []
    for feature in {each.name: each for each in subject.model.features}.values():
        column = columns[feature.name]
        seen = values_seen(column, _special(feature, said))
        rows.append([feature.title, feature.name, column.kind, percent(_share(column.missing)), seen])
    headers = ("Feature", "Column", "Kind", "Missing", "Values")
    return Table(
        caption=f"What the model reads, of {n_rows:,} applicants", headers=headers, rows=rows, numbers=_MISSING
    )


def _special(feature: Feature, dictionary: DataDictionary | None) -> dict[float | str, None]:
    """The special codes of a feature by the model, and by the dictionary of its words."""
    column = None if dictionary is None else dictionary.columns.get(feature.name)
    fitting = (float, int) if feature.kind == "numeric" else str
    own = () if column is None else column.special
    return dict.fromkeys(code for code in (*feature.special_codes, *own) if isinstance(code, fitting))


_MISSING = frozenset({3})


def _share(mask: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    return float(np.mean(mask)) if len(mask) else float("nan")
