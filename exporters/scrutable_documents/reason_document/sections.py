"""The sections of the document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scrutable.model import Model, RegressionScorecard
from scrutable_documents.common.environment import kind_words
from scrutable_documents.common.figures import count, points
from scrutable_documents.common.sections import (
    ACROSS,
    Block,
    Cell,
    Facts,
    Gap,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
    listed,
    words,
)
from scrutable_documents.reason_document import choosing
from scrutable_documents.reason_document.code_counts import counted
from scrutable_documents.reason_document.contents import Chapter
from scrutable_documents.reason_document.sources import scale_of, sources

#: Lines of what to look at first.
_FIRST = 8


def sections(model: Model, chapters: Sequence[Chapter]) -> list[Section]:
    """The parts of the document, in order."""

    def section(name: str, title: str, blocks_of: Callable[[Chapter], Iterator[Block]]) -> Section:
        gathered: list[Block] = []
        for chapter in chapters:
            blocks = list(blocks_of(chapter))
            gathered += [Heading(f"Segment {chapter.part.segment}")] if chapter.part.segment and blocks else []
            gathered += blocks
        return Section(name, title, gathered or [Gap("There is nothing to tell.")])

    return [
        Section("model", "Model", [Facts(list(_about(model, chapters)))]),
        section("remarks", "What to look at first", _remarks),
        section("choosing", "How reasons are chosen", _choosing),
        section("codes", "Codes", _codes),
        section("sources", "What gives the codes", sources),
        section("counted", "How often each code is given", counted),
    ]


def _about(model: Model, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    yield "Kind", kind_words(model)
    if isinstance(model, RegressionScorecard):
        yield "Predicts", model.outcome.title
    else:
        yield "Decides about", model.outcome.target
        yield "Favourable outcome", str(model.outcome.favourable)
    for chapter in chapters:
        part = chapter.part
        seen = "no applicants" if part.sample is None else f"{count(part.sample.n_rows)} applicants"
        yield (f"Segment {part.segment}", f"{part.when}; {seen}") if part.segment else ("Measured on", seen)


def _remarks(chapter: Chapter) -> Iterator[Block]:
    """Remarks, and below them the attributes furthest below their baseline, as far as there is room."""
    yield Listing(chapter.remarks or ["Nothing was found."])
    short = sorted(
        (line for line in chapter.lines if line.kind in ("attribute", "step") and line.falls_short),
        key=lambda line: -(line.codes[0].short or 0.0),
    )
    shown = short[: max(0, _FIRST - len(chapter.remarks))]
    if shown:
        every, titles = [line.codes[0].short or 0.0 for line in shown], chapter.part.titles
        rows: list[list[Cell]] = [
            [
                titles[line.of],
                line.words,
                points(line.codes[0].short or 0.0, every, scale_of(chapter.lines)),
                line.codes[0].code,
                words(line.codes[0].text, chapter.part.language),
            ]
            for line in shown
        ]
        headers = ("Feature", "Attribute", "Points short", "Code", "Text")
        told = f"Attributes below their baseline: {count(len(short))}, of which these are furthest"
        yield Table(caption=chapter.part.titled(told), headers=headers, rows=rows, numbers=frozenset({2}))


def _choosing(chapter: Chapter) -> Iterator[Block]:
    policy = chapter.part.policy
    if policy is None:
        yield Gap("The model holds no reason policy.")
        return
    yield Facts(list(choosing.facts(chapter.part, policy)))
    yield Paragraph("The reasons of a declined applicant come about in these steps, one after another:")
    yield Listing(list(choosing.steps(chapter.part, policy)))


def _codes(chapter: Chapter) -> Iterator[Block]:
    if not chapter.codes:
        yield Gap("There are no codes.")
        return
    language, titles = chapter.part.language, chapter.part.titles
    rows: list[list[Cell]] = []
    for code in chapter.codes:
        held = {"knock-out": code.knock_out, "override": code.override, "inquiries": code.inquiries}
        marks = [mark for mark, holds in held.items() if holds]
        behind = [f"{titles[name]}{': ' if only else ''}{'; '.join(only)}" for name, only in code.behind]
        rows.append([code.code, words(code.text, language), listed(behind), ", ".join(marks)])
    caption = chapter.part.titled("Codes in the order that settles ties")
    yield Table(caption=caption, headers=("Code", "Text", "Features that carry it", "Mark"), rows=rows)
    yield from _translations(chapter)


def _translations(chapter: Chapter) -> Iterator[Block]:
    languages = list(chapter.codes[0].translations)
    for start in range(0, len(languages), ACROSS):
        shown = languages[start : start + ACROSS]
        rows: list[list[Cell]] = [
            [code.code, words(code.own), *(words(code.translations[language], language) for language in shown)]
            for code in chapter.codes
        ]
        caption = chapter.part.titled("Texts in every language")
        yield Table(caption=caption, headers=("Code", "Own text", *shown), rows=rows)
