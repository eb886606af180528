"""The binners on values and options at the edge: infinities, weights, what the user fixed, binners inside binners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable.model import Interval
from scrutable.plugins.registry import registry
from scrutable_lda_xgb1.binners import FIVBoundedBinner, XGB1Binner
from scrutable_lda_xgb1.learner import LDAXGB1Classifier

DATA = make_credit(3000, seed=5)


def lower_ends(binner: XGB1Binner, feature: str = "x") -> list[float]:
    return [c.lower for c in binner.binning_[feature].conditions if isinstance(c, Interval)]


@pytest.mark.parametrize(("high", "expected"), [(np.inf, np.finfo(float).max), (2.0, 2.0)])
def test_a_cut_below_infinity_is_the_largest_double(high: float, expected: float) -> None:
    x = np.where(np.arange(400) % 2, high, 1.0)
    y = np.arange(400) % 2 ^ (np.arange(400) % 16 < 2)
    assert lower_ends(XGB1Binner().fit(pd.DataFrame({"x": x}), y)) == [-np.inf, expected]


def test_no_cut_between_the_largest_double_and_infinity() -> None:
    x = np.array([1.0, np.finfo(float).max, np.inf])[np.arange(600) % 3]
    y = (np.arange(600) % 3 == 1) ^ (np.arange(600) % 20 < 2)
    assert lower_ends(XGB1Binner().fit(pd.DataFrame({"x": x}), y)) == [-np.inf, 1e308]


def test_weights_that_add_up_to_one_give_the_cuts_of_equal_weights() -> None:
    columns = DATA.X[["income", "debt_ratio"]]
    equal = XGB1Binner(max_bin=16).fit(columns, DATA.y)
    shares = XGB1Binner(max_bin=16).fit(columns, DATA.y, sample_weight=np.full(3000, 1 / 3000))
    for feature in columns:
        assert len(lower_ends(equal, feature)) > 2
        assert lower_ends(shares, feature) == lower_ends(equal, feature)


def test_rows_of_no_weight_are_as_good_as_absent() -> None:
    """A category that only they have is one never seen, not one of the worst."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": rng.choice(["a", "b"], 1000), "x": rng.normal(size=1000)})
    y = (rng.random(1000) < np.where(X["c"] == "a", 0.3, 0.7)).astype(int)
    X.loc[:199, "c"], weight = "unseen", np.repeat([0.0, 1.0], [200, 800])
    weighed = LDAXGB1Classifier().fit(X, y, sample_weight=weight).model_
    absent = LDAXGB1Classifier().fit(X[200:], y[200:]).model_
    assert weighed.characteristics == absent.characteristics


def test_cuts_of_the_user_that_break_a_bound_are_refused(simulated: Dataset) -> None:
    bound = registry().create("constraint", "fairness-information-value", bound=0.02)
    columns, groups = DATA.X[["income"]], DATA.sensitive_features
    cuts = {"income": np.quantile(columns.dropna(), [0.25, 0.5, 0.75]).tolist()}
    binner = FIVBoundedBinner(constraints=bound, cuts=cuts)
    with pytest.raises(InputError, match=r"column 'income': .*fixed cuts or merges break a bound.*0\.02"):
        binner.fit(columns, DATA.y, sensitive_features=groups)
    wide = registry().create("constraint", "fairness-information-value", bound=5.0)
    binner.set_params(constraints=wide).fit(columns, DATA.y, sensitive_features=groups)
    assert lower_ends(binner, "income")[1:] == cuts["income"]


@pytest.mark.parametrize(
    "inner", [{"trends": {"x": "ascending"}}, {"special_codes": {"x": [-9]}}, {"categorical": ["x"]}, {"favourable": 0}]
)
def test_options_of_a_binner_within_are_not_lost_in_silence(inner: dict[str, object]) -> None:
    X, y = pd.DataFrame({"x": np.arange(400) % 7}), np.arange(400) % 2
    [option] = inner
    binner = FIVBoundedBinner(binner=XGB1Binner(**inner))
    with pytest.raises(InputError, match=rf"binner: {option}: "):
        binner.fit(X, y)
    binner.set_params(**inner).fit(X, y)


def test_empty_options_of_the_learner_leave_those_of_the_binner() -> None:
    binner = XGB1Binner(trends={"income": "ascending"}, special_codes={"income": [-9]}, categorical=[])
    learner = LDAXGB1Classifier(binner=binner, trends={}, special_codes={}, categorical=[], favourable=0)
    table = learner.fit(DATA.X[["income"]], DATA.y).evidence_.binning["tables"]["income"]
    assert table["trend"] == "ascending"
    assert "special code -9" in [each["condition"] for each in table["attributes"]]


def test_a_single_name_is_no_list_of_categorical_columns() -> None:
    with pytest.raises(InputError, match=r"categorical: .* allowed: a list of text.*'income'"):
        LDAXGB1Classifier(categorical="income").fit(DATA.X[["income"]], DATA.y)


@pytest.mark.filterwarnings("ignore::scrutable.binning.mixed.MixedValueWarning")  # where good rows are asked for
def test_a_value_that_is_all_bad_keeps_its_attribute() -> None:
    """A flag of 10 % of the rows had an information value of 0, since its bin had no good rows."""
    rng = np.random.default_rng(0)
    flag = np.repeat([1, 0], [500, 4500])
    good = (rng.random(5000) < 0.7) & (flag == 0)
    text = np.where(flag == 1, "X", rng.choice(list("abc"), 5000))
    default = registry().create("binner", "optimal")
    for column in (flag, text, good.astype(int)):
        X = pd.DataFrame({"column": column})
        found, asked = (FIVBoundedBinner(min_events=least).fit(X, good.astype(int)) for least in (0, 1))
        expected = default.fit(X, good.astype(int)).binning_["column"].iv
        assert found.binning_["column"].iv == pytest.approx(expected, abs=1e-3)
        good_rows, bad_rows = asked.binning_["column"].counts
        assert ((good_rows > 0) == (bad_rows > 0)).all()
