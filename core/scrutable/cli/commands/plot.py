"""`scrutable plot`: what a scorecard or a rule set does, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

import typer

from scrutable.cli.output import console, emit_json, working
from scrutable.cli.pictures import picture_format
from scrutable.cli.reading import reads_data
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.model import RuleSet
    from scrutable.plots import Effect, Format

What = Literal["both", "effects", "importance"]


@reads_data
def plot(
    model: Annotated[Path, typer.Argument(help="A model file that holds a scorecard or a rule set.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Picture: a file in .svg or .png.")] = None,
    what: Annotated[What | None, typer.Option(help="What to draw of a scorecard; both if not given.")] = None,
    feature: Annotated[
        list[str] | None, typer.Option(help="Draw the main effect of this characteristic only. Repeatable.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Applicants to draw the coverage of a rule set on: a CSV or Parquet file.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write what the picture shows as JSON.")] = False,
) -> None:
    """Draw how much each characteristic moves the score, and the points over its values; of a rule set the weights.

    The importance of a characteristic is the variance of its points over the training applicants. With --data, a rule
    set is drawn as the weight of its rules over the share of applicants that they cover, and the rules per applicant.

    Examples:

    [bold]scrutable plot model.json -o model.svg[/bold]

    [bold]scrutable plot model.json -o income.png --what effects --feature income[/bold]

    [bold]scrutable plot rules.json -o coverage.svg --data applicants.csv[/bold]

    [bold]scrutable plot model.json --json[/bold]
    """
    if what == "importance" and feature:
        raise InputError("the importance is one of all characteristics", where="--feature", fix="leave --feature out")
    if output is not None:
        form = picture_format(output, "--output")
        inputs = [model] if data is None else [model, data]
        check_targets([output], inputs=inputs, overwrite=overwrite)
    elif not as_json:
        raise InputError("there is nowhere to draw", where="--output", fix="give a file, for example -o model.svg")
    picture = _picture(model, what, feature, data)
    shown = picture.facts() if as_json else {}
    if output is not None:
        with working(f"Drawing {model}"):
            content = picture.draw(form)
        write_whole(output, content, overwrite=overwrite)
        shown = {"written": str(output), **shown}
    if as_json:
        emit_json(shown)
        return
    console().print(f"wrote {output}", soft_wrap=True)


class _Picture(Protocol):
    """What can be drawn, or said in numbers."""

    def draw(self, form: Format) -> bytes: ...

    def facts(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class _Effects:
    """A scorecard, the only kind of model whose effects can be drawn; the drawing refuses others."""

    card: Any
    what: What
    features: list[str] | None

    def draw(self, form: Format) -> bytes:
        from scrutable.plots import plot_importance, plot_main_effects, plot_model, render

        if self.what == "importance":
            return render(plot_importance(self.card), form)
        return render((plot_model if self.what == "both" else plot_main_effects)(self.card, self.features), form)

    def facts(self) -> dict[str, Any]:
        from scrutable.plots import importance, main_effects

        facts: dict[str, Any] = {}
        if self.what != "effects":
            facts["importance"] = importance(self.card)
        if self.what != "importance":
            effects = main_effects(self.card, self.features)
            facts["effects"] = {name: _steps(effect) for name, effect in effects.items()}
        return facts


@dataclass(frozen=True)
class _Rules:
    """A rule set, and the applicants to count on."""

    rules: RuleSet
    applicants: pd.DataFrame | None

    def draw(self, form: Format) -> bytes:
        from scrutable.plots import plot_coverage, plot_rules, render

        figure = plot_rules(self.rules) if self.applicants is None else plot_coverage(self.rules, self.applicants)
        return render(figure, form)

    def facts(self) -> dict[str, Any]:
        from scrutable.model.rulesets import fallback_sentences, read_rules, rule_set_figures

        return {
            "figures": rule_set_figures(self.rules, self.applicants).to_dict(),
            "rules": [each.to_dict() for each in read_rules(self.rules, self.applicants)],
            "fallback": list(fallback_sentences(self.rules)),
        }


def _picture(path: Path, what: What | None, features: list[str] | None, data: Path | None) -> _Picture:
    from scrutable.cli.tables import read_model, read_model_and_data
    from scrutable.model import RuleSet

    model = read_model(path)
    if not isinstance(model, RuleSet):
        if data is not None:
            raise InputError("only the coverage of rules is counted on applicants", where="--data", fix="leave it out")
        return _Effects(model, what or "both", features or None)
    for option, given in (("--what", what), ("--feature", features)):
        if given:
            raise InputError("a rule set has no characteristics", where=option, got=given, fix="leave it out")
    return _Rules(model, None if data is None else read_model_and_data(path, data, None)[1])


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
