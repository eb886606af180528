"""`scrutable plot --evidence`: intervals of the points, from the fit to the models made of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import Scorecard, load

Run = Callable[..., Any]
ROLES = ["--target", "credit_risk"]


def fitted(run: Run, loans: Path, path: Path, learner: str) -> Path:
    """A model of four characteristics, with its evidence beside it."""
    kept = ["duration_months", "credit_amount", "checking_status", "purpose", "credit_risk"]
    header = loans.read_text().splitlines()[0].split(",")
    options = [*ROLES, "--favourable", "good", "--learner", learner]
    options += [f"--drop={name}" for name in header if name not in kept]
    result = run("fit", loans, *options, "-o", path, "--evidence", path.with_name("evidence.json"))
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture(scope="module")
def sure(run: Run, loans: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a learner that tells how sure its points are."""
    return fitted(run, loans, tmp_path_factory.mktemp("sure") / "model.json", "additive")


def shown(run: Run, model: Path, evidence: Path) -> dict[str, list[Any]]:
    """The interval of each attribute, by feature."""
    result = run("plot", model, "--evidence", evidence, "--json", "--what", "effects")
    assert result.exit_code == 0, result.output
    effects = json.loads(result.stdout)["effects"]
    return {name: [step["interval"] for step in steps] for name, steps in effects.items()}


def test_the_picture_has_bands(run: Run, sure: Path, tmp_path: Path) -> None:
    evidence = sure.with_name("evidence.json")
    known = shown(run, sure, evidence)
    card = load(sure)
    assert isinstance(card, Scorecard)
    for each in card.characteristics:
        for attribute, interval in zip(each.attributes, known[each.feature], strict=True):
            assert (interval is None) == (attribute.statistics.count == 0)
            if interval is not None:
                assert interval[0] < attribute.points < interval[1]
    plain, banded = tmp_path / "plain.svg", tmp_path / "banded.svg"
    assert run("plot", sure, "-o", plain).exit_code == 0
    assert run("plot", sure, "-o", banded, "--evidence", evidence).exit_code == 0
    assert banded.read_bytes() != plain.read_bytes()


def test_they_go_along_on_the_scale_of_the_new_points(run: Run, loans: Path, sure: Path, tmp_path: Path) -> None:
    evidence = sure.with_name("evidence.json")
    known, old = shown(run, sure, evidence), load(sure)
    rescaled = ["rescale", sure, "--pdo", "40", "--base-score", "700", "--base-odds", "15", "--decimals", "0"]
    commands = {
        "rescaled": (rescaled, 2.0),
        "rounded": (["strategy", "rounding", sure, loans, *ROLES, "--decimals", "0"], 1.0),
        "calibrated": (["calibrate", sure, loans, *ROLES], 1.0),
        "cut": (["strategy", "cutoff", sure, loans, *ROLES, "--approval-rate", "0.5"], 1.0),
    }
    for name, (command, factor) in commands.items():
        new, its = tmp_path / f"{name}.json", tmp_path / f"{name}-evidence.json"
        result = run(*command, "-o", new, "--evidence", evidence, "--evidence-output", its)
        assert result.exit_code == 0, result.output
        for feature, sides in shown(run, new, its).items():
            for was, now in zip(known[feature], sides, strict=True):
                assert now == (None if was is None else pytest.approx([factor * end for end in was], rel=1e-12))
        made = load(new)
        assert isinstance(made, Scorecard)
        assert isinstance(old, Scorecard)
        assert (made.characteristics == old.characteristics) == (name in ("calibrated", "cut"))


def test_evidence_that_says_nothing_of_these_points_is_refused(
    run: Run, sure: Path, loans: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "p.svg"
    model = fitted(run, loans, tmp_path / "model.json", "scorecard")
    result = run("plot", model, "-o", picture, "--evidence", model.with_name("evidence.json"))
    assert result.exit_code == 2
    assert "the evidence has no intervals of the model's points" in " ".join(result.stderr.split())
    result = run("plot", model, "-o", picture, "--evidence", sure.with_name("evidence.json"))
    assert result.exit_code == 2
    assert "the evidence is about another model" in result.stderr
    result = run("plot", sure, "-o", sure.with_name("evidence.json"), "--evidence", sure.with_name("evidence.json"))
    assert result.exit_code == 2
    assert not picture.exists()
