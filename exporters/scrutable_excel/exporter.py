"""The exporter `excel`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Masked
from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.plugins.bases import Export, Exporter
from scrutable_excel import libreoffice, readout, workbook
from scrutable_excel.domain import EXCLUDED, held, supported
from scrutable_excel.options import ExcelOptions

FILE = "score.xlsx"

#: Rows of one workbook that LibreOffice computes; more take memory, not time.
_BLOCK = 5_000


class ExcelExporter(ExcelOptions, Exporter):
    """A model as a workbook: inputs on the left, and formulas that look points up in the model's tables.

    In LibreOffice, inside the domain that `holds` declares, scores, points, decisions, knock-outs, reasons and
    shortfalls equal the evaluator's to the last bit, and probabilities to two units in the last place. The options are
    those of `ExcelOptions`.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> exporter = ExcelExporter(rows=20)
    >>> export = exporter.export(card)
    >>> list(export.files)
    ['score.xlsx']
    >>> exporter.holds(export, {"age": [19.0, float("inf")]}).tolist()
    [True, False]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the file `score.xlsx`.

        Raises
        ------
        UnsupportedModel : points, limits or texts that a workbook cannot hold; too long formulas.
        InputError : the option `applicants` lacks a column, or has rows outside of the domain.
        """
        program = supported(model)
        columns, n_rows = ({}, 0) if self.applicants is None else _inside(model, self.applicants)
        content = workbook.write(model, program, max(self.rows, n_rows), columns, n_stored=n_rows)
        return Export(model=model, files={FILE: content}, excluded=EXCLUDED)

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Fill the rows into workbooks with the same formulas, and let LibreOffice compute them.

        Raises
        ------
        InputError : X lacks a column, or has rows outside of the domain; the workbook is another than this exporter
            writes of the model.
        PluginError : LibreOffice is not there.
        """
        if export.files.get(FILE) != self.export(export.model).files[FILE]:
            raise InputError(
                "another workbook than this exporter writes of the model",
                where=FILE,
                fix="run an export as it is, with the options that it was made with",
            )
        program = supported(export.model)
        columns, n_rows = _inside(export.model, X)
        books = []
        for start in range(0, n_rows, _BLOCK):
            rows = np.arange(start, min(start + _BLOCK, n_rows))
            part = {name: column.take(rows) for name, column in columns.items()}
            books.append(workbook.write(export.model, program, len(rows), part, read_out=True))
        cells = [row for rows in libreoffice.recalculate(books, 4, readout.SHEET) for row in rows]
        return readout.read(cells, program.names)

    def engine(self) -> str:
        """LibreOffice and its version, for example "LibreOffice 7.4.7.2"."""
        return libreoffice.version()

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows inside the declared domain, which `Export.excluded` says in words."""
        return held(*read_inputs(export.model, X))


def _inside(model: Model, X: Any) -> tuple[dict[str, Column], int]:
    """The columns that the model reads, and the number of rows, all of which are inside the domain."""
    columns, n_rows = read_inputs(model, X)
    outside = np.flatnonzero(~held(columns, n_rows))
    if len(outside):
        raise InputError(
            "a row that a workbook cannot hold",
            where=f"row {outside[0]}",
            got={name: Masked(column.values[outside[0]]) for name, column in columns.items()},
            fix="leave out the rows that `holds` says False of",
        )
    return columns, n_rows
