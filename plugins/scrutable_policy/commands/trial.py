"""`scrutable policy test`: what rules do to applicants."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, known, picture_content, reads_data, working
from scrutable.cli.options import (
    DATA,
    OUTPUT,
    Data,
    Ending,
    Favourable,
    ModelFile,
    Part,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)
from scrutable_policy.commands.options import Columns, Rules

if TYPE_CHECKING:
    from scrutable.data import DataConfig


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """The applicants of a file, with their outcomes and groups where these are known."""

    source: Data
    target: Annotated[
        str | None,
        DATA.option(help="Column of the outcome, for bad rates; empty where it is not known."),
        Part(name="target"),
    ] = None
    favourable: Favourable = None
    protected: Protected = None
    protected_probabilities: ProtectedProbabilities = None
    weight: Weight = None
    reference: Reference = None

    @property
    def config(self) -> DataConfig:
        """What is said of the data; without a target its name is empty."""
        return data_config(**{**vars(self), "target": self.target or ""})


@reads_data
def trial(
    model: ModelFile,
    applicants: Applicants,
    *,
    rules: Rules = None,
    columns: Columns,
    picture: Annotated[Path | None, OUTPUT.option("--picture", "-o", help="Draw it: a file in .svg or .png.")] = None,
    ending: Ending,
) -> None:
    """What each rule does to applicants: whom it hits, approval and bad rate, groups; rules that clash.

    Hits are counted alone and in a rule's order; rates are those with the rule and all before it. Rules that hit
    nobody, that others cover or that contradict one another are named. Counts of few people are kept back. With --rules
    the rules of a file are tried as if they were added; no model is written.

    Examples:

    [bold]scrutable policy test ruled.json loans.csv --target paid --protected sex[/bold]

    [bold]scrutable policy test model.json loans.csv --rules rules.toml --picture effect.svg[/bold]
    """
    check_outputs(picture, (), [model, applicants.source, rules], overwrite=ending.overwrite)
    with working(f"Reading {applicants.source}"):
        from scrutable.cli import read_model
        from scrutable_policy.commands.effect_tables import show_effect
        from scrutable_policy.rules_file import read_rules
        from scrutable_policy.trying import try_rules

        effect = try_rules(
            read_model(model),
            applicants.source,
            applicants.config,
            rules=() if rules is None else read_rules(rules),
            dictionary=known(),
            **columns.said(),
        )
    ending.tell(effect, picture_content(picture, effect.plot), show_effect, weight=applicants.weight)
