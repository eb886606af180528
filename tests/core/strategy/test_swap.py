"""The swap set, counted by hand and by going through the rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.datasets import Dataset
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Missing,
    Outcome,
    Policy,
    Scorecard,
)
from scrutable.strategy import SwapSet, score_rows, swap_set


def card(feature: str, cutoff: float = 1.0) -> Scorecard:
    """One point from 1 on, two from 2 on."""
    steps = ((Interval(upper=1), 0), (Interval(lower=1, upper=2), 1), (Interval(lower=2), 2), (Missing(), 0))
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(Feature(name=feature, kind="numeric"),),
        characteristics=(
            Characteristic(
                feature=feature,
                attributes=tuple(Attribute(condition=condition, points=points) for condition, points in steps),
            ),
        ),
        base_points=0,
        cutoff=cutoff,
        calibration=Calibration(slope=1),
    )


#: The champion approves rows 0 to 3, the challenger 0, 1, 4, 5 and 6.
X = {"a": [1, 2, 1, 1, 0, 0, 0, 0], "b": [1, 2, 0, 0, 1, 2, 1, 0]}
GOOD = [True, False, True, False, None, None, True, None]
SEX = Groups.from_frame({"sex": list("fmfmfmff")}, reference={"sex": "m"}, min_group_size=0)


@pytest.fixture
def by_hand() -> SwapSet:
    return swap_set(card("a"), card("b"), X, GOOD, groups=SEX)


def test_the_four_parts_by_hand(by_hand: SwapSet) -> None:
    counted = {
        name: (part.counts.applicants, part.counts.good, part.counts.bad, part.counts.unknown)
        for name, part in by_hand.parts.items()
    }
    assert counted == {
        "both_approve": (2, 1, 1, 0),
        "swapped_in": (3, 1, 0, 2),
        "swapped_out": (2, 1, 1, 0),
        "both_decline": (1, 0, 0, 1),
    }
    # The unknown are neither good nor bad: of the challenger's five approved two paid, one did not, two are unknown.
    assert by_hand.swapped_in.counts.bad_rate == 0.0
    assert by_hand.challenger.bad_rate == 1 / 3
    assert (by_hand.champion.approval_rate, by_hand.challenger.approval_rate) == (0.5, 0.625)
    assert by_hand.change == 0.125


def test_groups_by_hand(by_hand: SwapSet) -> None:
    # Women are rows 0, 2, 4, 6, 7: the champion approves 2 of 5, the challenger 3. Men are 1, 3, 5: 2 of 3 both times.
    female, male = by_hand.changes
    assert (female.champion_rate, female.challenger_rate) == (0.4, 0.6)
    assert female.change == pytest.approx(0.2)
    assert (female.champion_ratio, female.challenger_ratio) == pytest.approx((0.6, 0.9))
    assert (male.change, male.challenger_ratio) == (0.0, 1.0)
    of_women = {name: part.groups[0].counts.applicants for name, part in by_hand.parts.items()}
    assert of_women == {"both_approve": 1, "swapped_in": 2, "swapped_out": 1, "both_decline": 1}


def test_at_the_champions_approval_rate_the_comparison_is_not_bought() -> None:
    found = swap_set(card("a"), card("b"), X, GOOD, at="approval rate")
    # The challenger's scores are 1 2 0 0 1 2 1 0: from 2 on it approves 2, from 1 on 5, so that at least 4 need 1.
    assert (found.challenger_cutoff, found.challenger.approval_rate) == (1.0, 0.625)
    stricter = swap_set(card("a", 2), card("b"), X, at="approval rate")
    assert (stricter.challenger_cutoff, stricter.challenger.approval_rate) == (2.0, 0.25)
    assert (stricter.both_approve.counts.applicants, stricter.swapped_in.counts.applicants) == (1, 1)
    assert swap_set(card("a", 2), card("b"), X).challenger.approval_rate == 0.625


def test_knock_outs_decline_and_are_counted_apart() -> None:
    rule = KnockOut(code="K", reason="too high", when=(Clause("b", (Interval(lower=2),)),))
    challenger = replace(card("b"), policy=Policy(knock_outs=(rule,)))
    found = swap_set(card("a"), challenger, X, GOOD)
    assert found.challenger_knocked_out.counts.applicants == 2
    assert found.champion_knocked_out.counts.applicants == 0
    assert found.challenger.approval_rate == 3 / 8
    lenient = card("a", -1)
    with pytest.raises(InputError, match="because knock-outs decline the others"):
        swap_set(lenient, challenger, X, at="approval rate")
    assert swap_set(lenient, card("b"), X, at="approval rate").challenger.approval_rate == 1.0


@pytest.mark.parametrize("at", ["cutoff", "approval rate"])
def test_weighted_parts_are_those_of_going_through_the_rows(
    credit: Dataset, champion: Scorecard, challenger: Scorecard, at: Any
) -> None:
    rng = np.random.default_rng(0)
    weight, share = rng.integers(0, 4, len(credit.X)), rng.uniform(size=len(credit.X)).round(3)
    groups = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}})
    good = (credit.y == 0).to_numpy()
    found = swap_set(champion, challenger, credit.X, good, at=at, groups=groups, sample_weight=weight)
    before, after = score_rows(champion, credit.X), score_rows(challenger, credit.X)
    yes, also = before.approved, after.score >= found.challenger_cutoff
    masks = {
        "both_approve": yes & also,
        "swapped_in": ~yes & also,
        "swapped_out": yes & ~also,
        "both_decline": ~yes & ~also,
    }
    for name, part in found.parts.items():
        its = masks[name]
        assert part.counts.good == weight[its & good].sum()
        assert part.counts.share == pytest.approx(weight[its].sum() / weight.sum())
        assert part.groups[0].counts.bad == pytest.approx((weight * share)[its & ~good].sum())
    rates = [(weight * share * decision).sum() / (weight * share).sum() for decision in (yes, also)]
    assert [found.changes[0].champion_rate, found.changes[0].challenger_rate] == pytest.approx(rates)
    if at == "approval rate":
        assert found.change >= 0
        above = (after.score > found.challenger_cutoff) @ weight / weight.sum()
        assert above < found.champion.approval_rate


@pytest.mark.parametrize("at", ["cutoff", "approval rate"])
def test_a_model_swaps_nobody_with_itself(credit: Dataset, champion: Scorecard, at: Any) -> None:
    found = swap_set(champion, champion, credit.X, at=at)
    assert found.swapped_in.counts.applicants == found.swapped_out.counts.applicants == 0


def test_json(by_hand: SwapSet) -> None:
    said = by_hand.to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["both_decline"]["bad_rate"] is None
    assert said["challenger"]["approved"]["unknown"] == 2


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="champion: nobody is approved"):
        swap_set(card("a", 9), card("b"), X, at="approval rate")
    with pytest.raises(InputError, match="at: unknown way to compare"):
        swap_set(card("a"), card("b"), X, at="rate")  # type: ignore[arg-type]  # which is refused
