"""Rules and leaves in the document, and the codes that they give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cards import ensemble, numbers, policy_of

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Clause, Interval, Leaf, Missing, Outcome, ReasonPolicy, Rule, RuleSet, Split
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import shortfalls_by_feature

from .figures import told

DATA = load_german_credit()
ROWS = DATA.frame
OUTCOME = Outcome(classes=("bad", "good"), favourable="good", target="credit_risk")
LONG = Clause("duration_months", (Interval(lower=24),))
LARGE = Clause("credit_amount", (Interval(lower=5000),))
NUMBERS = numbers(*("duration_months", "credit_amount"))


def policy(**fields: Any) -> ReasonPolicy:
    """A policy with two codes."""
    codes = {"duration_months": "R1", "credit_amount": "R2"}
    texts = {"R1": "Length of the loan", "R2": "Amount of the loan"}
    return policy_of(**{"baselines": {}, "codes": codes, "texts": texts, "k": 2} | fields)


def test_rules_with_their_coverage_and_codes() -> None:
    model = RuleSet(
        outcome=OUTCOME,
        features=NUMBERS,
        rules=(
            Rule(when=(LONG, LARGE), outcome="bad", weight=1.5),
            Rule(when=(Clause("credit_amount", (Interval(upper=5000),)),), outcome="good"),
        ),
        fallback=(
            Rule(when=(Clause("duration_months", (Interval(upper=24),)),), outcome="good"),
            Rule(when=(Clause("duration_months", (Interval(lower=24), Missing())),), outcome="bad"),
        ),
        reasons=policy(),
    )
    lines = told(model, applicants=ROWS)["lines"]
    long, large = ROWS["duration_months"] >= 24, ROWS["credit_amount"] >= 5000
    uncovered = ~(long & large) & large
    shares = [long & large, ~large, uncovered & ~long, uncovered & long]
    assert [line["share"] for line in lines] == pytest.approx([rows.mean() for rows in shares])
    codes = [[(each["code"], each["short"]) for each in line["codes"]] for line in lines]
    assert codes == [[("R1", 1.5), ("R2", 1.5)], [], [], [("R1", 1.0)]]
    assert lines[0]["words"] == "if Duration months >= 24 and Credit amount >= 5000 then bad"
    assert [line["share"] for line in told(model)["lines"]] == [None] * 4


def test_leaves_with_their_shares_and_codes() -> None:
    """A tree of two features with given effects, and two of a single one, which are added up."""
    pair = Split(LONG, Split(LARGE, Leaf(-3.0), Leaf(1.0)), Leaf(2.0))
    stumps = (Split(LONG, Leaf(-1.0), Leaf(1.0)), Split(LONG, Leaf(-0.5), Leaf(0.0)))
    both, one = ("duration_months", "credit_amount"), ("duration_months",)
    effects = (
        LeafEffects(both, ((0.0, 0.0), (0.0, 0.25), (0.5, 0.0), (-2.0, -1.0))),
        LeafEffects(both, ((0.0, 0.0), (-0.75, 0.0), (0.0, -0.125), (0.5, 0.5))),
        LeafEffects(one, ((-1.0,), (1.0,))),
    )
    model = ensemble(
        outcome=OUTCOME,
        features=NUMBERS,
        trees=(pair, *stumps),
        reasons=policy(
            baselines={"duration_months": 0.5, "credit_amount": 0.0},
            effects=(effects,),
            method="shapley",
        ),
    )
    part = told(model, applicants=ROWS)
    leaves = [line for line in part["lines"] if line["kind"] == "leaf"]
    steps = [line for line in part["lines"] if line["kind"] == "step"]
    long, large = ROWS["duration_months"] >= 24, ROWS["credit_amount"] >= 5000
    shares = [long & large, long & ~large, ~long, long, ~long, long, ~long]
    assert [line["share"] for line in leaves] == pytest.approx([rows.mean() for rows in shares])
    assert leaves[1]["words"] == "Duration months >= 24 and not (Credit amount >= 5000)"
    codes = [[(each["code"], each["short"], each["most"]) for each in line["codes"]] for line in leaves]
    assert codes == [
        [("R1", 2.0, 2.0), ("R2", 1.0, 1.0)],
        [("R1", -0.5, 0.75), ("R2", -0.5, 0.125)],
        [("R1", -1.0, 1.0)],
        *([[("R1", None, None)], []] * 2),
    ]
    assert [(line["words"], line["points"], line["share"]) for line in steps] == [
        ("< 24", 1.0, pytest.approx(1 - long.mean())),
        (">= 24", -1.5, pytest.approx(long.mean())),
        ("missing", 1.0, 0.0),
    ]
    assert [line["codes"][0]["short"] for line in steps] == [0.0, 2.0, 0.0]


def test_steps_of_stumps_give_the_shortfalls() -> None:
    """Each applicant's shortfall is that of the step that the document shares out."""
    cuts = [("duration_months", (12, 18, 24, 36)), ("credit_amount", (1500, 2500, 5000))]
    trees = tuple(
        Split(Clause(name, (Interval(upper=cut),)), Leaf(cut % 7 - 2.0), Leaf(cut % 5 - 3.0))
        for name, at in cuts
        for cut in at
    )
    model = ensemble(outcome=OUTCOME, features=NUMBERS, trees=trees)
    model = replace(model, reasons=create("explainer", "reason-codes", method="below-average").policy(model, ROWS))
    lines = [line for line in told(model, applicants=ROWS)["lines"] if line["kind"] == "step"]
    for name, short in shortfalls_by_feature(model, ROWS).items():
        own = [line for line in lines if line["of"] == name]
        mean = sum(line["share"] * line["codes"][0]["short"] for line in own)
        assert mean == pytest.approx(short.clip(min=0).mean())
