"""The exporter `json`."""

from __future__ import annotations

import json
from importlib import metadata
from typing import Any

from scrutable.model import Evidence, Model, dumps, json_schema, loads
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export, Exporter

MODEL = "model.json"
SCHEMA = "model.schema.json"


class JSONExporter(Exporter):
    """A model as its file and the schema of such files; every kind of model, and every row.

    Examples
    --------
    >>> from scrutable.model import *
    >>> rules = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), fallback=(Rule(when=(), outcome="good"),),
    ...     rules=(Rule(when=(Clause("age", (Interval(upper=21),)),), outcome="bad"),))
    >>> exporter = JSONExporter()
    >>> list(exporter.export(rules).files)
    ['model.json', 'model.schema.json']
    >>> exporter.run(exporter.export(rules), {"age": [19.0, 25.0, None]})["approved"].tolist()
    [0, 1, 1]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as the files `model.json` and `model.schema.json`."""
        return Export(model=model, files={MODEL: dumps(model), SCHEMA: json.dumps(json_schema(), indent=2) + "\n"})

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Read the text back, and evaluate the model that it holds.

        Raises
        ------
        ModelError : the text is not one that `scrutable.model.load` takes.
        InputError : X lacks a column.
        """
        return evaluate(loads(export.text, source=MODEL), X).frame()

    def engine(self) -> str:
        """The evaluator of this release, for example "Scrutable 0.1.0"."""
        return f"Scrutable {metadata.version('scrutable')}"
