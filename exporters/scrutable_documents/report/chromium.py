"""Chromium: where it is, and its runs of a page over rows, without a window and without network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

import numpy as np

from scrutable.data.frames import Column
from scrutable.errors import PluginError
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable.writing import temporary_folder
from scrutable_documents.report.script import block

#: The environment variable that names the browser to run.
VARIABLE = "SCRUTABLE_CHROMIUM"

#: Rows of one page; more take memory, not time.
_BLOCK = 20_000
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
_RESULTS = re.compile(r'<pre id="results">(.*?)</pre>', re.DOTALL)


def run(page: str, names: tuple[str, ...], columns: Mapping[str, Column], n_rows: int) -> OutputFrame:
    """The results `names` of n rows; doubles go in and come back as decimals that read as the same doubles.

    Raises
    ------
    PluginError : the browser is not there, or the page stopped with an error.
    """
    results: list[list[Any]] = [[] for _ in names]
    for start in range(0, n_rows, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, n_rows))
        part = {name: column.take(rows) for name, column in columns.items()}
        for values, more in zip(results, _results(with_rows(page, names, part, len(rows))), strict=True):
            values += more
    return frame(names, results)


def frame(names: tuple[str, ...], results: list[list[Any]]) -> OutputFrame:
    """What the page's script returns for each column, as it writes it, as arrays."""
    return OutputFrame({name: _read(name, values) for name, values in zip(names, results, strict=True)})


def with_rows(page: str, names: tuple[str, ...], columns: Mapping[str, Column], n_rows: int) -> str:
    """A page that evaluates rows as soon as it is opened; its script is the same."""
    data = rows_block(names, columns, n_rows)
    return page.replace("</head>", f'<script type="application/json" id="rows-json">{data}</script></head>', 1)


def rows_block(names: tuple[str, ...], columns: Mapping[str, Column], n_rows: int) -> str:
    """Rows as the page reads them, in ASCII."""
    cells = [[name, column.kind, _written(column)] for name, column in columns.items()]
    return block(json.dumps({"columns": cells, "n_rows": n_rows, "results": names}, allow_nan=False))


def dump(page: str) -> str:
    """What a page has become once its script has run.

    Raises
    ------
    PluginError : the browser is not there, or stops with an error.
    """
    with temporary_folder() as folder:
        file = folder / "page.html"
        file.write_text(page, encoding="utf-8", newline="\n")
        return _chromium(f"--user-data-dir={folder}/profile", "--dump-dom", file.as_uri())


def version() -> str:
    """Name and version of the browser, for example "Chromium 140.0.7339.16"."""
    return " ".join(_chromium("--version").split()[:2])


def find() -> str:
    """The path of the browser.

    Raises
    ------
    PluginError : it is not there.
    """
    wanted = os.environ.get(VARIABLE)
    browser = next((path for path in map(shutil.which, [wanted] if wanted else _NAMES) if path), None)
    if browser is None:
        raise PluginError(
            "Chromium is not installed, or not on the path",
            where="engine chromium",
            got=wanted or ", ".join(_NAMES),
            fix=f"install Chromium (on Debian: apt-get install chromium), or name its program in the environment "
            f"variable {VARIABLE}",
        )
    return browser


def _results(page: str) -> list[list[Any]]:
    match = _RESULTS.search(dump(page))
    if match is None:
        raise PluginError("the page gave no results", where="engine chromium", fix="give a page of the exporter report")
    results: list[list[Any]] = json.loads(match[1])
    return results


def _chromium(*arguments: str) -> str:
    done = subprocess.run(
        [find(), *_FLAGS, *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        raise PluginError("Chromium stopped with an error", where="engine chromium", got=last)
    return done.stdout


def _written(column: Column) -> list[Any]:
    values = column.values.tolist()
    return [_number(value) for value in values] if column.kind == "numeric" else values


def _number(value: float) -> float | str | None:
    """JSON has neither infinities nor NaN, which is missing."""
    if value != value:
        return None
    return value if abs(value) < float("inf") else "inf" if value > 0 else "-inf"


def _read(name: str, values: list[Any]) -> np.ndarray[Any, Any]:
    kind = kind_of(name)
    if kind is np.object_:
        return np.array(values, dtype=object)
    numbers = [float("nan") if value is None else float(value) for value in values]
    return np.array(numbers, dtype=kind)
