"""Options that both commands of bins have, as Typer reads them, and the split that they make."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli.options import DATA, MEASURES
from scrutable.data import SplitConfig

ReviewedTestSize = Annotated[
    float | None,
    typer.Option(
        "--test-size",
        help="Show only the rows that a fit with this --test-size and --seed learns from; all rows if not given.",
        rich_help_panel=MEASURES,
    ),
]

AllowProtected = Annotated[
    list[str] | None,
    typer.Option(
        help="Input that may be a protected attribute, or tell one. Repeatable.",
        rich_help_panel=DATA,
    ),
]


def reviewed_split(test_size: float | None, seed: int, out_of_time: str | None) -> SplitConfig:
    """The split whose rows to learn from are reviewed; nothing is held out where the options say nothing."""
    if test_size is None and out_of_time is not None:
        return SplitConfig(seed=seed, out_of_time=out_of_time)
    return SplitConfig(test_size=test_size or 0.0, seed=seed, out_of_time=out_of_time)
