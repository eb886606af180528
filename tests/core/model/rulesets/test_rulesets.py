"""Reading rule sets agrees with what the evaluator decides, over hostile models and rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pytest
from drawn import drawn

from scrutable.data.outcome import Calibration
from scrutable.errors import InputError, KindError
from scrutable.model import (
    Categories,
    Clause,
    Conjunction,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Outcome,
    Override,
    Policy,
    Rule,
    RuleSet,
    Special,
    TreeEnsemble,
)
from scrutable.model.domain import clause_holds
from scrutable.model.evaluator import evaluate
from scrutable.model.rulesets import fallback_sentences, read_rules, row_votes, rule_hits, rule_set_figures
from scrutable.model.rulesets.reading import rule_length
from scrutable.proof.edges import edge_rows

AGE = Feature(name="age", kind="numeric", special_codes=(-9,))
JOB = Feature(name="job", kind="categorical", label="Occupation")
YOUNG, SENIOR = Clause("age", (Interval(upper=25),)), Clause("age", (Interval(60, 99), Special((-9,))))
COOK = Clause("job", (Categories(("cook", "smith")),))
OUTCOME = Outcome(classes=("bad", "good"), favourable="good")
X = {"age": [20.0, 70.0, -9.0, 40.0, None], "job": ["cook", "cook", "clerk", "clerk", None]}


def rules(**changes: Any) -> RuleSet:
    """Three rules, of which up to two apply to a row."""
    arguments: dict[str, Any] = {
        "outcome": OUTCOME,
        "features": (AGE, JOB),
        "rules": (
            Rule(when=(YOUNG, COOK), outcome="bad", weight=0.5),
            Rule(when=(COOK,), outcome="good", weight=1.25),
            Rule(when=(SENIOR,), outcome="bad", weight=0.25),
        ),
        "fallback": (Rule(when=(Clause("age", (Missing(),)),), outcome="bad"), *_present()),
    }
    return RuleSet(**arguments | changes)


def _present() -> tuple[Rule, ...]:
    return (Rule(when=(Clause("age", (Interval(), Special((-9,)))),), outcome="good"),)


def applies(when: Conjunction, model: RuleSet, row: Mapping[Any, Any]) -> bool:
    """The definition, one value at a time."""
    features = {feature.name: feature for feature in model.features}

    def value(name: str) -> Any:
        its = row[name]
        return None if isinstance(its, float) and math.isnan(its) else its

    return all(clause_holds(clause, features[clause.feature], value(clause.feature)) for clause in when)


def rule_sets_drawn() -> list[RuleSet]:
    every = [*drawn("rule sets of two classes", 20), *drawn("rule sets", 20)]
    return [model for model in every if isinstance(model, RuleSet)]


def test_hits_and_votes_are_those_of_the_evaluator() -> None:
    for model in rule_sets_drawn():
        rows = edge_rows(model, n_random=10)
        hits, found, votes = rule_hits(model, rows), evaluate(model, rows), row_votes(model, rows)
        assert hits.shape == (len(rows), len(model.rules))
        assert found.class_scores is not None
        for row, (values, its) in enumerate(zip(rows.to_dict("records"), votes, strict=True)):
            assert hits[row].tolist() == [applies(rule.when, model, values) for rule in model.rules]
            assert its.predicted == model.outcome.classes[found.predicted[row]]
            assert sorted(each.number for each in its.rules) == (np.flatnonzero(hits[row]) + 1).tolist()
            assert its.approved == (found.approved[row] if model.outcome.binary else None)
            assert its.score == (None if found.score is None else found.score[row])
            if its.rules:
                assert its.fallback is None
                assert [its.votes_for(label) for label in model.outcome.classes] == found.class_scores[row].tolist()
                weights = [each.rule.weight for each in its.rules]
                assert weights == sorted(weights, reverse=True)
            else:
                [decides] = [at for at, rule in enumerate(model.fallback) if applies(rule.when, model, values)]
                assert its.fallback == fallback_sentences(model)[decides]


def test_figures_are_means_over_rows() -> None:
    for model in rule_sets_drawn():
        rows = edge_rows(model, n_random=10)
        found, hits = rule_set_figures(model, rows), rule_hits(model, rows)
        lengths = [rule_length(rule.when) for rule in model.rules]
        per_row = [[lengths[at] for at in np.flatnonzero(row)] for row in hits]
        assert found.rules == len(lengths)
        assert found.average_length == (pytest.approx(np.mean(lengths)) if lengths else None)
        assert found.rules_per_row == pytest.approx(np.mean([len(each) for each in per_row]))
        assert found.covered == pytest.approx(np.mean([len(each) > 0 for each in per_row]))
        means = [np.mean(each) for each in per_row if each]
        assert found.average_length_per_row == (pytest.approx(np.mean(means)) if means else None)
        read = read_rules(model, rows)
        assert [each.coverage for each in read] == pytest.approx(hits.mean(axis=0))
        assert sum(each.share for each in read) == pytest.approx(1.0 if read else 0.0)


@pytest.mark.parametrize(
    ("when", "length"),
    [
        ((), 0),
        ((YOUNG,), 1),
        ((Clause("age", (Interval(18, 25),)),), 2),
        ((Clause("age", (Interval(18, 25), Missing(), Special((-9,)))),), 2),
        ((Clause("age", (Interval(18, 25), Interval(60, 65))),), 4),
        ((Clause("age", (Interval(),)),), 1),
        ((Clause("age", (Missing(), Special((-9,)))),), 1),
        ((COOK,), 1),
        ((Clause("job", (Categories(("cook", "smith"), negated=True), Missing())),), 2),
        ((Clause("job", (Categories(("cook",)), Categories(("cook",), negated=True))),), 1),
        ((YOUNG, COOK), 2),
    ],
)
def test_length_is_the_number_of_conditions(when: Conjunction, length: int) -> None:
    assert rule_length(when) == length


def test_rules_in_words_with_coverage_and_precision() -> None:
    found = [each.to_dict() for each in read_rules(rules(), X, ["bad", "good", "bad", "good", "good"])]
    assert found == [
        {
            "number": 1,
            "rule": "if Age < 25 and (Occupation is 'cook' or 'smith') then bad",
            "class": "bad",
            "weight": 0.5,
            "share": 0.25,
            "length": 2,
            "coverage": 0.2,
            "precision": 1.0,
        },
        {
            "number": 2,
            "rule": "if Occupation is 'cook' or 'smith' then good",
            "class": "good",
            "weight": 1.25,
            "share": 0.625,
            "length": 1,
            "coverage": 0.4,
            "precision": 0.5,
        },
        {
            "number": 3,
            "rule": "if Age in [60, 99) or special code -9 then bad",
            "class": "bad",
            "weight": 0.25,
            "share": 0.125,
            "length": 2,
            "coverage": 0.4,
            "precision": 0.5,
        },
    ]


def test_votes_of_a_row_for_and_against() -> None:
    both, fallback = row_votes(rules(), X)[0], row_votes(rules(), X)[4]
    assert both.to_dict() == {
        "predicted": "good",
        "approved": True,
        "score": 0.75,
        "cutoff": 2.0**-30,
        "votes": [{"class": "good", "votes": 1.25}, {"class": "bad", "votes": 0.5}],
        "rules": [
            {"number": 2, "rule": "if Occupation is 'cook' or 'smith' then good", "class": "good", "weight": 1.25},
            {
                "number": 1,
                "rule": "if Age < 25 and (Occupation is 'cook' or 'smith') then bad",
                "class": "bad",
                "weight": 0.5,
            },
        ],
        "fallback": None,
        "knock_out": None,
        "override": None,
    }
    assert (fallback.rules, fallback.fallback, fallback.approved) == ((), "if Age is missing then bad", False)


def test_a_knock_out_declines_whatever_the_votes_are() -> None:
    policy = Policy(knock_outs=(KnockOut(code="K1", reason="too young", when=(YOUNG,)),))
    found = row_votes(rules(policy=policy), X)[0]
    assert (found.knock_out, found.approved, found.score) == ("K1", False, 0.75)


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_an_override_decides_whatever_the_votes_are(decision: Literal["approve", "decline"]) -> None:
    policy = Policy(overrides=(Override(code="O1", reason="age", when=(YOUNG,), decision=decision),))
    found = row_votes(rules(policy=policy), X)[0]
    assert (found.override, found.approved, found.score) == ("O1", decision == "approve", 0.75)
    assert found.describe().endswith(f"  override O1 {decision}s, whatever the votes are")
    assert row_votes(rules(policy=policy), X)[4].override is None


def test_no_rules_and_a_default_class() -> None:
    model = RuleSet(outcome=OUTCOME, features=(), rules=(), fallback=(Rule(when=(), outcome="good"),))
    assert rule_hits(model, {"x": [1.0, 2.0]}).shape == (2, 0)
    assert read_rules(model) == ()
    figures = rule_set_figures(model, {"x": [1.0, 2.0]}).to_dict()
    assert figures == {
        "rules": 0,
        "average_length": None,
        "rules_per_row": 0.0,
        "average_length_per_row": None,
        "covered": 0.0,
    }
    assert [votes.fallback for votes in row_votes(model, {"x": [1.0]})] == ["always good"]


def test_what_cannot_be_read_is_refused() -> None:
    trees = TreeEnsemble(
        outcome=OUTCOME, features=(), trees=(Leaf(1.0),), base_score=0, cutoff=0, calibration=Calibration(slope=1)
    )
    for read in (rule_hits, read_rules, row_votes, rule_set_figures):
        with pytest.raises(InputError, match="model: only rule sets have rules to read"):
            read(trees, {"x": [1.0]})
    with pytest.raises(InputError, match="y: outcomes need the rows that they belong to"):
        read_rules(rules(), y=["bad"])
    with pytest.raises(InputError, match=r"y: the number of outcomes differs.*; got \(2,\); allowed: \(5,\)"):
        read_rules(rules(), X, ["bad", "good"])
    with pytest.raises(InputError, match=r"y: an outcome is none of the model's classes; got 'god'; .*'good'"):
        read_rules(rules(), X, ["bad", "god", "bad", "good", "good"])
    with pytest.raises(InputError, match="job"):
        rule_hits(rules(), {"age": [1.0]})
    with pytest.raises(KindError, match="age"):
        rule_hits(rules(), {"age": ["young"], "job": ["cook"]})
