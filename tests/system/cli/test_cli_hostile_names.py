"""Commands on files, columns, categories and options whose names try to steer a terminal, a page or a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

#: Colours, a cleared screen, a title of the window, another line, and marks that turn the direction of writing.
EVIL = "\x1b[35;41m\x9b2J\x1b]0;owned\x07\nError: forged\u202e\u2066\u061c"
ARABIC = "دخل شهري"
#: What rich draws with: colours, the cursor, a line wiped.
DRAWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\r")
#: Each command in a process of its own, which has imported already what all of them need.
RUN_ALL = """
import gc, json, os, sys
import numba, pandas, scipy.optimize, scipy.stats, sklearn.linear_model
from scrutable.cli import app, main

gc.freeze()
for arguments in json.load(sys.stdin):
    sys.argv[1:] = arguments
    sys.stdout.flush()
    if os.fork() == 0:
        try:
            main()
        except SystemExit:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)  # which ends sooner than all that was imported is taken down
    os.wait()
"""


def steering(text: str) -> set[str]:
    """Characters of a text, other than line ends, that are no part of what is read."""
    return {each for each in text if each != "\n" and unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a hostile name, with applicants in it whose columns and categories have such names, too."""
    made = tmp_path_factory.mktemp("hostile") / EVIL
    made.mkdir()
    rows = range(60)
    columns = {
        f"in{EVIL}come": [1000 + 37 * (row * 7 % 60) for row in rows],
        ARABIC: [(f"clerk{EVIL}", "\n=1+1", "\uff1d2")[row % 3] for row in rows],
        "sex": [(f"f{EVIL}", "m")[row * row % 7 < 3] for row in rows],
        "paid": [("no", "yes")[(row * 7 % 60 + row % 5 * 9) > 30] for row in rows],
        "id": [("\n=1+1", "\uff1d2", "\u00a0@x", f"A{EVIL}", "-5", "plain")[row % 6] + str(row) for row in rows],
    }
    pd.DataFrame(columns).to_csv(made / "loans.csv", index=False, lineterminator="\n")
    lender = 'name = "Bank"\naddress = "1 Street"\n[agency]\nname = "Agency"\naddress = "1 Street"\n'
    (made / "lender.toml").write_text(lender)
    return made


def commands(folder: Path) -> Iterator[list[str]]:
    """Commands that do their work, those that are used wrongly, and one that shows a traceback."""
    loans, model, evidence = (str(folder / name) for name in ("loans.csv", "model.json", "evidence.json"))
    data = [loans, "--target", "paid", "--favourable", "yes", "--protected", "sex"]
    smaller, path = str(folder / "smaller.json"), str(folder / "path.json")
    learned = ["fit", *data, "--id", "id", "--overwrite"]
    fit = [*learned, "--learner", "scorecard", "--option", "select=null", "--binner", "quantile", "-o", model]
    yield [*fit, "--evidence", evidence]
    yield [*learned, "-o", smaller, "--evidence", path]
    yield ["path", path]
    yield ["show", model]
    yield ["bins", *data, "--binner", "quantile", "--drop", "id"]
    yield ["score", model, loans, "--id", "id"]
    yield ["score", model, loans, "--id", "id", "--json"]
    yield ["score", model, loans, "--id", "id", "-o", str(folder / "scores.csv"), "--overwrite"]
    yield ["explain", model, loans, "--reference", loans, "--id", "id"]
    yield ["export", model, "--to", "python", "-o", "-"]
    yield ["score", model, str(folder / "none.csv")]
    yield [*fit, "--learner", EVIL]
    yield [*fit, f"--{EVIL}"]
    yield ["score", model, loans, f"extra{EVIL}"]
    yield [EVIL]
    yield ["plugins", "show", EVIL]
    yield ["--debug", "score", model, str(folder / "none.csv")]


def documents(folder: Path) -> Iterator[list[str]]:
    """Commands that write documents on the model and its applicants."""
    loans, model, reasons = (str(folder / name) for name in ("loans.csv", "model.json", "reasons.json"))
    target = ["--target", "paid", "--protected", "sex"]
    yield ["report", model, "--data", loans, *target, "-o", str(folder / "report.html")]
    yield ["monitor", model, loans, loans, "-o", str(folder / "monitoring.html")]
    yield ["verify", model, "--engine", "sqlite", "--data", loans, "-o", str(folder / "certificate.html")]
    yield ["reasons", model, "--reference", loans, "--output", reasons]
    lender = ["--lender", str(folder / "lender.toml"), "--date", "2026-11-22", "--id", "id", "--name", "id"]
    formats = ["--format", "html", "--format", "docx", "--format", "text"]
    yield ["notices", reasons, loans, *lender, *formats, "--draft", "--output", str(folder / "notices")]


def run_all(asked: Iterable[list[str]], *, terminal: bool) -> tuple[str, str]:
    """What all of them say on standard output and error; on a terminal both are one."""
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", "PYTHONUTF8": "1"}
    given = json.dumps(list(asked)).encode()
    if not terminal:
        done = subprocess.run(
            [sys.executable, "-c", RUN_ALL], input=given, capture_output=True, env=environment, check=True
        )
        return done.stdout.decode(), done.stderr.decode()
    try:
        ours, theirs = os.openpty()
    except OSError as error:  # a machine without devpts; continuous integration has one, and lets nothing be skipped
        pytest.skip(f"needs pseudo-terminals, which are not here: {error}")
    with subprocess.Popen(
        [sys.executable, "-c", RUN_ALL], stdin=subprocess.PIPE, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        said = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return said.decode(), ""


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody writes to it any more
        return b""


@pytest.fixture(scope="module")
def piped(folder: Path) -> tuple[str, str]:
    """What the commands say where no terminal is; their files are in the folder."""
    return run_all([*commands(folder), *documents(folder)], terminal=False)


def test_nothing_steers_a_terminal(folder: Path, piped: tuple[str, str]) -> None:
    said, _ = run_all(commands(folder), terminal=True)
    assert "\x1b[35;41m" not in said
    assert [line for line in re.split(r"\r?\n", said) if line.startswith("Error: forged")] == []
    assert steering(DRAWN.sub("", said)) == set()
    assert DRAWN.search(said)
    assert ARABIC in said
    assert said.count("Traceback") == 1
    assert said.count("No such") == 2  # of what Typer says itself


def test_nothing_steers_a_log_and_data_are_exact(folder: Path, piped: tuple[str, str]) -> None:
    said, complaints = piped
    assert steering(complaints) == set()
    exact = (folder / "scores.csv").read_text(encoding="utf-8")
    assert said.count(exact) == 1
    assert steering(said.replace(exact, "")) == set()
    assert "\nError: forged" not in said.replace(exact, "") + complaints
    ids = pd.read_csv(folder / "loans.csv", dtype=str)["id"].tolist()
    assert [row["id"] for row in map(json.loads, re.findall(r'^\{"id".*', said, re.M))] == ids
    scores = list(csv.DictReader(io.StringIO(exact, newline="")))
    assert [row["id"] for row in scores] == [("'" if place % 6 < 3 else "") + each for place, each in enumerate(ids)]
    assert all(float(row["score"]) for row in scores)


@pytest.mark.parametrize("name", ["report.html", "monitoring.html", "certificate.html", "notices"])
def test_nothing_steers_a_document(folder: Path, piped: tuple[str, str], name: str) -> None:
    files = sorted((folder / name).iterdir()) if name == "notices" else [folder / name]
    assert {path.suffix for path in files} >= ({".csv", ".docx", ".html", ".txt"} if name == "notices" else {".html"})
    for path in files:
        assert steering(unescape(text_of(path))) == set(), path.name
    assert name != "report.html" or ARABIC in text_of(folder / name)


def text_of(path: Path) -> str:
    """The text of a document, of which a Word document has two parts."""
    if path.suffix != ".docx":
        return path.read_text(encoding="utf-8")
    with zipfile.ZipFile(path) as parts:
        return "".join(parts.read(name).decode() for name in ("word/document.xml", "docProps/core.xml"))
