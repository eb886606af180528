"""What cannot be used is refused with the column, the value, what is allowed and the mend; nothing is half-fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import get_tags

from scrutable import create
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError, KindError
from scrutable.plugins.decisions import CutoffWarning

ROWS = 120
X = pd.DataFrame({"age": np.arange(ROWS) % 17 + 20, "job": ["cook", "clerk", "smith"] * (ROWS // 3)})
Y = np.arange(ROWS) % 2


def refused(estimator: Any, X: Any, y: Any, match: str, kind: type[Exception] = InputError, **fit: Any) -> None:
    with pytest.raises(kind, match=match):
        estimator.fit(X, y, **fit)
    assert not hasattr(estimator, "model_")
    assert not hasattr(estimator, "binning_")


def test_empty_frame(estimator: Any) -> None:
    refused(estimator, X.iloc[:0], Y[:0], "0 sample")


def test_single_class(estimator: Any) -> None:
    refused(estimator, X, np.ones(ROWS), r"y: only one class; got 1\.0; allowed: two classes\. Fix: check the target")


def test_three_classes(estimator: Any) -> None:
    y, tags = np.arange(ROWS) % 3, get_tags(estimator).classifier_tags
    if tags is not None and tags.multi_class:
        assert estimator.fit(X, y).classes_.tolist() == [0, 1, 2]
    else:
        refused(estimator, X, y, "Only binary classification")


def test_all_missing_column(estimator: Any) -> None:
    refused(estimator, X.assign(none=np.nan), Y, "column 'none': every value is missing. Fix: leave the column out")


def test_every_unsuitable_column_is_named_at_once(estimator: Any) -> None:
    texts = [f"L{row}" for row in range(ROWS)]
    dates = pd.Series(pd.date_range("2024-01-01", periods=ROWS), index=X.index)
    match = (
        r"4 columns: .*nearly every row.* \('id', 'note'\); every value is missing \('none'\); .* \('opened'\)\. Fix"
    )
    refused(estimator, X.assign(id=texts, note=texts, none=np.nan, opened=dates), Y, match)


def test_duplicate_column_names(estimator: Any) -> None:
    twice = pd.concat([X, X["age"]], axis=1)
    refused(estimator, twice, Y, "'age'")


def test_mixed_column(estimator: Any) -> None:
    mixed = X.assign(age=pd.Series([1, "one"] * (ROWS // 2), dtype=object))
    refused(estimator, mixed, Y, "column 'age'", KindError)


def test_outcome_with_missing_values(estimator: Any) -> None:
    refused(estimator, X, np.where(Y == 1, 1.0, np.nan), "y, row 0: Input y contains NaN. Fix: drop the rows")


def test_negative_and_infinite_weights(estimator: Any) -> None:
    refused(
        estimator, X, Y, r"sample_weight: weights may not be negative; got -1\.0", sample_weight=np.full(ROWS, -1.0)
    )
    refused(estimator, X, Y, "infinity", ValueError, sample_weight=np.full(ROWS, np.inf))


def test_weights_on_one_class_only(estimator: Any) -> None:
    refused(estimator, X, Y, "sample_weight: only one class has weight", sample_weight=Y.astype(float))


def test_protected_attribute_with_one_group(estimator: Any) -> None:
    refused(estimator, X, Y, "'sex'", sensitive_features=pd.DataFrame({"sex": ["f"] * ROWS}))


def test_protected_column_among_the_inputs(estimator: Any) -> None:
    sex = pd.DataFrame({"job": X["job"]})
    match = r"column 'job': an input is a protected attribute\. Fix: .* allow_protected=\['job'\]"
    refused(estimator, X, Y, match, sensitive_features=sex)


def test_column_that_tells_a_protected_attribute(estimator: Any) -> None:
    sex = pd.DataFrame({"sex": X["job"].map({"cook": "f", "clerk": "m", "smith": "m"})})
    refused(estimator, X, Y, "column 'job': an input tells the protected attribute 'sex'", sensitive_features=sex)


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
def test_protected_columns_pass_when_allowed_by_name(learner: Any) -> None:
    sex = pd.DataFrame({"job": X["job"]})
    assert learner(allow_protected=["job"]).fit(X, Y, sensitive_features=sex).model_


def test_text_where_numbers_were_fitted(learner: Any) -> None:
    fitted = learner().fit(X.assign(income=Y * 2.0 + X["age"] % 5), Y)
    match = "column 'income': numbers when the model was fitted, text now; got 'high'; allowed: numbers or missing"
    with pytest.raises(KindError, match=match):
        fitted.predict(X.assign(income="high"))


@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"trends": {"agee": "ascending"}}, "trends: unknown column; got 'agee'. Fix: did you mean 'age'"),
        ({"trends": {"job": "ascending"}}, "trends: the column is categorical; got 'job'"),
        ({"trends": {"age": "up"}}, "trends, column 'age': unknown trend; got 'up'; allowed: 'ascending' or"),
        ({"trends": {"age": "Decreasing"}}, "Fix: write 'descending' for 'Decreasing'"),
        ({"special_codes": {"agee": [-9]}}, "special_codes: unknown column; got 'agee'"),
        ({"special_codes": {"age": ["none"]}}, "feature 'age': expected a number; got 'none'"),
        ({"special_codes": {"age": -9}}, r"special_codes, column 'age': .* got -9; allowed: a list of .*write \[-9\]"),
        ({"special_codes": "none"}, r"special_codes: .* got 'none'; allowed: a list of .*write \['none'\]"),
        ({"categorical": 5}, "categorical: a value of the wrong type; got 5; allowed: a list of text"),
        ({"categorical": [1, 2]}, r"categorical: a value of the wrong type; got \[1, 2\]; allowed: a list of text"),
        ({"categorical": "age"}, r"categorical: .* got 'age'; allowed: a list of text. Fix: write \['age'\]"),
        (
            {"cuts": {"age": -1}},
            r"cuts, column 'age': .* got -1; allowed: a list of a .*Fix: write \[-1\]",
        ),
        ({"cuts": 0}, "cuts: .* got 0; allowed: None or a mapping to a list of a finite number"),
        ({"trends": 0}, "trends: .* got 0; allowed: None or a mapping to 'ascending' or 'descending'"),
        ({"categorical": ["agee"]}, "categorical: unknown column; got 'agee'"),
        ({"favourable": 7}, r"favourable: unknown class; got 7; allowed: \[0, 1\]"),
    ],
)
def test_options_of_binners(binner: Any, option: dict[str, Any], match: str) -> None:
    refused(binner(**option), X, Y, match, ValueError)


@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"cuts": {"job": [1]}}, "cuts: the column is categorical; got 'job'"),
        ({"merges": {"age": [[1]]}}, "merges: the column is numeric; got 'age'"),
        ({"cuts": {"age": [30, 25]}}, r"column 'age': cuts must rise and be finite; got \[30\.0, 25\.0\]"),
        ({"encoding": "bins"}, "encoding: unknown encoding; got 'bins'; allowed: 'woe' or 'index'"),
    ],
)
def test_edits_of_binners(binner: Any, option: dict[str, Any], match: str) -> None:
    refused(binner(**option), X, Y, match)


@pytest.mark.parametrize("name", ["lda-xgb1", "scorecard"])
def test_cutoff_and_approval_rate_exclude_each_other(name: str) -> None:
    both = create("learner", name, cutoff=500, approval_rate=0.5)
    refused(both, X, Y, "cutoff, approval_rate: give one of the two")


def test_constraints_need_groups(german: Dataset) -> None:
    from scrutable.plugins.registry import registry

    bound = registry().create("constraint", "fairness-information-value")
    learner = registry().create("learner", "lda-xgb1", constraints=[bound])
    refused(learner, german.X, german.y, "constraints: a constraint needs to know the groups")


def test_constraints_of_another_kind_are_refused(german: Dataset) -> None:
    from scrutable.plugins.registry import registry

    parity = registry().create("constraint", "demographic-parity", slack=0.1)
    learner = registry().create("learner", "lda-xgb1", constraints=[parity])
    match = "LDAXGB1Classifier cannot keep a bound on a rate; .* allowed: divergence"
    refused(learner, german.X, german.y, match, sensitive_features=german.sensitive_features)


@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"allow_protected": ["agee"]}, "allow_protected: unknown column; got 'agee'"),
        ({"allow_protected": "age"}, r"allow_protected: .* got 'age'; allowed: a list of text. Fix: write \['age'\]"),
    ],
)
def test_options_of_learners(learner: Any, option: dict[str, Any], match: str) -> None:
    refused(learner(**option), X, Y, match)


@pytest.mark.parametrize("name", ["scorecard", "lda-xgb1"])
@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"encoding": "foo"}, "encoding: unknown encoding; got 'foo'; allowed: 'woe' or 'index'"),
        (
            {"favourable": 0},
            "binner, favourable: the binner favours another class .*; got 0; allowed: 1",
        ),
        ({"categorical": 5}, "categorical: a value of the wrong type; got 5"),
    ],
)
def test_options_of_a_binner_within_a_learner(name: str, option: dict[str, Any], match: str) -> None:
    refused(create("learner", name, binner=create("binner", "quantile", **option), favourable=1), X, Y, match)


@pytest.mark.parametrize("option", ["binner", "explainer"])
def test_components_within_a_learner_are_names_or_components(option: str) -> None:
    refused(
        create("learner", "scorecard", **{option: 5}),
        X,
        Y,
        f"{option}: a value of the wrong type; got 5; allowed: text",
    )


def test_reference_groups_need_groups() -> None:
    estimator = create("learner", "lda-xgb1", reference_groups={"sex": "f"})
    refused(estimator, X, Y, "reference_groups: there are no groups to compare; got {'sex': 'f'}")


@pytest.mark.parametrize(("cutoff", "whom"), [(1e6, "nobody"), (-1e6, "everybody")])
def test_a_cutoff_beyond_all_scores_is_told(cutoff: float, whom: str) -> None:
    with pytest.warns(CutoffWarning, match=rf"the cutoff \S+ approves {whom}: .* score from \d+"):
        create("learner", "scorecard", binner="quantile", cutoff=cutoff).fit(X, Y)
