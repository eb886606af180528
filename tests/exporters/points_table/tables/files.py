"""Points tables as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl


def written(folder: Path, *rows: str, name: str = "card.csv") -> Path:
    """A text file of these rows."""
    path = folder / name
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def workbook(folder: Path, *rows: list[Any], merged: str | None = None) -> Path:
    """A workbook of these rows, in which a range of cells may be one."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    for row in rows:
        page.append(row)
    if merged:
        page.merge_cells(merged)
    path = folder / "card.xlsx"
    book.save(path)
    return path
