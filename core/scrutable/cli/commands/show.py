"""`scrutable show`: a model file as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType

from scrutable.cli.options import ModelFile
from scrutable.cli.output import console, heading
from scrutable.cli.terminal import line
from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.model import Evidence, Model
    from scrutable.model.rulesets.learned_rows import RuleSeen


@dataclass(frozen=True, slots=True)
class _Known:
    """What evidence says of a model.

    Parameters
    ----------
    lines : on how it was learned.
    seen : what each rule of a rule set did.
    below : what stands below the model.
    """

    lines: list[str] = field(default_factory=list)
    seen: tuple[RuleSeen, ...] = ()
    below: tuple[RenderableType, ...] = ()


def show(
    model: ModelFile,
    evidence: Annotated[
        Path | None,
        typer.Option(
            help="The model's evidence file: adds what its learner says, coefficients with their errors, and what "
            "each rule did."
        ),
    ] = None,
) -> None:
    """The points table of a scorecard, the rules of a rule set, or the questions of trees.

    The file itself is JSON, for scripts.

    Examples: [bold]scrutable show model.json[/bold], [bold]scrutable show rules.json --evidence evidence.json[/bold]
    """
    from scrutable.cli.tables import read_evidence, read_model
    from scrutable.model import RegressionScorecard, SegmentedModel, policy_in_words
    from scrutable.proof import sign_off_in_words

    def parts(shown: Model) -> Iterator[RenderableType]:
        if isinstance(shown, SegmentedModel):
            for segment in shown.segments:
                yield heading(f"Segment {segment.name}: {segment.describe()}")
                yield from parts(segment.model)
            return
        if isinstance(shown, RegressionScorecard):
            yield f"{shown.outcome.title}: the score is the prediction"
            yield from _body(shown, known)
            return
        yield f"{shown.outcome.target}: the favourable outcome is {shown.outcome.favourable!r}"
        yield from policy_in_words(shown)
        yield from _body(shown, known)

    whole = read_model(model)
    known = None if evidence is None else _known(whole, read_evidence(evidence, whole))
    out = console()
    for part in parts(whole):
        out.print(part)
    for part in () if known is None else known.below:
        out.print(part)
    if (signed_off := sign_off_in_words(model)) is not None:
        out.print(line(signed_off), soft_wrap=True)


def _known(model: Model, evidence: Evidence) -> _Known:
    """What evidence says of how a model was learned, and of a rule set what each rule did.

    Raises
    ------
    InputError : it says nothing of a model without rules.
    ModelError : it says something of a regression that this release cannot read.
    """
    from scrutable.cli.learner_evidence import about_learning, coefficients
    from scrutable.model import RuleSet
    from scrutable.model.rulesets.learned_rows import rules_seen

    lines = list(about_learning(model, evidence))
    if isinstance(model, RuleSet):
        return _Known(lines, rules_seen(evidence, model))
    if not lines:
        raise InputError(
            "the evidence says nothing that is shown", where="--evidence", got=type(model).__name__, fix="leave it out"
        )
    return _Known(lines, below=tuple(coefficients(model, evidence)))


def _body(model: object, known: _Known | None) -> Iterator[RenderableType]:
    from scrutable.cli.card import (
        UNSEEN,
        fallback_text,
        interaction_table,
        leaves_out,
        rules_summary,
        rules_table,
        scorecard_table,
        trees_text,
    )
    from scrutable.cli.learner_evidence import SEEN
    from scrutable.model import RegressionScorecard, RuleSet, Scorecard, TreeEnsemble

    lines, seen = ([], ()) if known is None else (known.lines, known.seen)
    if isinstance(model, Scorecard | RegressionScorecard):
        yield from lines
        yield scorecard_table(model)
        yield from (interaction_table(each, model) for each in model.interactions)
        if leaves_out(model):
            yield line(UNSEEN, style="dim")
    elif isinstance(model, RuleSet):
        yield rules_summary(model)
        yield from lines
        yield rules_table(model, seen)
        if seen:
            yield line(SEEN, style="dim")
        yield fallback_text(model)
    else:
        assert isinstance(model, TreeEnsemble)
        yield trees_text(model)
