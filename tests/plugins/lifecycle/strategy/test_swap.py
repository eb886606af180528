"""The swap set, counted by hand and by going through the rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.datasets import Dataset
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
from scrutable_lifecycle.strategy import SwapSet, score_rows, swap_set


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
    # The challenger's scores are 1 2 0 0 1 2 1 0: from 2 on it approves 2, from 1 on 5, which is closer to 4.
    assert (found.challenger_cutoff, found.challenger.approval_rate) == (1.0, 0.625)
    assert found.equal is not None
    assert (found.equal.wanted, found.equal.below, found.equal.above, found.equal.tied) == (0.5, 0.25, 0.625, True)
    stricter = swap_set(card("a", 2), card("b"), X, at="approval rate")
    assert (stricter.challenger_cutoff, stricter.challenger.approval_rate) == (2.0, 0.25)
    assert (stricter.both_approve.counts.applicants, stricter.swapped_in.counts.applicants) == (1, 1)
    own = swap_set(card("a", 2), card("b"), X)
    assert (own.challenger.approval_rate, own.equal, own.describe()) == (0.625, None, "at their own cutoffs")


def test_the_closest_attainable_rate_is_taken_and_ties_are_told() -> None:
    """Of 100 applicants the champion approves 30; the challenger's scores allow 25, 36 or everybody."""
    rows = {"a": [1] * 30 + [0] * 70, "b": [2] * 25 + [1] * 11 + [0] * 64}
    found = swap_set(card("a"), card("b"), rows, at="approval rate")
    assert (found.challenger_cutoff, found.challenger.approval_rate, found.champion.approval_rate) == (2.0, 0.25, 0.3)
    assert found.change == pytest.approx(-0.05)
    assert found.describe() == (
        "at the approval rate closest to the champion's: the challenger approves 25.00% to its 30.00%: equal scores "
        "leave no rate between 25.00% and 36.00%, and the closest is taken"
    )
    said = found.to_dict()["equal"]
    assert (said["approval_rate"], said["wanted"], said["tied"]) == (0.25, 0.3, True)


def test_of_two_equally_close_rates_the_one_that_approves_fewer_is_taken() -> None:
    rows = {"a": [1] * 30 + [0] * 70, "b": [2] * 25 + [1] * 10 + [0] * 65}
    assert swap_set(card("a"), card("b"), rows, at="approval rate").challenger.approval_rate == 0.25


def test_somebody_is_approved_however_few_the_champion_approves() -> None:
    rows = {"a": [1] * 3 + [0] * 97, "b": [2] * 25 + [0] * 75}
    found = swap_set(card("a"), card("b"), rows, at="approval rate")
    assert (found.challenger.approval_rate, found.challenger_cutoff) == (0.25, 2.0)
    assert found.equal is not None
    assert np.isnan(found.equal.below)
    assert found.to_dict()["equal"]["below"] is None
    assert "leave no rate below 25.00%" in found.describe()


def test_equal_rates_are_called_so() -> None:
    rows = {"a": [1] * 25 + [0] * 75, "b": [2] * 25 + [0] * 75}
    found = swap_set(card("a"), card("b"), rows, at="approval rate")
    assert found.describe().endswith("the challenger approves 25.00%, the same")
    assert found.equal is not None
    assert not found.equal.tied


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=2, max_size=30).filter(
        lambda rows: any(weight for a, _, weight in rows if a)
    )
)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_no_other_cutoff_is_closer(rows: list[tuple[int, int, int]]) -> None:
    a, b, weight = (np.array(column) for column in zip(*rows, strict=True))
    found = swap_set(card("a"), card("b"), {"a": a, "b": b}, at="approval rate", sample_weight=weight)
    wanted = weight[a >= 1].sum() / weight.sum()
    rates = [weight[b >= cut].sum() / weight.sum() for cut in range(3)]
    closest = min(abs(rate - wanted) for rate in rates if rate)
    assert abs(found.change) == pytest.approx(closest, abs=1e-12)
    assert found.challenger.approval_rate == pytest.approx(
        min(r for r in rates if r and abs(abs(r - wanted) - closest) < 1e-9)
    )
    assert (found.rows, found.weighted) == (len(rows), True)


def test_knock_outs_decline_and_are_counted_apart() -> None:
    rule = KnockOut(code="K", reason="too high", when=(Clause("b", (Interval(lower=2),)),))
    challenger = replace(card("b"), policy=Policy(knock_outs=(rule,)))
    found = swap_set(card("a"), challenger, X, GOOD)
    assert found.challenger_knocked_out.counts.applicants == 2
    assert found.champion_knocked_out.counts.applicants == 0
    assert found.challenger.approval_rate == 3 / 8
    lenient = card("a", -1)
    with pytest.raises(InputError, match="because knock-outs or overrides decline the others"):
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
        rates = [(after.score >= cutoff) @ weight / weight.sum() for cutoff in np.unique(after.score)]
        assert abs(found.change) == pytest.approx(min(abs(rate - found.champion.approval_rate) for rate in rates))


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
