"""Files whose looks do not tell how they are to be read: every command reads them alike."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer

from scrutable.cli.app import app
from scrutable.data import ReadingConfig
from scrutable.model import load

Run = Callable[..., Any]

READ = ["--encoding", "cp1252", "--decimal", ",", "--dates", "d/m/Y"]
ROLES = ["--target", "zurück", "--favourable", "ja", "--date", "datum"]
#: How a model has all columns, those of which the outcome does not depend, too.
KEEPING = ["--learner", "scorecard", "--binner", "quantile", "--option", "select=null"]


def _rows(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    amount = rng.integers(100, 900_000, n) / 100
    rate = rng.integers(0, 400, n) / 10
    day = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 365, n), unit="D")
    good = rng.random(n) < 1 / (1 + np.exp(-2 + rate / 10))
    return pd.DataFrame(
        {
            "plz": rng.choice(["01001", "01002", "90210", "60311"], n),
            "betrag": [f"{each:,.2f}".translate(str.maketrans(",.", ".,")) for each in amount],
            "zins": [f"{each:.1f}%".replace(".", ",") for each in rate],
            "datum": pd.Series(day).dt.strftime("%d/%m/%Y"),
            "zurück": np.where(good, "ja", "nein"),
        }
    )


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("german") / "kredite.csv"
    path.write_bytes(_rows().to_csv(sep=";", index=False).encode("cp1252"))
    return path


@pytest.fixture(scope="module")
def fitted(run: Run, german: Path) -> Path:
    path = german.with_name("model.json")
    further = ["--numbers", "zins", "--out-of-time", "2019-10-01", *KEEPING]
    result = run("fit", german, *ROLES, *READ, *further, "-o", path, "--save-config", german.with_name("run.toml"))
    assert result.exit_code == 0, result.output
    return path


def test_the_model_knows_what_its_columns_are(fitted: Path) -> None:
    kinds = {feature.name: feature.kind for feature in load(fitted).features}
    assert kinds == {"plz": "categorical", "betrag": "numeric", "zins": "numeric"}


def test_a_saved_run_reads_the_same(run: Run, fitted: Path, german: Path) -> None:
    before = fitted.read_bytes()
    result = run("fit", german.with_name("run.toml"), "--overwrite")
    assert result.exit_code == 0, result.output
    assert fitted.read_bytes() == before
    refused = run("fit", german.with_name("run.toml"), "--encoding", "cp1252")
    assert (refused.exit_code, "--encoding" in refused.stderr) == (2, True)


def test_every_command_reads_what_fit_read(run: Run, fitted: Path, german: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean.csv"
    frame = _rows()
    frame["betrag"] = frame["betrag"].str.replace(".", "").str.replace(",", ".")
    frame["zins"] = frame["zins"].str.replace(",", ".").str.strip("%")
    frame["datum"] = frame["datum"].str.replace(r"(\d+)/(\d+)/(\d+)", r"\3-\2-\1", regex=True)
    frame.to_csv(clean, index=False)
    commands: list[list[Any]] = [
        ["score", fitted, "DATA", "--points", "--reasons"],
        ["explain", fitted, "DATA", "--json"],
        ["validate", fitted, "DATA", "--target", "zurück", "--json"],
        ["monitor", fitted, "DATA", "DATA", "--date", "datum", "--json"],
    ]
    for command in commands:
        one = run(*[german if each == "DATA" else each for each in command], *READ)
        other = run(*[clean if each == "DATA" else each for each in command])
        assert one.exit_code == other.exit_code < 2, (command, one.output, other.output)
        said, expected = (each.stdout.replace(str(german), "").replace(str(clean), "") for each in (one, other))
        assert said == expected


def test_one_row_of_digits_stays_a_code_for_the_model(run: Run, fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("plz,betrag,zins\n90210,0100,3.5%\n")
    result = run("score", fitted, path, "--points")
    assert (result.exit_code, result.stderr) == (0, "")
    path.write_text("plz,betrag,zins\n90210,100.0,3.5\n")
    assert run("score", fitted, path, "--points").stdout == result.stdout
    assert len(pd.read_csv(io.StringIO(result.stdout))) == 1


def test_without_options_each_fault_is_named(run: Run, german: Path, tmp_path: Path) -> None:
    out = ["-o", tmp_path / "model.json"]
    refused = run("fit", german, *ROLES, *out)
    assert refused.exit_code == 2
    assert "--encoding cp1252" in refused.stderr
    told = run("fit", german, *ROLES, *out, "--encoding", "cp1252", "--binner", "quantile")
    said = " ".join(told.stderr.split())
    assert "column 'plz'" in said
    assert "column 'betrag': its values look like numbers, but 357 of 400" in said
    assert "column 'zins': its values look like numbers, but 400 of 400" in said
    late = run("fit", german, *ROLES, *out, "--encoding", "cp1252", "--out-of-time", "2019-10")
    assert late.exit_code == 2
    assert "--dates d/m/Y" in " ".join(late.stderr.split())


def test_a_column_that_is_not_there_is_named_with_its_option(run: Run, fitted: Path, german: Path) -> None:
    result = run("score", fitted, german, *READ, "--text", "plx")
    assert result.exit_code == 2
    assert "where:   --text, file" in result.stderr
    assert "did you mean 'plz'" in result.stderr
    result = run("score", fitted, german, "--encoding", "utf-9")
    assert (result.exit_code, "unknown encoding" in result.stderr) == (2, True)


def test_markers_of_missing_values_are_declared(run: Run, tmp_path: Path) -> None:
    frame = _rows().assign(betrag=lambda frame: np.arange(len(frame)))
    plain, marked = tmp_path / "plain.csv", tmp_path / "marked.csv"
    frame["betrag"] = frame["betrag"].where(frame.index % 5 > 0)
    frame.to_csv(plain, index=False)
    frame.to_csv(marked, index=False, na_rep="?")
    roles = [*ROLES, "--drop", "zins", "--drop", "datum", *KEEPING, "--overwrite"]
    models = []
    for path, further in ((plain, []), (marked, ["--missing", "tbd, ?", "--save-config", tmp_path / "run.toml"])):
        models.append(path.with_suffix(".json"))
        result = run("fit", path, *roles, "-o", models[-1], *further)
        assert result.exit_code == 0, result.output
    assert models[0].read_bytes() == models[1].read_bytes()
    assert 'missing = ["tbd", "?"]' in (tmp_path / "run.toml").read_text()
    refused = run("score", models[1], marked)
    assert (refused.exit_code, "--missing '?'" in refused.stderr) == (2, True)
    assert run("score", models[1], marked, "--missing", "?").stdout == run("score", models[0], plain).stdout


def test_every_command_with_data_has_the_options_of_reading() -> None:
    group: Any = typer.main.get_command(app)
    strategy = group.commands["strategy"].command.commands
    commands = {**group.commands, **{f"strategy {k}": v for k, v in strategy.items()}}
    readers = {"monitor", "explain", "notices", "rescale", "plot", "verify", "reasons", "report"}
    for name, listed in commands.items():
        command = listed.command
        names = {each.name for each in command.params}
        helps = " ".join(str(getattr(each, "help", "")) for each in command.params)
        if name in readers or "data file" in helps or "Column of the outcome" in helps:
            assert {each.name for each in fields(ReadingConfig)} - {"ranges", "special", "cuts"} <= names, name
    assert json.dumps(sorted(readers - commands.keys())) == "[]"
