"""Models of every kind, reduced to a score, a cutoff and decisions; and the same models with another cutoff."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError
from scrutable.model import (
    Clause,
    Interval,
    Outcome,
    Quantity,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    TreeEnsemble,
)
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.strategy import choose_cutoff, cut_at, score_rows, swap_set, with_cutoff

ROWS = {"age": [17.0, 20.0, 24.0, 30.0, None, -9.0], "housing": ["own", "rent", "own", None, "own", "rent"]}


def test_a_knocked_out_applicant_is_never_approved(scorecard: Scorecard) -> None:
    found = score_rows(scorecard, ROWS)
    assert found.knocked_out.tolist() == [True, False, False, False, False, False]
    assert found.score[0] >= found.cutoff
    assert not found.approved[0]
    assert found.approved_from(found.cutoff).tolist() == found.approved.tolist()
    assert not found.approved_from(-1e6)[0]


def test_segments_are_read_by_score_minus_cutoff(segmented: SegmentedModel) -> None:
    found = score_rows(segmented, ROWS)
    assert (found.basis, found.cutoff) == ("score minus cutoff", 0.0)
    its = evaluate(segmented, ROWS)
    assert its.segment is not None
    assert its.score is not None
    cutoffs = [0.3 if name == "thin file" else 530.0 for name in its.segment]
    assert found.score.tolist() == (its.score - np.array(cutoffs)).tolist()
    assert found.approved.tolist() == its.approved.tolist() == found.approved_from(0.0).tolist()


def test_trees_have_their_own_score(trees: TreeEnsemble) -> None:
    found = score_rows(trees, ROWS)
    assert (found.basis, found.cutoff) == ("score", trees.cutoff)
    assert found.approved.tolist() == (found.score >= trees.cutoff).tolist()


def test_segments_are_swapped_by_their_decisions(segmented: SegmentedModel, scorecard: Scorecard) -> None:
    found = swap_set(scorecard, segmented, ROWS)
    before, after = evaluate(scorecard, ROWS).approved, evaluate(segmented, ROWS).approved
    assert found.swapped_in.counts.applicants == (after & ~before).sum()
    assert found.swapped_out.counts.applicants == (before & ~after).sum()
    assert found.challenger_basis == "score minus cutoff"
    assert found.champion_knocked_out.counts.applicants == 1


def test_models_without_a_decision_between_two_classes_are_refused(rule_set: RuleSet, scorecard: Scorecard) -> None:
    quantity = RegressionScorecard(
        outcome=Quantity(target="lgd"),
        features=scorecard.features,
        characteristics=scorecard.characteristics,
        base_points=0,
    )
    for model in (rule_set, quantity):
        with pytest.raises(InputError, match="champion: strategies need a model that decides between two classes"):
            swap_set(model, scorecard, ROWS)
    with pytest.raises(InputError, match="challenger: strategies need"):
        swap_set(scorecard, rule_set, ROWS)


def test_a_policy_of_all_applicants_belongs_to_any_cutoff(scorecard: Scorecard) -> None:
    assert scorecard.reasons is not None
    recut = with_cutoff(scorecard, 500)
    assert recut == replace(scorecard, cutoff=500, reasons=replace(scorecard.reasons, cutoff=500))
    assert with_cutoff(replace(scorecard, reasons=None), 500).reasons is None


def test_a_policy_near_the_cutoff_is_taken_anew(credit: Dataset, champion: Scorecard) -> None:
    explainer = create("explainer", "reason-codes", method="near-cutoff", near=15.0, k=3)
    near = replace(champion, reasons=explainer.policy(champion, credit.X))
    assert near.reasons is not None
    moved = choose_cutoff(score_rows(near, credit.X).score, approval_rate=0.5).cutoff
    with pytest.raises(InputError, match="the reasons are those of applicants near another cutoff"):
        with_cutoff(near, moved)
    assert with_cutoff(near, near.cutoff) == near
    weight = np.where(np.arange(len(credit.X)) < 700, 2.0, 1.0)
    recut = with_cutoff(near, moved, reference=credit.X, sample_weight=weight, population="everybody of May")
    bare = replace(champion, cutoff=moved, reasons=None)
    words = "everybody of May"
    expected = replace(explainer, population=words).policy(bare, credit.X, weight=weight)
    assert recut.reasons == expected
    assert recut.reasons.cutoff == moved
    assert recut.reasons.baselines != near.reasons.baselines
    assert words in recut.reasons.population


def test_a_rule_set_and_trees_get_a_cutoff_too(trees: TreeEnsemble, rule_set: RuleSet) -> None:
    assert with_cutoff(trees, 0.5) == replace(trees, cutoff=0.5)
    two = Outcome(classes=(0, 1), favourable=1)
    rules = tuple(replace(rule, outcome=min(int(rule.outcome), 2) - 1) for rule in rule_set.rules)
    fallback = tuple(replace(rule, outcome=int(rule.outcome) - 1) for rule in rule_set.fallback)
    binary = RuleSet(outcome=two, features=rule_set.features, rules=rules, fallback=fallback)
    assert with_cutoff(binary, 0.25).cutoff == 0.25


def test_a_cutoff_that_a_model_cannot_have_is_refused(segmented: SegmentedModel, rule_set: RuleSet) -> None:
    for model in (segmented, rule_set):
        with pytest.raises(InputError, match="the model has no cutoff of its own"):
            with_cutoff(model, 1)


def test_segments_are_cut_together(credit: Dataset, champion: Scorecard, challenger: Scorecard) -> None:
    model = _in_two(champion, challenger)
    scored = score_rows(model, credit.X)
    levels = [*np.unique(scored.score)[::40], 0.1, np.nextafter(scored.score.max(), np.inf)]
    for cutoff in levels:
        recut = cut_at(model, cutoff)
        assert score_rows(recut, credit.X).approved.tolist() == scored.approved_from(cutoff).tolist()
        assert replace(recut, segments=model.segments) == model
    assert cut_at(model, 0) == model
    assert cut_at(champion, 512) == with_cutoff(champion, 512)


def test_a_segments_policy_near_its_cutoff_is_taken_from_its_own_applicants(
    credit: Dataset, champion: Scorecard, challenger: Scorecard
) -> None:
    explainer = create("explainer", "reason-codes", method="near-cutoff", near=15.0, k=3)
    weight = np.where(np.arange(len(credit.X)) < 700, 2.0, 1.0)
    bare = _in_two(replace(champion, reasons=None), replace(challenger, reasons=None))
    near = explainer.with_policy(bare, credit.X, weight=weight)
    words = "everybody of May"
    recut = cut_at(near, 6.5, reference=credit.X, sample_weight=weight, population=words)
    anew = replace(explainer, population=words).with_policy(cut_at(bare, 6.5), credit.X, weight=weight)
    assert [each.model.reasons.baselines for each in recut.segments] == [
        each.model.reasons.baselines for each in anew.segments
    ]
    assert all(each.model.reasons.cutoff == each.model.cutoff for each in recut.segments)
    with pytest.raises(InputError, match="segment 'rich', reason policy: the reasons are those of applicants near"):
        cut_at(near, 6.5)


def test_segments_of_several_classes_have_no_cutoff_to_move(rule_set: RuleSet) -> None:
    with pytest.raises(InputError, match="the model has no cutoff of its own"):
        cut_at(SegmentedModel(segments=(Segment(name="all", model=rule_set),), routing=()), 1)


def _in_two(first: Scorecard, second: Scorecard) -> SegmentedModel:
    [income] = [feature for feature in first.features if feature.name == "income"]
    rich = Segment(name="rich", model=first, when=(Clause("income", (Interval(lower=3000),)),))
    return SegmentedModel(segments=(rich, Segment(name="rest", model=second)), routing=(income,))
