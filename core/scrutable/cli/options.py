"""Options that several commands share, as Typer reads them, and the configuration that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli.grouping import FORM, check_reference, parse_probabilities
from scrutable.cli.reading import told
from scrutable.data.config import DataConfig
from scrutable.data.grouped import FLAG
from scrutable.plugins.choices import Choice, parse_names

__all__ = [
    "DATA",
    "MEASURES",
    "MODEL",
    "OUTPUT",
    "Accepted",
    "AsJson",
    "BinnerName",
    "BinnerOption",
    "Data",
    "DateColumn",
    "Drop",
    "EditsFile",
    "Favourable",
    "Identifier",
    "Indeterminate",
    "ModelFile",
    "OutOfTime",
    "Overwrite",
    "Protected",
    "ProtectedProbabilities",
    "Reference",
    "Seed",
    "Target",
    "Weight",
    "binner_choice",
    "data_config",
]

DATA = "Data"
MODEL = "Model"
MEASURES = "Split and report"
OUTPUT = "Output"

ModelFile = Annotated[Path, typer.Argument(help="A model file.")]
Data = Annotated[Path, typer.Argument(metavar="DATA", help="A CSV or Parquet file of applicants.")]
Target = Annotated[str, typer.Option(help="Column of the outcome.", rich_help_panel=DATA)]

Favourable = Annotated[
    str | None,
    typer.Option(
        help="The class that is good for the applicant; if not given, the model's, or the one whose label says it.",
        rich_help_panel=DATA,
    ),
]
Protected = Annotated[
    list[str] | None,
    typer.Option(help="Protected attribute: never an input, measured by. Repeatable.", rich_help_panel=DATA),
]
ProtectedProbabilities = Annotated[
    list[str] | None,
    typer.Option(
        FLAG,
        metavar=FORM,
        help="Protected attribute whose groups are not known: a column for each group, with the probability that the "
        "row belongs to it. Never an input. Repeatable.",
        rich_help_panel=DATA,
    ),
]
Drop = Annotated[list[str] | None, typer.Option(help="Column that is no input. Repeatable.", rich_help_panel=DATA)]
Identifier = Annotated[
    str | None, typer.Option("--id", help="Column that names the row; no input.", rich_help_panel=DATA)
]
Weight = Annotated[str | None, typer.Option(help="Column of sample weights.", rich_help_panel=DATA)]
Reference = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ATTRIBUTE=GROUP",
        help="Group that the others are compared with; the largest if not given. Repeatable.",
        rich_help_panel=DATA,
    ),
]
Indeterminate = Annotated[
    str | None,
    typer.Option(help="Class that is neither good nor bad: not learned from, counted.", rich_help_panel=DATA),
]
Accepted = Annotated[
    str | None,
    typer.Option(help="Column that says who was accepted; the others have no outcome. No input.", rich_help_panel=DATA),
]
DateColumn = Annotated[str | None, typer.Option("--date", help="Column of dates; no input.", rich_help_panel=DATA)]
OutOfTime = Annotated[
    str | None,
    typer.Option(
        metavar="DATE|SHARE",
        help="Hold out the rows from this date on, or this share of the latest, instead; with --date.",
        rich_help_panel=MEASURES,
    ),
]
BinnerName = Annotated[str | None, typer.Option(help="A binner's name.", rich_help_panel=MODEL)]
BinnerOption = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="Option of the binner.", rich_help_panel=MODEL)
]
EditsFile = Annotated[
    Path | None,
    typer.Option(
        "--edits",
        metavar="REVIEW.toml",
        help="Edits of the bins that the binner replays: the file of a review.",
        rich_help_panel=MODEL,
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the split and the bootstrap.", rich_help_panel=MEASURES)]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files.", rich_help_panel=OUTPUT)]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.", rich_help_panel=OUTPUT)]


def data_config(
    source: Path,
    target: str,
    favourable: str | None,
    protected: Sequence[str] | None,
    drop: Sequence[str] | None,
    identifier: str | None,
    weight: str | None,
    reference: Sequence[str] | None,
    protected_probabilities: Sequence[str] | None = None,
) -> DataConfig:
    """What the options say of the data.

    Raises
    ------
    InputError : a reference group without a protected attribute, or an option that cannot be read.
    """
    check_reference(reference, protected, protected_probabilities, "--reference")
    return DataConfig(
        **asdict(told()),
        path=str(source),
        target=target,
        favourable=favourable,
        protected=tuple(protected or ()),
        protected_probabilities=parse_probabilities(protected_probabilities),
        drop=tuple(drop or ()),
        id=identifier,
        weight=weight,
        reference=dict(parse_names(reference or (), "--reference", "ATTRIBUTE=GROUP", once="the attribute")),
    )


def binner_choice(name: str | None, options: Sequence[str] | None, default: Callable[[], str]) -> Choice | None:
    """The binner that the options name, or, where they only have options for it, the default one."""
    if name is None and not options:
        return None
    return Choice.of(name or default(), options or (), "--binner-option")
