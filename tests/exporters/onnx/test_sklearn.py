"""Pipelines with our estimators, converted by skl2onnx and run in onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pandas as pd
import pytest
import skl2onnx
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType, StringTensorType
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model.evaluator import differences
from scrutable.plugins.registry import registry
from scrutable_onnx.sklearn import register

from . import cards

DOUBLES = {"zipmap": False}


@pytest.fixture(autouse=True, scope="module")
def registered() -> tuple[type[Any], ...]:
    return register()


@pytest.fixture(scope="module")
def numbers() -> np.ndarray[Any, Any]:
    """Numbers that single precision holds, a tenth of them missing."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3)).astype(np.float32).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


@pytest.fixture(scope="module")
def frame(numbers: np.ndarray[Any, Any]) -> pd.DataFrame:
    """The same, with a column of texts between."""
    jobs = np.array(["cook", "clerk", "é 😀", "it's"], dtype=object)[np.random.default_rng(1).integers(0, 4, 500)]
    return pd.DataFrame({"age": numbers[:, 0], "job": jobs, "in come": numbers[:, 1]})


@pytest.fixture(scope="module")
def y(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Outcomes 0 and 1 that follow the first column."""
    noise = np.random.default_rng(2).normal(size=500)
    return (np.nan_to_num(numbers[:, 0]) + noise > 0).astype(int)


def edges(X: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Rows with infinities, and every value a double up."""
    return np.concatenate(
        [X, np.nextafter(X, np.inf), np.full((1, X.shape[1]), np.inf), -np.full((1, X.shape[1]), np.inf)]
    )


def run(onx: Any, feeds: Any) -> list[Any]:
    """The outputs for an array, or for the columns of a frame as inputs of their own."""
    session = onnxruntime.InferenceSession(onx.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    if isinstance(feeds, pd.DataFrame):
        parts = [feeds[[name]].to_numpy(dtype=object if name == "job" else float) for name in feeds]
    else:
        parts = [feeds]
    return list(session.run(None, dict(zip(names, parts, strict=True))))


def check(pipeline: Any, rows: Any, found: list[Any]) -> None:
    """Labels are the pipeline's, and probabilities of the favourable class within two units in the last place."""
    assert (found[0] == pipeline.predict(rows)).all()
    expected = pipeline.predict_proba(rows)
    assert found[1].dtype == np.float64
    assert differences({"probability": expected[:, 1]}, {"probability": found[1][:, 1]}) == {}
    np.testing.assert_allclose(found[1], expected, atol=1e-15, rtol=0)


def convert(pipeline: Any, sample: Any, options: Any = None, **more: Any) -> Any:
    last = pipeline.steps[-1][1]
    return skl2onnx.to_onnx(pipeline, sample, options={id(last): options or DOUBLES}, **more)


def test_every_binner_and_learner_that_is_installed_is_registered(registered: tuple[type[Any], ...]) -> None:
    expected = {registry().load(kind, name) for kind in ("binner", "learner") for name in registry().names(kind)}
    assert expected <= set(registered)


@pytest.mark.parametrize("encoding", ["woe", "index"])
def test_a_binner_before_a_logistic_regression(
    encoding: str, numbers: np.ndarray[Any, Any], y: np.ndarray[Any, Any]
) -> None:
    pipeline = make_pipeline(create("binner", "quantile", encoding=encoding), LogisticRegression()).fit(numbers, y)
    rows = edges(numbers)
    found = run(convert(pipeline, numbers[:1]), rows)
    assert (found[0] == pipeline.predict(rows)).all()
    np.testing.assert_allclose(found[1], pipeline.predict_proba(rows), atol=1e-6)


@pytest.mark.parametrize("encoding", ["woe", "index"])
def test_a_binner_alone_is_exact(encoding: str, frame: pd.DataFrame, y: np.ndarray[Any, Any]) -> None:
    binner = create("binner", "quantile", encoding=encoding).fit(frame, y)
    (found,) = run(skl2onnx.to_onnx(binner, frame[:1]), frame)
    expected = binner.transform(frame)
    assert found.dtype == expected.dtype
    assert (found == expected).all()


def test_a_scorecard_after_a_column_transformer(numbers: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> None:
    prepare = ColumnTransformer([("fill", SimpleImputer(), [0]), ("rest", "passthrough", [1, 2])])
    X = numbers.astype(np.float32)  # onnxruntime imputes in single precision only
    pipeline = make_pipeline(prepare, create("learner", "scorecard")).fit(X, y)
    check(pipeline, X, run(convert(pipeline, X[:1]), X))


def test_one_tensor_of_doubles(numbers: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> None:
    pipeline = make_pipeline(create("learner", "scorecard")).fit(numbers, y)
    rows = edges(numbers)
    check(pipeline, rows, run(convert(pipeline, numbers[:1]), rows))


def test_columns_of_texts_and_numbers_of_their_own(frame: pd.DataFrame, y: np.ndarray[Any, Any]) -> None:
    labels = np.where(y, "good", "bad")
    pipeline = Pipeline([("score", create("learner", "scorecard"))]).fit(frame, labels)
    types = [
        ("age", DoubleTensorType([None, 1])),
        ("job", StringTensorType([None, 1])),
        ("income", DoubleTensorType([None, 1])),
    ]
    onx = skl2onnx.convert_sklearn(pipeline, initial_types=types, options={id(pipeline.steps[0][1]): DOUBLES})
    unseen = frame.assign(job=np.where(frame["age"] > 1, "Cook", frame["job"]))
    check(pipeline, unseen, run(onx, unseen))


def test_several_columns_of_texts_in_one_tensor(frame: pd.DataFrame, y: np.ndarray[Any, Any]) -> None:
    texts = pd.DataFrame({"job": frame["job"], "again": frame["job"].iloc[::-1].to_numpy()})
    pipeline = make_pipeline(create("learner", "scorecard", select=None)).fit(texts, y)
    onx = skl2onnx.convert_sklearn(
        pipeline, initial_types=[("X", StringTensorType([None, 2]))], options={id(pipeline.steps[0][1]): DOUBLES}
    )
    check(pipeline, texts, run(onx, texts.to_numpy(dtype=object)))


def test_booleans_are_labels_0_and_1(numbers: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> None:
    pipeline = make_pipeline(create("learner", "scorecard")).fit(numbers, y.astype(bool))
    label, _ = run(convert(pipeline, numbers[:1]), numbers)
    assert label.dtype == np.int64
    assert (label == pipeline.predict(numbers)).all()


def test_the_other_shapes_of_probabilities(numbers: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> None:
    pipeline = make_pipeline(create("learner", "scorecard")).fit(numbers, y)
    expected = pipeline.predict_proba(numbers)
    label, maps = run(convert(pipeline, numbers[:1], {"zipmap": True}), numbers)
    assert (label == pipeline.predict(numbers)).all()
    np.testing.assert_allclose([each[1] for each in maps], expected[:, 1], rtol=1e-6)
    _, bad, good = run(convert(pipeline, numbers[:1], {"zipmap": "columns"}), numbers)
    np.testing.assert_allclose(np.stack([bad, good], axis=1), expected, rtol=1e-12)


def holding(model: Any, rows: pd.DataFrame) -> Any:
    """A fitted learner that holds a given model, which reads these columns."""
    learner = create("learner", "scorecard").fit(rows, ["good", "bad"] * (len(rows) // 2))
    learner.model_, learner.classes_ = model, np.array(model.outcome.classes)
    return learner


@pytest.fixture
def mixed() -> pd.DataFrame:
    """Rows at the edges of the shared models; none lacks a text, since a converted pipeline knows no missing text."""
    incomes = [0.1, np.nextafter(0.1, 1), np.nan, -9.0, np.inf, -101.0]
    return pd.DataFrame({"income": incomes * 2, "job": ["cook"] * 6 + ["other"] * 6})


@pytest.mark.parametrize(
    "model",
    [cards.card(), cards.rules(), cards.three_classes(), cards.trees()],
    ids=["card", "rules", "three classes", "trees"],
)
def test_models_of_every_kind(model: Any, mixed: pd.DataFrame) -> None:
    learner = holding(model, mixed)
    types = [("income", DoubleTensorType([None, 1])), ("job", StringTensorType([None, 1]))]
    onx = skl2onnx.convert_sklearn(learner, initial_types=types, options={id(learner): DOUBLES})
    check(learner, mixed, run(onx, mixed))


def test_what_cannot_be_converted_is_refused(mixed: pd.DataFrame) -> None:
    learner = holding(cards.card(), mixed)
    numeric, texts = ("income", FloatTensorType([None, 1])), ("job", StringTensorType([None, 1]))
    with pytest.raises(UnsupportedModel, match=r"column 'job': an input of another type.*got 'FloatTensorType'"):
        skl2onnx.convert_sklearn(learner, initial_types=[("X", FloatTensorType([None, 2]))])
    with pytest.raises(InputError, match=r"other columns than the estimator was fitted on; got \[1\]"):
        skl2onnx.convert_sklearn(learner, initial_types=[texts])
    with pytest.raises(UnsupportedModel, match=r"domain '': .*got 12; allowed: 13 or later"):
        skl2onnx.convert_sklearn(learner, initial_types=[numeric, texts], target_opset=12)


def test_a_regression_scorecard_in_a_pipeline(frame: pd.DataFrame, numbers: np.ndarray[Any, Any]) -> None:
    amounts = np.nan_to_num(numbers[:, 0]) * 3 + (frame["job"] == "cook")
    pipeline = Pipeline([("predict", create("learner", "scorecard-regressor"))]).fit(frame, amounts)
    types = [
        ("age", DoubleTensorType([None, 1])),
        ("job", StringTensorType([None, 1])),
        ("income", DoubleTensorType([None, 1])),
    ]
    (found,) = run(skl2onnx.convert_sklearn(pipeline, initial_types=types), frame)
    assert found.dtype == np.float64
    assert found.shape == (500, 1)
    assert found[:, 0].tolist() == pipeline.predict(frame).tolist()
    of_singles = make_pipeline(create("learner", "scorecard-regressor", binner="quantile")).fit(numbers, amounts)
    X = numbers.astype(np.float32)
    (found,) = run(skl2onnx.to_onnx(of_singles, X[:1]), X)
    assert found[:, 0].tolist() == of_singles.predict(X).tolist()
