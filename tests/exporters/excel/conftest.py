"""LibreOffice, where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scrutable.data.frames import as_table
from scrutable.errors import PluginError
from scrutable.model import Scorecard
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable_excel import libreoffice, readout, workbook
from scrutable_excel.card import Card
from scrutable_excel.columns import Layout

RunAll = Callable[[Sequence[tuple[Scorecard, Any]]], list[OutputFrame]]


@pytest.fixture(scope="session")
def soffice() -> str:
    """Path of LibreOffice; the test is skipped where it is not installed."""
    try:
        return libreoffice.program()
    except PluginError as error:
        pytest.skip(f"LibreOffice: {error}")


@pytest.fixture(scope="session")
def run_all(soffice: str) -> RunAll:
    """Computes several scorecards on rows of their own, in one start of LibreOffice, which takes seconds."""

    def run(pairs: Sequence[tuple[Scorecard, Any]]) -> list[OutputFrame]:
        books = []
        for model, rows in pairs:
            columns, n_rows = read_inputs(model, as_table(rows))
            books.append(workbook.write(model, n_rows, columns, read_out=True))
        found = libreoffice.recalculate(books, 4, readout.SHEET)
        names = [tuple(Layout(Card(model)).results) for model, _ in pairs]
        return [readout.read(cells, its) for cells, its in zip(found, names, strict=True)]

    return run
