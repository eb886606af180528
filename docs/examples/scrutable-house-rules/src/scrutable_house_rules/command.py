"""`scrutable score-range`: how low and how high a model's scores can be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from scrutable import load
from scrutable.cli import console, emit_json
from scrutable.errors import UnsupportedModel
from scrutable.model import Scorecard


def score_range(
    model: Annotated[Path, typer.Argument(help="A model file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show the lowest and the highest score that a model gives.

    Example: [bold]scrutable score-range model.json[/bold]
    """
    card = load(model)
    if not isinstance(card, Scorecard):
        raise UnsupportedModel("only scorecards have a range here", where=str(model), got=type(card).__name__)
    lowest, highest = card.score_range
    if as_json:
        emit_json({"lowest": lowest, "highest": highest, "cutoff": card.cutoff})
    else:
        console().print(f"{lowest:g} to {highest:g}, approved from {card.cutoff:g}")
