"""Options that several commands share, as Typer reads them, and the configuration that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import typer

from scrutable.cli.evidence_files import EvidenceFiles
from scrutable.cli.help_panels import DATA, MEASURES, MODEL, OUTPUT, Panel
from scrutable.cli.known_columns import APPLICANTS, Part, known
from scrutable.cli.output import console, emit_json, say_weighted
from scrutable.cli.protected_options import FORM, check_reference, parse_probabilities, parse_references
from scrutable.cli.reading import told
from scrutable.data.config import DataConfig
from scrutable.data.grouped import FLAG
from scrutable.plugins.choices import Choice
from scrutable.writing.files import write_all

__all__ = [
    "APPLICANTS",
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
    "Ending",
    "Engine",
    "EvidenceFiles",
    "Favourable",
    "Identifier",
    "Indeterminate",
    "ModelFile",
    "OutOfTime",
    "Overwrite",
    "Panel",
    "Part",
    "Protected",
    "ProtectedProbabilities",
    "ReadByConditions",
    "Reference",
    "Seed",
    "Target",
    "Weight",
    "binner_choice",
    "data_config",
]


class _Result(Protocol):
    """What a call gave, as plain values."""

    def to_dict(self) -> dict[str, Any]: ...


R = TypeVar("R", bound=_Result)


ModelFile = Annotated[Path, typer.Argument(help="A model file.")]
Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="A data file of applicants: CSV, Excel, Stata, SAS, Parquet or a query; loans-*.csv names several.",
    ),
    APPLICANTS,
]
Target = Annotated[
    str, DATA.option(help="Column of the outcome; needed, unless a dictionary names it."), Part(name="target")
]

Favourable = Annotated[
    str | None,
    DATA.option(
        help="The class that is good for the applicant; if not given, the model's, or the one whose label says it."
    ),
    Part(name="favourable"),
]
Protected = Annotated[
    list[str] | None,
    DATA.option(help="Protected attribute: never an input, measured by. Repeatable."),
    Part(name="protected"),
]
ProtectedProbabilities = Annotated[
    list[str] | None,
    DATA.option(
        FLAG,
        metavar=FORM,
        help="Protected attribute whose groups are not known: a column for each group, with the probability that the "
        "row belongs to it. Never an input. Repeatable.",
    ),
    Part(name="protected_probabilities"),
]
ReadByConditions = Annotated[
    list[str] | None,
    typer.Option(
        "--feature",
        metavar="NAME=KIND[,CODE,…]",
        help="A column that conditions read and no model does: numeric or categorical, and special codes.",
    ),
]
Drop = Annotated[list[str] | None, DATA.option(help="Column that is no input. Repeatable."), Part(name="drop")]
Identifier = Annotated[str | None, DATA.option("--id", help="Column that names the row; no input."), Part(name="id")]
Weight = Annotated[str | None, DATA.option(help="Column of sample weights."), Part(name="weight")]
Engine = Annotated[
    str | None,
    DATA.option(
        metavar="NAME[:KEY=VALUE,...]",
        help="Source that works where the rows live, with its options, such as memory_limit=4GB,threads=2.",
    ),
]
Reference = Annotated[
    list[str] | None,
    DATA.option(
        metavar="ATTRIBUTE=GROUP", help="Group that the others are compared with; the largest if not given. Repeatable."
    ),
    Part(name="reference"),
]
Indeterminate = Annotated[
    str | None, DATA.option(help="Class that is neither good nor bad: not learned from, counted.")
]
Accepted = Annotated[
    str | None,
    DATA.option(help="Column that says who was accepted; the others have no outcome. No input."),
    Part(name="accepted"),
]
DateColumn = Annotated[str | None, DATA.option("--date", help="Column of dates; no input."), Part(name="date")]
OutOfTime = Annotated[
    str | None,
    MEASURES.option(
        metavar="DATE|SHARE",
        help="Hold out the rows from this date on, or this share of the latest, instead; with --date.",
    ),
]
BinnerName = Annotated[str | None, MODEL.option(help="A binner's name.")]
BinnerOption = Annotated[list[str] | None, MODEL.option(metavar="KEY=VALUE", help="Option of the binner.")]
EditsFile = Annotated[
    Path | None,
    MODEL.option(
        "--edits", metavar="REVIEW.toml", help="Edits of the bins that the binner replays: the file of a review."
    ),
]
Seed = Annotated[int, MEASURES.option(help="Seed of the split and the bootstrap.")]
Overwrite = Annotated[bool, OUTPUT.option("--overwrite", help="Replace files.")]
AsJson = Annotated[bool, OUTPUT.option("--json", help="Write JSON.")]


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
    stated: dict[str, Any] = vars(told()) | further
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
        reference=parse_references(reference),
        labels={} if (dictionary := known()) is None else dictionary.labels,
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
    return Choice.of(name or default(), options or (), "--binner-option")
