"""`scrutable path`: the cards between which a learned one was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, emit_json, heading, line, picture_format, table, working
from scrutable.errors import InputError
from scrutable.writing import check_targets, write_all

if TYPE_CHECKING:
    from scrutable.model import Evidence
    from scrutable.plugins import CardChange, CardPath, Merge


def path(
    evidence: Annotated[Path, typer.Argument(help="The evidence file of a model of an additive learner.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Picture: a file in .svg or .png.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    card: Annotated[int | None, typer.Option(help="Say what the card of so many steps has together or apart.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the cards as JSON.")] = False,
) -> None:
    """Show the cards along the path of a model of an additive learner, from many steps to none.

    Each card is the one before with steps put together. AUC and log-loss, or R² and the root mean squared error of a
    quantity, are of the training rows: they say what fewer steps cost, not how good a card is for others.
    `fit --option max_steps=…` or `keep=…` chooses another one.

    Examples:

    [bold]scrutable fit loans.csv --target paid -o model.json --evidence evidence.json[/bold]

    [bold]scrutable path evidence.json -o path.svg[/bold]

    [bold]scrutable path evidence.json --card 40[/bold]
    """
    from scrutable.model import load_evidence
    from scrutable.plugins import CardPath

    form = None if output is None else picture_format(output, "--output")
    if output is not None:
        check_targets([output], inputs=[evidence], overwrite=overwrite)
    read = load_evidence(evidence)
    _refuse_without(read, str(evidence))
    cards = CardPath.read(read, str(evidence))
    change = None if card is None else cards.to(card)
    if output is not None and form is not None:
        from scrutable.plots import render
        from scrutable_additive.picture import plot_path

        with working(f"Drawing {output}"):
            write_all({str(output): render(plot_path(cards), form)}, overwrite=overwrite)
    if as_json:
        told = cards.to_dict() | ({} if change is None else {"change": change.to_dict()})
        emit_json(told | ({} if output is None else {"written": str(output)}))
        return
    if change is None:
        story: Any = read.metrics.get("additive", {})
        _show(cards, rounded="rounding" in story)
    else:
        _show_change(cards, change)
    if output is not None:
        console().print(f"wrote {output}", soft_wrap=True)


def _refuse_without(evidence: Evidence, where: str) -> None:
    """Refuse evidence of an additive learner that has no path of attributes."""
    from scrutable.plugins import CARD_PATH

    story: Any = evidence.metrics.get("additive")
    if isinstance(story, Mapping) and CARD_PATH not in evidence.metrics:
        steps = ", ".join(str(card["steps"]) for card in story.get("path", ()))
        raise InputError(
            "there is no path of cards",
            where=where,
            got="a card with pairs of features",
            allowed="a card of attributes alone",
            fix=f"choose another card by its steps: --option steps=…, of {steps}",
        )


def _show(path: CardPath, *, rounded: bool) -> None:
    names = [figure.title for figure in path.figures]
    headers = ["", "steps", "characteristics", "variance kept", *names]
    rows = [
        [
            "→" if card is path.model else "",
            f"{card.steps:,}",
            f"{card.characteristics:,}",
            f"{card.kept:.1%}",
            *(figure.shown(card.figures[figure.name]) if card.figures else "" for figure in path.figures),
        ]
        for card in path.measured
    ]
    console().print(table(headers, rows, right=range(1, len(headers))))
    said = f"{' and '.join(names)} of the training rows; " if names else ""
    whole = " before its points were rounded, which may put steps together or choose others" if rounded else ""
    console().print(f"{said}→ is the model's card{whole}", soft_wrap=True)
    if path.about:
        console().print(f"{path.about}; {names[0]} is of the whole card", soft_wrap=True)


def _show_change(path: CardPath, change: CardChange) -> None:
    fewer = change.other.steps <= change.model.steps
    out = console()
    out.print(heading(f"From the card of {change.model.steps:,} steps to that of {change.other.steps:,}"))
    if change.merges:
        out.print(table(["characteristic", "apart", "together"], [_line(each) for each in change.merges]))
    leaves, comes = (
        ("leaves what is added", "comes to what is added") if path.about else ("leaves the card", "comes onto the card")
    )
    for feature in change.without:
        out.print(line(f"{feature!r} {leaves if fewer else comes}"))
    if path.about:
        out.print(line(f"{path.about}."))
    out.print(line(f"{change.describe()}."))
    improves = " --option improves=…" if path.about else ""
    chosen = f"--option {path.option}={change.other.steps}"
    out.print(line(f"scrutable fit … --learner {path.learner}{improves} {chosen}"))


def _line(merge: Merge) -> list[str]:
    return [merge.feature, "; ".join(merge.parts), merge.whole]
