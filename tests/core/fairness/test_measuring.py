"""What is measured of a model: hand-computed, with knock-outs, and of segments on scales of their own."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable.fairness import Groups, auc
from scrutable.fairness.measuring import measure
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Missing,
    Model,
    Outcome,
    Policy,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
)
from scrutable.model.evaluator import evaluate

X, LOANS, AGE = (Feature(name=name, kind="numeric") for name in ("x", "loans", "age"))


def card(cutoff: float, slope: float, intercept: float, scale: float = 1.0, policy: Policy | None = None) -> Scorecard:
    """Scores are 0 below an x of 1, `scale` below 2, twice that from there; missing is 0."""
    cuts = [-math.inf, 1.0, 2.0, math.inf]
    attributes = [
        Attribute(condition=Interval(low, high), points=scale * place)
        for place, (low, high) in enumerate(itertools.pairwise(cuts))
    ]
    return Scorecard(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=(X, AGE) if policy else (X,),
        characteristics=(
            Characteristic(feature="x", attributes=(*attributes, Attribute(condition=Missing(), points=0))),
        ),
        base_points=0,
        cutoff=cutoff,
        calibration=Calibration(slope=slope, intercept=intercept),
        policy=policy or Policy(),
    )


@pytest.fixture
def whole() -> SegmentedModel:
    """Thin files score 0, 100, 200 with log-odds -1, 0, 1; thick ones 0, 1, 2 with log-odds 0.5, 1.5, 2.5."""
    thin = Segment(name="thin", model=card(200, 0.01, -1, 100), when=(Clause("loans", (Interval(upper=1),)),))
    return SegmentedModel(segments=(thin, Segment(name="thick", model=card(1, 1, 0.5))), routing=(LOANS,))


ROWS = {
    "x": [0.0, 1.0, 2.0, 0.0, 1.0, 2.0],
    "loans": [0.0] * 3 + [1.0] * 3,
    "age": [30.0, 10.0, 30.0, 30.0, 10.0, 30.0],
}
GOOD = np.array([0, 1, 0, 1, 1, 1])


def test_segments_are_ranked_by_the_probability(whole: SegmentedModel) -> None:
    found = measure(whole, ROWS, GOOD, approval_rate=0.5)
    assert found is not None
    # in order of the log-odds: -1 bad, 0 good, 0.5 good, 1 bad, 1.5 good, 2.5 good: 6 of 8 pairs are in order
    assert found.performance.auc == 0.75
    assert found.ranked_by == found.to_dict()["ranked_by"] == "probability"
    score = evaluate(whole, ROWS).score
    assert auc(GOOD == 1, score) != 0.75


def test_decisions_of_segments_are_their_own(whole: SegmentedModel) -> None:
    found = measure(whole, ROWS, GOOD, approval_rate=0.5)
    assert found is not None
    at_cutoff, at_rate = found.points
    # the thin third row is approved at 200 points, and the thick last two at 1
    assert (at_cutoff.basis, at_cutoff.approval_rate) == ("cutoffs of segments", 0.5)
    assert math.isnan(at_cutoff.threshold)
    assert found.to_dict()["at_cutoff"]["threshold"] is None
    assert at_cutoff.bad_rate_among_approved == pytest.approx(1 / 3)
    # the three highest log-odds are 1, 1.5 and 2.5
    assert at_rate.threshold == pytest.approx(1 / (1 + math.exp(-1)))
    assert (at_rate.basis, at_rate.approval_rate) == ("approval rate", 0.5)


@pytest.mark.usefixtures("everybody_told")
def test_groups_of_segments_are_read_at_the_same_decisions(whole: SegmentedModel) -> None:
    groups = Groups.from_frame({"sex": ["f", "f", "m", "m", "f", "m"]}, reference={"sex": "m"}, min_group_size=0)
    found = measure(whole, ROWS, GOOD, groups=groups, approval_rate=1 / 3)
    assert found is not None
    assert found.fairness is not None
    assert (found.fairness.at_cutoff, found.fairness.at_approval_rate) == found.points
    female, male = found.fairness.at_cutoff.groups
    assert (female.approval_rate, male.approval_rate) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert female.adverse_impact_ratio == pytest.approx(0.5)
    assert female.auc == 1.0  # log-odds -1 bad, 0 and 1.5 good
    assert male.auc == 0.5  # 0.5 good, 1 bad, 2.5 good
    female, male = found.fairness.at_approval_rate.groups
    assert (female.approval_rate, male.approval_rate) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_a_weight_of_two_is_a_row_given_twice(whole: SegmentedModel) -> None:
    weight = np.array([2.0, 1.0, 0.0, 1.0, 2.0, 1.0])
    twice = [0, 0, 1, 3, 4, 4, 5]
    rows = {name: [values[row] for row in twice] for name, values in ROWS.items()}
    ours = measure(whole, rows, GOOD[twice], approval_rate=0.5)
    weighted = measure(whole, ROWS, GOOD, sample_weight=weight, approval_rate=0.5)
    assert ours is not None
    assert weighted is not None
    assert weighted.performance.auc == pytest.approx(ours.performance.auc)
    for one, other in zip(weighted.points, ours.points, strict=True):
        assert one.approval_rate == pytest.approx(other.approval_rate)
        assert one.bad_rate_among_approved == pytest.approx(other.bad_rate_among_approved)


@pytest.mark.parametrize("segmented", [False, True])
def test_a_knock_out_declines_in_both_readings(segmented: bool) -> None:
    young = Policy(knock_outs=(KnockOut(code="K1", reason="Age", when=(Clause("age", (Interval(upper=18),)),)),))
    model: Scorecard | SegmentedModel = card(1, 1, 0, policy=young)
    if segmented:
        model = SegmentedModel(segments=(Segment(name="all", model=model),))
    found = measure(model, ROWS, GOOD, approval_rate=1.0)
    assert found is not None
    assert [point.approval_rate for point in found.points] == [pytest.approx(2 / 6), pytest.approx(4 / 6)]
    assert found.points[0].approval_rate == evaluate(model, ROWS).approved.mean()
    # separation is that of the score, whatever becomes of the applicant: 1 and 5 are knocked out
    assert found.performance.auc == auc(GOOD == 1, evaluate(model, ROWS).score)


def test_one_segment_of_all_measures_as_its_model() -> None:
    single = card(1, 1, 0)
    groups = Groups.from_frame({"sex": ["f", "f", "m", "m", "f", "m"]}, min_group_size=0)
    alone = measure(single, ROWS, GOOD, groups=groups)
    whole = measure(SegmentedModel(segments=(Segment(name="all", model=single),)), ROWS, GOOD, groups=groups)
    assert alone is not None
    assert whole is not None
    assert whole.performance == alone.performance
    assert replace(whole.points[0], basis="cutoff", threshold=1.0) == alone.points[0]
    assert whole.points[1].groups == alone.points[1].groups


def test_models_of_many_classes_are_not_measured(rule_set: RuleSet) -> None:
    assert measure(rule_set, {"age": [70.0, 20.0], "housing": ["own", "rent"]}, [1, 2]) is None


def test_every_kind_of_two_classes_is_measured(every_kind: tuple[Model, ...]) -> None:
    rows = {"age": [17.0, 20.0, 24.0, 30.0], "housing": ["own", "rent", "own", None]}
    for model in every_kind:
        if isinstance(model, RuleSet):
            continue
        assert not isinstance(model, Scorecard) or model.policy.knock_outs
        found = measure(model, rows, ["good", "bad", "bad", "good"])  # type: ignore[arg-type]  # no regression here
        assert found is not None
        assert found.points[0].approval_rate == evaluate(model, rows).approved.mean()


def test_outcomes_of_one_class_are_refused(whole: SegmentedModel) -> None:
    with pytest.raises(InputError, match="separation needs outcomes of both classes"):
        measure(whole, ROWS, np.ones(6), approval_rate=0.5)
