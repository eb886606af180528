"""What was counted in a points table, beside what had to be assumed to make a model of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable.model import Scorecard
from scrutable.plugins.bases import Imported, ImportReport


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReport(ImportReport):
    """How a points table became a model.

    Parameters
    ----------
    rows, characteristics, attributes : how many there were in the table, and are in the model.
    negated : whether the model's points are the table's with the sign changed, as more points were worse.
    decimals : of the points, 0 for whole ones; None where they are not rounded.
    largest_difference : no score can differ from the sum of the table's points by more; 0 where none can.
    """

    rows: int
    characteristics: int
    attributes: int
    negated: bool
    decimals: int | None
    largest_difference: float

    def counts(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "characteristics": self.characteristics,
            "attributes": self.attributes,
            "negated": self.negated,
            "decimals": self.decimals,
            "largest_difference": self.largest_difference,
        }

    @property
    def summary(self) -> str:
        """The layout and the counts in one line."""
        counts = f"{self.rows} rows, {self.characteristics} characteristics, {self.attributes} attributes"
        return f"Layout {self.layout}: {counts}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ImportedCard(Imported):
    """A scorecard that was imported, and the report on it."""

    model: Scorecard
    report: TableReport
