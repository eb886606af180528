"""A model's evidence follows it to the models made of it: cut anew, rounded, calibrated, picked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import FrozenMapping, load, load_evidence
from scrutable.model.store import fingerprint

Run = Callable[..., Any]
ROLES = ["--target", "credit_risk"]
AIM = ["--approval-rate", "0.5"]


@pytest.fixture(scope="module")
def edited(run: Run, loans: Path, fit_options: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a decision about a bin in its evidence."""
    path = tmp_path_factory.mktemp("edited") / "edited.json"
    cuts = ["--binner-option", 'cuts={"duration_months": [12, 24]}']
    evidence = ["--evidence", path.with_name("evidence.json")]
    result = run("fit", loans, *fit_options, *cuts, "--test-size", "0.3", "--output", path, *evidence)
    assert result.exit_code == 0, result.output
    return path


def decisions_in_report(run: Run, model: Path, evidence: Path, folder: Path) -> bool:
    folder.mkdir(exist_ok=True)
    page = folder / "report.html"
    result = run("report", model, "--evidence", evidence, "-o", page)
    assert result.exit_code == 0, result.output
    return "Cuts, merges and trends that were set by hand" in page.read_text()


@pytest.mark.parametrize(
    ("command", "entry", "measured"),
    [
        (["strategy", "cutoff", *AIM], "cutoff", False),
        (["strategy", "rounding"], "rounding", False),
        (["calibrate"], "calibration", True),
    ],
    ids=["cutoff", "rounding", "calibrate"],
)
def test_the_new_model_keeps_the_trail(
    run: Run, loans: Path, edited: Path, tmp_path: Path, command: list[str], entry: str, measured: bool
) -> None:
    new, evidence = tmp_path / "new.json", tmp_path / "new-evidence.json"
    old_evidence = edited.with_name("evidence.json")
    files = ["-o", new, "--evidence", old_evidence, "--evidence-output", evidence]
    result = run(*command, edited, loans, *ROLES, *files)
    assert result.exit_code == 0, result.output
    assert f"wrote {evidence}" in result.stdout
    before, after = load_evidence(old_evidence), load_evidence(evidence)
    assert after.model_sha256 == fingerprint(load(new)) != before.model_sha256
    assert (after.binning, after.reference, after.search_log) == (before.binning, before.reference, before.search_log)
    of_the_old_decisions = set() if measured else {"held_out", "decision", "all_missing"}
    assert set(after.metrics) == {*before.metrics, entry} - of_the_old_decisions
    assert "held_out" in before.metrics
    assert decisions_in_report(run, new, evidence, tmp_path)


def test_rules_keep_the_trail_but_for_what_was_measured_before_them(run: Run, edited: Path, tmp_path: Path) -> None:
    old_model, old_evidence = edited, edited.with_name("evidence.json")
    before = load_evidence(old_evidence)
    said = ["--who", "Ana Ruiz", "--why", "Policy of 2026"]
    rule = ["--knock-out", "K1", "--when", "duration_months > 48", "--reason", "Duration of the loan"]
    changes = [["policy", "add", edited, *rule], ["policy", "remove", tmp_path / "1.json", "K1"]]
    for number, command in enumerate(changes, 1):
        new, evidence = tmp_path / f"{number}.json", tmp_path / f"{number}-evidence.json"
        result = run(*command, *said, "-o", new, "--evidence", old_evidence, "--evidence-output", evidence)
        assert result.exit_code == 0, result.output
        assert f"wrote {evidence}" in result.stdout
        after = load_evidence(evidence)
        assert after.model_sha256 == fingerprint(load(new)) != fingerprint(load(old_model))
        assert (after.binning, after.reference, after.search_log) == (
            before.binning,
            before.reference,
            before.search_log,
        )
        assert set(after.metrics) == set(before.metrics) - {"held_out", "decision", "all_missing"}
        assert all(after.metrics[name] == before.metrics[name] for name in after.metrics)
        assert decisions_in_report(run, new, evidence, tmp_path / str(number))
        old_model, old_evidence = new, evidence
    refused = run("policy", "add", edited, *rule, *said, "-o", tmp_path / "n.json", *half_of(edited))
    assert refused.exit_code == 2
    assert "give --evidence and --evidence-output, or neither" in refused.stderr
    assert not (tmp_path / "n.json").exists()


def half_of(edited: Path) -> list[Any]:
    """Options that name the evidence that is read, and none that is written."""
    return ["--evidence", edited.with_name("evidence.json")]


def test_the_pick_keeps_its_own(run: Run, loans: Path, model: Path, edited: Path, tmp_path: Path) -> None:
    evidence = [f"--evidence=edited={edited.with_name('evidence.json')}"]
    evidence += [f"--evidence=model={model.with_name('evidence.json')}"]
    options = [*ROLES, "--protected", "sex", "--require", "0.1", "--margin", "0", "--no-picture"]
    result = run("compare", edited, model, "--data", loans, *options, *evidence, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    picked = load_evidence(tmp_path / "evidence.json")
    words = " ".join(result.stdout.split())
    source = edited if "Picked: edited" in words else model
    known = load_evidence(source.with_name("evidence.json"))
    assert (picked.binning, picked.reference) == (known.binning, known.reference)
    assert picked.binning != FrozenMapping()
    assert picked.model_sha256 == fingerprint(load(tmp_path / "model.json"))
    assert {"validation"} <= set(picked.metrics)
    assert "held_out" not in picked.metrics
    assert decisions_in_report(run, tmp_path / "model.json", tmp_path / "evidence.json", tmp_path) == (source == edited)


@pytest.mark.parametrize("command", [["strategy", "cutoff", *AIM], ["strategy", "rounding"]])
@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["--evidence", "evidence"], "give --evidence and --evidence-output, or neither"),
        (["--evidence", "evidence", "--evidence-output", "new"], "give --output too"),
    ],
)
def test_half_a_request_is_refused(
    run: Run, loans: Path, model: Path, command: list[str], files: list[str], words: str
) -> None:
    result = run(*command, model, loans, *ROLES, *files)
    assert result.exit_code == 2
    assert words in result.stderr


def test_evidence_of_another_model_is_refused(run: Run, loans: Path, model: Path, edited: Path, tmp_path: Path) -> None:
    other = ["--evidence", edited.with_name("evidence.json"), "--evidence-output", tmp_path / "evidence.json"]
    result = run("strategy", "cutoff", model, loans, *ROLES, *AIM, "-o", tmp_path / "new.json", *other)
    assert result.exit_code == 2
    assert "the evidence is about another model" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "words"),
    [("modle", "did you mean 'model'?"), ("model", "the evidence is about another model")],
)
def test_evidence_of_no_model_that_is_compared_is_refused(
    run: Run, loans: Path, model: Path, edited: Path, tmp_path: Path, name: str, words: str
) -> None:
    options = [*ROLES, "--protected", "sex", "--no-picture", "-o", tmp_path]
    evidence = f"{name}={edited.with_name('evidence.json')}"
    result = run("compare", edited, model, "--data", loans, *options, "--evidence", evidence)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not list(tmp_path.iterdir())
