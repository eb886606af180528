"""Options that both commands have, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from scrutable.cli.options import (
    DATA,
    MEASURES,
    Accepted,
    Data,
    DateColumn,
    Drop,
    Favourable,
    Identifier,
    Indeterminate,
    OutOfTime,
    Protected,
    ProtectedProbabilities,
    Reference,
    Seed,
    Target,
    Weight,
    data_config,
)
from scrutable.data import SplitConfig

if TYPE_CHECKING:
    from scrutable.data import DataConfig

ReviewedTestSize = Annotated[
    float | None,
    MEASURES.option(
        "--test-size",
        help="Show only the rows that a fit with this --test-size and --seed learns from; all rows if not given.",
    ),
]
AllowProtected = Annotated[
    list[str] | None, DATA.option(help="Input that may be a protected attribute, or tell one. Repeatable.")
]


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """The applicants whose bins are looked at."""

    source: Data
    target: Target
    favourable: Favourable = None
    protected: Protected = None
    protected_probabilities: ProtectedProbabilities = None
    drop: Drop = None
    allow_protected: AllowProtected = None
    identifier: Identifier = None
    weight: Weight = None
    reference: Reference = None
    indeterminate: Indeterminate = None
    accepted: Accepted = None
    date: DateColumn = None

    @property
    def config(self) -> DataConfig:
        """What is said of the data."""
        return data_config(**{name: value for name, value in vars(self).items() if name != "allow_protected"})


@dataclass(frozen=True, kw_only=True)
class LearnedFrom:
    """Which of the rows are looked at: those that a fit with the same options learns from."""

    test_size: ReviewedTestSize = None
    seed: Seed = 0
    out_of_time: OutOfTime = None

    @property
    def split(self) -> SplitConfig:
        """The split whose rows to learn from are shown."""
        if self.test_size is None and self.out_of_time is not None:
            return SplitConfig(seed=self.seed, out_of_time=self.out_of_time)
        return SplitConfig(test_size=self.test_size or 0.0, seed=self.seed, out_of_time=self.out_of_time)
