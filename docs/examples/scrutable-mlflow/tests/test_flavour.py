"""Models go through MLflow and come out as they were, by a store of files in a temporary folder."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import mlflow
import numpy as np
import pandas as pd
import pytest
import scrutable
import yaml
from mlflow.exceptions import MlflowException
from scrutable.errors import ModelError
from scrutable.model import Quantity, RegressionScorecard, Segment, SegmentedModel, fingerprint
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.testing import card

import scrutable_mlflow
from scrutable_mlflow import load_model, log_model, save_model, signature_of

MODULES = [each.name for each in pkgutil.walk_packages(scrutable_mlflow.__path__, "scrutable_mlflow.")]
X = pd.DataFrame(
    {"amount": [1.0, 25.0, np.nan, -7.0, 10.0], "job": ["cook", None, "x", "cook", ""], "further": range(5)},
    index=[3, 1, 4, 5, 9],
)


def segmented() -> SegmentedModel:
    thin = Segment(name="thin", model=card(), when=card().policy.knock_outs[0].when)
    return SegmentedModel(segments=(thin, Segment(name="thick", model=card())), routing=card().features[:1])


def regression() -> RegressionScorecard:
    plain = card()
    outcome = Quantity(target="loss")
    return RegressionScorecard(
        outcome=outcome, features=plain.features, characteristics=plain.characteristics, base_points=plain.base_points
    )


MODELS = {"scorecard": card(), "segmented": segmented(), "regression": regression()}


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store of files, which MLflow keeps to where it is asked for."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    yield tmp_path
    mlflow.set_tracking_uri(None)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODELS)
def test_a_logged_model_predicts_what_the_evaluator_says(name: str) -> None:
    model = MODELS[name]
    with mlflow.start_run():
        logged = log_model(model, "score", input_example=X.head(2).drop(columns="further"))
    loaded = mlflow.pyfunc.load_model(logged.model_uri)
    predicted = loaded.predict(X)
    expected = evaluate(model, X).frame()
    told = OutputFrame({name: predicted[name].to_numpy(expected[name].dtype) for name in predicted})
    assert list(predicted) == list(expected)
    assert differences(expected, _without_nan(told), ulp=0) == {}
    assert list(predicted.index) == list(X.index)
    assert load_model(logged.model_uri) == loaded.get_raw_model() == model
    assert loaded.input_example is not None


def test_the_fingerprint_is_a_tag_and_requirements_are_pinned(store: Path) -> None:
    logged = log_model(card(), "score", tags={"owner": "risk"}, registered_model_name="score")
    assert mlflow.get_logged_model(logged.model_id).tags["scrutable.fingerprint"] == fingerprint(card())
    assert mlflow.get_logged_model(logged.model_id).tags["owner"] == "risk"
    assert logged.metadata == {"scrutable.fingerprint": fingerprint(card())}
    assert logged.flavors["scrutable"]["fingerprint"] == fingerprint(card())
    assert load_model("models:/score/1") == card()
    save_model(card(), store / "saved")
    lines = (store / "saved" / "requirements.txt").read_text().split()
    assert f"scrutable=={version('scrutable')}" in lines
    assert all("==" in line for line in lines), lines


def test_nothing_is_pickled(store: Path) -> None:
    save_model(card(), store / "saved")
    assert (store / "saved" / "data" / "model.json").read_text() == scrutable.dumps(card())
    assert not [each for each in (store / "saved").rglob("*") if each.suffix in (".pkl", ".pickle", ".joblib")]
    assert yaml.safe_load((store / "saved" / "MLmodel").read_text())["signature"]["inputs"]


def test_another_model_in_the_place_of_the_one_that_was_saved_is_refused(store: Path) -> None:
    save_model(card(), store / "saved")
    scrutable.dump(replace(card(), base_points=501), store / "saved" / "data" / "model.json", overwrite=True)
    for load in (load_model, mlflow.pyfunc.load_model):
        with pytest.raises(ModelError, match="another model than was saved"):
            load(str(store / "saved"))


def test_a_changed_file_and_another_flavour_are_refused(store: Path) -> None:
    save_model(card(), store / "saved")
    file = store / "saved" / "data" / "model.json"
    file.write_text(file.read_text().replace('"base_points": 500', '"base_points": 501'))
    with pytest.raises(ModelError, match="changed after its fingerprint was taken"):
        load_model(str(store / "saved"))
    mlflow.pyfunc.save_model(str(store / "other"), loader_module="other", data_path=str(file), pip_requirements=[])
    with pytest.raises(ModelError, match="no model of Scrutable"):
        load_model(str(store / "other"))


def test_columns_are_held_to_the_signature(store: Path) -> None:
    save_model(card(), store / "saved")
    loaded = mlflow.pyfunc.load_model(str(store / "saved"))
    assert str(loaded.metadata.signature) == str(signature_of(card()))
    for wrong in (X.drop(columns="job"), X.assign(amount="many"), X.assign(amount=[1, 2, 3, 4, 5])):
        with pytest.raises(MlflowException):
            loaded.predict(wrong)
    whole = X.assign(amount=[1, 2, 3, 4, 5]).astype({"amount": float})
    assert loaded.predict(whole)["score"].tolist() == evaluate(card(), whole).score.tolist()


def _without_nan(told: OutputFrame) -> OutputFrame:
    """Codes as the evaluator gives them: pandas shows none as NaN."""
    return OutputFrame(
        {
            name: np.array([None if each != each else each for each in values], object)
            if values.dtype == object
            else values
            for name, values in told.items()
        }
    )
