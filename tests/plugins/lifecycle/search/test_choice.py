"""Frontier and pick against brute force, on candidates with measures of any kind."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.fairness import OperatingPoint, Performance
from scrutable.model import Calibration, Evidence, FrozenMapping, Outcome, Scorecard
from scrutable.plugins.bases import Alternative
from scrutable_lifecycle.search.candidate import Candidate, with_frontier
from scrutable_lifecycle.search.choice import choose
from scrutable_lifecycle.search.judgement import Judgement, Reading
from scrutable_lifecycle.search.ratio import Ratio
from scrutable_lifecycle.search.result import SearchResult
from scrutable_lifecycle.search.settings import APPROVAL_TOLERANCE, Settings

PROVEN = hypothesis_settings(deadline=None, derandomize=True, max_examples=200)
#: Few different values, so that ties of every kind come up.
LEVEL = st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.85, 0.9])
MEASURES = st.fixed_dictionaries(
    {
        "auc": LEVEL,
        "ratio": LEVEL,
        "low": st.sampled_from([0.0, 0.05, 0.1]),
        "bad_rate": st.sampled_from([0.1, 0.2, math.nan]),
        "approved": st.sampled_from([0.6, 0.6 + APPROVAL_TOLERANCE, 0.7, 0.8]),
    }
)
MANY = st.lists(MEASURES, min_size=1, max_size=12)
EMPTY = Scorecard(
    outcome=Outcome(classes=(0, 1), favourable=1),
    features=(),
    characteristics=(),
    base_points=0,
    cutoff=0,
    calibration=Calibration(slope=0.05),
)


def candidate(number: int, measures: dict[str, float]) -> Candidate:
    auc, ratio = measures["auc"], measures["ratio"]
    whole = (0.0, 1.0)
    point = OperatingPoint(
        basis="cutoff", threshold=0.0, approval_rate=0.6, bad_rate_among_approved=measures["bad_rate"], groups=()
    )
    return Candidate(
        number=number,
        alternative=Alternative(method="made", model=EMPTY, evidence=Evidence(model_sha256="")),
        judgement=Judgement(
            performance=Performance(
                auc=auc, gini=0, ks=0, auc_interval=whole, gini_interval=whole, ks_interval=whole, confidence=0.9,
                n_boot=1, seed=0,
            ),
            at_cutoff=Reading(point=point, ratio=Ratio(ratio, (ratio - measures["low"], 1.0), "sex", "f")),
            at_rates={},
            approval_rate_learned=measures["approved"],
        ),
    )  # fmt: skip


def candidates(many: list[dict[str, float]]) -> list[Candidate]:
    return [candidate(number, measures) for number, measures in enumerate(many, start=1)]


def test_a_candidate_without_intervals_is_drawn_without() -> None:
    pytest.importorskip("matplotlib")
    [few] = candidates([{"auc": 0.75, "ratio": 0.8, "low": 0.05, "bad_rate": 0.1, "approved": 0.6}])
    none = dict.fromkeys(("auc_interval", "gini_interval", "ks_interval"), (math.nan, math.nan))
    few = replace(few, judgement=replace(few.judgement, performance=replace(few.judgement.performance, **none)))
    settings = Settings(approval_rate=0.6)
    found = SearchResult(
        candidates=(few,), repeats=(), picked=few, requirement_met=False, settings=settings, about=FrozenMapping({})
    )
    assert found.plot().axes
    assert found.frame()["auc_low"].isna().all()


@PROVEN
@given(many=MANY)
def test_the_frontier_is_what_nothing_dominates(many: list[dict[str, float]]) -> None:
    for each in with_frontier(found := candidates(many)):
        beaten = any(
            other.auc >= each.auc
            and other.ratio.value >= each.ratio.value
            and (other.auc > each.auc or other.ratio.value > each.ratio.value)
            for other in found
        )
        assert each.on_frontier == (not beaten)


@PROVEN
@given(many=MANY, margin=st.sampled_from([None, 0.0, 0.05, 0.1]), required=st.sampled_from([0.6, 0.8, 1.0]))
def test_the_pick_is_the_first_of_the_best_that_qualify(
    many: list[dict[str, float]], margin: float | None, required: float
) -> None:
    found = candidates(many)
    choice = choose(found, Settings(required_ratio=required, margin=margin, approval_rate=0.6))
    ceiling = max(0.6, many[0]["approved"]) + APPROVAL_TOLERANCE
    counted = [each["ratio"] - (each["low"] if margin is None else margin) for each in many]
    equal = [i for i, each in enumerate(many) if each["approved"] <= ceiling]
    meeting = [i for i in equal if counted[i] > required - 1e-9]
    assert choice.requirement_met == bool(meeting)
    best = choice.picked.number - 1
    assert best in (meeting or equal)
    for other in meeting or equal:
        ours, theirs = (
            (
                0.0 if meeting else -round(counted[i], 9),
                -many[i]["auc"],
                math.inf if math.isnan(many[i]["bad_rate"]) else many[i]["bad_rate"],
                i,
            )
            for i in (best, other)
        )
        assert ours <= theirs
    assert all(each.why for each in choice.candidates)
    assert choice.picked.why == choice.candidates[best].why


def test_reasons_name_what_decided() -> None:
    base = {"auc": 0.8, "ratio": 0.9, "low": 0.05, "bad_rate": 0.2, "approved": 0.6}
    changes: list[dict[str, Any]] = [
        {},
        {"auc": 0.85},
        {"auc": 0.85, "bad_rate": 0.25},
        {"auc": 0.9, "ratio": 0.84},
        {"auc": 0.9, "approved": 0.9},
        {"auc": 0.85},
    ]
    choice = choose(candidates([base | change for change in changes]), Settings(approval_rate=0.6))
    assert choice.picked.number == 2
    assert [each.why for each in choice.candidates] == [
        "its AUC, 0.8000, is below the pick's 0.8500",
        "the highest AUC, 0.8500, of the 4 candidates with the required ratio (1 left aside for approving far more "
        "than asked): the low end of its four-fifths ratio's 90% interval, 0.8500, reaches 0.8",
        "its bad rate among the approved, 25.00%, is above the pick's 20.00%",
        "the low end of its four-fifths ratio's 90% interval, 0.7900, is below the required 0.8",
        "its cutoff approves 90.0% of the rows learned from, more than the 65.0% that can still be compared: "
        "approving more lifts a ratio by itself",
        "it equals the pick in every measure, and came later",
    ]


def test_where_none_meets_the_requirement_the_closest_is_picked_and_says_so() -> None:
    base = {"auc": 0.8, "ratio": 0.7, "low": 0.1, "bad_rate": 0.2, "approved": 0.6}
    choice = choose(candidates([base, base | {"auc": 0.6, "low": 0.05}]), Settings(approval_rate=0.6))
    assert (choice.picked.number, choice.requirement_met) == (2, False)
    assert choice.picked.why == (
        "no candidate meets the required ratio of 0.8, and this one comes closest: the low end of its four-fifths "
        "ratio's 90% interval, 0.6500, is the highest"
    )


def test_what_approves_far_more_is_not_on_the_frontier_and_the_reason_of_the_pick_counts_it() -> None:
    base = {"auc": 0.8, "ratio": 0.7, "low": 0.1, "bad_rate": 0.2, "approved": 0.6}
    bought = base | {"auc": 0.85, "ratio": 0.95, "approved": 0.9}
    choice = choose(candidates([base, bought, base | {"auc": 0.6, "low": 0.05}]), Settings(approval_rate=0.6))
    assert [each.comparable for each in choice.candidates] == [True, False, True]
    assert [each.on_frontier for each in choice.candidates] == [True, False, False]
    assert choice.picked.why == (
        "no candidate meets the required ratio of 0.8 (1 left aside for approving far more than asked), and this one "
        "comes closest: the low end of its four-fifths ratio's 90% interval, 0.6500, is the highest"
    )
    met = choose(candidates([base | {"ratio": 0.9}, bought]), Settings(approval_rate=0.6))
    assert met.picked.why == (
        "the only candidate with the required ratio (1 left aside for approving far more than asked): the low end of "
        "its four-fifths ratio's 90% interval, 0.8000, reaches 0.8"
    )


def test_a_margin_that_is_just_kept_is_kept() -> None:
    assert Settings(required_ratio=0.8, margin=0.1).meets(Ratio(0.9, (0.0, 1.0), "sex", "f"))
    assert not Settings(required_ratio=0.8, margin=0.1).meets(Ratio(0.8999, (0.0, 1.0), "sex", "f"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"required_ratio": 0}, "required_ratio"),
        ({"required_ratio": 1.2}, "required_ratio"),
        ({"margin": -0.1}, r"margin: not a margin; got -0\.1; allowed: 0 to below 1"),
        ({"margin": math.nan}, "margin: expected a finite number"),
        ({"approval_rate": 1.0}, "approval_rate: expected a share"),
        ({"approval_rates": [0.5, 70]}, "approval_rates: expected a share; got 70"),
        ({"validation_size": 0}, "validation_size: expected a share"),
        ({"n_boot": 0}, "n_boot"),
        ({"random_state": -1}, "seed"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Settings(**options)
