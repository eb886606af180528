"""What exporters write of segments: the results of the whole, in the evaluator's order, and each column once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawn import drawn

from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Calibration,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Policy,
    RuleSet,
    SegmentedModel,
    Split,
    TreeEnsemble,
)
from scrutable.model.contents import (
    clauses_of,
    features_read,
    reasons_by_segment,
    results_of_segments,
    routing_in_words,
)
from scrutable.model.evaluator import evaluate
from scrutable.proof.edges import edge_rows, edge_values
from scrutable.testing.contract.examples.models import models_named


def segmented() -> SegmentedModel:
    found = models_named()["segmented-model"]
    assert isinstance(found, SegmentedModel)
    return found


def test_results_and_columns_are_the_evaluators() -> None:
    for model in drawn("segmented models", 20):
        assert isinstance(model, SegmentedModel)
        rows = edge_rows(model, n_random=2).head(2)
        parts = [list(evaluate(segment.model, rows).frame()) for segment in model.segments]
        assert list(results_of_segments(parts)) == list(evaluate(model, rows).frame())
        read = features_read(model)
        assert [feature.name for feature in read] == list(dict.fromkeys(feature.name for feature in model.features))
        for feature in model.features:
            [merged] = [each for each in read if each.name == feature.name]
            assert set(feature.special_codes) <= set(merged.special_codes)
            assert merged.kind == feature.kind
        assert len(routing_in_words(model)) == len(model.segments)


def test_single_models_are_the_model_itself_or_those_of_its_segments() -> None:
    named, whole = models_named(), segmented()
    assert whole.parts == tuple(segment.model for segment in whole.segments)
    for name in ("regression-scorecard", "rule-set"):
        assert named[name].parts == (named[name],)


def test_clauses_of_knock_outs_come_before_those_of_trees_and_rules() -> None:
    asked, declined, other = (Clause("age", (Interval(upper=age),)) for age in (30, 18, 60))
    card, rules = models_named()["scorecard"], models_named()["rule-set"]
    assert isinstance(rules, RuleSet)
    model = TreeEnsemble(
        outcome=segmented().parts[0].outcome,
        features=(Feature(name="age", kind="numeric"),),
        trees=(Split(asked, Split(other, Leaf(1), Leaf(2)), Leaf(3)), Leaf(1)),
        base_score=0,
        cutoff=0,
        calibration=Calibration(slope=1),
        policy=Policy(knock_outs=(KnockOut(code="K", reason="too young", when=(declined,)),)),
    )
    assert list(clauses_of(model)) == [declined, asked, other]
    parts = (*rules.policy.knock_outs, *rules.rules, *rules.fallback)
    assert list(clauses_of(rules)) == [clause for part in parts for clause in part.when]
    assert [clause.feature for clause in clauses_of(card.parts[0])] == ["amount"]
    assert not list(clauses_of(models_named()["regression-scorecard"].parts[0]))


def test_edge_values_keep_their_order() -> None:
    """Rows of certificates are drawn from them: first what routes, then the points table, then the knock-outs."""
    cuts = [value for value in edge_values(segmented())["amount"] if value in (-5.0, 0.1, 5.0, 25.1)]
    assert cuts == [5.0, 0.1, 25.1, -5.0]


def test_ten_reasons_stay_in_order() -> None:
    names = ["score", *(f"{kind}_{i}" for kind in ("short", "reason") for i in range(12, 0, -1))]
    found = results_of_segments([names])
    assert found[:2] == ("segment", "score")
    assert found[2:] == tuple(f"{kind}_{i}" for kind in ("reason", "short") for i in range(1, 13))


def test_reasons_by_segment() -> None:
    model = segmented()
    first = model.segments[0]
    assert first.model.reasons is not None
    fewer = replace(first, model=replace(first.model, reasons=replace(first.model.reasons, k=1)))
    without = replace(first, model=replace(first.model, reasons=None))
    mixed = replace(model, segments=(fewer, model.segments[1]))
    assert reasons_by_segment(mixed, None) == (1, 3)
    assert reasons_by_segment(mixed, 2) == (1, 2)
    assert reasons_by_segment(replace(model, segments=(without, model.segments[1])), None) == (0, 3)
    with pytest.raises(UnsupportedModel, match="got 4; allowed: 0 to 3"):
        reasons_by_segment(mixed, 4)


def test_who_belongs_to_a_segment_is_told_by_the_features_titles() -> None:
    thin, thick = segmented().segments
    title = {"amount": Feature(name="amount", kind="numeric", label="Amount asked for")}
    assert thin.describe(title) == "Amount asked for < 5 or missing"
    assert thick.describe(title) == "everybody else"
