"""The exporter `r`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import added_up, kept, lowered
from scrutable.plugins import heading_lines
from scrutable.plugins.bases import Export, Exporter
from scrutable_r import engine, package
from scrutable_r.options import ROptions
from scrutable_r.render import render

FILE = "score.R"
EXCLUDED = "rows with a text that holds NUL or is not valid Unicode (a lone surrogate)"


class RExporter(ROptions, Exporter):
    """A model as one function of base R that takes a data.frame and returns the columns of `Evaluation.frame()`.

    Scores, points, decisions, knock-outs, reasons, shortfalls and rules equal the evaluator's to the last bit;
    probabilities to two units in the last place. The options are those of `ROptions`.

    The text is ASCII and means the same in every locale. A column that is missing or of another kind than its feature
    stops the function with an error that names it.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> text = RExporter().export(card).text
    >>> print(text[text.index("    place_age <-"):text.index("    score <-")].rstrip())
        place_age <- place_of_numbers(x_age, from = c(-Inf, 25), missing = 3L)
        points_age <- c(
          10,  # < 25
          40,  # >= 25
          20  # missing
        )[place_age]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the file `score.R`, or as the files of a package, of which `R/score.R` is the first."""
        program = lowered(model)
        program = added_up(kept(program, self.names(program)))
        text = render(program, heading_lines(model), self.function_name)
        files = {FILE: text} if self.form == "file" else package.files(model, program.names, text, self)
        return Export(model=model, files=files, excluded=_excluded(model), results=program.names)

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows whose texts R can hold."""
        columns, n_rows = read_inputs(export.model, X)
        held = np.ones(n_rows, dtype=bool)
        for column in columns.values():
            if column.kind == "categorical":
                nul = np.array([text is not None and "\0" in text for text in column.coded.levels.tolist()])
                held &= column.encodable & ~nul[column.coded.codes]
        return held

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Source the text in a new R process and call the function on the rows.

        Raises
        ------
        InputError : X lacks a column.
        PluginError : Rscript is not there.
        """
        columns, n_rows = read_inputs(export.model, X)
        values = {name: column.values for name, column in columns.items()}
        job = engine.Job(text=export.text, columns=values, n_rows=n_rows)
        return engine.run([job], self.locale)[0]

    def engine(self) -> str:
        """Name and version of the R that `run` starts, for example "R 4.2.2"."""
        return f"R {engine.version()}"


def _excluded(model: Model) -> str:
    return EXCLUDED if any(feature.kind == "categorical" for feature in model.features) else ""
