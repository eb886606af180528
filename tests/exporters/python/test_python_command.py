"""The command line of the file: CSV in, CSV out."""

from __future__ import annotations

import csv
import functools
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import read_file
from scrutable.model.evaluator import evaluate
from scrutable.testing.cards import card
from scrutable.writing.spreadsheet import csv_text, harmless
from scrutable_python.exporter import PythonExporter

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the file of a small scorecard; its codes begin like formulas."""
    export = PythonExporter().export(card(amount="amount", job="=job", categories=("cook", "a, b", "\u00e9"), code="-"))
    (path,) = export.write(tmp_path)

    def start(text: str | bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        data = text.encode() if isinstance(text, str) else text
        return subprocess.run(
            [sys.executable, "-I", str(path), *arguments], input=data, capture_output=True, check=False
        )

    return start


@functools.cache
def cell_of_the_file() -> Callable[[str], str]:
    """How the file writes a text as a cell."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(PythonExporter().export(card()).text, names)
    found: Callable[[str], str] = names["_cell"]
    return found


def rows(done: subprocess.CompletedProcess[bytes]) -> list[list[str]]:
    """The cells of the output, which must be there."""
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))


def test_rows_are_scored_and_no_text_is_a_formula(run: Run) -> None:
    text = 'ignored,amount,=job\nx,12.5,"a, b"\ny,-7,\u00e9\nz,,"=1+1"\n'
    header, *found = rows(run(text))
    assert header == [
        "score",
        "probability",
        "approved",
        "knock_out",
        "points_amount",
        "points_=job",
        "reason_1",
        "reason_2",
        "short_1",
        "short_2",
    ]
    assert [row[0] for row in found] == ["511.0", "502.0", "504.0"]
    assert [row[3] for row in found] == ["", "K-", ""]
    assert found[1][6:] == ["K-", "1-", "", "15.0"]
    header, *found = rows(run('id,amount,=job\n=1+1,1,a\n-5,1,a\n"a""\nb",1,a\n', "--id", "id"))
    assert [row[0] for row in found] == ["'=1+1", "-5", 'a"\nb']


def test_it_says_what_scrutable_score_says(run: Run, tmp_path: Path) -> None:
    text = 'amount,=job\n 1e1,cook\nNA,\n-inf,NULL\n+.5 ,cook \n1.9999999999999999e1, cook\n0.1,"a\rb"\n'
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8", newline="")
    model = card(amount="amount", job="=job", categories=("cook", "a, b", "\u00e9"), code="-")
    import pandas as pd

    frame = read_file(tmp_path / "rows.csv", text=["=job"], silent=["=job"])
    wanted = list(csv.reader(io.StringIO(csv_text(pd.DataFrame(dict(evaluate(model, frame).frame()))), newline="")))
    assert rows(run(text)) == wanted


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map("\uff1d".__add__) | st.text())
@settings(deadline=None)
def test_it_guards_the_texts_that_our_tables_guard(text: str) -> None:
    assert cell_of_the_file()(text) == harmless(text)


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "nan", "NULL", "null", "N/A", "n/a", "#N/A"])
def test_what_stands_for_a_missing_value(run: Run, cell: str) -> None:
    found = rows(run(f"amount,=job\n{cell},{cell}\n"))
    assert found[1][4:6] == ["5.0", "-2.0"]


def test_other_separators_line_ends_and_marks(run: Run) -> None:
    done = run(b'\xef\xbb\xbfamount;=job\r\n12;"cook"\r\n\r\nTRUE;x\r\n', "--separator", ";")
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.decode().splitlines()
    assert header.startswith("score;probability;approved;")
    assert [line.split(";")[0] for line in lines] == ["510.0", "499.0"]


def test_no_rows_give_the_header(run: Run) -> None:
    assert (
        run("amount,=job\n").stdout
        == b"score,probability,approved,knock_out,points_amount,points_=job,reason_1,reason_2,short_1,short_2\n"
    )


REFUSED = [
    ("amount,=job\n1,a\nabc,a\n", r"score\.py: line 3: column 'amount': not a number: 'abc'"),
    ("amount,=job\n1_000,a\n", "not a number: '1_000'"),
    ("amount,=job\n\u0661,a\n", r"not a number: '\\u0661'"),
    ("amount,=job\n1e,a\n", "not a number: '1e'"),
    ("amount,=job\n1,a,b\n", "line 2: 3 cells, where the header has 2"),
    ("amount,=job\n1\n", "line 2: 1 cells, where the header has 2"),
    ("amount\n1\n", "column '=job': it is not in the header"),
    ("amount,=job,=job\n1,a,a\n", "column '=job': it stands twice in the header"),
    ("", "column 'amount': it is not in the header"),
    (b"amount,=job\n1,\xff\n", "utf-8"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_cannot_be_read_stops_it(run: Run, text: str | bytes, message: str) -> None:
    done = run(text)
    assert done.returncode == 2
    assert re.search(message, done.stderr.decode())
    assert b"Traceback" not in done.stderr


def test_the_id_cannot_have_the_name_of_a_result(run: Run) -> None:
    done = run("amount,=job,score\n1,a,5\n", "--id", "score")
    assert done.returncode == 2
    assert b"column 'score': a result has this name; rename the column" in done.stderr


def test_help_says_what_an_empty_cell_means(run: Run) -> None:
    done = run("", "--help")
    assert done.returncode == 0
    assert "An empty cell is a missing value" in " ".join(done.stdout.decode().split())
