"""`scrutable calibrate` and `scrutable rescale`: files, tables, JSON, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable import evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard, fingerprint, load, load_evidence

Run = Callable[..., Any]


def test_it_writes_the_model_with_its_new_probabilities(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("new.json", "evidence.json", "picture.svg")]
    result = run(
        "calibrate", model, loans, "--target", "credit_risk", "--central-tendency", 0.1, "--protected", "sex",
        "-o", paths[0], "--evidence", model.with_name("evidence.json"), "--evidence-output", paths[1],
        "--picture", paths[2], "--json",
    )  # fmt: skip
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["written"] == [str(path) for path in paths]
    frame = load_german_credit().frame
    old, new = (evaluate(load(path), frame) for path in (model, paths[0]))
    assert 1 - new.probability.mean() == pytest.approx(0.1, abs=1e-12)
    assert (old.approved == new.approved).all()
    evidence = load_evidence(paths[1])
    assert evidence.model_sha256 == fingerprint(load(paths[0]))
    assert evidence.metrics["calibration"]["central_tendency"] == 0.1
    assert evidence.binning == load_evidence(model.with_name("evidence.json")).binning
    assert paths[2].read_text().startswith("<?xml")


def test_the_tables_say_what_changed(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    result = run(
        "calibrate", model, loans, "--target", "credit_risk", "--protected", "sex", "-o", tmp_path / "new.json"
    )
    assert result.exit_code == 0, result.stderr
    for text in (
        "log-odds of a good outcome = ",
        "before",
        "after",
        "expected / observed",
        "Calibration by group",
        "wrote",
    ):
        assert text in result.stdout


def test_the_new_file_runs_and_says_its_scale(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "scaled.json"
    arguments = ["--pdo", 40, "--base-score", 660, "--base-odds", 15]
    result = run("rescale", model, *arguments, "--data", loans, "-o", path, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert (said["rows"], said["flipped"], said["reasons_changed"]) == (1000, 0, 0)
    found = load(path)
    assert isinstance(found, Scorecard)
    assert found.scaling is not None
    assert (found.scaling.pdo, found.scaling.base_score, found.scaling.base_odds) == (40, 660, 15)
    rounded = run("rescale", model, *arguments, "--decimals", 0, "-o", tmp_path / "whole.json")
    assert "--data counts the applicants whom the rounding decides otherwise" in rounded.stdout
    counted = run(
        "rescale", model, *arguments, "--decimals", 0, "--data", loans, "-o", tmp_path / "whole.json", "--overwrite"
    )
    assert "Of 1,000 applicants" in counted.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "isotonic"], "unknown method of calibration"),
        (["--central-tendency", 7], "expected a share"),
        (["--central-tendency", 1e-17], "so near to 0 or 1"),
        (["--evidence", "e.json"], "one evidence file is read and another written"),
        (["--picture", "picture.pdf"], "the ending says no format of a picture"),
    ],
)
def test_bad_input_of_calibrate(
    run: Run, loans: Path, model: Path, tmp_path: Path, arguments: list[Any], message: str
) -> None:
    result = run("calibrate", model, loans, "--target", "credit_risk", "-o", tmp_path / "new.json", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "new.json").exists()


def test_evidence_is_carried_over_to_another_scale(run: Run, model: Path, tmp_path: Path) -> None:
    paths, old = [tmp_path / "scaled.json", tmp_path / "evidence.json"], model.with_name("evidence.json")
    result = run("rescale", model, "--pdo", 40, "-o", paths[0], "--evidence", old, "--evidence-output", paths[1])
    assert (result.exit_code, result.stderr) == (0, "")
    found = load_evidence(paths[1])
    assert found.model_sha256 == fingerprint(load(paths[0]))
    assert found.metrics["rescaling"]["scaling"]["pdo"] == 40
    assert "held_out" not in found.metrics
    assert found.binning == load_evidence(old).binning
    alone = run("rescale", model, "-o", tmp_path / "new.json", "--evidence", old)
    assert alone.exit_code == 2
    assert "one evidence file is read and another written" in alone.stderr
    other = run("rescale", paths[0], "-o", tmp_path / "n.json", "--evidence", old, "--evidence-output", tmp_path / "e")
    assert "the evidence is about another model" in other.stderr
    assert not (tmp_path / "n.json").exists()


def test_bad_input_of_rescale(run: Run, model: Path, tmp_path: Path) -> None:
    assert run("rescale", model, "--pdo", -1, "-o", tmp_path / "new.json").exit_code == 2
    result = run("rescale", model, "-o", model)
    assert result.exit_code == 2


@pytest.mark.parametrize("command", ["calibrate", "rescale"])
def test_help_has_an_example(run: Run, command: str) -> None:
    result = run(command, "--help", COLUMNS="200")
    assert f"scrutable {command} model.json" in result.stdout.partition("Examples:")[2]
