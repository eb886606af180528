"""Exporters with a fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExporter

from scrutable.errors import UnsupportedModel
from scrutable.model.evaluator import OutputFrame


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
