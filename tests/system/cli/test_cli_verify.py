"""`scrutable verify`: certificates from the shell, and its exit codes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.model import fingerprint, load
from scrutable.model.evaluator import OutputFrame
from scrutable.plugins.registry import registry

Run = Callable[..., Any]


def test_a_certificate_of_two_engines_with_applicants(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    options = ["--engine", "duckdb", "--engine", "sqlite", "--data", loans, "--rows", 200, "--seed", 3]
    result = run("verify", model, *options, "--output", f"{tmp_path}/proof/", "--json", SOURCE_DATE_EPOCH="86400")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert said == json.loads((tmp_path / "proof/certificate.json").read_text())
    assert (said["passed"], said["issued"]) == (True, "1970-01-02")
    assert said["model_sha256"] == fingerprint(load(model))
    assert said["data_sha256"] == hashlib.sha256(loans.read_bytes()).hexdigest()
    assert (said["rows"]["drawn"], said["rows"]["data"], said["rows"]["seed"]) == (200, len(load_german_credit().X), 3)
    assert [engine["engine"].split()[0] for engine in said["runs"]] == ["DuckDB", "SQLite"]
    assert "1970-01-02" in (tmp_path / "proof/certificate.html").read_text()


def test_the_table_says_what_was_compared_and_written(run: Run, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "certificate.html"
    result = run("verify", model, "--rows", 50, "-o", page)
    assert result.exit_code == 0
    for text in ("DuckDB", "score", "reasons", "passed", f"wrote {page}"):
        assert text in result.stdout
    before = page.read_bytes()
    again = run("verify", model, "--rows", 50, "-o", page)
    assert (again.exit_code, page.read_bytes() == before) == (2, True)
    assert run("verify", model, "--rows", 50, "-o", page, "--overwrite").exit_code == 0


def test_one_bit_fails_and_is_shown(run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = registry().load("exporter", "sql")
    honest = exporter.run

    def off_by_one_bit(self: Any, export: Any, X: Any) -> OutputFrame:
        columns = {name: values.copy() for name, values in honest(self, export, X).items()}
        columns["score"][7] = np.nextafter(columns["score"][7], np.inf)
        return OutputFrame(columns)

    monkeypatch.setattr(exporter, "run", off_by_one_bit)
    result = run("verify", model, "--rows", 50, "-o", tmp_path / "certificate.json")
    assert result.exit_code == 1
    assert "FAILED" in result.stdout
    assert re.search(r"score, row 7: model [\d.]+, engine [\d.]+", result.stdout)
    assert json.loads((tmp_path / "certificate.json").read_text())["passed"] is False


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--engine", "duckbd"], "'duckdb'"),
        (["--output", "certificate.pdf"], ".json, .html"),
        (["--option", "tabel=x"], "tabel"),
        (["--data", "nowhere.csv"], "nowhere.csv"),
        (["--engine", "r"], "'rscript'"),
        (["--engine", "sqlite", "--option", "dialect=duckdb"], "another dialect"),
    ],
)
def test_bad_input_is_refused(run: Run, model: Path, arguments: list[str], text: str) -> None:
    result = run("verify", model, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr


def test_a_date_that_is_none_is_refused(run: Run, model: Path) -> None:
    result = run("verify", model, "--rows", 5, SOURCE_DATE_EPOCH="yesterday")
    assert result.exit_code == 2
    assert "SOURCE_DATE_EPOCH" in result.stderr


def test_a_database_that_does_not_answer_is_told_with_its_reason(run: Run, model: Path) -> None:
    result = run("verify", model, "--rows", 5, "--engine", "postgresql://localhost:1/none")
    assert result.exit_code == 2
    assert "cannot connect: " in result.stderr
    assert "refused" in result.stderr


def test_lists_may_be_written_with_commas(run: Run, model: Path) -> None:
    options = [
        "--option",
        "form=view",
        "--option",
        "name=scores",
        "--option",
        "ids=loan,number",
        "--option",
        "points=false",
    ]
    result = run("verify", model, "--rows", 5, *options, "--json")
    assert result.exit_code == 0, result.stderr
    assert any(name.startswith("points_") for name in json.loads(result.stdout)["runs"][0]["not_exported"])
