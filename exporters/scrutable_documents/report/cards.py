"""The section on the path of cards between which the learner chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scrutable.plugins import CardChoice, CardPath, PathCard
from scrutable.plugins.bases import recorded_learner
from scrutable_documents.common.figures import percent
from scrutable_documents.common.sections import Block, Paragraph, Picture, Section, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.subject import Subject

#: What clearly fewer steps are, as a share.
_CLEARLY = 0.8


def cards(subject: Subject) -> Section | None:
    """The cards as pictures and as a table, what fewer steps cost, and what the learner says of characteristics.

    None where the evidence has no path.
    """
    path = None if subject.evidence is None else CardPath.of(subject.evidence)
    if path is None:
        return None
    return Section("path", "Path of cards", [*_said(subject, path), *_drawn(path), _table(path), *_each(subject)])


def _said(subject: Subject, path: CardPath) -> Iterator[Block]:
    card = path.model
    assert subject.evidence is not None
    learner = recorded_learner(subject.model.provenance.learner)
    if path.about and learner is not None:  # the whole card, which the path does not tell
        yield from (Paragraph(f"{each}.") for each in learner.about_learning(subject.evidence))
    if path.about:
        yield Paragraph(f"{path.about}.")
    yield Paragraph(
        f"The learner made {len(path.cards):,} cards, each of the one before with steps put together, from "
        f"{path.cards[0].steps:,} steps to {path.cards[-1].steps:,}. The model is the card of {card.steps:,} steps in "
        f"{card.characteristics:,} characteristics.{_measures(path)}"
    )
    fewer = next((each for each in path.measured if 0 < each.steps <= _CLEARLY * card.steps), None)
    more = next((each for each in reversed(path.measured) if each.steps > card.steps), None)
    changes = [path.to(each.steps).describe() for each in (fewer, more) if each is not None]
    yield from (Paragraph(f"{each}.") for each in changes)
    choice = CardChoice.of(subject.evidence)
    if choice is not None:
        yield Paragraph(f"The card was chosen by hand: {choice.describe()}.")


def _measures(path: CardPath) -> str:
    """What the figures of the cards are."""
    if not path.figures:
        return ""
    return (
        f" {_capital(' and '.join(each.title for each in path.figures))} are of the training rows, before points are "
        "rounded: they say what fewer steps cost, not how good a card is for others."
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _drawn(path: CardPath) -> Iterator[Block]:
    for figure in path.figures:
        yield from _picture(figure.title, path, [each.figures.get(figure.name) for each in path.measured])
    yield from _picture("characteristics", path, [each.characteristics for each in path.measured])


def _picture(name: str, path: CardPath, heights: Sequence[float | None]) -> Iterator[Block]:
    known = [(card, float(height)) for card, height in zip(path.measured, heights, strict=True) if height is not None]
    chosen = [place for place, (card, _) in enumerate(known) if card is path.model]
    if chosen and len(known) > 1:
        steps, own = [float(card.steps) for card, _ in known], [height for _, height in known]
        caption = f"{_capital(name)} of the cards by their steps; the ring is the model's card"
        yield Picture(svg=pictures.path_plot(steps, own, chosen[0], name), caption=caption)


def _table(path: CardPath) -> Table:
    titles = [_capital(figure.title) for figure in path.figures]
    headers = ("Steps", "", "Characteristics", "Variance kept", *titles)
    rows = [_row(card, path) for card in path.measured]
    numbers = frozenset({*range(len(headers))} - {1})
    return Table(caption="Cards along the path", headers=headers, rows=rows, numbers=numbers)


def _row(card: PathCard, path: CardPath) -> list[str]:
    figures = [each.shown(card.figures[each.name]) if each.name in card.figures else "" for each in path.figures]
    sizes = [f"{card.steps:,}", "the model" if card is path.model else "", f"{card.characteristics:,}"]
    return [*sizes, percent(card.kept), *figures]


def _each(subject: Subject) -> Iterator[Block]:
    """What the learner says of characteristics, if it is here."""
    assert subject.evidence is not None
    learner = recorded_learner(subject.model.provenance.learner)
    told: Mapping[str, str] = {} if learner is None else learner.about_characteristics(subject.evidence)
    if told:
        titles = {name: title for part in subject.parts for name, title in part.titles.items()}
        rows = [[titles.get(name, name), f"{_capital(said)}."] for name, said in told.items()]
        caption = "Shapes, and characteristics that left"
        yield Table(caption=caption, headers=("Characteristic", "What learning says of it"), rows=rows)
