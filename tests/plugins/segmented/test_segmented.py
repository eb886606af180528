"""The learner `segmented`: each segment's model is what its learner makes of its rows, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import Interval, Missing, RuleSet, Scorecard, SegmentedModel, dumps
from scrutable.model.evaluator import evaluate

NEW = {"new": "employment_months < 24 or missing", "others": "else"}
FAST = {"binner": "quantile", "select": None}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return make_credit(1200, seed=3, missing=0.05)


def rows_of(data: Dataset) -> Any:
    return ((data.X["employment_months"] < 24) | data.X["employment_months"].isna()).to_numpy()


def fitted(data: Dataset, segments: Any = NEW, **options: Any) -> Any:
    arguments = {"options": FAST, "favourable": data.favourable, **options}
    return create("learner", "segmented", segments=segments, **arguments).fit(data.X, data.y)


def test_each_model_is_what_the_learner_makes_of_the_rows_of_its_segment(data: Dataset) -> None:
    weight = np.random.default_rng(0).integers(0, 3, len(data.y)).astype(float)
    learner = create("learner", "segmented", segments=NEW, options=FAST, favourable=data.favourable)
    learner.fit(data.X, data.y, sample_weight=weight)
    inner = create("learner", "scorecard", **FAST, favourable=data.favourable)
    new = rows_of(data)
    for segment, rows in zip(learner.model_.segments, (new, ~new), strict=True):
        alone = inner.fit(data.X[rows], data.y[rows], sample_weight=weight[rows]).model_
        assert isinstance(segment.model, Scorecard)
        assert segment.model.characteristics == alone.characteristics
        assert (segment.model.base_points, segment.model.cutoff) == (alone.base_points, alone.cutoff)
        assert segment.model.reasons == alone.reasons
    found = learner.evaluate(data.X)
    assert (found.segment == np.where(new, "new", "others")).all()
    assert (learner.predict(data.X) == data.favourable).tolist() == found.approved.tolist()


def test_the_same_rows_give_the_same_bytes(data: Dataset) -> None:
    assert dumps(fitted(data).model_) == dumps(fitted(data).model_)


def test_learners_and_options_by_segment(data: Dataset) -> None:
    rules = create("learner", "rug", max_depth=2)
    learner = fitted(
        data,
        learner={"new": rules, "others": "scorecard"},
        options={},
        segment_options={"others": {"binner": "quantile", "approval_rate": 0.5}},
    )
    models = [segment.model for segment in learner.model_.segments]
    assert [type(model) for model in models] == [RuleSet, Scorecard]
    told = learner.evidence_.metrics["segments"]["others"]
    assert told["approved"] == pytest.approx(0.5, abs=0.01)
    assert not hasattr(rules, "model_")


def test_evidence_tells_of_each_segment(data: Dataset) -> None:
    learner = fitted(data)
    new = rows_of(data)
    told = learner.evidence_.metrics["segments"]
    assert list(told) == ["new", "others"]
    assert told["new"]["when"] == "employment_months < 24 or missing"
    assert told["others"]["when"] == "everybody else"
    assert told["new"]["rows"] == new.sum()
    assert told["new"]["share"] == pytest.approx(new.mean())
    good = (data.y == data.favourable).to_numpy()
    assert told["others"]["good_rate"] == pytest.approx(good[~new].mean())
    found = evaluate(learner.model_, data.X)
    assert told["new"]["approved"] == pytest.approx(found.approved[new].mean())
    assert told["new"]["cutoff"] == learner.model_.segments[0].model.cutoff
    assert set(learner.evidence_.binning["segments"]) == {"new", "others"}


def test_a_column_that_a_segment_never_has_is_left_out_there(data: Dataset) -> None:
    X = data.X.copy()
    X.loc[rows_of(data), "bureau_score"] = np.nan
    found = create("learner", "segmented", segments=NEW, options=FAST, favourable=data.favourable).fit(X, data.y)
    read = [{feature.name for feature in segment.model.features} for segment in found.model_.segments]
    assert ["bureau_score" in names for names in read] == [False, True]
    assert found.evidence_.metrics["segments"]["new"]["empty_columns"] == ("bureau_score",)
    assert found.model_.segments[0].model.reasons.texts != found.model_.segments[1].model.reasons.texts


def test_inputs_by_segment(data: Dataset) -> None:
    learner = fitted(data, inputs={"new": ["income", "housing"]})
    read = [{feature.name for feature in segment.model.features} for segment in learner.model_.segments]
    assert read[0] == {"income", "housing"}
    left_out = learner.evidence_.metrics["segments"]["others"]["metrics"].get("without_points", ())
    assert read[1] | set(left_out) == set(data.X.columns)


def test_conditions_as_objects_and_special_codes(data: Dataset) -> None:
    X = data.X.assign(employment_months=data.X["employment_months"].fillna(-9))
    few = {"new": {"employment_months": [Interval(upper=24), Missing()]}, "others": "else"}
    found = create(
        "learner", "segmented", segments=few, options=FAST, favourable=data.favourable,
        special_codes={"employment_months": [-9]},
    ).fit(X, data.y)  # fmt: skip
    assert (found.evaluate(X).segment == np.where(data.X["employment_months"] < 24, "new", "others")).all()


def test_groups_reach_the_learners_and_memberships_too(data: Dataset) -> None:
    told = data.X.assign(told=data.sensitive_features.iloc[:, 0].astype(str))
    with pytest.raises(InputError, match="column 'told': an input tells the protected attribute"):
        create("learner", "segmented", segments=NEW, options=FAST).fit(
            told, data.y, sensitive_features=data.sensitive_features
        )
    membership = np.random.default_rng(1).uniform(0.2, 0.8, len(data.y))
    groups = Groups.from_probabilities({"race": pd.DataFrame({"a": membership, "b": 1 - membership})})
    bound = create("constraint", "fairness-information-value", bound=0.05)
    learner = create(
        "learner", "segmented", segments=NEW, learner="lda-xgb1", options={"constraints": [bound]},
        favourable=data.favourable,
    ).fit(data.X, data.y, sensitive_features=groups)  # fmt: skip
    for part in learner.evidence_.metrics["segments"].values():
        assert max(part["metrics"]["fairness_information_value"].values()) <= 0.05


def test_without_segments_there_is_one_of_all(data: Dataset) -> None:
    model = fitted(data, segments=None).model_
    assert isinstance(model, SegmentedModel)
    assert [(segment.name, segment.when) for segment in model.segments] == [("all", ())]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"segments": "x < 1"}, "segments: expected a mapping"),
    ({"segments": {"a": "income < 5", "b": "income < 9"}}, "the last segment, and no other, is 'else'.*got 'income"),
    ({"segments": {"a": "else", "b": "else"}}, "segments, 'a': the last segment, and no other"),
    ({"segments": {"a": "incom < 5", "b": "else"}}, "segment 'a': the condition reads a column.*'incom'.*'income'"),
    ({"segments": {"a": "income <", "b": "else"}}, "segment 'a', condition 'income <', the end"),
    ({"segments": {"a": "income = 'x'", "b": "else"}}, "feature 'income'"),
    ({"segments": {"a": "income < -5", "b": "else"}}, "segment 'a': too few rows.*got 0; allowed: at least 50"),
    ({"min_rows": 100_000}, "segment 'new': too few rows"),
    ({"min_rows": 0}, "min_rows"),
    ({"learner": {"new": "scorecard"}}, "^segment 'others', learner: a segment needs a learner of classes; got None"),
    ({"learner": "scorecard-regressor", "options": {}}, "a segment needs a learner of classes"),
    ({"learner": {"old": "scorecard"}}, "learner: unknown segment; got 'old'"),
    ({"segment_options": {"neu": {}}}, "segment_options: unknown segment; got 'neu'.*did you mean 'new'"),
    ({"segment_options": {"new": {"cutoff": 500, "approval_rate": 0.5}}}, "segment 'new', "),
    ({"inputs": {"new": ["incom"]}}, "inputs, segment 'new': unknown column; got 'incom'"),
    ({"inputs": {"new": []}}, "segment 'new': no input has a value"),
    ({"inputs": ["income"]}, "inputs: expected a mapping"),
    ({"options": ["binner"]}, "options: expected a mapping"),
    ({"segment_options": {"new": 5}}, "segment_options, 'new': expected a mapping"),
    ({"learner": create("learner", "scorecard"), "options": {"biner": "quantile"}},
     "segment 'new', options: unknown option; got 'biner'.*did you mean 'binner'"),
    ({"segments": {"a": np.array([1, 2]), "b": "else"}}, "segments, 'a': a value of the wrong type"),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_is_refused(data: Dataset, case: int) -> None:
    options, words = REFUSED[case]
    with pytest.raises(ValueError, match=words):
        fitted(data, **options)


def test_a_segment_of_one_outcome_is_refused(data: Dataset) -> None:
    X = data.X.assign(flag=np.where(data.y == data.favourable, 1.0, 0.0))
    learner = create("learner", "segmented", segments={"a": "flag = 1", "b": "else"}, options=FAST)
    with pytest.raises(InputError, match=r"segment 'a': all rows have the same outcome; got \[0\]"):
        learner.fit(X, data.y)


@pytest.mark.real_data
def test_thin_and_thick_files_of_heloc(data_dir: Path) -> None:
    """On real applicants, in DuckDB and SQLite: every row as the model says."""
    table = pd.read_csv(data_dir / "heloc.csv.gz", sep=r"\s+", header=None)
    X = table.iloc[:, 1:].rename(columns=lambda column: f"x{column}")
    y = table.iloc[:, 0]
    codes = [-9, -8, -7]
    learner = create(
        "learner", "segmented", segments={"thin file": "x5 < 10 or x5 is special [-9]", "thick file": "else"},
        options=FAST, special_codes=codes, favourable=0,
    ).fit(X, y)  # fmt: skip
    assert [segment.name for segment in learner.model_.segments] == ["thin file", "thick file"]
    ours = evaluate(learner.model_, X)
    for dialect in ("duckdb", "sqlite"):
        exporter = create("exporter", "sql", dialect=dialect)
        theirs = exporter.run(exporter.export(learner.model_), X)
        assert theirs["score"].tolist() == ours.frame()["score"].tolist()
        assert theirs["segment"].tolist() == ours.frame()["segment"].tolist()
        assert theirs["reason_1"].tolist() == ours.frame()["reason_1"].tolist()


def test_special_codes_and_categories_reach_the_binners_of_learners_that_leave_them_to_a_binner() -> None:
    rows = {"x": [1.0, 2.0, -9.0] * 60}
    good = [place % 10 < {1.0: 1, 2.0: 9, -9.0: 5}[value] for place, value in enumerate(rows["x"])]
    for options in (FAST, {"binner": create("binner", "quantile")}):
        learner = create("learner", "segmented", options=options, special_codes={"x": [-9.0]}, categorical=["x"])
        [segment] = learner.fit(rows, good).model_.segments
        [feature] = segment.model.features
        assert feature.special_codes == (-9.0,)
        assert not any(isinstance(each.condition, Interval) for each in segment.model.characteristics[0].attributes)
        assert FAST == {"binner": "quantile", "select": None}
