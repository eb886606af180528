"""What applicants can do leaves options out, and nothing else does."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from scrutable.errors import InputError
from scrutable.model import Categories, Clause, Feature, Interval, KnockOut, Policy

from .cards import INCOME, answer, card, changes, of_income, of_switches


def test_special_and_missing_are_not_proposed_unless_allowed() -> None:
    assert answer(max_changes=1).status == "infeasible"
    assert changes(answer(max_changes=1, actions={"age": {"special": True}})) == {"age": -9.0}
    assert changes(answer(max_changes=1, actions={"age": {"missing": True}})) == {"age": None}


def test_values_never_seen_are_not_proposed() -> None:
    assert answer(max_changes=1, actions={"age": "none", "income": "none"}).status == "infeasible"


@pytest.mark.parametrize(
    ("actions", "allowed"),
    [
        ({"income": {"upper": 1500}, "job": "none"}, {"age": 40.0, "income": 1000.0}),
        ({"income": "none"}, {"age": 40.0, "job": "part"}),
        ({"age": "down"}, {"job": "part", "income": 2000.0}),
        ({"age": {"upper": 30}, "income": "none"}, {"age": 25.0, "job": "full"}),
    ],
)
def test_actions_leave_options_out(actions: dict[str, Any], allowed: dict[str, Any]) -> None:
    assert changes(answer(actions=actions, weights={"proximity": 1})) == allowed


def test_ordered_texts_go_one_way() -> None:
    row = {"age": [22.0], "job": ["full"], "income": [900.0]}
    order = ["none", "temp", "part", "full"]
    found = answer(row=row, actions={"job": {"change": "down", "order": order}, "age": "none"})
    assert changes(found) == {"income": 1000.0}
    back = answer(row=row | {"job": ["part"]}, actions={"job": {"change": "up", "order": order}, "age": "none"})
    assert set(changes(back)) <= {"income", "job"}
    assert changes(back).get("job") in (None, "full")


def test_one_change_brings_another_along() -> None:
    alone = answer(max_changes=2, actions={"job": {"cost": 0.01}}, weights={"proximity": 1})
    assert "job" in changes(alone)
    both = answer(max_changes=2, actions={"job": {"cost": 0.01}}, weights={"proximity": 1}, together=[["job", "age"]])
    assert "job" not in changes(both) or "age" in changes(both)
    assert (
        answer(max_changes=2, together=[["job", "age"], ["income", "job"]], actions={"age": "none"}).status
        == "infeasible"
    )


def test_a_choice_of_switches_stays_a_choice() -> None:
    model = of_switches(525.0, own=30, rent=5)
    row = {"own": [0.0], "rent": [1.0]}
    assert changes(answer(model, row)) == {"own": 1.0}
    assert changes(answer(model, row, one_of=[["own", "rent"]])) == {"own": 1.0, "rent": 0.0}
    assert answer(model, row, one_of=[["own", "rent"]], max_changes=1).status == "infeasible"


def test_an_attribute_is_reached_by_any_of_its_cells() -> None:
    order = {"job": {"order": ["temp", "full"]}, "age": "none", "income": "none"}
    for job in (None, "never seen"):
        row = {"age": [50.0], "job": [job], "income": [1500.0]}
        found = answer(
            card(cutoff=555.0, characteristics=card().characteristics),
            row,
            actions=order,
            wanted={"kind": "points", "at_most": 555},
        )
        assert changes(found) == {"job": "temp"}
    steps = (Interval(upper=10), 10), (Interval(10, 20), 5), (Interval(20, 30), 10), (Interval(lower=30), 0)
    model = of_income(*steps)
    assert changes(answer(model, {"income": [math.inf]}, actions={"income": {"lower": 15}})) == {"income": 29.0}


def test_rules_may_ask_for_changes_without_points() -> None:
    model = of_switches(508.0, own=0, rent=10)
    row = {"own": [1.0], "rent": [0.0]}
    assert changes(answer(model, row, one_of=[["own", "rent"]])) == {"own": 0.0, "rent": 1.0}
    assert set(changes(answer(model, row, together=[["rent", "own"]]))) == {"own", "rent"}


def test_whole_numbers_are_whole_with_a_reference_too() -> None:
    reference = pd.DataFrame({"age": [30.0] * 3, "job": ["full"] * 3, "income": [500.0, 1200.5, 2500.5]})
    found = answer(
        max_changes=3,
        actions={"income": {"whole": True, "upper": 1500}, "age": "none"},
        reference=reference,
        weights={"proximity": 1},
    )
    assert changes(found)["income"] == 1000.0


def test_who_has_what_is_wanted_has_it_whatever_rules_say() -> None:
    row = {"age": [50.0], "job": ["full"], "income": [5000.0]}
    model = of_switches(505.0, f=5, g=5)
    assert answer(model, {"f": [1.0], "g": [1.0]}, one_of=[["f", "g"]]).status == "met"
    assert answer(row=row).status == "met"


def test_knock_outs_must_be_left_and_not_met() -> None:
    minors = KnockOut(code="K1", reason="Under 30", when=(Clause("age", (Interval(upper=30),)),))
    rich = KnockOut(code="K2", reason="Over 5000", when=(Clause("income", (Interval(lower=5000, closed="both"),)),))
    model = card(policy=Policy(knock_outs=(minors, rich)))
    found = answer(model, weights={"proximity": 1})
    assert changes(found)["age"] >= 30
    assert found.answers[0].approved
    high = {"age": [50.0], "job": ["full"], "income": [6000.0]}
    assert changes(answer(model, high, weights={"proximity": 1}))["income"] < 5000
    stuck = answer(model, immutable=["age"])
    assert stuck.status == "infeasible"
    assert stuck.obstacle is not None
    assert {"actions", "knock_outs"} == set(stuck.obstacle.limits)


def test_limits_on_columns_that_the_model_has_no_use_for_limit_nothing() -> None:
    row = {"age": [30.0], "job": ["part"], "income": [800.0], "telephone": ["none"]}
    free, limited = answer(row=row), answer(row=row, immutable=["telephone"], actions={"telephone": {"change": "up"}})
    assert limited.answers == free.answers
    with pytest.raises(InputError, match=r"reads no such feature; got 'telefone'"):
        answer(row=row, immutable=["telefone"])
    for between in ({"together": [["telephone", "age"]]}, {"one_of": [["telephone", "age"]]}):
        with pytest.raises(InputError, match=r"reads no such feature; got 'telephone'"):
            answer(row=row, **between)


def test_what_only_knock_outs_read() -> None:
    region = Feature(name="region", kind="categorical")
    debt = Feature(name="debt", kind="numeric", special_codes=(-9,))
    rules = (
        KnockOut(code="K1", reason="Region", when=(Clause("region", (Categories(("A",)),)),)),
        KnockOut(code="K2", reason="Debt", when=(Clause("debt", (Interval(lower=100),)),)),
    )
    model = card(
        features=(INCOME, region, debt),
        characteristics=card().characteristics[2:],
        cutoff=0.0,
        policy=Policy(knock_outs=rules),
    )
    reference = pd.DataFrame({"income": [1.0] * 3, "region": ["A", "B", "B"], "debt": [-9.0, 150.0, 150.0]})
    row = {"income": [5000.0], "region": ["A"], "debt": [150.0]}
    found = answer(model, row, reference=reference)
    assert {change.feature: change.required for change in found.answers[0].changes} == {
        "region": "other than 'A'",
        "debt": "(-9, 100)",
    }
    assert changes(found)["region"] == "B"
    assert changes(found)["debt"] == 99.0
