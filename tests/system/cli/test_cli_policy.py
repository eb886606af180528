"""`scrutable policy`: rules on the command line and from files, what is refused, and what becomes of approvals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.model import dump, fingerprint, load
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import models_named

Run = Callable[..., Any]

RULES = """
who = "Ana Ruiz"
why = "Credit policy 2026"
[[knock_out]]
code = "N1"
reason = "Amount of the loan"
when = "amount > 80"
[[override]]
code = "N2"
reason = "Amount of the loan is small"
when = "amount < 20"
decision = "approve"
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A card of a number and a text."""
    dump(card(), tmp_path / "model.json")
    return tmp_path / "model.json"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A file of two rules."""
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path / "rules.toml"


@pytest.fixture
def applicants(tmp_path: Path) -> Path:
    """Applicants with their outcomes and groups."""
    chance = np.random.default_rng(4)
    frame = pd.DataFrame({"amount": chance.integers(0, 100, 300), "job": chance.choice(["cook", "nurse"], 300)})
    outcome = card().outcome
    frame["paid"] = np.where(
        chance.random(300) < 0.8, outcome.favourable, outcome.classes[1 - outcome.favourable_index]
    )
    frame["sex"] = chance.choice(["f", "m"], 300)
    frame.to_csv(tmp_path / "loans.csv", index=False)
    return tmp_path / "loans.csv"


def test_one_rule_is_added_listed_and_removed(run: Run, model: Path, tmp_path: Path) -> None:
    ruled, plain = tmp_path / "ruled.json", tmp_path / "plain.json"
    asked = [
        "--adjustment",
        "N1",
        "--points",
        -15,
        "--when",
        "amount > 80",
        "--reason",
        "Amount of the loan",
        "--never-told",
    ]
    result = run("policy", "add", model, *asked, "--who", "Ana Ruiz", "--why", "Board of [b]March[/b]", "-o", ruled)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "added Score adjustment N1: -15 points, Amount of the loan (never told as a reason), where" in result.stdout
    assert "Ana Ruiz: Board of [b]March[/b]" in result.stdout
    listed = json.loads(run("policy", "list", ruled, "--json").stdout)
    assert listed["model_sha256"] == fingerprint(load(ruled))
    assert listed["rules"][-1]["effect"] == "-15 points"
    assert listed["rules"][-1]["explained"] is False
    shown = " ".join(run("policy", "list", ruled).stdout.split())
    assert "N1" in shown
    assert "Ana Ruiz" in shown
    gone = run("policy", "remove", ruled, "N1", "--who", "Bo Lee", "--why", "Too harsh", "-o", plain, "--json")
    [edit] = json.loads(gone.stdout)["edits"]
    assert (edit["action"], edit["who"], edit["model_sha256"]) == ("removed", "Bo Lee", fingerprint(load(ruled)))
    assert "removed Score adjustment N1" in " ".join(run("policy", "list", plain).stdout.split())


def test_a_file_is_tried_and_then_added(run: Run, model: Path, rules: Path, applicants: Path, tmp_path: Path) -> None:
    asked = [applicants, "--target", "paid", "--protected", "sex"]
    tried = run("policy", "test", model, *asked, "--rules", rules, "--json")
    assert (tried.exit_code, tried.stderr) == (0, "")
    ruled, picture = tmp_path / "ruled.json", tmp_path / "effect.png"
    assert run("policy", "add", model, "--rules", rules, "-o", ruled).exit_code == 0
    tested = run("policy", "test", ruled, *asked, "--picture", picture, "--json")
    first, second = json.loads(tried.stdout), json.loads(tested.stdout)
    assert (first.pop("written"), second.pop("written")) == ([], [str(picture)])
    assert first == second
    assert picture.read_bytes().startswith(b"\x89PNG")
    frame = pd.read_csv(applicants)
    assert first["rules"][-1]["alone"] == int((frame["amount"] < 20).sum())
    alone = json.loads(run("policy", "test", ruled, applicants, "--json").stdout)
    assert alone["after"]["approval_rate"] == first["after"]["approval_rate"]
    assert (alone["after"]["bad_rate"], alone["after"]["groups"]) == (None, [])


def test_an_approval_of_the_model_before_does_not_hold(run: Run, model: Path, rules: Path, tmp_path: Path) -> None:
    signed = ["--role", "validator", "--by", "J. Doe"]
    assert run("approve", model, "--state", "validated", *signed).exit_code == 0
    before = (tmp_path / "model.approval.json").read_text()
    assert run("policy", "add", model, "--rules", rules, "-o", model, "--overwrite").exit_code == 2
    assert run("policy", "add", model, "--rules", rules, "-o", tmp_path / "ruled.json").exit_code == 0
    (tmp_path / "ruled.approval.json").write_text(before)
    refused = run("approve", tmp_path / "ruled.json", "--state", "approved", *signed)
    assert refused.exit_code == 2
    assert fingerprint(load(tmp_path / "ruled.json")) not in before


def test_segments_and_columns_that_no_model_reads(run: Run, tmp_path: Path) -> None:
    whole, ruled = tmp_path / "whole.json", tmp_path / "ruled.json"
    dump(models_named()["segmented-model"], whole)
    asked = ["--knock-out", "N1", "--when", "debts > 3 or debts is special [-9]", "--reason", "Debts", "--why", "Board"]
    refused = run("policy", "add", whole, *asked, "-o", ruled)
    assert refused.exit_code == 2
    assert "say what the column is: --feature debts=numeric" in " ".join(refused.stderr.split())
    asked += ["--feature", "debts=numeric,-9", "--segment", "thin file"]
    assert run("policy", "add", whole, *asked, "-o", ruled).exit_code == 0
    rows = json.loads(run("policy", "list", ruled, "--json").stdout)["rules"]
    assert [row["segment"] for row in rows if row["code"] == "N1"] == ["thin file"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ([], "there is no rule to add"),
        (["--when", "amount < 1"], "options of no rule"),
        (["--knock-out", "N1", "--override", "N2"], "one rule at a time"),
        (["--knock-out", "N1", "--when", "amount < 1"], "an option is missing"),
        (
            ["--knock-out", "N1", "--when", "amount < 1", "--reason", "Loan", "--points", "3"],
            "an option that --knock-out does",
        ),
        (["--override", "N1", "--when", "amount < 1", "--reason", "Loan"], "allowed: --decision"),
        (["--knock-out", "N1", "--when", "amount < 1", "--reason", "Loan"], "got: 'no why'"),
        (["--knock-out", "N1", "--when", "amount <", "--reason", "Loan", "--why", "x"], "expected a value"),
        (
            [
                "--knock-out",
                "N1",
                "--when",
                "sex = 'f'",
                "--reason",
                "Loan",
                "--why",
                "x",
                "--feature",
                "sex=categorical",
            ],
            "fix: leave the column out, or allow it by name: --allow-protected sex",
        ),
    ],
)
def test_what_is_refused(run: Run, model: Path, tmp_path: Path, asked: list[str], words: str) -> None:
    output = tmp_path / "ruled.json"
    result = run("policy", "add", model, *asked, "-o", output)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert not output.exists()


def test_a_file_and_one_rule_are_not_added_together(run: Run, model: Path, rules: Path, tmp_path: Path) -> None:
    output = tmp_path / "ruled.json"
    one = ["--knock-out", "N9", "--when", "amount < 1", "--reason", "Loan"]
    assert (
        "a file of rules, and one rule beside it"
        in run("policy", "add", model, "--rules", rules, *one, "-o", output).stderr
    )
    assert "is for the one rule" in run("policy", "add", model, "--rules", rules, "--segment", "x", "-o", output).stderr


def test_help_shows_the_commands_and_their_examples(run: Run) -> None:
    assert all(name in run("policy", "--help").stdout for name in ("add", "list", "test", "remove"))
    for name in ("add", "list", "test", "remove"):
        assert f"scrutable policy {name} " in run("policy", name, "--help").stdout
