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
    yield Paragraph(
        f"The learner made {len(path.cards):,} cards, each of the one before with steps put together, from "
        f"{path.cards[0].steps:,} steps to {path.cards[-1].steps:,}. The model is the card of {card.steps:,} steps in "
        f"{card.characteristics:,} characteristics. AUC and log-loss are of the training rows, before points are "
        "rounded: they say what fewer steps cost, not how good a card is for others."
    )
    fewer = next((each for each in path.measured if 0 < each.steps <= _CLEARLY * card.steps), None)
    more = next((each for each in reversed(path.measured) if each.steps > card.steps), None)
    changes = [path.to(each.steps).describe() for each in (fewer, more) if each is not None]
    yield from (Paragraph(f"{each}.") for each in changes)
    assert subject.evidence is not None
    choice = CardChoice.of(subject.evidence)
    if choice is not None:
        yield Paragraph(f"The card was chosen by hand: {choice.describe()}.")


def _drawn(path: CardPath) -> Iterator[Block]:
    figures = (
        ("AUC", [each.auc for each in path.measured]),
        ("log-loss", [each.log_loss for each in path.measured]),
        ("characteristics", [each.characteristics for each in path.measured]),
    )
    for name, heights in figures:
        yield from _picture(name, path, heights)


def _picture(name: str, path: CardPath, heights: Sequence[float | None]) -> Iterator[Block]:
    known = [(card, float(height)) for card, height in zip(path.measured, heights, strict=True) if height is not None]
    chosen = [place for place, (card, _) in enumerate(known) if card is path.model]
    if chosen and len(known) > 1:
        steps, own = [float(card.steps) for card, _ in known], [height for _, height in known]
        caption = f"{name[0].upper()}{name[1:]} of the cards by their steps; the ring is the model's card"
        yield Picture(svg=pictures.path_plot(steps, own, chosen[0], name), caption=caption)


def _table(path: CardPath) -> Table:
    headers = ("Steps", "", "Characteristics", "Variance kept", "AUC", "Log-loss")
    rows = [_row(card, is_model=card is path.model) for card in path.measured]
    return Table(caption="Cards along the path", headers=headers, rows=rows, numbers=frozenset({0, 2, 3, 4, 5}))


def _row(card: PathCard, *, is_model: bool) -> list[str]:
    figures = ["" if value is None else f"{value:.4f}" for value in (card.auc, card.log_loss)]
    sizes = [f"{card.steps:,}", "the model" if is_model else "", f"{card.characteristics:,}"]
    return [*sizes, percent(card.kept), *figures]


def _each(subject: Subject) -> Iterator[Block]:
    """What the learner says of characteristics, if it is here."""
    assert subject.evidence is not None
    learner = recorded_learner(subject.model.provenance.learner)
    told: Mapping[str, str] = {} if learner is None else learner.about_characteristics(subject.evidence)
    if told:
        titles = {name: title for part in subject.parts for name, title in part.titles.items()}
        rows = [[titles.get(name, name), f"{said[:1].upper()}{said[1:]}."] for name, said in told.items()]
        caption = "Shapes, and characteristics that left"
        yield Table(caption=caption, headers=("Characteristic", "What learning says of it"), rows=rows)
