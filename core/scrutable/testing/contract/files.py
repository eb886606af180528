"""Checks of exporters: what is written stands for the model, and is what runs."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np

from scrutable.errors import UnsupportedModel
from scrutable.model import DecisionModel, RegressionScorecard
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.proof.comparison import compare
from scrutable.testing.contract.altered import altered, unlike
from scrutable.testing.contract.check import Fault, check, require, runs, said
from scrutable.testing.contract.models import models_accepted, ordinary_applicants_of
from scrutable.testing.contract.parity import engine_here
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
        rows = ordinary_applicants_of(model)
        rows = rows[np.asarray(exporter.holds(export, rows))]
        try:
            results = exporter.run(replace(export, model=unlike(model)), rows.copy())
        except Exception as error:
            fault = f"run of the files of a {name} fails beside another model of the same columns"
            raise Fault(fault, got=said(error)) from error
        ours = evaluate(model, rows).frame()
        wanted = [column for column in ours if column in results or column == "score"]
        wrong = [
            each.name for each in compare(OutputFrame({key: ours[key] for key in wanted}), results) if each.differing
        ]
        fault = f"run does not read the files of a {name}: those of another model do not give its score in {engine}"
        require("score" not in wrong, fault)
        require(not wrong, f"run of a {name} asks the model beside its files in {engine}", got=", ".join(wrong))
