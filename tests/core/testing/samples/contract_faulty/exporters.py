"""Exporters with a fault."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExporter

from scrutable.errors import UnsupportedModel
from scrutable.model import Scorecard, loads
from scrutable.model.evaluator import OutputFrame, evaluate


class OffByOneUlp(TinyExporter):
    """Gives the double above the score of the third row."""

    def run(self, export: Any, X: Any) -> Any:
        found = dict(super().run(export, X))
        score = found["score"].copy()
        score[2] = np.nextafter(score[2], np.inf)
        return OutputFrame({**found, "score": score})


class Escaping(TinyExporter):
    """Writes beside its folder."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        export = super().export(model)
        return replace(export, files={"../model.json": export.text})


class DictGiving(TinyExporter):
    """Gives the files without the Export."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        return super().export(model).files


class Hashing(TinyExporter):
    """Writes the hash of a text, which every process has its own of."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        export = super().export(model)
        return replace(export, files={**export.files, "hash.txt": str(hash("model"))})


class ColumnLosing(TinyExporter):
    """Leaves the decision out of its results."""

    def run(self, export: Any, X: Any) -> Any:
        return OutputFrame({name: values for name, values in super().run(export, X).items() if name != "approved"})


class Tagging(TinyExporter):
    """Remembers what it exported."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        self.last = model
        return super().export(model)


class Choosy(TinyExporter):
    """Says that it takes tree ensembles, and does not."""


class Swallowing(TinyExporter):
    """Takes whatever options it is given."""

    def __init__(self, **options: Any) -> None:
        self.options = options


class Demanding(TinyExporter):
    """Cannot be made without an address."""

    def __init__(self, address: str) -> None:
        self.address = address


class NotOne:
    """Is no exporter."""


class Drawing(TinyExporter):
    """Writes something else every time."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        return replace(super().export(model), files={"model.json": f"{np.random.default_rng().random()}"})


class Rude(TinyExporter):
    """Refuses without a word."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        try:
            return super().export(model)
        except UnsupportedModel as error:
            raise ValueError from error


class Unquoting(TinyExporter):
    """Stumbles over quotes."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        for feature in model.features:
            compile(f"'{feature.name}' + '{feature.label}'", "names", "eval")
        return super().export(model)


class Unversioned(TinyExporter):
    """Names an engine without its version."""

    def engine(self) -> str:
        return "Tiny"


class Silent(TinyExporter):
    """Leaves rows out, and does not say which."""

    def holds(self, export: Any, X: Any) -> Any:
        return np.arange(len(X)) % 2 == 0


class Unrunnable(TinyExporter):
    """Is a document that fails to say so."""

    def run(self, export: Any, X: Any) -> Any:
        raise NotImplementedError


class Exiting(TinyExporter):
    """Ends the process."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        print("so long")
        sys.exit(0)


class Rounding(TinyExporter):
    """Has an engine of integers."""

    def run(self, export: Any, X: Any) -> Any:
        model = loads(export.text)
        if isinstance(model, Scorecard):
            characteristics = tuple(
                replace(each, attributes=tuple(replace(one, points=round(one.points)) for one in each.attributes))
                for each in model.characteristics
            )
            model = replace(model, characteristics=characteristics, base_points=round(model.base_points))
        return evaluate(model, X).frame()


class FileOrdered(TinyExporter):
    """Settles ties between reasons by the order of the file."""

    def run(self, export: Any, X: Any) -> Any:
        model = loads(export.text)
        if isinstance(model, Scorecard) and model.reasons is not None:
            used = [
                attribute.reason_code or model.reasons.codes[each.feature]
                for each in model.characteristics
                for attribute in each.attributes
            ]
            order = tuple(dict.fromkeys([*used, *model.reasons.order]))
            model = replace(model, reasons=replace(model.reasons, order=order))
        return evaluate(model, X).frame()


class Meaningless(TinyExporter):
    """Writes nothing, and asks the model."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        return replace(super().export(model), files={"model.json": "nothing"})

    def run(self, export: Any, X: Any) -> Any:
        return evaluate(export.model, X).frame()


class ModelAsking(TinyExporter):
    """Writes the model, and does not read it."""

    def run(self, export: Any, X: Any) -> Any:
        return evaluate(export.model, X).frame()


class Declining(TinyExporter):
    """Holds complete rows, and says so."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        return replace(super().export(model), excluded="rows with a missing value")

    def holds(self, export: Any, X: Any) -> Any:
        return X.notna().all(axis=1).to_numpy()


class Counting(TinyExporter):
    """Counts its exports."""

    def __init__(self) -> None:
        self.exports = [0]

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        self.exports[0] += 1
        return super().export(model)


class Seeding(TinyExporter):
    """Seeds what others draw from."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        np.random.seed(0)
        return super().export(model)


class MovingIn(TinyExporter):
    """Leaves a variable in the environment."""

    def export(self, model: Any, *, evidence: Any = None) -> Any:
        os.environ["CONTRACT_FAULTY"] = "1"
        return super().export(model)
