"""`scrutable notices`: from a model and a file of applicants to a folder of notices, or to nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit

Run = Callable[..., Any]


@pytest.fixture
def lender(run: Run, tmp_path: Path) -> Path:
    """The example that the command shows, as a file."""
    path = tmp_path / "lender.toml"
    result = run("notices", "--example-lender")
    assert (result.exit_code, result.stderr) == (0, "")
    path.write_text(result.stdout)
    return path


@pytest.fixture
def applicants(tmp_path: Path) -> Path:
    """The first twelve applicants of German credit, with names, and ids that begin with zeros."""
    path = tmp_path / "applicants.csv"
    frame = load_german_credit().frame.iloc[:12].copy()
    frame["loan"] = [f"00{row}" for row in range(12)]
    frame["who"] = [f"Applicant <{row}>" for row in range(12)]
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def common(model: Path, applicants: Path, lender: Path, tmp_path: Path) -> list[Any]:
    """The arguments of a batch."""
    arguments = ["notices", model, applicants, "--lender", lender, "--date", "2026-11-22", "--id", "loan"]
    return [*arguments, "--name", "who", "--draft", "--output", tmp_path / "notices"]


def test_the_folder_holds_an_index_and_a_file_for_each_notice_and_format(
    run: Run, common: list[Any], tmp_path: Path
) -> None:
    result = run(*common, "--format", "html", "--format", "text")
    assert result.exit_code == 0, result.output
    index = pd.read_csv(tmp_path / "notices" / "index.csv", dtype=str).fillna("")
    declined = index[index["decision"] == "declined"]
    assert 0 < len(declined) < len(index) == 12
    written = {path.name for path in (tmp_path / "notices").iterdir()}
    assert written == {"index.html", "index.csv", *" ".join(declined["files"]).split()}
    assert f"notice-{declined['id'].iloc[0]}.html" in written
    assert f"12 applicants, {len(declined)} with a notice" in result.stdout
    assert "not legal advice" in result.stderr
    page = (tmp_path / "notices" / f"notice-{declined['id'].iloc[0]}.html").read_text()
    assert "Applicant &lt;" in page


def test_json_sums_up(run: Run, common: list[Any], tmp_path: Path) -> None:
    found = json.loads(run(*common, "--json").stdout)
    assert found["applicants"] == 12
    assert len(found["written"]) == found["notices"] + 2
    assert all(Path(path).is_file() for path in found["written"])


def test_nothing_is_replaced_unless_asked_for(run: Run, common: list[Any], tmp_path: Path) -> None:
    assert run(*common).exit_code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "notices").iterdir()}
    result = run(*common)
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert run(*common, "--overwrite").exit_code == 0
    assert {path: path.read_bytes() for path in (tmp_path / "notices").iterdir()} == before


def test_a_batch_with_one_fault_writes_nothing(run: Run, common: list[Any], applicants: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(applicants, dtype={"loan": str})
    frame["who"] = None
    frame.to_csv(applicants, index=False)
    result = run(*common)
    assert result.exit_code == 2
    assert "without a name; nothing is written" in result.stderr
    assert not (tmp_path / "notices").exists()
    (tmp_path / "notices").mkdir()
    assert run(*common).exit_code == 2
    assert list((tmp_path / "notices").iterdir()) == []


def test_no_letter_of_another_batch_is_left_beside_the_index(
    run: Run, common: list[Any], applicants: Path, tmp_path: Path
) -> None:
    assert run(*common, "--format", "html", "--format", "text").exit_code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "notices").iterdir()}
    result = run(*common, "--overwrite")
    assert result.exit_code == 2
    assert "notices that the new index would not name" in result.stderr
    assert next(path.name for path in sorted(before) if path.suffix == ".txt") in result.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "notices").iterdir()} == before
    for path in before:
        if path.suffix == ".txt":
            path.unlink()
    assert run(*common, "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (["--format", "pfd"], "did you mean 'pdf'?"),
        (["--date", "tomorrow"], "not a date"),
        (["--language", "fr"], "no texts in this language"),
        (["--id", "laon"], "did you mean 'loan'"),
        (["--templates", "nowhere"], "not a folder of templates"),
    ],
)
def test_bad_input_is_named(run: Run, common: list[Any], changed: list[str], says: str) -> None:
    result = run(*common, *changed)
    assert result.exit_code in (1, 2)
    assert says in result.stderr
