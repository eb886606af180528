"""`LDASearch`: the rows that it learns from and measures on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.plugins.lifecycle.search.searched import GROUPS, INPUTS, search, split

from scrutable.data.splits import hold_out
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import dumps
from scrutable_lifecycle.search import LDASearch, SearchResult


def test_the_split_keeps_the_shares_of_outcomes_and_groups(people: pd.DataFrame) -> None:
    learn, validation = split(people)
    assert len(validation) == 750
    cells = [part.groupby(["paid", *GROUPS]).size() / len(part) for part in (learn, validation)]
    assert float((cells[0] - cells[1]).abs().max()) < 2 / 750


def test_rows_of_rare_combinations_are_split_by_outcome_alone() -> None:
    outcome = np.array([0, 1] * 50)
    groups = Groups.from_frame({"area": [f"a{i}" for i in range(10)] * 9 + ["b"] * 10}, min_group_size=0)
    learn, validation = hold_out(outcome, 0.2, 3, where="", fix="", groups=groups)
    assert outcome[validation].mean() == outcome[learn].mean() == 0.5
    assert sorted([*learn, *validation]) == list(range(100))


def test_validation_rows_choose_and_do_not_teach(leaving_out: Any, people: pd.DataFrame) -> None:
    before = search(leaving_out(), people).result_
    _, validation = split(people)
    changed = people.copy()
    changed.loc[validation.index, "thrift"] = validation["thrift"].to_numpy()[::-1]
    after = search(leaving_out(), changed).result_
    assert [dumps(each.model) for each in before.candidates] == [dumps(each.model) for each in after.candidates]
    assert all(one.auc != other.auc for one, other in zip(before.candidates, after.candidates, strict=True))


def test_validation_rows_of_the_users_own(leaving_out: Any, people: pd.DataFrame) -> None:
    learn, validation = split(people)
    split_inside = search(leaving_out(), people).result_
    brought = LDASearch(leaving_out(), n_boot=50, required_ratio=0.5).fit(
        learn[INPUTS],
        learn["paid"],
        sensitive_features=learn[GROUPS],
        X_validation=validation,
        y_validation=validation["paid"],
        sensitive_features_validation=validation[GROUPS],
    )
    pd.testing.assert_frame_equal(brought.result_.frame(), split_inside.frame())
    assert dumps(brought.model_) == dumps(split_inside.picked.model)


def test_weights_count_as_repeated_rows(leaving_out: Any, people: pd.DataFrame) -> None:
    learn, validation = split(people)

    def run(first: pd.DataFrame, second: pd.DataFrame, weighted: bool) -> SearchResult:
        def weight(part: pd.DataFrame) -> Any:
            return part["weight"] if weighted else None

        return (
            LDASearch(leaving_out(), n_boot=5, required_ratio=0.3, margin=0)
            .fit(
                first[INPUTS],
                first["paid"],
                sensitive_features=first[GROUPS],
                sample_weight=weight(first),
                X_validation=second,
                y_validation=second["paid"],
                sensitive_features_validation=second[GROUPS],
                sample_weight_validation=weight(second),
            )
            .result_
        )

    once = run(learn, validation, True)
    repeated = run(
        learn.loc[learn.index.repeat(learn["weight"].astype(int))],
        validation.loc[validation.index.repeat(validation["weight"].astype(int))],
        False,
    )
    for one, other in zip(once.candidates, repeated.candidates, strict=True):
        measures = [[each.auc, each.ratio.value, each.approval_rate, each.bad_rate] for each in (one, other)]
        assert measures[0] == pytest.approx(measures[1], rel=1e-9)
    assert once.picked.name == repeated.picked.name


@pytest.mark.parametrize("make", [pl.from_pandas, lambda frame: {name: frame[name].tolist() for name in frame}])
def test_any_container_will_do(leaving_out: Any, people: pd.DataFrame, make: Any) -> None:
    plain = search(leaving_out(), people).result_
    made = make(people[INPUTS])
    other = LDASearch(leaving_out(), n_boot=50, required_ratio=0.5).fit(
        made, people["paid"].to_numpy(), sensitive_features=make(people[GROUPS])
    )
    frame = other.result_.frame()
    assert isinstance(frame, type(made) if isinstance(made, pl.DataFrame) else pd.DataFrame)
    for one, same in zip(other.result_.candidates, plain.candidates, strict=True):
        assert (one.name, one.why, one.judgement.to_dict()) == (same.name, same.why, same.judgement.to_dict())
    assert list(frame["number"]) == list(plain.frame()["number"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sensitive_features": None}, "sensitive_features: the search compares groups"),
        ({"y": ["yes", "no"] * 10}, "inconsistent numbers of samples"),
        ({"X_validation": {"wealth": [1.0]}}, "y_validation: a part of the validation rows is missing"),
    ],
)
def test_data_that_cannot_be_searched(
    leaving_out: Any, people: pd.DataFrame, change: dict[str, Any], message: str
) -> None:
    given = {"X": people[INPUTS], "y": people["paid"], "sensitive_features": people[GROUPS]} | change
    with pytest.raises(ValueError, match=message):
        LDASearch(leaving_out()).fit(**given)


def test_validation_rows_that_do_not_belong(leaving_out: Any, people: pd.DataFrame) -> None:
    def fit(**change: Any) -> None:
        given = {
            "X_validation": people[INPUTS],
            "y_validation": people["paid"],
            "sensitive_features_validation": people[GROUPS],
        } | change
        LDASearch(leaving_out()).fit(people[INPUTS], people["paid"], sensitive_features=people[GROUPS], **given)

    with pytest.raises(
        InputError, match=r"y_validation: an outcome is none of.* classes; got 1; allowed: 'no' or 'yes'"
    ):
        fit(y_validation=np.ones(len(people), dtype=int))
    with pytest.raises(InputError, match=r"y_validation: the number of outcomes differs.*; got \(10,\)"):
        fit(y_validation=people["paid"][:10])
    with pytest.raises(InputError, match="there is no such protected attribute"):
        fit(sensitive_features_validation=people[["sex"]])


def test_too_few_rows(leaving_out: Any, people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"validation_size: too few rows to hold some out; got '0\.01 of"):
        search(leaving_out(), people[:100], groups=["sex"], validation_size=0.01)


def test_a_column_without_a_value_in_the_rows_learned_from(leaving_out: Any, people: pd.DataFrame) -> None:
    learn, _ = split(people)
    data = people.copy()
    data.loc[learn.index, "age"] = np.nan
    with pytest.raises(InputError, match=r"column 'age': every value is missing"):
        search(leaving_out(), data)
