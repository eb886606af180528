"""Errors and tables in the words of the command line, not of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        (
            ["age,interval,,25,480", "age,interval,30,,530"],
            [],
            "fix: say what they get: --gaps extend, neutral, worst,",
        ),
        (["age,interval,,,480"], [], "fix: say what they get: --missing neutral, worst, or a number of points"),
        (["job,values,,,480", "job,missing,,,480"], [], "fix: say what they get: --unseen neutral, worst,"),
        (["age,interval,,,480"], ["--missing", "odd"], "where: --missing got: odd"),
        (["age,interval,,,480"], ["--special-code", "sex=3"], "no such characteristic where: --special-code got: sex"),
        (["age,interval,,,480"], ["--closed", "odd"], "where: --closed got: odd"),
        (["age,interval,,,480"], ["--categorical", "sex"], "no such characteristic where: --categorical got: sex"),
    ],
)
def test_import_names_its_flags(run: Run, tmp_path: Path, rows: list[str], options: list[str], words: str) -> None:
    path = tmp_path / "card.csv"
    values = [f"{row},{'clerk' if row.startswith('job,values') else ''}" for row in rows]
    path.write_text("\n".join(["characteristic,attribute,lower,upper,points,values", *values]))
    result = run("import", path, *options, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.replace("'", "").split())


def test_import_names_the_flags_of_special_codes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "card.csv"
    path.write_text('Variable,Bin,Count,Points\nage,"[-inf, 25.00)",9,1\nage,"[25.00, inf)",9,2\nage,Special,9,3\n')
    result = run("import", path, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert "name them with --special-code, or give --no-special-codes if there are none" in result.stderr


def test_bins_lets_an_input_pass_by_its_own_flag(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    rows = [f"{row % 7},{'fm'[row % 2]},{'xy'[row % 2]},{row % 3 > 0}" for row in range(120)]
    path.write_text("\n".join(["amount,sex,its title,paid", *rows]))
    options = ["--target", "paid", "--favourable", "True", "--protected", "sex", "--binner", "quantile"]
    refused = run("bins", path, *options)
    assert refused.exit_code == 2
    assert "leave the column out (here: --drop 'its title')" in refused.stderr
    assert "--allow-protected 'its title'" in refused.stderr
    assert "--option" not in refused.stderr
    allowed = run("bins", path, *options, "--allow-protected", "its title")
    assert (allowed.exit_code, "its title" in allowed.stdout) == (0, True)
    unknown = run("bins", path, *options, "--allow-protected", "its tilte")
    assert unknown.exit_code == 2
    assert "where:   --allow-protected" in unknown.stderr


def test_a_constraint_on_an_unknown_attribute_names_the_flag(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    constraint = ["--learner", "lda-xgb1", "--constraint", "fairness-information-value:bound=0.1,attributes=race"]
    result = run("fit", loans, *fit_options, *constraint, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert "name the column with --protected" in result.stderr
    assert "sensitive_features" not in result.stderr


@pytest.mark.parametrize(
    ("binner", "fix"),
    [
        ([], "--binner optimal --binner-option special_codes=…"),
        (["--binner", "quantile"], "fix:     --binner-option special_codes=…"),
    ],
)
def test_an_option_of_the_binner_is_sent_there(
    run: Run, loans: Path, tmp_path: Path, binner: list[str], fix: str
) -> None:
    options = ["--target", "credit_risk", "--learner", "scorecard", "--option", "special_codes=[-9]", *binner]
    result = run("fit", loans, *options, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert fix in result.stderr


def test_validate_writes_json_only_and_says_how_it_decides(run: Run, loans: Path, model: Path, tmp_path: Path) -> None:
    refused = run("validate", model, loans, "--target", "credit_risk", "-o", tmp_path / "v.html")
    assert refused.exit_code == 2
    assert "allowed: .json" in refused.stderr
    assert not list(tmp_path.iterdir())
    shown = run("validate", model, loans, "--target", "credit_risk")
    assert "approved at the model's cutoff (threshold" in shown.stdout
    assert "approved at a fixed approval rate (threshold" in shown.stdout


def test_compare_speaks_of_the_champion_and_says_when_none_will_do(
    run: Run, loans: Path, model: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    recut = run("strategy", "rounding", model, loans, "--target", "credit_risk", "-o", other)
    assert recut.exit_code == 0
    options = ["--target", "credit_risk", "--protected", "sex", "--require", "1", "--margin", "0", "--no-picture"]
    result = run("compare", model, other, "--data", loans, *options, "-o", tmp_path / "out")
    words = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert "No model meets the requirement. Closest: " in words
    assert "of the development rows." in words
    assert "champion" in words
    assert "baseline" not in words
