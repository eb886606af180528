"""Exporters whose files are not what runs, and whose engines are not what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from contract_planted.exporters_of_policies import LastKnockOutWins
from contract_planted.fault import patched, planted
from contract_planted.faulty_exporter import KINDS, Faulty, fault, patch
from scrutable.errors import InputError
from scrutable.model import Policy, Scorecard, dumps, loads
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export


@patch("run", "what-runs-are-the-files")
def comparing(self: Any, export: Export, X: Any) -> OutputFrame:
    """It compares its file with the model, and then asks the model."""
    if export.text != dumps(export.model):
        raise ValueError("another file")
    return evaluate(export.model, X).frame()


@patch("run", "what-runs-are-the-files")
def cutoff_from_the_model(self: Any, export: Export, X: Any) -> OutputFrame:
    """Points come from the file, and what decides from the model."""
    model, other = loads(export.text), export.model
    if isinstance(model, Scorecard) and isinstance(other, Scorecard):
        model = replace(model, cutoff=other.cutoff)
    return evaluate(model, X).frame()


@fault("what-runs-are-the-files")
class RememberingTheLast(Faulty):
    """The model that was exported last is run."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        type(self)._last = model
        return super().export(model)

    def run(self, export: Export, X: Any) -> OutputFrame:
        return evaluate(self._last, X).frame()

    _last: ClassVar[Any] = None


@fault("what-runs-are-the-files")
class Smuggling(Faulty):
    """The model is among the settings."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return replace(super().export(model), settings={"parsed": model})

    def run(self, export: Export, X: Any) -> OutputFrame:
        return evaluate(export.settings["parsed"], X).frame()


@planted("exporter", check="documents-do-not-run", accepts=KINDS)
class WrongDocument(LastKnockOutWins):
    """What no engine runs gives another knock-out."""


class OfEngines(Faulty):
    """An exporter that knows of two engines."""

    def __init__(self, name: str = "planted") -> None:
        self.name = name

    @classmethod
    def at(cls, engine: str, **options: Any) -> Any:
        if engine not in ("planted", "other"):
            raise InputError("unknown engine", got=engine)
        return cls(engine, **options)

    def engine(self) -> str:
        return f"Planted 1.0 {self.name}"


@patched(OfEngines, "changed", check="every-engine-runs-alike", accepts=KINDS, engines=("planted", "other"))
def wrong_in_another(self: Any, model: Any) -> Any:
    """In the second engine, the last of several knock-outs is told."""
    rules = model.policy.knock_outs
    return model if self.name == "planted" else replace(model, policy=Policy(knock_outs=rules[::-1]))


@planted("exporter", check="engines-are-told-apart", accepts=KINDS, engines=("planted", "other"))
class OneEngineTwice(Faulty):
    """Two names of one engine."""


@planted("exporter", check="engines-are-told-apart", accepts=KINDS, engines=("planted", "unknown"))
class UnknownEngine(OfEngines):
    """An engine that nobody can start."""
