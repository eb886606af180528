"""LibreOffice, where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scrutable.data.frames import as_table
from scrutable.errors import PluginError
from scrutable.model import Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable_excel import libreoffice, readout, workbook
from scrutable_excel.domain import supported

RunAll = Callable[[Sequence[tuple[Model, Any]]], list[OutputFrame]]


@pytest.fixture(scope="session")
def soffice() -> str:
    """Path of LibreOffice; the test is skipped where it is not installed."""
    try:
        return libreoffice.program()
    except PluginError as error:
        pytest.skip(f"LibreOffice: {error}")


@pytest.fixture(scope="session")
def run_all(soffice: str) -> RunAll:
    """Computes several models on rows of their own, in one start of LibreOffice, which takes seconds."""

    def run(pairs: Sequence[tuple[Model, Any]]) -> list[OutputFrame]:
        books, names = [], []
        for model, rows in pairs:
            columns, n_rows = read_inputs(model, as_table(rows))
            program = supported(model)
            books.append(workbook.write(model, program, n_rows, columns, read_out=True))
            names.append(program.names)
        found = libreoffice.recalculate(books, 4, readout.SHEET)
        return [readout.read(cells, its) for cells, its in zip(found, names, strict=True)]

    return run
