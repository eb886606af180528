"""Options that several commands share, as Typer reads them, and the configuration that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import typer

from scrutable.cli.grouping import FORM, check_reference, parse_probabilities
from scrutable.cli.output import console, emit_json, say_weighted
from scrutable.cli.reading import told
from scrutable.data.config import DataConfig, SplitConfig
from scrutable.data.grouped import FLAG
from scrutable.plugins.choices import Choice, choice, parse_choice, parse_names
from scrutable.writing.files import write_all

__all__ = [
    "CHOICE",
    "DATA",
    "FRONTIER",
    "MEASURES",
    "MODEL",
    "OUTPUT",
    "RATIO_HELP",
    "Accepted",
    "AllowProtected",
    "AsJson",
    "BinnerName",
    "BinnerOption",
    "Constraint",
    "Data",
    "DateColumn",
    "Drop",
    "EditsFile",
    "Ending",
    "Favourable",
    "FurtherRates",
    "Identifier",
    "Indeterminate",
    "LearnerName",
    "LearnerOption",
    "Margin",
    "ModelFile",
    "NoPicture",
    "OutOfTime",
    "OutputFolder",
    "Overwrite",
    "Protected",
    "ProtectedProbabilities",
    "Ratio",
    "Reference",
    "RequiredRatio",
    "ReviewedTestSize",
    "Seed",
    "Target",
    "Weight",
    "WhichRatio",
    "binner_choice",
    "constraint_choices",
    "data_config",
    "reviewed_split",
]

DATA = "Data"
MODEL = "Model"
MEASURES = "Split and report"
OUTPUT = "Output"
CHOICE = "Choice"

#: The picture that a search and a comparison write into their folder.
FRONTIER = "frontier.svg"


class _Result(Protocol):
    """What a call gave, as plain values."""

    def to_dict(self) -> dict[str, Any]: ...


R = TypeVar("R", bound=_Result)


class WhichRatio(StrEnum):
    """Kinds of `scrutable.fairness.judged_ratio.RatioKind`."""

    FOUR_FIFTHS = "four-fifths"
    ADVERSE_IMPACT = "adverse-impact"


#: Which ratio of approval rates is judged, in words.
RATIO_HELP = "four-fifths: lowest approval rate by the highest; adverse-impact: each group's by its reference's."

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
LearnerName = Annotated[str, typer.Option(help="A learner's name.", rich_help_panel=MODEL)]
LearnerOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Option of the learner; values are JSON or text, lists also as a,b.",
        rich_help_panel=MODEL,
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
ReviewedTestSize = Annotated[
    float | None,
    typer.Option(
        "--test-size",
        help="Show only the rows that a fit with this --test-size and --seed learns from; all rows if not given.",
        rich_help_panel=MEASURES,
    ),
]
BinnerName = Annotated[str | None, typer.Option(help="A binner's name.", rich_help_panel=MODEL)]
BinnerOption = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="Option of the binner.", rich_help_panel=MODEL)
]
AllowProtected = Annotated[
    list[str] | None,
    typer.Option(
        help="Input that may be a protected attribute, or tell one. Repeatable.",
        rich_help_panel=DATA,
    ),
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
Constraint = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME:KEY=VALUE,…",
        help="Fairness constraint with its options, for example "
        "opportunity:slack=0.05,attributes=sex,race. Repeatable; scrutable plugins show NAME lists them.",
        rich_help_panel=MODEL,
    ),
]
RequiredRatio = Annotated[
    float,
    typer.Option("--require", help="Smallest ratio of approval rates between groups.", rich_help_panel=CHOICE),
]
Ratio = Annotated[WhichRatio, typer.Option("--ratio", help=RATIO_HELP, rich_help_panel=CHOICE)]
Margin = Annotated[
    float | None,
    typer.Option(
        help="How far the ratio must lie above it; if not given, the low end of its 90% interval must reach it.",
        rich_help_panel=CHOICE,
    ),
]
FurtherRates = Annotated[
    list[float] | None,
    typer.Option("--at", metavar="RATE", help="Measure at this approval rate too. Repeatable.", rich_help_panel=CHOICE),
]
Seed = Annotated[int, typer.Option(help="Seed of the split and the bootstrap.", rich_help_panel=MEASURES)]
OutputFolder = Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.", rich_help_panel=OUTPUT)]
NoPicture = Annotated[bool, typer.Option("--no-picture", help=f"Leave {FRONTIER} out.", rich_help_panel=OUTPUT)]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files.", rich_help_panel=OUTPUT)]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.", rich_help_panel=OUTPUT)]


def data_config(
    source: Path,
    target: str,
    favourable: str | None = None,
    protected: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    identifier: str | None = None,
    weight: str | None = None,
    reference: Sequence[str] | None = None,
    protected_probabilities: Sequence[str] | None = None,
    **further: str | None,
) -> DataConfig:
    """What the options say of the data.

    Parameters
    ----------
    further : other columns of the configuration as they are: `indeterminate`, `accepted`, `date`.

    Raises
    ------
    InputError : a reference group without a protected attribute, or an option that cannot be read.
    """
    check_reference(reference, protected, protected_probabilities, "--reference")
    stated: dict[str, Any] = asdict(told()) | further
    return DataConfig(
        **stated,
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


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a command ends: by files, which may replace others, and by JSON or text on standard output."""

    overwrite: Overwrite = False
    as_json: AsJson = False

    def tell(
        self, result: R, contents: Mapping[str, str | bytes], show: Callable[[R], None], *, weight: str | None = None
    ) -> None:
        """Write the files, and what came out: as JSON with the files' names, or as it is shown.

        Parameters
        ----------
        contents : by path.
        show : prints the result.
        weight : column of sample weights, which is mentioned.
        """
        write_all(contents, overwrite=self.overwrite)
        if self.as_json:
            emit_json({**result.to_dict(), "written": list(contents)})
            return
        say_weighted(weight)
        show(result)
        for path in contents:
            console().print(f"wrote {path}", soft_wrap=True)


def binner_choice(name: str | None, options: Sequence[str] | None, default: Callable[[], str]) -> Choice | None:
    """The binner that the options name, or, where they only have options for it, the default one."""
    if name is None and not options:
        return None
    return choice(name or default(), options or (), "--binner-option")


def reviewed_split(test_size: float | None, seed: int, out_of_time: str | None) -> SplitConfig:
    """The split whose rows to learn from are reviewed; nothing is held out where the options say nothing."""
    if test_size is None and out_of_time is not None:
        return SplitConfig(seed=seed, out_of_time=out_of_time)
    return SplitConfig(test_size=test_size or 0.0, seed=seed, out_of_time=out_of_time)


def constraint_choices(texts: Sequence[str] | None) -> tuple[Choice, ...]:
    """The constraints that the options name."""
    return tuple(parse_choice(text, "--constraint") for text in texts or ())
