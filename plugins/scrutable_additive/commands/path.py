"""`scrutable path`: the cards between which a learned one was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import console, emit_json, picture_format, table, working
from scrutable.writing import check_targets, write_all
from scrutable_additive.along import CardPath
from scrutable_additive.figures import shown, titles


def path(
    evidence: Annotated[Path, typer.Argument(help="The evidence file of a model of an additive learner.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Picture: a file in .svg or .png.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the cards as JSON.")] = False,
) -> None:
    """Show the cards along the path of a model of an additive learner, from many steps to none.

    Each card is the one before with steps put together. AUC and log-loss, or R² and the root mean squared error of a
    quantity, are of the training rows: they say what fewer steps cost, not how good a card is for others.
    `fit --option max_steps=…` or `keep=…` chooses another one.

    Examples:

    [bold]scrutable fit loans.csv --target paid --learner additive -o model.json --evidence evidence.json[/bold]

    [bold]scrutable path evidence.json -o path.svg[/bold]
    """
    from scrutable.model import load_evidence

    form = None if output is None else picture_format(output, "--output")
    if output is not None:
        check_targets([output], inputs=[evidence], overwrite=overwrite)
    cards = CardPath.of(load_evidence(evidence), str(evidence))
    if output is not None and form is not None:
        from scrutable.plots import render
        from scrutable_additive.picture import plot_path

        with working(f"Drawing {output}"):
            write_all({str(output): render(plot_path(cards), form)}, overwrite=overwrite)
    if as_json:
        emit_json(cards.to_dict() | ({} if output is None else {"written": str(output)}))
        return
    _show(cards)
    if output is not None:
        console().print(f"wrote {output}", soft_wrap=True)


def _show(path: CardPath) -> None:
    names = titles(path.names)
    headers = ["", "steps", "characteristics", "variance kept", *names]
    rows = [
        [
            "→" if place == path.chosen else "",
            f"{card.steps:,}",
            f"{card.characteristics:,}",
            f"{card.kept:.1%}",
            *(shown(name, figure) for name, figure in card.figures.items()),
        ]
        for place, card in enumerate(path.cards)
    ]
    console().print(table(headers, rows, right=range(1, len(headers))))
    console().print(f"{' and '.join(names)} of the training rows; → is the model's card", soft_wrap=True)
