"""What the user chooses about the workbook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scrutable.errors import InputError

#: A sheet has 1,048,576 rows; the first ones are headers.
_MOST_ROWS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ExcelOptions:
    """Options of the exporter `excel`.

    Parameters
    ----------
    rows : how many rows are prepared for applicants, with formulas; they stay empty until an applicant is filled in.
    applicants : a frame of applicants that fill the first rows, with their results stored for programs that do not
        compute; there are as many rows as applicants at least.

    Raises
    ------
    InputError : no number of rows that a sheet can have.
    """

    rows: int = 100
    applicants: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.rows) is not int or not 1 <= self.rows <= _MOST_ROWS:
            raise InputError(
                "not a number of rows that a sheet can have",
                where="option rows",
                got=self.rows,
                allowed=f"an integer from 1 to {_MOST_ROWS:,}",
                fix="for example rows=500",
            )
