"""The exporter `pmml`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, kind_of, read_inputs
from scrutable.plugins.bases import Export, Exporter

from scrutable_interchange.pmml import engine
from scrutable_interchange.pmml.document import document
from scrutable_interchange.pmml.supported import results, supported

FILE = "scorecard.pmml"
EXCLUDED = "rows with a text that is not valid Unicode (a lone surrogate)"


class PMMLExporter(Exporter):
    """A scorecard as PMML 4.4: attributes as predicates, and in its output decision, knock-out, probability and
    ranked reason codes.

    In JPMML-Evaluator scores, decisions and reasons equal the evaluator's to the last bit, probabilities to two units
    in the last place. Points of characteristics and shortfalls are no output of a PMML Scorecard and left out. A
    missing number is null to the engine: NaN is a number to PMML, above every other.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> text = PMMLExporter().export(card).text
    >>> print(text[text.index("        <Attribute"):text.index("        <Attribute partialScore=\\"40")].rstrip())
            <Attribute partialScore="20.0">
              <SimplePredicate field="age" operator="isMissing" />
            </Attribute>
            <Attribute partialScore="10.0">
              <SimplePredicate field="age" operator="lessThan" value="25.0" />
            </Attribute>
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The scorecard as the file `scorecard.pmml`.

        Raises
        ------
        UnsupportedModel : no scorecard, reasons that PMML ranks otherwise, or texts that XML cannot hold.
        """
        scorecard = supported(model)
        excluded = EXCLUDED if any(feature.kind == "categorical" for feature in model.features) else ""
        return Export(model=model, files={FILE: document(scorecard)}, excluded=excluded, results=results(scorecard))

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows whose texts are valid Unicode."""
        columns, n_rows = read_inputs(export.model, X)
        held = np.ones(n_rows, dtype=bool)
        for column in columns.values():
            if column.kind == "categorical":
                held &= column.encodable
        return held

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Let JPMML-Evaluator evaluate the document on the rows.

        Raises
        ------
        InputError : X lacks a column.
        PluginError : the engine is not there, or stops with an error.
        """
        columns, n_rows = read_inputs(export.model, X)
        values = {name: _present(its.values, its.missing) for name, its in columns.items()}
        found = engine.evaluate(export.text, values, n_rows, export.results or ())
        return OutputFrame({name: _column(name, its) for name, its in found.items()})

    def engine(self) -> str:
        """Name and version of the engine that `run` starts."""
        return engine.version()


def _present(values: NDArray[Any], missing: NDArray[np.bool_]) -> list[Any]:
    """Values as Java gets them, None where one is missing."""
    found: list[Any] = np.where(missing, np.array(None), values.astype(object)).tolist()
    return found


def _column(name: str, values: list[Any]) -> NDArray[Any]:
    """Java's numbers and texts as Python's."""
    if kind_of(name) is np.object_:
        return np.array([None if value is None else str(value) for value in values], dtype=object)
    return np.array([float(value) for value in values], dtype=float).astype(kind_of(name))
