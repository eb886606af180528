"""`scrutable risk-card`: a risk score as a card, to be added up in the head."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from scrutable import load
from scrutable.cli import console, emit_json, table
from scrutable.errors import UnsupportedModel
from scrutable.model import Scorecard

Line = tuple[str, str, int]


def risk_card(
    model: Annotated[Path, typer.Argument(help="A model file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show a risk score as a card: what counts, and how much.

    Attributes without points are left out. The points that apply are added up, and compared with the cutoff.

    Example: [bold]scrutable risk-card model.json[/bold]
    """
    card = load(model)
    lines = lines_of(card, str(model))
    if as_json:
        emit_json([dict(zip(("feature", "attribute", "points"), line, strict=True)) for line in lines])
        return
    console().print(table(("feature", "attribute", "points"), lines, right=(2,)))


def lines_of(card: object, where: str) -> list[Line]:
    """Feature, attribute and points of all that counts.

    Raises
    ------
    UnsupportedModel : it is no scorecard of whole points.
    """
    if not isinstance(card, Scorecard):
        raise UnsupportedModel("only a scorecard has a card", where=where, got=type(card).__name__)
    attributes = [
        (item.feature, title, its.points)
        for item in card.characteristics
        for title, its in zip(item.titles, item.attributes, strict=True)
    ]
    if not all(float(points).is_integer() for _, _, points in attributes):
        raise UnsupportedModel("its points are not whole", where=where, fix="use the learner risk-score")
    return [(feature, title, int(points)) for feature, title, points in attributes if points]
