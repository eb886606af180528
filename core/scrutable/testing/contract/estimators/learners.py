"""Checks of learners: the model is all that they learn, and everything they say is read from it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from scrutable.model import dump_evidence, dumps, fingerprint, load_evidence, loads
from scrutable.model.evaluator import differences, evaluate
from scrutable.plugins.bases.recording import recorded_class
from scrutable.testing.contract.check import Fault, deciding, enforcing, require
from scrutable.testing.contract.examples.data import (
    edge_applicants,
    fit,
    fitted,
    learns_quantities,
    quantile,
    sample_for,
)
from scrutable.testing.contract.subject import Subject


@deciding("learner", hint="leave predict, predict_proba and evaluate to the base class: they read model_")
def predictions_are_the_models(subject: Subject) -> None:
    """predict, predict_proba and evaluate say what the core evaluator says of `model_`, bit for bit."""
    learner = fitted(subject)
    rows = pd.concat([sample_for(subject).X, edge_applicants()], ignore_index=True)
    ours = evaluate(learner.model_, rows)
    differing = differences(ours.frame(), learner.evaluate(rows).frame(), ulp=0)
    require(not differing, "evaluate says other than the model", got=_first(differing))
    predicted = np.asarray(learner.predict(rows))
    if learns_quantities(subject):
        require(np.array_equal(predicted, ours.score), "predict gives other than the model's score")
        return
    require(np.array_equal(predicted, learner.classes_[ours.predicted]), "predict gives other classes than the model")
    probability = np.asarray(learner.predict_proba(rows))
    require(np.array_equal(probability, ours.class_probability), "predict_proba gives other than the model")


@deciding("learner", hint="build the model and Evidence of plain values: numbers, texts, tuples, FrozenMapping")
def model_and_evidence_round_trip(subject: Subject) -> None:
    """Model and evidence, written as JSON and read again, are equal and give the same bytes."""
    learner = fitted(subject)
    text = dumps(learner.model_)
    again = loads(text)
    require(again == learner.model_, "the model is another one after it is written and read")
    require(dumps(again) == text, "the model gives other bytes after it is written and read")
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("first.json", "second.json")]
        dump_evidence(learner.evidence_, paths[0])
        read = load_evidence(paths[0])
        dump_evidence(read, paths[1])
        require(read == learner.evidence_, "the evidence is another one after it is written and read")
        require(paths[0].read_bytes() == paths[1].read_bytes(), "the evidence gives other bytes after it is read")


@deciding("learner", hint="leave fit to the base class, which records it")
def its_origin_is_recorded(subject: Subject) -> None:
    """The model names its learner, every option and the data; the evidence names the model."""
    learner = fitted(subject)
    origin, options = learner.model_.provenance, learner.get_params(deep=False)
    require(origin.learner == recorded_class(type(learner)), "the model does not name its learner", got=origin.learner)
    missing = sorted(set(options) - set(origin.parameters))
    require(not missing, "options that the model does not record", got=missing)
    require(origin.data_fingerprint, "the model does not record which data it was learned from")
    named = learner.evidence_.model_sha256
    require(named == fingerprint(learner.model_), "the evidence is about another model", got=named)


@deciding(
    "learner",
    of=enforcing("trend"),
    hint="constrain the points of neighbouring intervals, or take trend out of enforces in the Component",
)
def trends_hold_in_the_score(subject: Subject) -> None:
    """Where it enforces trends, the score follows them as a value rises and all others stay."""
    for trend in ("ascending", "descending"):
        learner = fit(subject.make(**_with_trends(subject, {"income": trend})), sample_for(subject))
        incomes = np.linspace(0, 10_000, 201)
        row = sample_for(subject).X.dropna().iloc[[0]]
        score = learner.evaluate(row.loc[row.index.repeat(201)].assign(income=incomes)).score
        steps = np.diff(score if trend == "ascending" else -score)
        at = float(incomes[1:][steps < 0][0]) if (steps < 0).any() else None
        require(at is None, f"the score is not {trend} in income", got=f"a step the other way below {at}")


def _with_trends(subject: Subject, trends: dict[str, str]) -> dict[str, Any]:
    """Options that declare trends, of the learner's own or of the binner that it takes."""
    options = subject.parameters
    if "trends" in options:
        return {"trends": trends}
    if "binner" in options:
        return {"binner": quantile(trends=trends)}
    raise Fault("it enforces trends, and takes neither trends nor a binner that has them")


def _first(differing: dict[str, Any]) -> str:
    return "; ".join(f"{name} in row {rows[0]}" for name, rows in list(differing.items())[:3])
