"""`scrutable show`: a model file as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from scrutable.cli.output import console, heading, printable


def show(model: Annotated[Path, typer.Argument(help="A model file.")]) -> None:
    """The points table of a scorecard, the rules of a rule set, or the questions of trees.

    The file itself is JSON, for scripts.

    Example: [bold]scrutable show model.json[/bold]
    """
    from scrutable.model import Model, SegmentedModel, load

    def parts(its: Model) -> Iterator[RenderableType]:
        if isinstance(its, SegmentedModel):
            for segment in its.segments:
                yield heading(f"Segment {printable(segment.name)}")
                yield from parts(segment.model)
            return
        yield printable(f"{its.outcome.target}: the favourable outcome is {its.outcome.favourable!r}")
        for rule in its.policy.knock_outs:
            yield printable(f"Knock-out {rule.code}: {rule.reason}")
        yield from _body(its)

    out = console()
    for part in parts(load(model)):
        out.print(part)


def _body(model: object) -> Iterator[RenderableType]:
    from scrutable.cli.card import fallback_text, rules_summary, rules_table, scorecard_table, trees_text
    from scrutable.model import RuleSet, Scorecard, TreeEnsemble

    if isinstance(model, Scorecard):
        yield scorecard_table(model)
    elif isinstance(model, RuleSet):
        yield rules_summary(model)
        yield rules_table(model)
        yield fallback_text(model)
    else:
        assert isinstance(model, TreeEnsemble)
        yield trees_text(model)
