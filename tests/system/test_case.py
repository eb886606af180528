"""The whole case on real data: the script does what it says, and the notebook is the script, run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest

from scrutable import load
from scrutable.model import fingerprint, load_evidence
from scrutable_review import read_review

CASE = Path(__file__).parents[2] / "docs" / "case"
WRITTEN = {
    "certificate.html",
    "champion.csv",
    "choice.json",
    "evidence.json",
    "model.json",
    "monitoring.html",
    "notices",
    "review.toml",
    "sql",
}


def environment(folder: Path, data_dir: Path) -> dict[str, str]:
    return os.environ | {"SCRUTABLE_DATA": str(data_dir), "SCRUTABLE_CASE": str(folder)}


def code_cells(notebook: Any) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.real_data
def test_the_script_runs_from_the_raw_file_to_the_alert(data_dir: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(CASE / "taiwan.py")]
    done = subprocess.run(command, env=environment(tmp_path, data_dir), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN
    said = done.stdout
    assert "equal scores: 30,000 of 30,000" in said
    assert "as before: ok; in the downturn: alert" in said
    assert "rows; passed: True" in said

    choice = json.loads((tmp_path / "choice.json").read_text())
    names = [each["name"] for each in choice["candidates"]]
    assert names == ["champion", "scorecard", "lda-xgb1", "rug", "fairgbm depth 1"]
    assert all(each["why"] for each in choice["candidates"])
    assert len(list((tmp_path / "notices").glob("notice-*.html"))) == 3
    edits = read_review(tmp_path / "review.toml")
    assert [edit.feature for edit in edits if edit.action != "start"] == ["education", "months_late_september"]
    model = load(tmp_path / "model.json")
    evidence = load_evidence(tmp_path / "evidence.json")
    assert evidence.model_sha256 == fingerprint(model)
    assert evidence.search_log[0]["picked"] == choice["picked"]
    points = [attribute.points for each in model.characteristics for attribute in each.attributes]
    assert all(value.is_integer() for value in points)
    assert "CASE" in (tmp_path / "sql" / "score.sql").read_text()


@pytest.mark.real_data
@pytest.mark.deep
def test_the_notebook_runs(data_dir: Path, tmp_path: Path) -> None:
    run_notebook("made()", data_dir, tmp_path)
    assert {path.name for path in (tmp_path / "case").iterdir()} == WRITTEN


@pytest.mark.real_data
def test_the_notebook_begins_to_run(data_dir: Path, tmp_path: Path) -> None:
    """The cells that read the file; the rest of the script, which is the notebook's, runs above."""
    run_notebook("begun()", data_dir, tmp_path)
    assert list((tmp_path / "case").iterdir()) == []


#: Runs the whole notebook, or its first two cells of code.
RUNNER = """
import pathlib, sys
from notebook import made, run

def begun():
    notebook = made()
    second = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"][1]
    notebook.cells = notebook.cells[: second + 1]
    return notebook

run({}, pathlib.Path(sys.argv[1]))
"""


def run_notebook(which: str, data_dir: Path, folder: Path) -> None:
    command = [sys.executable, "-c", RUNNER.format(which), str(folder)]
    given = environment(folder / "case", data_dir) | {"PYTHONPATH": str(CASE)}
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_notebook_is_the_script() -> None:
    notebook = nbformat.read(CASE / "taiwan.ipynb", as_version=4)
    script = jupytext.read(CASE / "taiwan.py")
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in script.cells
    ]
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


def test_the_notebook_holds_no_failure_no_path_and_no_time() -> None:
    text = (CASE / "taiwan.ipynb").read_text()
    outputs = [each for cell in json.loads(text)["cells"] for each in cell.get("outputs", [])]
    assert {each["output_type"] for each in outputs} <= {"stream", "execute_result"}
    assert {each["name"] for each in outputs if each["output_type"] == "stream"} == {"stdout"}
    assert not re.search(r"/(home|root|tmp|work)/|\d\d:\d\d:\d\d", text)
