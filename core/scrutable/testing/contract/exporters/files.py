"""Checks of exporters: what is written stands for the model, and is what runs."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from scrutable.errors import UnsupportedModel
from scrutable.model import DecisionModel, RegressionScorecard
from scrutable.testing.contract.check import check, failing_as, require, runs
from scrutable.testing.contract.examples.altered import altered, unlike
from scrutable.testing.contract.examples.models import models_accepted, ordinary_applicants_of
from scrutable.testing.contract.exporters.parity import engine_here, held_rows, unlike_the_model
from scrutable.testing.contract.subject import Subject

_MODELS = (*get_args(DecisionModel), RegressionScorecard)


@check("exporter", hint="write what the model is made of: points, leaf values and weights")
def files_tell_models_apart(subject: Subject) -> None:
    """Models that differ in their points alone give files that differ."""
    exporter = subject.make()
    for name, model in models_accepted(subject).items():
        try:
            files = exporter.export(model).files
            same = dict(files) == dict(exporter.export(altered(model)).files)
        except UnsupportedModel:
            continue
        require(not same, f"the files of a {name} do not depend on its points", got=list(files))


@check("exporter", of=runs, hint="start the engine on export.files; what run may ask of export.model are columns")
def what_runs_are_the_files(subject: Subject) -> None:
    """run reads the files: beside another model of the same columns they give what they give beside their own."""
    engine, exporter = engine_here(subject)
    for name, model in models_accepted(subject).items():
        try:
            export = exporter.export(model)
            exporter.export(unlike(model))  # what it kept of the last one is of another model
        except UnsupportedModel:
            continue
        kept = [key for key, value in export.settings.items() if isinstance(value, _MODELS)]
        require(
            not kept, f"the settings of the Export of a {name} hold a model, so nobody can tell what runs", got=kept
        )
        rows = held_rows(exporter, export, ordinary_applicants_of(model))
        with failing_as(f"run of the files of a {name} fails beside another model of the same columns"):
            results = exporter.run(replace(export, model=unlike(model)), rows.copy())
        wrong = unlike_the_model(model, rows, results)
        fault = f"run does not read the files of a {name}: those of another model do not give its score in {engine}"
        require("score" in results and "score" not in wrong.split(", "), fault)
        require(not wrong, f"run of a {name} asks the model beside its files in {engine}", got=wrong)
