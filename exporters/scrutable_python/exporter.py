"""The exporter `python`."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import added_up, kept, lowered
from scrutable.plugins import heading_lines
from scrutable.plugins.bases import Export, Exporter
from scrutable_python import engine
from scrutable_python.options import PythonOptions
from scrutable_python.render import render

EXCLUDED = (
    "rows with a text that is not valid Unicode (a lone surrogate), which the file takes and `run` cannot hand over"
)


class PythonExporter(PythonOptions, Exporter):
    """A model as one Python file that needs the standard library of Python 3.8 or newer, and nothing else.

    Scores, points, decisions, knock-outs, reasons, shortfalls and rules equal the evaluator's to the last bit;
    probabilities to two units in the last place. The options are those of `PythonOptions`. The file takes any row;
    `run` hands over those whose texts are valid Unicode.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> exporter = PythonExporter()
    >>> exporter.run(exporter.export(card), {"age": [19.0, 25.0, None]})["score"].tolist()
    [510.0, 540.0, 520.0]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the file `score.py`."""
        program = lowered(model)
        program = added_up(kept(program, self.names(program)))
        text = render(program, heading_lines(model), self)
        return Export(
            model=model,
            files={f"{self.module}.py": text},
            settings={"module": self.module, "function": self.function},
            results=program.names,
            excluded=EXCLUDED if any(feature.kind == "categorical" for feature in model.features) else "",
        )

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows that `run` can hand over."""
        columns, n_rows = read_inputs(export.model, X)
        texts = [column.encodable for column in columns.values() if column.kind == "categorical"]
        held: NDArray[np.bool_] = np.logical_and.reduce([np.ones(n_rows, dtype=bool), *texts])
        return held

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run the file in a Python of its own, `python -I`, with the interpreter that runs this.

        Raises
        ------
        InputError : X lacks a column.
        KindError : a column of X is of another kind than the model reads.
        """
        columns, n_rows = read_inputs(export.model, X)
        module, function = export.settings["module"], export.settings["function"]
        return engine.run(export.text, module, function, export.results or (), columns, n_rows)

    def engine(self) -> str:
        """The interpreter, for example "CPython 3.12.4"."""
        return f"{platform.python_implementation()} {platform.python_version()}"
