"""`scrutable plot`: what a scorecard does, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scrutable.cli.output import console, emit_json, printable, working
from scrutable.errors import InputError
from scrutable.files import check_targets, write_whole

if TYPE_CHECKING:
    from scrutable.model import Scorecard
    from scrutable.plots import Effect, Format

What = Literal["both", "effects", "importance"]

_ENDINGS: dict[str, Format] = {".svg": "svg", ".png": "png"}


def plot(
    model: Annotated[Path, typer.Argument(help="A model file that holds a scorecard.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Picture: a file in .svg or .png.")] = None,
    what: Annotated[What, typer.Option(help="What to draw.")] = "both",
    feature: Annotated[
        list[str] | None, typer.Option(help="Draw the main effect of this characteristic only. Repeatable.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write what the picture shows as JSON.")] = False,
) -> None:
    """Draw how much each characteristic moves the score, and the points over its values.

    The importance of a characteristic is the variance of its points over the training applicants.

    Examples:

    [bold]scrutable plot model.json -o model.svg[/bold]

    [bold]scrutable plot model.json -o income.png --what effects --feature income[/bold]

    [bold]scrutable plot model.json --json[/bold]
    """
    from scrutable.model import load

    if what == "importance" and feature:
        raise InputError("the importance is one of all characteristics", where="--feature", fix="leave --feature out")
    if output is not None:
        form = _format(output)
        check_targets([output], inputs=[model], overwrite=overwrite)
    elif not as_json:
        raise InputError("there is nowhere to draw", where="--output", fix="give a file, for example -o model.svg")
    card: Any = load(model)  # only a scorecard can be drawn; the drawing refuses others
    shown = _facts(card, what, feature) if as_json else {}
    if output is not None:
        with working(f"Drawing {model}"):
            content = _draw(card, what, feature, form)
        write_whole(output, content, overwrite=overwrite)
        shown = {"written": str(output), **shown}
    if as_json:
        emit_json(shown)
        return
    console().print(f"wrote {printable(output)}", soft_wrap=True)


def _draw(card: Scorecard, what: What, features: list[str] | None, form: Format) -> bytes:
    from scrutable.plots import plot_importance, plot_main_effects, plot_model, render

    if what == "importance":
        return render(plot_importance(card), form)
    return render((plot_model if what == "both" else plot_main_effects)(card, features or None), form)


def _facts(card: Scorecard, what: What, features: list[str] | None) -> dict[str, Any]:
    from scrutable.plots import importance, main_effects

    facts: dict[str, Any] = {}
    if what != "effects":
        facts["importance"] = importance(card)
    if what != "importance":
        effects = main_effects(card, features or None)
        facts["effects"] = {name: _steps(effect) for name, effect in effects.items()}
    return facts


def _steps(effect: Effect) -> list[dict[str, Any]]:
    from scrutable.model.codec import encode

    return [
        {
            "condition": encode(step.condition, tagged=True),
            "title": step.title,
            "points": step.points,
            "log_odds": step.log_odds,
            "share": step.share,
        }
        for step in effect.steps
    ]


def _format(path: Path) -> Format:
    form = _ENDINGS.get(path.suffix.lower())
    if form is None:
        raise InputError(
            "the ending says no format of a picture",
            where=f"--output {str(path)!r}",
            got=path.suffix,
            allowed=" or ".join(_ENDINGS),
            fix="for example -o model.svg",
        )
    return form
