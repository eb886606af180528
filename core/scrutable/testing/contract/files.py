"""Checks of exporters: what is written stands for the model, and is what runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from scrutable.bases import Export, Exporter
from scrutable.errors import UnsupportedModel
from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.altered import altered
from scrutable.testing.contract.check import check, require, runs
from scrutable.testing.contract.models import models_accepted, ordinary_applicants_of
from scrutable.testing.contract.parity import engine_here
from scrutable.testing.contract.subject import Subject


@check("exporter", hint="write what the model is made of: points, leaf values and weights")
def files_tell_models_apart(subject: Subject) -> None:
    """Models that differ in their points alone give files that differ."""
    for name, _, first, second in _pairs(subject, subject.make()):
        same = dict(first.files) == dict(second.files)
        require(not same, f"the files of a {name} do not depend on its points", got=list(first.files))


@check("exporter", of=runs, hint="start the engine on export.files; what run may ask of export.model are columns")
def what_runs_are_the_files(subject: Subject) -> None:
    """run reads the files: with those of another model it gives that model's score, or an error."""
    engine, exporter = engine_here(subject)
    for name, model, first, second in _pairs(subject, exporter):
        rows = ordinary_applicants_of(model)
        rows = rows[np.asarray(exporter.holds(first, rows))]
        try:
            found = exporter.run(replace(second, files=first.files), rows)
        except Exception:  # as good: it notices that the files are another model's
            continue
        score = np.asarray(found.get("score", ()))
        same = np.array_equal(score, evaluate(model, rows).frame()["score"])
        require(
            same, f"run does not read the files of a {name}: those of another model do not give its score in {engine}"
        )


def _pairs(subject: Subject, exporter: Exporter) -> Iterator[tuple[str, Model, Export, Export]]:
    """Each model that it accepts, its export, and that of one with other points."""
    for name, model in models_accepted(subject).items():
        try:
            yield name, model, exporter.export(model), exporter.export(altered(model))
        except UnsupportedModel:
            continue
