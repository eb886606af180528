"""Rounded points: what a scaling with as many decimals gives, and what it changes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scrutable import create, dumps, loads
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError
from scrutable.fairness import Groups, auc, ks
from scrutable.model import Scaling, Scorecard, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.strategy import rounding_effect

from .test_swap import card


@pytest.mark.parametrize("decimals", [0, 2])
def test_the_rounded_scorecard_is_the_one_that_the_scaling_would_have_given(credit: Dataset, decimals: int) -> None:
    made = [
        create("learner", "scorecard", binner="quantile", favourable=0, cutoff=500, scaling=Scaling(decimals=places))
        .fit(credit.X, credit.y)
        .model_
        for places in (None, decimals)
    ]
    found = rounding_effect(made[0], credit.X, credit.y == 0, decimals=decimals).same_cutoff.model
    for name in ("characteristics", "base_points", "cutoff", "scaling", "calibration"):
        assert getattr(found, name) == getattr(made[1], name)
    assert found.reasons is not None
    assert made[1].reasons is not None
    assert found.reasons.baselines == made[1].reasons.baselines


def test_what_it_says_is_what_evaluating_both_gives(credit: Dataset, challenger: Scorecard) -> None:
    good, groups = (credit.y == 0).to_numpy(), Groups.from_frame(credit.sensitive_features)
    weight = np.random.default_rng(1).integers(0, 3, len(good))
    found = rounding_effect(challenger, credit.X, good, groups=groups, sample_weight=weight)
    before = evaluate(challenger, credit.X)
    assert before.score is not None
    for rounded in (found.same_cutoff, found.same_approval_rate):
        after = evaluate(rounded.model, credit.X)
        assert after.score is not None
        assert (after.score == np.rint(after.score)).all()
        assert found.largest_change == np.abs(after.score - before.score).max() <= found.bound
        assert found.auc == (
            auc(good, before.score, sample_weight=weight),
            auc(good, after.score, sample_weight=weight),
        )
        assert found.ks == (ks(good, before.score, sample_weight=weight), ks(good, after.score, sample_weight=weight))
        assert found.distinct_scores == (len(set(before.score)), len(set(after.score)))
        for part, mask in (
            (rounded.newly_declined, before.approved & ~after.approved),
            (rounded.newly_approved, after.approved & ~before.approved),
        ):
            assert part.counts.applicants == weight[mask].sum()
            for each in part.groups:
                of_group = groups.labels_of(each.attribute) == each.group
                assert each.counts.applicants == weight[mask & of_group].sum()
        flipped = weight[before.approved != after.approved].sum() / weight.sum()
        assert rounded.flipped == pytest.approx(flipped)
        assert rounded.decided.approval_rate == pytest.approx(np.average(after.approved, weights=weight))
    assert found.same_cutoff.model.cutoff == challenger.cutoff
    rates = (found.same_approval_rate.decided.approval_rate, found.same_cutoff.decided.approval_rate)
    assert abs(rates[0] - found.as_is.approval_rate) <= abs(rates[1] - found.as_is.approval_rate)
    assert found.bound == 0.5 * (len(challenger.characteristics) + 1)


def test_flips_by_hand() -> None:
    # Points 0, 1, 2 become those of 0.4, 0.5 and 1.6: whole points 0, 0 (ties to even) and 2; the cutoff is 0.5.
    base = card("a", 0.5)
    [characteristic] = base.characteristics
    points = (0.4, 0.5, 1.6, 0.4)
    attributes = tuple(replace(each, points=its) for each, its in zip(characteristic.attributes, points, strict=True))
    fine = replace(base, characteristics=(replace(characteristic, attributes=attributes),))
    sex = Groups.from_frame({"sex": list("fmfm")}, min_group_size=0)
    found = rounding_effect(fine, {"a": [0, 1, 1, 2]}, [False, True, False, True], groups=sex)
    assert [found.as_is.approval_rate, found.same_cutoff.decided.approval_rate] == [0.75, 0.25]
    assert (found.same_cutoff.newly_declined.counts.good, found.same_cutoff.newly_declined.counts.bad) == (1, 1)
    assert [each.counts.applicants for each in found.same_cutoff.newly_declined.groups] == [1, 1]
    assert found.same_cutoff.newly_approved.counts.applicants == 0
    # At least three of four are approved from 0 on, which is everybody: one is newly approved.
    assert found.same_approval_rate.model.cutoff == 0
    assert found.same_approval_rate.newly_approved.counts.applicants == 1
    assert (found.auc, found.distinct_scores, found.rows_per_score) == ((0.875, 0.75), (3, 2), (4 / 3, 2.0))
    assert (found.largest_change, found.bound) == (0.5, 1.0)


def test_the_rounded_model_keeps_its_words_and_is_a_file(credit: Dataset, challenger: Scorecard) -> None:
    texts = {"R01": "what it is about"}
    explainer = create("explainer", "reason-codes", method="near-cutoff", k=2, texts=texts)
    model = replace(challenger, reasons=explainer.policy(challenger, credit.X))
    found = rounding_effect(model, credit.X, credit.y == 0, population="the applicants of May")
    for rounded in (found.same_cutoff.model, found.same_approval_rate.model):
        assert rounded.reasons is not None
        assert model.reasons is not None
        assert (rounded.reasons.texts, rounded.reasons.k) == (model.reasons.texts, 2)
        assert rounded.reasons.cutoff == rounded.cutoff
        assert "the applicants of May" in rounded.reasons.population
        assert loads(dumps(rounded)) == rounded


def test_json(credit: Dataset, challenger: Scorecard) -> None:
    said = rounding_effect(challenger, credit.X, credit.y == 0).to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said


def test_what_cannot_be_rounded_is_refused(segmented: SegmentedModel, scorecard: Scorecard) -> None:
    rows = {"age": [20, 30, 40], "housing": ["own", "own", "rent"]}
    with pytest.raises(InputError, match="points are those of a scorecard"):
        rounding_effect(segmented, rows, [True, False, True])
    with pytest.raises(InputError, match="unusable number"):
        rounding_effect(card("a"), {"a": [0, 1]}, [True, False], decimals=7)
    with pytest.raises(InputError, match="rounding: nobody is approved"):
        rounding_effect(card("a", 9), {"a": [0, 1]}, [True, False])
    with pytest.raises(InputError, match="unknown method"):
        rounding_effect(scorecard, rows, [True, False, True])
