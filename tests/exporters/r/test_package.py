"""The package skeleton: R itself builds, checks and installs it, and its tests notice a changed model."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cards import card, categories, knocking_out, ladder, reason_policy, rule_set

from scrutable.model import Outcome, Rule
from scrutable.testing.strategies import HOSTILE_TEXTS
from scrutable_r.exporter import RExporter
from scrutable_segmented.combining import combine

from .conftest import RunR

WORDS = "\\%{}\n\u00e9 'a' \"b\" #ifdef"
EXPORTER = RExporter(form="package", package="credit.score", function_name="points_of")


@pytest.fixture
def r_command(rscript: str, tmp_path: Path) -> list[str]:
    """`R CMD`, of the R whose Rscript is run."""
    found = shutil.which("R", path=str(Path(rscript).parent)) or shutil.which("R")
    if found is None:
        pytest.skip("R's own command, R, is not here")
    return [found, "CMD"]


def command(arguments: list[str], folder: Path) -> str:
    # without repositories, lest a check asks CRAN what packages there are
    quiet = {"LC_ALL": "C", "_R_CHECK_XREFS_REPOSITORIES_": folder.as_uri(), "R_LIBS": str(folder)}
    done = subprocess.run(arguments, cwd=folder, env={**os.environ, **quiet}, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode()


def write(files: dict[str, str | bytes], folder: Path) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(content), encoding="ascii")


def test_the_package_builds_checks_and_installs(r_command: list[str], tmp_path: Path) -> None:
    plain = card(ladder(WORDS, 18.1), categories("job", *HOSTILE_TEXTS[:20], WORDS), label=WORDS)
    policy = knocking_out(WORDS, 0, code=WORDS, reason=WORDS)
    model = replace(plain, reasons=reason_policy(plain), policy=policy)
    write(dict(EXPORTER.export(model).files), tmp_path / "credit.score")
    command([*r_command, "build", "credit.score"], tmp_path)
    log = command([*r_command, "check", "--no-manual", "credit.score_1.0.0.tar.gz"], tmp_path)
    assert "ERROR" not in log
    assert "WARNING" not in log
    assert "checking tests ..." in log
    command([*r_command, "INSTALL", "--no-test-load", "-l", ".", "credit.score_1.0.0.tar.gz"], tmp_path)
    assert (tmp_path / "credit.score" / "DESCRIPTION").exists()


def test_its_tests_notice_a_changed_model(rscript: str, tmp_path: Path) -> None:
    model = card(ladder("x", 18.0))
    files = EXPORTER.export(model).files
    test = str(files["tests/score.R"]).replace("library(credit.score)", 'source("score.R")')
    for text, code in (
        (str(files["R/score.R"]), 0),
        (str(files["R/score.R"]).replace("      10,  # >= 18", "      9,  # >= 18"), 1),
    ):
        (tmp_path / "score.R").write_text(text)
        (tmp_path / "test.R").write_text(test)
        done = subprocess.run([rscript, "--vanilla", "test.R"], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == code
        assert (b"column score: row" in done.stderr) == bool(code)


def test_the_tests_of_segments_pass_and_reasons_can_be_left_out(run_r: RunR) -> None:
    plain = card(ladder("age", 18.0), ladder("income", 5.0))
    thin, thick = replace(plain, reasons=reason_policy(plain)), card(ladder("age", 30.0))
    model = combine({"thin": thin, "thick": thick}, {"thin": "income < 3 or missing"})
    files = EXPORTER.export(model).files
    test = str(files["tests/score.R"]).replace("library(credit.score)", "")
    fewer = "cat(names(points_of(data, reasons = FALSE)))"
    assert run_r(str(files["R/score.R"]), f"{test}\n{fewer}") == "segment score probability approved knock_out"
    assert "points_of(data, reasons = TRUE)" in str(files["man/points_of.Rd"])


def test_a_model_without_features_has_a_package() -> None:
    model = rule_set(outcome=Outcome(classes=(0, 1), favourable=1), fallback=(Rule(when=(), outcome=1),))
    files = EXPORTER.export(model).files
    assert list(files) == ["R/score.R", "DESCRIPTION", "LICENSE", "NAMESPACE", "man/points_of.Rd", "tests/score.R"]
