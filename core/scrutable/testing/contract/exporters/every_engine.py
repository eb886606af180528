"""Checks of exporters: each engine that the descriptor names is one, and gives what the evaluator gives."""

from __future__ import annotations

from scrutable.errors import ScrutableError, UnsupportedModel
from scrutable.model import Model, SegmentedModel
from scrutable.plugins.bases import Exporter
from scrutable.testing.contract.check import check, require, runs
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import rows_to_run
from scrutable.testing.contract.exporters.parity import engines_here, require_alike
from scrutable.testing.contract.subject import Subject

#: A name that no engine has.
_NO_ENGINE = "no-such-engine"
#: As many models as an engine runs that is not the first.
_MODELS = 3


@check("exporter", of=runs, hint="name each engine once, by a name that `at` takes")
def engines_are_told_apart(subject: Subject) -> None:
    """Every engine that its descriptor names is known to it, and none is another by a second name."""
    names = subject.component.engines
    require(len(set(names)) == len(names), "its descriptor names an engine twice", got=names)
    unknown = _refusal(subject, _NO_ENGINE)
    for name in names:
        require(unknown is None or _refusal(subject, name) != unknown, f"it does not know its own engine {name!r}")
    started: dict[str, str] = {}
    for name, exporter in engines_here(subject):
        first = started.setdefault(exporter.engine(), name)
        require(first == name, f"its engines {first!r} and {name!r} are one", got=exporter.engine())


@check("exporter", of=runs, hint="look at what depends on the engine: its numbers, its order of texts, its functions")
def every_engine_runs_alike(subject: Subject) -> None:
    """Each further engine that is on this machine gives what the evaluator gives, too."""
    for engine, exporter in engines_here(subject)[1:]:
        for name, model in _models(subject, exporter):
            require_alike(engine, exporter, f"the random {name}", model, rows_to_run(model))


def _models(subject: Subject, exporter: Exporter) -> list[tuple[str, Model]]:
    """A model of segments, which are of all kinds, where it exports one; else the first few."""
    models: list[tuple[str, Model]] = []
    for name, model in random_models_accepted(subject).items():
        try:
            exporter.export(model)
        except UnsupportedModel:
            continue
        if isinstance(model, SegmentedModel):
            return [(name, model)]
        models.append((name, model))
    return models[:_MODELS]


def _refusal(subject: Subject, engine: str) -> str | None:
    """What an error says of an engine that it names as what it got; None where none does."""
    try:
        subject.load().at(engine, **subject.options)
    except ScrutableError as error:
        return error.what if error.got is not None and engine in str(error.got) else None
    return None
