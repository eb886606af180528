"""Options that several commands of the lifecycle share, as Typer reads them, and what they make of constraints."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from scrutable.cli.options import MODEL, OUTPUT, Panel
from scrutable.errors import InputError
from scrutable.plugins import Choice, parse_names

CHOICE = Panel("Choice")

#: The picture that a search and a comparison write into their folder.
FRONTIER = "frontier.svg"


class WhichRatio(StrEnum):
    """Kinds of `scrutable.fairness.judged_ratio.RatioKind`."""

    FOUR_FIFTHS = "four-fifths"
    ADVERSE_IMPACT = "adverse-impact"


#: Which ratio of approval rates is judged, in words.
RATIO_HELP = "four-fifths: lowest approval rate by the highest; adverse-impact: each group's by its reference's."
#: What is judged where nothing is said.
_UNSAID = "If not given, the second where --reference names one, else the first."

LearnerName = Annotated[str, MODEL.option(help="A learner's name.")]
LearnerOption = Annotated[
    list[str] | None,
    MODEL.option(metavar="KEY=VALUE", help="Option of the learner; values are JSON or text, lists also as a,b."),
]
Constraint = Annotated[
    list[str] | None,
    MODEL.option(
        metavar="NAME:KEY=VALUE,…",
        help="Fairness constraint with its options, for example "
        "opportunity:slack=0.05,attributes=sex,race. Repeatable; scrutable plugins show NAME lists them.",
    ),
]
RequiredRatio = Annotated[float, CHOICE.option("--require", help="Smallest ratio of approval rates between groups.")]
Ratio = Annotated[WhichRatio | None, CHOICE.option("--ratio", help=f"{RATIO_HELP} {_UNSAID}")]
ComparedGroups = Annotated[
    list[str] | None,
    CHOICE.option(
        "--compare-groups",
        metavar="ATTRIBUTE=GROUP,…",
        help="The groups of an attribute that are compared; all if not given. Repeatable.",
    ),
]
SmallestGroup = Annotated[
    float, CHOICE.option("--min-group-size", help="Groups of fewer (effective) rows are not compared.")
]
Margin = Annotated[
    float | None,
    CHOICE.option(
        help="How far the ratio must lie above it; if not given, the low end of its 90% interval must reach it."
    ),
]
FurtherRates = Annotated[
    list[float] | None, CHOICE.option("--at", metavar="RATE", help="Measure at this approval rate too. Repeatable.")
]
OutputFolder = Annotated[Path, OUTPUT.option("--output", "-o", help="Folder to write to.")]
NoPicture = Annotated[bool, OUTPUT.option("--no-picture", help=f"Leave {FRONTIER} out.")]


def constraint_choices(texts: Sequence[str] | None) -> tuple[Choice, ...]:
    """The constraints that the options name."""
    return tuple(Choice.parse(text, "--constraint") for text in texts or ())


def compared_groups(texts: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """The groups that the options name, by attribute.

    >>> compared_groups(["race=black,hispanic"])
    {'race': ('black', 'hispanic')}
    """
    named = parse_names(texts or (), "--compare-groups", "ATTRIBUTE=GROUP,GROUP", once="the attribute")
    return {name: tuple(groups.split(",")) for name, groups in named.items()}


def json_target(output: Path | None) -> None:
    """Refuse a file whose ending says something else than JSON.

    Raises
    ------
    InputError : another ending than .json.
    """
    if output is not None and output.suffix.lower() != ".json":
        raise InputError(
            "unknown kind of file",
            where=f"--output {str(output)!r}",
            got=output.suffix,
            allowed=".json",
            fix=f"for example --output {output.stem or 'result'}.json",
        )


def need_matplotlib(picture: str, without: str = "go without pictures") -> None:
    """Refuse a picture now where drawing it would be refused after the work.

    Parameters
    ----------
    picture : what is drawn, as the error names it.
    without : how the command works without.

    Raises
    ------
    InputError : matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise InputError(
            "a library it needs is not installed",
            where=picture,
            got="matplotlib",
            fix=f"pip install 'scrutable[plots]', or {without}",
        )
