"""Results say in a line what they are."""

from __future__ import annotations

import numpy as np

from scrutable.model import Clause, Feature, Interval, KnockOut, Outcome, Policy, Rule, RuleSet
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.model.rulesets import read_rules, row_votes
from scrutable.plugins.bases import Export

YOUNG, CHILD = (Clause("age", (Interval(upper=age),)) for age in (21, 18))
MODEL = RuleSet(
    outcome=Outcome(classes=("bad", "good"), favourable="good"),
    features=(Feature(name="age", kind="numeric"),),
    rules=(Rule(when=(YOUNG,), outcome="bad", weight=0.5),),
    fallback=(Rule(when=(), outcome="good"),),
    policy=Policy(knock_outs=(KnockOut(code="K1", reason="Under age", when=(CHILD,)),)),
)
X = {"age": [17.0, 20.0, 40.0]}


def test_rules_and_votes() -> None:
    assert [repr(votes) for votes in row_votes(MODEL, X)] == [
        "RowVotes('bad', score -0.5, by rules 1, knock-out 'K1')",
        "RowVotes('bad', score -0.5, by rules 1)",
        "RowVotes('good', score 1, by the fallback 'always good')",
    ]
    assert repr(read_rules(MODEL)[0]) == "RuleReading(1: if Age < 21 then bad; weight 0.5)"


def test_output_frames_name_their_first_columns() -> None:
    assert repr(evaluate(MODEL, X).frame()) == "OutputFrame(3 rows: score, probability, approved, knock_out, rules)"
    wide = OutputFrame({f"c{i}": np.zeros(2000) for i in range(9)})
    assert repr(wide) == "OutputFrame(2,000 rows: c0, c1, c2, c3, c4, c5, … 3 more)"
    assert repr(OutputFrame({})) == "OutputFrame(0 rows: )"


def test_exports_name_their_files() -> None:
    export = Export(model=MODEL, files={"a.sql": "x" * 1200, "a.bin": b"12"}, settings={"password": "secret"})
    assert repr(export) == f"Export({MODEL!r} as a.sql of 1,200 characters, a.bin of 2 bytes)"
