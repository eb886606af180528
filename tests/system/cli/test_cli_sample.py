"""`scrutable sample`: from accounts and their history to a fit, by the command line alone."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import load

Run = Callable[..., Any]
PAGE = Path(__file__).parents[3] / "docs" / "sample.md"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A history and accounts, whose numbers begin with zeros."""
    chance = np.random.default_rng(6)
    names = [f"{number:05d}" for number in range(900)]
    income = chance.normal(size=900)
    opened = chance.integers(0, 12, 900)
    history = pd.DataFrame(
        [
            {"account": name, "month": f"{2018 + m // 12}-{m % 12 + 1:02d}", "days_past_due": late}
            for name, own, at in zip(names, income, opened, strict=True)
            for m in range(at + 1, 28)
            for late in [int(30 * max(0, round(chance.normal(-0.5 - own, 1.2))))]
        ]
    )
    accounts = pd.DataFrame(
        {
            "account": names,
            "observed": [f"2018-{at + 1:02d}-{chance.integers(1, 28):02d}" for at in opened],
            "income": income.round(3),
            "note": ["=1+1", "plain"] * 450,
        }
    )
    history.to_csv(tmp_path / "history.csv", index=False)
    accounts.to_csv(tmp_path / "accounts.csv", index=False)
    return tmp_path / "history.csv", tmp_path / "accounts.csv"


def test_the_sample_feeds_fit_as_the_command_says(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    history, accounts = files
    sample, later, picture, rolls = (tmp_path / name for name in ("sample.csv", "later.csv", "vintages.svg", "r.svg"))
    options = ["--out-of-time", "2018-10", "--holdout", later, "--keep", "good=1/2"]
    options += ["--picture", picture, "--roll-picture", rolls]
    result = run("sample", history, "--accounts", accounts, *options, "-o", sample)
    assert result.exit_code == 0, result.output
    assert picture.read_text().startswith("<?xml")
    assert rolls.read_text().startswith("<?xml")
    assert rolls.read_text() != picture.read_text()
    assert "From one month to the next" in result.stdout
    [line] = [line for line in result.stdout.splitlines() if line.startswith("scrutable fit")]
    words = line.split()[1:]
    assert words[:2] == ["fit", str(sample)]
    quick = ["--learner", "scorecard", "--binner", "quantile", "--drop", "note"]
    fitted = run(*words[:-1], tmp_path / "model.json", *quick)
    assert fitted.exit_code == 0, fitted.output
    asked = ["--target", "outcome", "--indeterminate", "indeterminate", "--weight", "weight"]
    validated = run("validate", tmp_path / "model.json", later, *asked)
    assert validated.exit_code == 0, validated.output
    frame = pd.read_csv(sample, dtype={"account": str})
    assert frame["account"].str.len().eq(5).all()
    assert set(frame["note"]) == {"'=1+1", "plain"}


def test_json_holds_the_tables_and_no_row(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    history, accounts = files
    result = run("sample", history, "--accounts", accounts, "-o", tmp_path / "s.csv", "--json")
    told = json.loads(result.stdout)
    assert told["definition"]["bad"] == 90
    assert told["counts"][0]["good"] + told["counts"][0]["bad"] + told["counts"][0]["indeterminate"] == 900
    assert told["vintages"]["cohorts"][0]["name"] == "2018Q1"
    assert told["roll_rates"]["statuses"][-1] == "90 or more"
    assert "development" not in told
    assert told["written"] == [str(tmp_path / "s.csv")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--out-of-time", "2018-10"], "one is given without the other"),
        (["--exclude", "note"], "expected a test"),
        (["--keep", "good=half"], "not a share"),
        (["--statuses", "30;60"], "not numbers"),
        (["--observed", "2019"], "the date has no month"),
        (["--cohort", "week"], "unknown"),
        (["--picture", "vintages.pdf"], "the ending says no format of a picture"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_written(
    run: Run, files: tuple[Path, Path], tmp_path: Path, options: list[str], words: str
) -> None:
    history, accounts = files
    result = run("sample", history, "--accounts", accounts, "-o", tmp_path / "s.csv", *options)
    assert result.exit_code != 0
    assert words in result.stderr
    assert not (tmp_path / "s.csv").exists()


def test_one_date_may_stand_for_all_accounts(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    history, accounts = files
    options = ["--observed", "2018-12", "--opened", "observed", "--indeterminate", "0"]
    result = run("sample", history, "--accounts", accounts, *options, "-o", tmp_path / "s.csv")
    assert result.exit_code == 0, result.output
    assert set(pd.read_csv(tmp_path / "s.csv")["outcome"]) == {"good", "bad"}
    assert "--drop observed" in result.stdout


def test_the_line_of_fit_has_names_as_a_shell_reads_them(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    history, accounts = files
    pd.read_csv(history, dtype=str).rename(columns={"account": "no. [b]"}).to_csv(history, index=False)
    pd.read_csv(accounts, dtype=str).rename(columns={"account": "no. [b]"}).to_csv(accounts, index=False)
    result = run("sample", history, "--accounts", accounts, "--account", "no. [b]", "-o", tmp_path / "s.csv")
    assert result.exit_code == 0, result.output
    [line] = [line for line in result.stdout.splitlines() if line.startswith("scrutable fit")]
    assert shlex.split(line)[7:9] == ["--id", "no. [b]"]


def test_the_command_lines_of_the_page_work_one_after_another(
    run: Run, files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, accounts = files
    frame = pd.read_csv(accounts, dtype=str)
    frame.assign(status=["fraud", *["open"] * 899]).to_csv(accounts, index=False)
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^    scrutable (.*)$", PAGE.read_text().replace("\\\n", ""), re.M)
    assert len(lines) == 4
    for line in lines:
        result = run(*shlex.split(line))
        assert result.exit_code == 0, f"{line}: {result.output}"
    for name in ("model", "drawn"):
        assert "weight" not in {feature.name for feature in load(f"{name}.json").features}


def test_texts_that_a_csv_file_changes_are_told_of_and_kept_in_parquet(
    run: Run, files: tuple[Path, Path], tmp_path: Path
) -> None:
    history, accounts = files
    frame = pd.read_csv(accounts, dtype=str)
    homes = ["- none", "owns"] * (len(frame) // 2) + ["owns"] * (len(frame) % 2)
    frame.assign(home=homes).to_csv(accounts, index=False)
    told = "home: a quote stands before texts that spreadsheets take for formulas; --output sample.parquet keeps them"
    as_csv = run("sample", history, "--accounts", accounts, "-o", tmp_path / "sample.csv")
    assert as_csv.exit_code == 0, as_csv.output
    assert told.partition("home")[2] in " ".join(as_csv.stderr.split())
    made = run("sample", history, "--accounts", accounts, "-o", tmp_path / "sample.parquet")
    assert made.exit_code == 0, made.output
    assert "a quote stands before" not in made.stderr
    assert set(pd.read_parquet(tmp_path / "sample.parquet")["home"]) == {"- none", "owns"}
    [line] = [line for line in made.stdout.splitlines() if line.startswith("scrutable fit")]
    fitted = run(*shlex.split(line)[1:], "-o", tmp_path / "m.json")
    assert fitted.exit_code == 0, fitted.output
