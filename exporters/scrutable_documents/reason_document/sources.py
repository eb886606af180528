"""What gives the codes: attributes with their points, rules as sentences, leaves as paths, knock-outs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from scrutable_documents.common.figures import count, largest, percent, plain, points
from scrutable_documents.common.part import ModelPart
from scrutable_documents.common.sections import Block, Cell, Heading, Paragraph, Table, listed, unbroken, words
from scrutable_documents.reason_document.contents import Chapter
from scrutable_documents.reason_document.lines import Carried, CodedLine


def sources(chapter: Chapter) -> Iterator[Block]:
    """Tables of the rules around the score, then what the model is made of."""
    by_kind = {kind: list(of_kind) for kind, of_kind in groupby(chapter.lines, key=lambda line: line.kind)}
    part = chapter.part
    for kind, caption in (("knock-out", "Knock-outs"), ("override", "Overrides that decline")):
        if kind in by_kind:
            yield _declining(part, caption, by_kind[kind])
    if "score adjustment" in by_kind:
        yield _adjustments(part, by_kind["score adjustment"])
    if "attribute" in by_kind:
        yield Paragraph(_shares_of(part, by_kind["attribute"]))
        yield from _characteristics(part, by_kind["attribute"])
    yield from _characteristics(part, by_kind.get("cell", []))
    if "rule" in by_kind or "fallback" in by_kind:
        yield from _rules(part, [*by_kind.get("rule", []), *by_kind["fallback"]])
    if "leaf" in by_kind:
        yield from _leaves(part, by_kind["leaf"])
    if "step" in by_kind:
        yield Heading(part.titled("Trees of a single feature, added up"))
        yield from _characteristics(part, by_kind["step"])


def _shares_of(part: ModelPart, lines: Sequence[CodedLine]) -> str:
    if part.sample is not None:
        return f"Shares are of the {count(part.sample.n_rows)} applicants{' of the segment' if part.segment else ''}."
    if all(line.share is None for line in lines):
        return "Shares are not known: neither applicants nor statistics of the attributes were given."
    return "Shares are those in training, as the model states them: no applicants were given."


def _declining(part: ModelPart, caption: str, lines: Sequence[CodedLine]) -> Table:
    rows: list[list[Cell]] = [
        [line.of, words(line.codes[0].text, part.language), words(line.words), _share(line)] for line in lines
    ]
    headers = ("Code", "Text", "Declines where", "Share")
    return Table(caption=part.titled(caption), headers=headers, rows=rows, numbers=frozenset({3}))


def _adjustments(part: ModelPart, lines: Sequence[CodedLine]) -> Table:
    rows: list[list[Cell]] = [
        [line.of, words(line.codes[0].text, part.language), words(line.words), plain(line.points or 0.0)]
        for line in lines
    ]
    headers = ("Code", "Text", "Applies where", "Points")
    return Table(caption=part.titled("Score adjustments"), headers=headers, rows=rows, numbers=frozenset({3}))


def scale_of(lines: Sequence[CodedLine]) -> float:
    """The largest points of attributes, which say how points are told."""
    return largest([value for line in lines for value in (line.points, line.baseline) if value is not None])


def _characteristics(part: ModelPart, lines: Sequence[CodedLine]) -> Iterator[Block]:
    scale, silent = scale_of(lines), []
    for feature, group in groupby(lines, key=lambda line: line.of):
        own = list(group)
        if any(line.points or line.baseline for line in own):
            yield _characteristic(part, part.titles[feature], own, scale)
        else:
            silent.append(part.titles[feature])
    if silent:
        yield Paragraph(f"Everybody gets 0 points of these, which are never a reason: {', '.join(silent)}.")


def _characteristic(part: ModelPart, title: str, lines: Sequence[CodedLine], scale: float) -> Table:
    """Attributes; a code stands where it can be given, which is below the baseline."""
    every = [line.points or 0.0 for line in lines]
    short = [each.short for line in lines for each in line.codes if each.short]
    baseline = lines[0].baseline
    compared = "" if baseline is None else f", baseline {points(baseline, scale=scale)} points"
    rows = [_attribute(part, line, every, short, scale) for line in lines]
    headers: tuple[str, ...] = ("Attribute", "Points", "Points short", "Share", "Code", "Text")
    if baseline is None:
        headers = ("Attribute", "Points", "Share")
    numbers = frozenset({1, 2, 3} & {*range(len(headers))})
    return Table(caption=part.titled(f"{title}{compared}"), headers=headers, rows=rows, numbers=numbers)


def _attribute(
    part: ModelPart, line: CodedLine, every: Sequence[float], short: Sequence[float], scale: float
) -> list[Cell]:
    told = [line.words, points(line.points or 0.0, every, scale)]
    if line.baseline is None:
        return [*told, _share(line)]
    if not line.falls_short:
        return [*told, "", _share(line), "", ""]
    first = line.codes[0]
    return [*told, points(first.short or 0.0, short, scale), _share(line), first.code, words(first.text, part.language)]


def _rules(part: ModelPart, lines: Sequence[CodedLine]) -> Iterator[Block]:
    yield Paragraph(
        "A rule against the applicant can give the codes of the features that it reads, each by its weight. Rules of "
        "the fallback vote where no other applies; their coverage is of the applicants on whom they do."
    )
    rows: list[list[Cell]] = [
        [
            unbroken(line.of),
            line.words,
            line.votes_for or "",
            plain(line.points or 0.0),
            _share(line),
            _named(part, line),
        ]
        for line in lines
    ]
    headers = ("Rule", "Sentence", "Votes for", "Weight", "Coverage", "Codes")
    yield Table(caption=part.titled("Rules"), headers=headers, rows=rows, numbers=frozenset({3, 4}))


def _leaves(part: ModelPart, lines: Sequence[CodedLine]) -> Iterator[Block]:
    yield Paragraph(
        "Codes that a leaf can add to: beside those of a tree of several features, the points that the leaf adds to "
        "the shortfall of an applicant who gets there, and the most that it adds to anybody's where that is more. A "
        "leaf of a tree of a single feature adds to its code unless it is the tree's best."
    )
    rows: list[list[Cell]] = [
        [unbroken(line.of), words(line.words), points(line.points or 0.0), _share(line), _named(part, line)]
        for line in lines
    ]
    headers = ("Tree", "Path", "Value", "Share", "Codes")
    yield Table(caption=part.titled("Leaves"), headers=headers, rows=rows, numbers=frozenset({2, 3}))


def _named(part: ModelPart, line: CodedLine) -> Cell:
    return listed(_code(part, each) for each in line.codes) if line.codes else ""


def _code(part: ModelPart, each: Carried) -> str:
    feature = part.titles[each.feature] if each.feature is not None else ""
    named = f"{each.code} {feature}"
    if each.most is None or each.short is None:
        return named
    more = f", at most {plain(each.most, 4)}" if each.most > each.short else ""
    return f"{named}: {plain(each.short, 4)}{more}"


def _share(line: CodedLine) -> str:
    return "" if line.share is None else percent(line.share)
