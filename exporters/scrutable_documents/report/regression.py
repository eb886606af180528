"""The section on the regression that a learner fitted: coefficients with errors, tests and intervals, and its fit."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.measures import CoefficientTable, RegressionFigures, fit_in_words, remarks, warnings_in_words
from scrutable_documents.common.sections import Block, Listing, Paragraph, Section, Table
from scrutable_documents.report.subject import Subject


def regression(subject: Subject) -> Section | None:
    """The coefficients, and what they mean; None where the evidence has none."""
    figures = None if subject.evidence is None else RegressionFigures.of(subject.evidence)
    if figures is None:
        return None
    return Section("regression", "Regression", list(_blocks(subject, figures)))


def _blocks(subject: Subject, figures: RegressionFigures) -> Iterator[Block]:
    yield Paragraph(f"{fit_in_words(figures)}.")
    if warnings := [f"{each}." for each in warnings_in_words(figures)]:
        yield Listing(warnings)
    titles = {name: title for part in subject.parts for name, title in part.titles.items()}
    told = CoefficientTable.of(figures, titles, repeating=True)
    yield Table(caption="Coefficients", headers=told.headers, rows=told.rows, numbers=told.numbers)
    yield Listing(list(remarks(figures)))
