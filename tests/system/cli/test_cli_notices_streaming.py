"""Notices of files that are taken block by block: folders and words are those of files that are read whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.data.frames import arrow_csv, plain_csv
from scrutable_documents.notices import applicant_blocks, written_notices

Run = Callable[..., Any]

SCORE = """
[bureau]
name = "Agency"
address = "P.O. Box 1000"
phone = "(555) 010-0199"

[score]
name = "Score"
lowest = 300
highest = 850
supplier = "Agency"
created_column = "scored"
column = "points"
factor_columns = ["factor", "other"]
"""


@pytest.fixture
def lender(run: Run, tmp_path: Path) -> Path:
    """The example that the command shows, as a file."""
    path = tmp_path / "lender.toml"
    path.write_text(run("notices", "--example-lender").stdout)
    return path


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """A lender that used a score of which columns tell."""
    path = tmp_path / "scored.toml"
    head = 'name = "Bank"\naddress = "1 Main Street"\n[agency]\nname = "Commission"\naddress = "Washington"\n'
    path.write_text(head + SCORE)
    return path


@pytest.fixture
def frame() -> pd.DataFrame:
    """Applicants with names of all kinds, and with scores of an agency."""
    rows = load_german_credit().frame.iloc[:300].copy()
    n = len(rows)
    hostile = ["../etc", "B-1", "b-1", "=1+1", "ÄÖ", "x" * 80, "a b", 'quo"te', "a,b"]
    rows["loan"] = [*hostile, *(f"00{row}" for row in range(n - len(hostile)))]
    rows["who"] = [f"Ann <{row}>, Lee" for row in range(n)]
    rows["street"] = [f"{row} Main Street\nSpringfield" for row in range(n)]
    rows["points"] = [None if row % 7 == 0 else 400 + row for row in range(n)]
    rows["scored"] = "2026-11-20"
    rows["factor"] = ["too many inquiries", "short history"] * (n // 2)
    rows["other"] = [None, "few accounts", None] * (n // 3)
    return rows


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """No file is small, blocks have few rows, and whether each folder was written block by block."""
    done: list[bool] = []
    write_notices = written_notices.write_notices

    def noting(*args: Any, **options: Any) -> Any:
        made = write_notices(*args, **options)
        done.append(made is not None)
        return made

    monkeypatch.setattr(plain_csv, "LARGEST", 0)
    monkeypatch.setattr(arrow_csv, "_BLOCK", 4096)
    monkeypatch.setattr(applicant_blocks, "_ROWS", 37)
    monkeypatch.setattr(written_notices, "write_notices", noting)
    return done


@pytest.fixture
def both(
    run: Run, model: Path, tmp_path: Path, written: list[bool], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Make notices block by block, and of the whole file; what is said, and the folder."""

    def made(frame: pd.DataFrame, lender: Path, *asked: object, suffix: str = ".csv") -> tuple[Any, bool, set[str]]:
        data, folder = tmp_path / f"applicants{suffix}", tmp_path / "notices"
        frame.to_csv(data, index=False) if suffix == ".csv" else frame.to_parquet(data, index=False)
        said, files = [], []
        for at_once in (False, True):
            with monkeypatch.context() as context:
                if at_once:
                    context.setattr(written_notices, "write_notices", lambda *_, **__: None)
                result = run(
                    "notices", model, data, "--lender", lender, "--date", "2026-11-22", "--draft", "-o", folder, *asked
                )
            said.append((result.exit_code, result.stdout, result.stderr))
            files.append({path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {})
            assert not list(folder.glob(".scrutable*"))
            for name in files[-1]:
                os.unlink(folder / name)
        assert said[0] == said[1]
        assert files[0] == files[1]
        return result, written[-1], set(files[0])

    return made


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("formats", [("html",), ("text", "json")])
def test_the_folder_is_that_of_the_whole_file(
    suffix: str, formats: tuple[str, ...], frame: pd.DataFrame, lender: Path, both: Callable[..., Any]
) -> None:
    asked = ["--id", "loan", "--name", "who", "--address", "street", "--address", "purpose"]
    result, in_blocks, files = both(frame, lender, *asked, *(f"--format={each}" for each in formats), suffix=suffix)
    assert (result.exit_code, in_blocks) == (0, True)
    assert len(files) > 50


def test_rows_are_counted_where_nothing_calls_applicants(
    frame: pd.DataFrame, lender: Path, both: Callable[..., Any]
) -> None:
    result, in_blocks, files = both(frame.drop(columns="loan"), lender, "--json")
    assert (result.exit_code, in_blocks) == (0, True)
    assert "notice-000002.html" in files


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_scores_of_columns(suffix: str, frame: pd.DataFrame, scored: Path, both: Callable[..., Any]) -> None:
    result, in_blocks, _ = both(frame.drop(columns="loan"), scored, "--format", "json", suffix=suffix)
    assert (result.exit_code, in_blocks) == (0, True), result.output


def test_columns_that_may_be_several_things_are_left_to_the_whole_file(
    frame: pd.DataFrame, scored: Path, both: Callable[..., Any]
) -> None:
    frame["factor"] = [str(30 + row) for row in range(len(frame))]
    result, in_blocks, _ = both(frame.drop(columns="loan"), scored, "--format", "json")
    assert (result.exit_code, in_blocks) == (0, False), result.output


def test_whole_numbers_call_applicants_as_they_stand(
    frame: pd.DataFrame, lender: Path, both: Callable[..., Any]
) -> None:
    frame["loan"] = [2**53 + 1 + row for row in range(len(frame))]
    for suffix in (".csv", ".parquet"):
        result, in_blocks, files = both(frame, lender, "--id", "loan", suffix=suffix)
        assert (result.exit_code, in_blocks) == (0, True)
        assert any(name.startswith("notice-9007199254740995") for name in files) or len(files) > 50


@pytest.mark.parametrize(
    ("column", "row", "value", "says"),
    [
        ("loan", 299, "00100", "ids that repeat"),
        ("loan", 299, None, "rows without an id"),
        ("who", slice(200, None), None, "without a name; nothing is written"),
    ],
)
def test_faults_of_the_last_rows_leave_nothing(
    column: str, row: Any, value: Any, says: str, frame: pd.DataFrame, lender: Path, both: Callable[..., Any]
) -> None:
    frame[column] = [
        value if place in range(300)[row if isinstance(row, slice) else slice(row, None)] else each
        for place, each in enumerate(frame[column])
    ]
    result, in_blocks, files = both(frame, lender, "--id", "loan", "--name", "who")
    assert (result.exit_code, in_blocks, files) == (2, False, set())
    assert says in result.stderr


def test_a_folder_with_other_notices_or_files_of_these_names_is_refused(
    run: Run, model: Path, frame: pd.DataFrame, lender: Path, tmp_path: Path, written: list[bool]
) -> None:
    data, folder = tmp_path / "applicants.csv", tmp_path / "notices"
    frame.to_csv(data, index=False)
    folder.mkdir()
    other = folder / "notice-of-another.html"
    other.write_text("other")
    asked = ["notices", model, data, "--lender", lender, "--date", "2026-11-22", "--id", "loan"]
    asked += ["--draft", "-o", folder]
    result = run(*asked)
    assert (result.exit_code, written) == (2, [False])
    assert "notice-of-another.html" in result.stderr
    assert list(folder.iterdir()) == [other]
    other.unlink()
    assert run(*asked).exit_code == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(*asked)
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    (folder / "index.html").unlink()
    (folder / "index.csv").unlink()
    assert "exists already" in run(*asked).stderr
    assert run(*asked, "--overwrite").exit_code == 0
    assert written == [False, True, False, True]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_templates_of_a_lender_see_a_list(
    frame: pd.DataFrame, lender: Path, tmp_path: Path, both: Callable[..., Any]
) -> None:
    own = tmp_path / "templates"
    own.mkdir()
    shown = "{{ entries[0].id }} {{ entries[-1].id }} {{ entries | length }} {{ entries[2:4] | length }}"
    (own / "index.html").write_text(
        f'{shown} {{{{ entries | selectattr("files") | list | length }}}} '
        "{% for each in entries %}{{ loop.revindex }} {{ each.codes | join }}{% endfor %}"
    )
    result, in_blocks, _ = both(frame.drop(columns="loan"), lender, "--templates", own)
    assert (result.exit_code, in_blocks) == (0, True)
