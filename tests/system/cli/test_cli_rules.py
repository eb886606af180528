"""The commands on a rule set: show, plot, score and explain."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.model import (
    Categories,
    Clause,
    Evidence,
    Feature,
    Interval,
    KnockOut,
    Missing,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    dump,
    dump_evidence,
    fingerprint,
    load,
    load_evidence,
)
from scrutable.model.evaluator import evaluate
from scrutable.model.rulesets import deciding_sentence, read_rules, row_votes, rule_set_figures
from scrutable.plots import plot_coverage, plot_rules, render

from .conftest import ROLES

Run = Callable[..., Any]

YOUNG, CHILD = Clause("age", (Interval(18, 25),)), Clause("age", (Interval(upper=18),))
COOK, OTHER = Clause("job", (Categories(("cook",)),)), Clause("job", (Categories(("cook",), negated=True), Missing()))
TWO = RuleSet(
    outcome=Outcome(classes=("bad", "good"), favourable="good", target="paid"),
    features=(Feature(name="age", kind="numeric"), Feature(name="job", kind="categorical")),
    rules=(Rule(when=(YOUNG,), outcome="bad", weight=0.75), Rule(when=(COOK,), outcome="good", weight=0.5)),
    fallback=(Rule(when=(), outcome="good"),),
    policy=Policy(knock_outs=(KnockOut(code="K1", reason="Under age", when=(CHILD,)),)),
)
THREE = RuleSet(
    outcome=Outcome(classes=(1, 2, 3), favourable=1),
    features=TWO.features,
    rules=(Rule(when=(YOUNG,), outcome=3, weight=0.75), Rule(when=(YOUNG, COOK), outcome=2)),
    fallback=(Rule(when=(COOK,), outcome=1), Rule(when=(OTHER,), outcome=2)),
)
ROWS = pd.DataFrame({"id": ["a", "b", "c", "d"], "age": [20, 40, 17, 20], "job": ["cook", "clerk", "cook", "clerk"]})


@pytest.fixture(params=[TWO, THREE], ids=["two classes", "three classes"])
def rules(request: pytest.FixtureRequest) -> RuleSet:
    """A rule set of two and one of three classes."""
    return request.param


@pytest.fixture
def path(rules: RuleSet, tmp_path: Path) -> Path:
    dump(rules, tmp_path / "rules.json")
    return tmp_path / "rules.json"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    ROWS.to_csv(tmp_path / "applicants.csv", index=False)
    return tmp_path / "applicants.csv"


def test_show_prints_every_rule_and_the_fallback(run: Run, path: Path, rules: RuleSet) -> None:
    result = run("show", path)
    assert result.exit_code == 0, result.output
    assert "2 rules of 1.50 conditions" in result.stdout or "2 rules of 2.50 conditions" in result.stdout
    lines = result.stdout.splitlines()
    heaviest = sorted(read_rules(rules), key=lambda each: -each.rule.weight)
    shown = [line.split() for line in lines if " then " in line and "%" in line]
    assert [int(line[0]) for line in shown] == [each.number for each in heaviest]
    assert [line[-3:] for line in shown] == [
        [f"{each.rule.weight:g}", f"{each.share:.1%}", str(each.length)] for each in heaviest
    ]
    assert all(each.sentence in result.stdout for each in heaviest)


def test_show_says_how_the_votes_decide(run: Run, tmp_path: Path) -> None:
    for rules, texts in (
        (TWO, ["'good' needs more votes than 'bad', a tie is 'bad'", "Where no rule applies: always good"]),
        (replace(TWO, cutoff=0.25), ["'good' needs at least 0.25 votes more than 'bad'"]),
        (replace(TWO, cutoff=0.0), ["'good' needs as many votes as 'bad' or more, a tie is 'good'"]),
        (replace(TWO, cutoff=-0.25), ["'good' may have up to 0.25 votes less than 'bad'"]),
        (
            THREE,
            [
                "the class with most votes wins, of equal ones the first of 1, 2, 3",
                "Where no rule applies, one of these does:",
                "  if Job is 'cook'",
            ],
        ),
    ):
        dump(rules, tmp_path / "m.json")
        printed = run("show", tmp_path / "m.json").stdout
        assert [text for text in texts if text not in printed] == []
        (tmp_path / "m.json").unlink()


def test_what_is_said_of_ties_is_what_is_decided() -> None:
    other = tuple(replace(rule, outcome="good" if rule.outcome == "bad" else "bad") for rule in TWO.rules)
    tied = {"age": [20.0], "job": ["cook"]}
    for rules in (TWO, replace(TWO, rules=other), replace(TWO, outcome=replace(TWO.outcome, favourable="bad"))):
        even = replace(rules, rules=tuple(replace(rule, weight=0.5) for rule in rules.rules))
        [votes] = row_votes(even, tied)
        assert votes.score == 0
        assert deciding_sentence(even).endswith(f"a tie is {votes.predicted!r}")


def test_show_puts_what_each_rule_did_beside_it(run: Run, loans: Path, tmp_path: Path) -> None:
    path, known = tmp_path / "rules.json", tmp_path / "evidence.json"
    options = [*ROLES, "--drop", "loan", "--learner", "rug", "--option", "max_depth=1", "--option", "iterations=2"]
    fitted = run("fit", loans, *options, "--test-size", "0", "-o", path, "--evidence", known)
    assert fitted.exit_code == 0, fitted.output
    model, evidence = load(path), load_evidence(known)
    assert isinstance(model, RuleSet)
    frame = pd.read_csv(loans)
    read = read_rules(model, frame, frame["credit_risk"])
    shown = run("show", path, "--evidence", known, COLUMNS="250").stdout
    lines = {int(line.split()[0]): line.split() for line in shown.splitlines() if " then " in line and "%" in line}
    assert {number: line[-2:] for number, line in lines.items()} == {
        each.number: [f"{each.coverage:.1%}", f"{each.precision:.1%}"] for each in read
    }
    # Fit and show say alike how the learning ended.
    gap, ending = evidence.metrics["gap"], evidence.metrics["ending"]
    assert ending in ("iterations", "no rule found")
    for said in (fitted.stdout, shown):
        text = " ".join(said.split())
        assert f"{len(model.rules)} rules of 1.00 conditions on average; 'good' needs more votes than 'bad'" in text
        assert "rules were weighed; how far from the optimum is not known, --option exact=true looks" in text
    again = run("fit", loans, *options, "--test-size", "0", "-o", path, "--overwrite", "--json")
    said = json.loads(again.stdout)
    assert (said["rules"], said["gap"], said["ending"]) == (len(model.rules), gap, ending)


def test_show_refuses_evidence_that_does_not_fit(run: Run, path: Path, rules: RuleSet, model: Path) -> None:
    known = path.with_name("evidence.json")
    for evidence, shown, text in (
        (Evidence(model_sha256=fingerprint(rules)), path, "the evidence does not say what each rule does"),
        (Evidence(model_sha256="0" * 64), path, "the evidence is about another model"),
        (Evidence(model_sha256=fingerprint(load(model))), model, "the evidence says nothing that is shown"),
    ):
        dump_evidence(evidence, known, overwrite=True)
        result = run("show", shown, "--evidence", known)
        assert (result.exit_code, text in result.stderr, result.stdout) == (2, True, ""), result.stderr


def test_score_gives_votes_and_decisions(run: Run, path: Path, data: Path, rules: RuleSet) -> None:
    said = [json.loads(line) for line in run("score", path, data, "--json").stdout.splitlines()]
    expected = evaluate(rules, ROWS, reasons=False).frame()
    assert [list(row) for row in said] == [list(expected)] * len(ROWS)
    assert [list(row.values()) for row in said] == [list(row) for row in zip(*expected.values(), strict=True)]


def test_explain_prints_the_rules_that_voted_against_and_for(run: Run, data: Path, tmp_path: Path) -> None:
    dump(TWO, tmp_path / "two.json")
    result = run("explain", tmp_path / "two.json", data, "--id", "id")
    assert result.exit_code == 0, result.output
    first, second, third, _, last = result.stdout.split("\n\n")
    assert [" ".join(line.split()) for line in first.splitlines()] == [
        "Row 1, id a declined: votes for less votes against -0.25, needed more than 0",
        "0.75 votes for 'bad'",
        "0.75 by rule 1: if Age in [18, 25) then bad",
        "0.5 votes for 'good'",
        "0.5 by rule 2: if Job is 'cook' then good",
    ]
    assert "no rule applies, so the fallback decides: always good" in second
    assert "knock-out K1 declines, whatever the votes are" in third
    assert last.strip() == "4 applicants, 3 declined."
    declined = run("explain", tmp_path / "two.json", data, "--only-declined").stdout
    assert "Row 2" not in declined
    assert "Row 4" in declined


def test_explain_three_classes(run: Run, data: Path, tmp_path: Path) -> None:
    dump(THREE, tmp_path / "three.json")
    printed = run("explain", tmp_path / "three.json", data, "--row", "1").stdout
    assert [" ".join(line.split()) for line in printed.splitlines() if line] == [
        "Row 1 predicted 2",
        "1 votes for 2",
        "1 by rule 2: if Age in [18, 25) and Job is 'cook' then 2",
        "0.75 votes for 3",
        "0.75 by rule 1: if Age in [18, 25) then 3",
        "1 applicants.",
    ]
    refused = run("explain", tmp_path / "three.json", data, "--only-declined")
    assert (refused.exit_code, "a decision needs two classes" in refused.stderr) == (2, True)


def test_explain_as_json(run: Run, path: Path, data: Path, rules: RuleSet) -> None:
    said = json.loads(run("explain", path, data, "--id", "id", "--json").stdout)
    expected = [votes.to_dict() for votes in row_votes(rules, ROWS)]
    assert said == [{"id": ROWS["id"][row], **its, "row": row + 1} for row, its in enumerate(expected)]


def test_explain_with_an_explainer_or_its_options(run: Run, path: Path, data: Path) -> None:
    for options, text in (
        (["--explainer", "reason-codes"], "where:   reason codes"),
        (["--option", "k=2"], "--option"),
        (["--reference", data], "--reference"),
    ):
        result = run("explain", path, data, *options)
        assert result.exit_code == 2
        assert text in result.stderr
        told = "leave --explainer out, or use scrutable.model.rulesets.row_votes" in result.stderr
        assert told is ("--explainer" in options)


def test_score_adds_the_rules_that_apply_and_has_no_points(run: Run, path: Path, data: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    result = run("score", path, data, "--points", "-o", scores)
    assert (result.exit_code, "no points of characteristics" in result.stderr) == (2, True)
    assert "leave --points out" in result.stderr
    assert not scores.exists()
    assert run("score", path, data, "--reasons", "-o", scores).exit_code == 0
    found = pd.read_csv(scores, dtype=str)
    assert found["rules"].tolist() == list(evaluate(load(path), ROWS).rules)


def test_pictures_with_and_without_applicants(run: Run, path: Path, data: Path, rules: RuleSet, tmp_path: Path) -> None:
    assert run("plot", path, "-o", tmp_path / "rules.svg").exit_code == 0
    assert (tmp_path / "rules.svg").read_bytes() == render(plot_rules(rules), "svg")
    assert run("plot", path, "-o", tmp_path / "coverage.svg", "--data", data).exit_code == 0
    content = (tmp_path / "coverage.svg").read_bytes()
    ElementTree.fromstring(content)
    assert content == render(plot_coverage(rules, ROWS), "svg")


def test_plot_as_json_says_what_the_pictures_show(run: Run, path: Path, data: Path, rules: RuleSet) -> None:
    plain, counted = (json.loads(run("plot", path, "--json", *more).stdout) for more in ([], ["--data", data]))
    assert list(plain) == list(counted) == ["figures", "rules", "fallback"]
    assert plain["figures"] == rule_set_figures(rules).to_dict()
    assert counted["figures"] == rule_set_figures(rules, ROWS).to_dict()
    assert counted["rules"] == [each.to_dict() for each in read_rules(rules, ROWS)]


def test_what_a_rule_set_has_not_is_refused(run: Run, path: Path, model: Path, data: Path, tmp_path: Path) -> None:
    picture = tmp_path / "p.svg"
    for options, text in (
        ([path, "--what", "importance"], "a rule set has no characteristics"),
        ([path, "--feature", "age"], "a rule set has no characteristics"),
        ([model, "--data", data], "only the coverage of rules is counted on applicants"),
    ):
        result = run("plot", *options, "-o", picture)
        assert (result.exit_code, text in result.stderr) == (2, True), result.stderr
        assert not picture.exists()
