"""Coefficients of a regression in `fit`, `show` and `report`: from the evidence file, and none where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrutable.measures import RegressionFigures
from scrutable.model import FrozenMapping, dump_evidence, load, load_evidence

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def card(run: Run, loans: Path, fit_options: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scorecard of learner scorecard, with its evidence and what `fit --json` says beside it."""
    path = tmp_path_factory.mktemp("card") / "card.json"
    files = ["--output", path, "--evidence", path.with_name("evidence.json")]
    result = run("fit", loans, *fit_options, "--learner", "scorecard", "--option", "select=null", *files, "--json")
    assert result.exit_code == 0, result.output
    path.with_name("told.json").write_text(result.stdout)
    return path


def test_json_has_all_figures(card: Path) -> None:
    figures = RegressionFigures.read(load_evidence(card.with_name("evidence.json")))
    assert json.loads(card.with_name("told.json").read_text())["regression"] == figures.to_dict()


def test_show_has_the_table(run: Run, card: Path) -> None:
    result = run("show", card, "--evidence", card.with_name("evidence.json"))
    assert result.exit_code == 0, result.output
    figures = RegressionFigures.read(load_evidence(card.with_name("evidence.json")))
    words = " ".join(result.stdout.split())
    assert f"likelihood ratio against the intercept alone {figures.likelihood_ratio:.2f}" in words
    titles = {each.name: each.title for each in load(card).features}
    [duration] = [each for each in figures.coefficients if each.feature == "duration_months"]
    line = f"{titles['duration_months']} {duration.value:.4f} {duration.model_error:.4f} {figures.z(duration):.2f}"
    assert line in words
    assert "<.0001" in words
    held = [each.feature for each in figures.coefficients if each.held == "sign"]
    assert held
    assert words.count("on its bound") == len(held)
    assert all(repr(name) in words for name in held)
    assert "Coefficients" not in run("show", card).stdout


def test_fit_says_how_the_regression_fits(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    options = ["--learner", "scorecard", "--option", "encoding=one-hot", "-o", tmp_path / "m.json"]
    result = run("fit", loans, *fit_options, *options)
    assert result.exit_code == 0, result.output
    words = " ".join(result.stdout.split())
    assert "Logistic regression on 700 rows: likelihood ratio against the intercept alone" in words


def test_a_quantity_has_students_t(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    options = [each for each in fit_options if each not in ("--favourable", "good")]
    options[options.index("credit_risk")] = "credit_amount"
    files = ["-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json"]
    result = run("fit", loans, *options, "--learner", "scorecard-regressor", *files)
    assert result.exit_code == 0, result.output
    shown = run("show", tmp_path / "m.json", "--evidence", tmp_path / "e.json")
    assert shown.exit_code == 0, shown.output
    words = " ".join(shown.stdout.split())
    assert "Linear regression on 700 rows" in words
    assert "S.e. t p" in words


def test_other_learners_have_none(run: Run, model: Path) -> None:
    result = run("show", model, "--evidence", model.with_name("evidence.json"))
    assert result.exit_code == 0, result.output
    assert "Coefficients" not in result.stdout


def test_the_models_document_has_a_section(run: Run, card: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = run("report", card, "--evidence", card.with_name("evidence.json"), "-o", page)
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert 'id="regression"' in text
    assert "p &lt;.0001" in text
    assert "errors take them as given" in text
    without = tmp_path / "without.html"
    assert run("report", card, "-o", without).exit_code == 0
    assert 'id="regression"' not in without.read_text()


def test_a_broken_entry_is_refused_by_its_place(run: Run, card: Path, tmp_path: Path) -> None:
    known = load_evidence(card.with_name("evidence.json"))
    broken = replace(known, metrics=FrozenMapping({**known.metrics, "regression": FrozenMapping({"rows": 3})}))
    dump_evidence(broken, tmp_path / "broken.json")
    result = run("show", card, "--evidence", tmp_path / "broken.json")
    assert result.exit_code == 2
    assert "metrics, regression" in result.stderr
    assert "a field is missing" in result.stderr
