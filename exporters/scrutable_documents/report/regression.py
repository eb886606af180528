"""The section on the regression that a learner fitted: coefficients with errors, tests and intervals, and its fit."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.measures import CoefficientTable, RegressionFigures, fit_in_words, remarks, warnings_in_words
from scrutable_documents.common.sections import Block, Cell, Listing, Paragraph, Section, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.subject import Subject

#: How far beyond all coefficients intervals are drawn, by the range of the coefficients.
_BEYOND = 0.5


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
    yield Table(
        caption="Coefficients",
        headers=(*told.headers, "As a bar"),
        rows=[[*row, drawn] for row, drawn in zip(told.rows, _bars(figures), strict=True)],
        numbers=told.numbers,
        bars=frozenset({len(told.headers)}),
    )
    yield Listing(list(remarks(figures)))


def _bars(figures: RegressionFigures) -> Iterator[Cell]:
    """Each coefficient as a bar with its interval as a whisker, on one scale; the intercept is on none."""
    sizes = [each.value for each in figures.coefficients if each.feature]
    ends = [end for each in figures.coefficients if each.feature for end in figures.interval(each) or ()]
    low, high = min([0.0, *sizes]), max([0.0, *sizes])
    beyond = _BEYOND * (high - low)
    low, high = max(min([low, *ends]), low - beyond), min(max([high, *ends]), high + beyond)
    for each in figures.coefficients:
        yield pictures.bar(each.value, low, high, figures.interval(each)) if each.feature else ""
