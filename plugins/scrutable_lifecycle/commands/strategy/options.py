"""Options that the strategy commands share, as Typer reads them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli.options import (
    DATA,
    OUTPUT,
    Data,
    Panel,
    Part,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)

if TYPE_CHECKING:
    from scrutable.data import DataConfig

STRATEGY = Panel("Strategy")

Target = Annotated[
    str,
    DATA.option(help="Column of the outcome; empty where it is not known. Needed, unless a dictionary names it."),
    Part(name="target"),
]
Favourable = Annotated[
    str | None,
    DATA.option(help="The class that is good for the applicant; the model's if not given."),
    Part(name="favourable"),
]
Picture = Annotated[Path | None, OUTPUT.option(help="Draw it: a file in .svg or .png.")]


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """The applicants of a file, with their outcomes and groups."""

    source: Data
    target: Target
    favourable: Favourable = None
    protected: Protected = None
    protected_probabilities: ProtectedProbabilities = None
    weight: Weight = None
    reference: Reference = None

    @property
    def config(self) -> DataConfig:
        """What is said of the data."""
        return data_config(**vars(self))


class At(StrEnum):
    """Where another model decides: at its cutoff, or at the approval rate of the model that it is compared with."""

    CUTOFF = "cutoff"
    APPROVAL_RATE = "approval-rate"
