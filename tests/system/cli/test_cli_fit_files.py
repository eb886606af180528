"""`scrutable fit`: files that exist, that have two uses, or whose names are unusual."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.model import load

Run = Callable[..., Any]

CONFIG = '[data]\npath = "tiny.csv"\ntarget = "paid"\n{}\n[output]\nmodel = "m.json"\n'


def test_an_existing_output_keeps_its_bytes(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    for name, arguments in {"m.json": [], "e.json": ["--evidence", data.with_name("e.json")]}.items():
        existing = data.with_name(name)
        existing.write_text("precious")
        result = fit_tiny(data, *arguments)
        assert result.exit_code == 2
        assert "exists already" in result.stderr
        assert "--overwrite" in result.stderr
        assert existing.read_text() == "precious"
        existing.unlink()
        assert {path.name for path in data.parent.iterdir()} == {"tiny.csv"}
    data.with_name("m.json").write_text("old")
    assert fit_tiny(data, "--overwrite").exit_code == 0
    load(data.with_name("m.json"))


def test_no_output_takes_the_place_of_an_input_or_of_another(run: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    config = data.with_name("run.toml")
    config.write_text(CONFIG.format(""))
    before = {path.name: path.read_bytes() for path in data.parent.iterdir()}
    for arguments in (
        [data, "--target", "paid", "-o", "m.json", "--evidence", data],
        [data, "--target", "paid", "-o", data.with_name("m.json"), "--evidence", data.with_name("m.json")],
        [config, "--save-config", config],
    ):
        result = run("fit", *arguments, "--overwrite")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the file has two uses" in result.stderr
    assert {path.name: path.read_bytes() for path in data.parent.iterdir()} == before


def test_no_output_is_left_where_another_fails(
    fit_tiny: Run, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, synced = tiny(), []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = fit_tiny(data, "--save-config", data.with_name("r.toml"), "--evidence", data.with_name("e.json"))
    assert len(synced) >= 3
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No space left on device" in result.stderr
    assert {path.name for path in data.parent.iterdir()} == {data.name}


def test_a_path_that_is_not_utf8(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    output = data.with_name("\udcff.json")
    result = fit_tiny(data, "-o", output, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout_bytes)["written"] == [str(output)]
    config = data.with_name("run.toml")
    result = fit_tiny(data, "-o", output, "--overwrite", "--save-config", config)
    assert result.exit_code == 2
    assert "a TOML file cannot hold the value" in result.stderr
    assert not config.exists()


def test_paths_that_no_system_takes_are_bad_input(run: Run, tiny: Callable[..., Path], tmp_path: Path) -> None:
    data = tiny()
    for name in ('"a\\u0000.json"', f'"{"n" * 300}"', '""'):
        (tmp_path / "run.toml").write_text(CONFIG.format("").replace('"m.json"', name))
        assert run("fit", tmp_path / "run.toml").exit_code == 2
        (tmp_path / "run.toml").write_text(CONFIG.format("").replace('"tiny.csv"', name))
        assert run("fit", tmp_path / "run.toml").exit_code == 2
    assert run("fit", data, "--target", "paid", "-o", "").exit_code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"tiny.csv", "run.toml"}


def test_the_longest_name_is_no_obstacle(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny()
    assert fit_tiny(data, "-o", data.with_name("n" * 250 + ".json")).exit_code == 0


def test_rows_held_out_are_written_as_validate_takes_them(run: Run, tmp_path: Path) -> None:
    german = load_german_credit().frame[["credit_risk", "sex", "duration_months", "credit_amount", "checking_status"]]
    german.to_csv(tmp_path / "loans.csv", index=False)
    files = ["-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json", "--holdout", tmp_path / "held.csv"]
    roles = ["--target", "credit_risk", "--favourable", "good", "--protected", "sex"]
    config = tmp_path / "run.toml"
    further = ["--seed", "3", "--save-config", config, "--learner", "scorecard"]
    fitted = run("fit", tmp_path / "loans.csv", *roles, *files, *further)
    assert fitted.exit_code == 0, fitted.output
    held = pd.read_csv(tmp_path / "held.csv")
    assert len(held) == 300
    assert held.merge(german.drop_duplicates(), how="left", indicator=True)["_merge"].eq("both").all()
    validated = run("validate", tmp_path / "m.json", tmp_path / "held.csv", *roles, "--json")
    assert validated.exit_code == 0, validated.output
    measured = json.loads((tmp_path / "e.json").read_text())["metrics"]["held_out"]
    assert json.loads(validated.stdout)["discrimination"]["auc"] == measured["performance"]["auc"]
    before = (tmp_path / "held.csv").read_bytes()
    assert run("fit", config, "--overwrite").exit_code == 0
    assert (tmp_path / "held.csv").read_bytes() == before


def test_rows_held_out_stay_what_they_are(run: Run, tmp_path: Path) -> None:
    german = load_german_credit().frame[["credit_risk", "credit_amount", "checking_status"]]
    german["checking_status"] = "- " + german["checking_status"]
    german.to_csv(tmp_path / "loans.csv", index=False, sep=";", decimal=",")
    known = tmp_path / "known.toml"
    known.write_text('[file]\nseparator = ";"\n[columns.credit_risk]\nrole = "outcome"\nfavourable = "good"\n')
    files = ["-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json", "--learner", "scorecard"]
    fitting = ["fit", tmp_path / "loans.csv", "--dictionary", known, *files, "--holdout"]
    refused = run(*fitting, tmp_path / "held.csv")
    assert refused.exit_code == 2
    assert "--holdout, column 'checking_status' fix: --holdout held.parquet" in " ".join(refused.stderr.split())
    assert run(*fitting, tmp_path / "held.parquet").exit_code == 0
    validated = run("validate", tmp_path / "m.json", tmp_path / "held.parquet", "--dictionary", known, "--json")
    assert validated.exit_code == 0, validated.output
    measured = json.loads((tmp_path / "e.json").read_text())["metrics"]["held_out"]
    assert json.loads(validated.stdout)["discrimination"]["auc"] == measured["performance"]["auc"]


def test_rows_held_out_of_a_query_are_those_that_were_not_learned_from(run: Run, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "loans.db")) as base:
        load_german_credit().frame[["credit_risk", "credit_amount", "checking_status"]].to_sql("loans", base)
    query = tmp_path / "loans.sql"
    query.write_text("SELECT * FROM loans ORDER BY random()")
    source = [query, "--database", f"sqlite:///{tmp_path / 'loans.db'}", "--id", "index"]
    outcome = ["--target", "credit_risk", "--favourable", "good", "--learner", "scorecard"]
    files = ["-o", tmp_path / "m.json", "--evidence", tmp_path / "e.json", "--holdout", tmp_path / "held.csv"]
    fitted = run("fit", *source, *outcome, *files)
    assert fitted.exit_code == 0, fitted.output
    validated = run("validate", tmp_path / "m.json", tmp_path / "held.csv", *outcome[:4], "--json")
    measured = json.loads((tmp_path / "e.json").read_text())["metrics"]["held_out"]
    assert json.loads(validated.stdout)["discrimination"]["auc"] == measured["performance"]["auc"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--holdout", "held.txt"], "unknown kind of file where: --holdout"),
        (["--holdout", "held.csv", "--test-size", "0"], "no rows are held out where: --test-size, --holdout"),
    ],
)
def test_rows_held_out_that_cannot_be_written_are_refused(
    fit_tiny: Run, tiny: Callable[..., Path], options: list[str], said: str
) -> None:
    result = fit_tiny(tiny(), *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
