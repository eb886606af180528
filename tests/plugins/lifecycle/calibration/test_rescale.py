"""The same scorecard on another scale: odds, decisions, reasons, and what rounding does."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable import dumps, evaluate, loads
from scrutable.data.datasets.dataset import Dataset
from scrutable.errors import InputError
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Feature,
    Grade,
    Interval,
    Missing,
    Outcome,
    Policy,
    RuleSet,
    Scaling,
    Scorecard,
    Segment,
    SegmentedModel,
    TreeEnsemble,
)
from scrutable_lifecycle.calibration import odds_at, pd_at, rescale, score_at

NEW = Scaling(pdo=40, base_score=660, base_odds=15)


def whole_card(points: tuple[float, float], cutoff: float) -> Scorecard:
    """Base points 500 and one characteristic with whole points."""
    age = Characteristic(
        feature="age",
        attributes=(
            Attribute(condition=Interval(upper=25), points=points[0]),
            Attribute(condition=Interval(lower=25), points=points[1]),
            Attribute(condition=Missing(), points=0),
        ),
    )
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(Feature(name="age", kind="numeric"),),
        characteristics=(age,),
        base_points=500,
        cutoff=cutoff,
        calibration=Scaling().calibration,
    )


def test_by_hand() -> None:
    # 600 points at 50:1, doubled every 20: 620 are 100:1. On the new scale 660 are 15:1, doubled every 40.
    found = rescale(whole_card((10, 20), 510), NEW).model
    assert isinstance(found, Scorecard)
    assert [each.points for each in found.characteristics[0].attributes] == pytest.approx([20, 40, 0])
    assert score_at(found, odds=15) == pytest.approx(660)
    assert score_at(found, odds=100) == pytest.approx(660 + 40 * np.log2(100 / 15))
    assert found.base_points == pytest.approx(660 + 40 * np.log2(50 / 15) - 200)
    assert found.scaling == NEW
    assert found.calibration == NEW.calibration


def test_odds_and_pd_and_back() -> None:
    card = whole_card((10, 20), 510)
    assert odds_at(card, 600) == pytest.approx(50)
    assert pd_at(card, 600) == pytest.approx(1 / 51)
    assert score_at(card, pd=1 / 51) == pytest.approx(600)
    assert score_at(card, odds=25) == pytest.approx(580)


def test_decisions_reasons_and_probabilities_stay(card: Scorecard, credit: Dataset) -> None:
    found = rescale(card, NEW, X=credit.X)
    assert (found.rows, found.flipped, found.reasons_changed) == (4000, 0, 0)
    assert found.margin < 1e-6
    old, new = evaluate(card, credit.X), evaluate(found.model, credit.X)
    assert old.score is not None
    assert new.score is not None
    assert np.array_equal(old.approved, new.approved)
    assert np.allclose(old.probability, new.probability, atol=1e-9)
    assert np.allclose(new.score, 660 + NEW.factor * (np.log(old.probability / (1 - old.probability)) - np.log(15)))
    assert old.shortfalls is not None
    assert new.shortfalls is not None
    factor = NEW.factor * card.calibration.slope
    assert np.allclose(old.shortfalls * factor, new.shortfalls, equal_nan=True)
    assert loads(dumps(found.model)) == found.model
    assert json.dumps(found.to_dict())


def test_there_and_back_is_where_it_began(card: Scorecard, credit: Dataset) -> None:
    assert card.scaling is not None
    calibrated = replace(card, calibration=card.scaling.calibration)
    back = rescale(rescale(calibrated, NEW).model, card.scaling).model
    once, twice = evaluate(calibrated, credit.X).score, evaluate(back, credit.X).score
    assert once is not None
    assert twice is not None
    assert np.abs(once - twice).max() < 1e-6


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    st.tuples(st.integers(-30, 30), st.integers(-30, 30)),
    st.integers(470, 530),
    st.sampled_from([0.3, 1.0, 17.0, 40.0, 1234.5]),
    st.sampled_from([None, 0, 2]),
)
def test_what_is_called_certain_holds_for_every_applicant(
    points: tuple[int, int], cutoff: int, pdo: float, decimals: int | None
) -> None:
    card = whole_card(points, cutoff)
    everybody = {"age": [20.0, 30.0, None]}
    found = rescale(card, Scaling(pdo=pdo, decimals=decimals), X=everybody)
    score = evaluate(card, everybody).score
    assert score is not None
    flipped = evaluate(card, everybody).approved != evaluate(found.model, everybody).approved
    assert found.flipped == flipped.sum()
    assert (np.abs(score[flipped] - cutoff) <= found.margin).all()
    if found.certain:
        assert not flipped.any()
    if decimals is None:
        assert found.certain  # whole points have gaps that rounding to 2^-30 does not bridge


@pytest.mark.parametrize("seed", range(20))
def test_large_points_on_the_way_decline_nobody_who_was_approved(seed: int) -> None:
    """Base points of 100,000 and a large factor: products on the way are rounded by more than 2^-30."""
    generator = np.random.default_rng(seed)
    everybody = {"age": [20.0, 30.0, None]}
    first, second = generator.uniform(-30, 30, 2).tolist()
    base = float(generator.uniform(1e5, 1e6))
    calibration = Calibration(slope=0.3, intercept=-0.3 * base)
    card = replace(whole_card((first, second), 0), base_points=base, calibration=calibration)
    score = evaluate(card, everybody).score
    assert score is not None
    card = replace(card, cutoff=float(generator.choice(score)))
    found = rescale(card, Scaling(pdo=float(generator.uniform(1000, 4000))))
    declined = evaluate(card, everybody).approved & ~evaluate(found.model, everybody).approved
    assert not declined.any()


def test_points_that_add_up_to_anything_are_not_called_certain(card: Scorecard) -> None:
    assert not rescale(card, NEW).certain


def test_rounded_points_are_round_and_flips_are_counted(card: Scorecard, credit: Dataset) -> None:
    found = rescale(card, replace(NEW, decimals=0), X=credit.X)
    assert isinstance(found.model, Scorecard)
    points = [each.points for its in found.model.characteristics for each in its.attributes]
    assert all(each == round(each) for each in [*points, found.model.base_points, found.model.cutoff])
    flipped = evaluate(card, credit.X).approved != evaluate(found.model, credit.X).approved
    assert found.flipped == flipped.sum()
    assert rescale(card, replace(NEW, decimals=0)).flipped is None


@pytest.mark.parametrize("seed", range(10))
def test_who_is_at_the_lower_end_of_a_grade_keeps_it(seed: int) -> None:
    everybody = {"age": [20.0, 30.0, None]}
    slope = float(np.random.default_rng(seed).uniform(0.02, 0.05))
    card = replace(whole_card((-10, 20), 505), calibration=Calibration(slope=slope, intercept=-505 * slope))
    grades = (Grade(name="A", at_least=520), Grade(name="B", at_least=500), Grade(name="C"))
    card = replace(card, policy=Policy(grades=grades))
    found = rescale(card, NEW).model
    assert evaluate(card, everybody).frame()["grade"].tolist() == ["C", "A", "B"]
    assert evaluate(found, everybody).frame()["grade"].tolist() == ["C", "A", "B"]
    rounded = rescale(card, replace(NEW, decimals=0)).model
    assert isinstance(rounded, Scorecard)
    assert all(each.at_least == round(each.at_least) for each in rounded.policy.grades[:-1])


def test_two_grades_that_round_to_one_limit_are_refused() -> None:
    grades = (Grade(name="A", at_least=520.2), Grade(name="B", at_least=520.1), Grade(name="C"))
    card = replace(whole_card((10, 20), 510), policy=Policy(grades=grades))
    whole = replace(card.scaling or Scaling(), decimals=0)
    words = "model: grades 'A' and 'B' would both begin at a score of 520; .* Fix: keep more decimals"
    with pytest.raises(InputError, match=words):
        rescale(card, whole)
    parts = SegmentedModel(segments=(Segment(name="all", model=card),), routing=())
    with pytest.raises(InputError, match="segment 'all': grades 'A' and 'B'"):
        rescale(parts, whole)
    finer = rescale(card, replace(whole, decimals=1)).model.policy.grades
    assert [each.at_least for each in finer[:2]] == [520.2, 520.1]


def test_policies_of_a_cutoff_stay_policies_of_it(scorecard: Scorecard) -> None:
    assert scorecard.reasons is not None
    near = replace(scorecard, reasons=replace(scorecard.reasons, near=10.0))
    found = rescale(near, NEW).model
    assert isinstance(found, Scorecard)
    assert found.reasons is not None
    assert found.reasons.cutoff == found.cutoff
    assert found.reasons.near == pytest.approx(10 * NEW.factor * scorecard.calibration.slope)


def test_segments_come_onto_one_scale(scorecard: Scorecard) -> None:
    other = replace(scorecard, calibration=Calibration(slope=0.1, intercept=-50), policy=scorecard.policy)
    from scrutable.model import Clause

    thin = Segment(name="thin", when=(Clause("age", (Missing(),)),), model=other)
    whole = SegmentedModel(segments=(thin, Segment(name="thick", model=scorecard)), routing=(scorecard.features[0],))
    rows = {"age": [None, 30.0, 20.0], "housing": ["own", "own", "rent"]}
    found = rescale(whole, NEW, X=rows)
    assert found.flipped == 0
    result = evaluate(found.model, rows)
    assert result.score is not None
    assert np.allclose(
        np.log(result.probability / (1 - result.probability)), np.log(15) + (result.score - 660) / NEW.factor
    )


def test_what_is_refused(scorecard: Scorecard, rule_set: RuleSet, trees: TreeEnsemble) -> None:
    for model in (rule_set, trees):
        with pytest.raises(InputError, match="only the points of a scorecard have a scale"):
            rescale(model, NEW)
    flat = replace(scorecard, calibration=Calibration(slope=0))
    with pytest.raises(InputError, match=r"no straight line in the log-odds; got .*slope 0"):
        rescale(flat, NEW)
    with pytest.raises(InputError, match="no straight line"):
        odds_at(replace(scorecard, calibration=Calibration(slope=0.001, link="identity")), 600)
    with pytest.raises(InputError, match="give one of the two"):
        score_at(scorecard, odds=10, pd=0.1)
    with pytest.raises(InputError, match="expected odds above 0"):
        score_at(scorecard, odds=-1)
    with pytest.raises(InputError, match="its probability is the share of votes"):
        pd_at(rule_set, 1)
