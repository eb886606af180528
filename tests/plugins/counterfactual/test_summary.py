"""The summary of many applicants is what counting by hand gives, for everyone and for each group."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scrutable.errors import InputError
from scrutable.fairness import Groups, SmallGroupWarning
from scrutable_counterfactual.answers import Answer, Change, Obstacle
from scrutable_counterfactual.summary import summarise

from .cards import ANSWER, DURATION, FOUND


def change(feature: str, gain: float) -> Change:
    return replace(DURATION, feature=feature, title=feature.title(), points_after=gain)


def answer(*changes: Change) -> Answer:
    return replace(ANSWER, changes=changes)


LACKING = replace(FOUND, row=0, score=580.0, status="unknown", answers=(), cost=None)
INFEASIBLE = replace(LACKING, status="infeasible", obstacle=Obstacle(limits=("actions",), best_score=590.0))
MET = replace(LACKING, status="met", score=610.0, approved=True)
ONE = replace(LACKING, status="optimal", answers=(answer(change("savings", 20), change("job", 5)),), cost=0.5)
TWO = replace(
    LACKING, status="stopped", answers=(answer(change("savings", 40)), answer(change("savings", 30), change("age", 9)))
)
EVERYONE = [MET, ONE, INFEASIBLE, TWO, LACKING, ONE]


def test_everyone_by_hand() -> None:
    found = summarise(EVERYONE)
    assert (found.met, found.proven, found.figures.applicants) == (1, 2, 5)
    figures = found.figures
    assert (figures.with_answer, figures.without_answer, figures.unproven) == (0.6, 0.2, 0.2)
    assert figures.changes == pytest.approx((2 + 1.5 + 2) / 3)
    assert figures.cost == 0.5  # the cost of fewer answers than were asked for is not known
    assert [(each.feature, each.share, each.points_gained) for each in found.features] == [
        ("savings", 1.0, pytest.approx((20 + 40 / 2 + 30 / 2 + 20) / 3)),
        ("job", pytest.approx(2 / 3), 5.0),
        ("age", pytest.approx(0.5 / 3), 9.0),
    ]
    assert found.describe() == (
        "Wanted is an approval: 1 applicants have it, 5 have not. For 3 of these the limits leave an answer (2 proven "
        "to be best), for 1 it is proven that they leave none, and for 1 it is not known. An answer has 1.83 changes "
        "on average, and costs 0.5."
    )


def test_costs_are_of_one_answer() -> None:
    assert summarise([replace(TWO, status="optimal", cost=0.8)]).figures.cost == 0.4


@pytest.mark.usefixtures("everybody_told")
def test_groups_are_compared_with_their_reference() -> None:
    sex = ["f", "f", "f", "m", "m", "m"]
    with pytest.warns(SmallGroupWarning, match="'f' of 'sex' has 2 rows; 'm' of 'sex' has 3 rows"):
        found = summarise(EVERYONE, pd.DataFrame({"sex": sex}))
    women, men = found.groups
    assert [(each.group, each.reference, each.is_reference) for each in found.groups] == [
        ("f", "f", True),
        ("m", "f", False),
    ]
    assert (women.figures.with_answer, women.figures.without_answer, women.figures.changes) == (0.5, 0.5, 2.0)
    assert (men.figures.with_answer, men.figures.changes) == (pytest.approx(2 / 3), 1.75)
    assert men.gaps == {"with_answer": pytest.approx(1 / 6), "changes": -0.25, "cost": 0.0}
    assert set(women.gaps.values()) == {0.0}


def test_each_group_is_the_summary_of_its_own_rows() -> None:
    rng = np.random.default_rng(4)
    kinds = [MET, ONE, INFEASIBLE, TWO, LACKING]
    found = [kinds[i] for i in rng.integers(len(kinds), size=400)]
    labels = rng.choice(["a", "b", "c"], size=400)
    for group in summarise(found, {"label": labels}).groups:
        alone = summarise([its for its, label in zip(found, labels, strict=True) if label == group.group])
        assert group.figures.to_dict() == pytest.approx(alone.figures.to_dict())


def test_probabilities_of_membership_are_weights() -> None:
    surely = np.array([[1.0, 0.0], [0.25, 0.75], [1, 0], [0.5, 0.5], [0, 1], [0, 1]])
    groups = Groups.from_probabilities({"race": pd.DataFrame(surely, columns=["a", "b"])}, min_group_size=0)
    a, _ = summarise(EVERYONE, groups, min_group_size=0).groups
    assert a.figures.applicants == 1.75
    assert a.figures.with_answer == pytest.approx(0.75 / 1.75)
    assert a.figures.changes == pytest.approx((0.25 * 2 + 0.5 * 1.5) / 0.75)


def test_only_small_groups_are_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summarise([ONE] * 60, {"sex": ["f", "m"] * 30})
    with pytest.warns(SmallGroupWarning, match="groups smaller than 30: 'f' of 'sex' has 0 rows"):
        summarise([MET, ONE] * 30, {"sex": ["f", "m"] * 30})


def test_a_sum_of_memberships_that_rounding_leaves_below_the_minimum_is_not_small() -> None:
    share = np.full(150, 0.2)
    groups = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}}, min_group_size=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small, _ = summarise([ONE] * 150, groups).groups
    assert small.figures.applicants < 30


def test_what_is_undefined_is_null_in_json_and_in_no_sentence() -> None:
    with pytest.warns(SmallGroupWarning):
        found = summarise([MET, MET], {"sex": ["f", "m"]})
    assert found.describe() == "Wanted is an approval: 2 applicants have it, 0 have not."
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (said["applicants"], said["with_answer"], said["cost"], said["features"]) == (0, None, None, [])
    assert said["groups"][0]["gaps"] == {"with_answer": None, "changes": None, "cost": None}
    assert "nan" not in summarise([LACKING]).describe()


def test_tables() -> None:
    with pytest.warns(SmallGroupWarning):
        tables = summarise(EVERYONE, {"sex": ["f", "f", "f", "m", "m", "m"]}).tables()
    features, groups = tables["What has to change"], tables["By group"]
    assert features["feature"].tolist() == ["Savings", "Job", "Age"]
    assert groups["group"].tolist() == ["f (reference)", "m"]
    assert groups["without"].tolist() == [2.0, 3.0]
    assert list(summarise(EVERYONE).tables()) == ["What has to change"]


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="there are no applicants"):
        summarise([])
    with pytest.raises(InputError, match="the number of rows differs"):
        summarise(EVERYONE, {"sex": ["f", "m"]})
