"""Commands on files, run in this process; docs/growth.md says why some are not among them."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from scrutable.cli.app import app

_TARGET = ("--target", "paid")
_LEARNED = (*_TARGET, "--favourable", "1", "--protected", "group")
_JUDGED = (*_TARGET, "--protected", "group")
_INTO = ("--overwrite", "-o")
_ON = ("{model}", "{data}")
#: How each command is called, by name; `{data}` and others are files.
COMMANDS = {
    "fit": ("fit", "{data}", *_LEARNED, "--learner", "scorecard", *_INTO, "{folder}/own.json"),
    "dictionary": ("dictionary", "{data}", *_TARGET, *_INTO, "{folder}/dictionary.toml"),
    "bins": ("bins", "{data}", *_LEARNED, "--csv"),
    "bins, pictures": ("bins", "{data}", *_LEARNED, *_INTO, "{folder}/bins"),
    "select": ("select", "{data}", *_LEARNED, *_INTO, "{folder}/selected.toml"),
    "search": ("search", "{data}", *_LEARNED, *_INTO, "{folder}/search"),
    "compare": ("compare", "{model}", "{challenger}", "--data", "{data}", *_JUDGED, *_INTO, "{folder}/compared"),
    "score": ("score", *_ON, *_INTO, "{folder}/scores.csv"),
    "score --points --reasons": ("score", *_ON, "--points", "--reasons", *_INTO, "{folder}/scores.csv"),
    "explain": ("explain", *_ON, "--only-declined", "--json"),
    "explain --summary": ("explain", *_ON, "--explainer", "counterfactual", "--summary", "--json"),
    "reasons --compare": ("reasons", "{model}", "--compare", "{data}"),
    "reasons --reference": ("reasons", "{model}", "--reference", "{data}", *_INTO[:1], "--output", "{folder}/r.json"),
    "notices": ("notices", *_ON, "--lender", "{lender}", "--date", "2026-11-22", *_INTO, "{folder}/notices"),
    "validate": ("validate", *_ON, *_JUDGED),
    "calibrate": ("calibrate", *_ON, *_JUDGED, *_INTO, "{folder}/calibrated.json"),
    "rescale": ("rescale", "{model}", "--data", "{data}", *_INTO, "{folder}/rescaled.json"),
    "monitor": ("monitor", "{model}", "{data}", "{data}", *_JUDGED, *_INTO, "{folder}/monitor.html"),
    "strategy bands": ("strategy", "bands", *_ON, *_JUDGED),
    "strategy cutoff": ("strategy", "cutoff", *_ON, *_JUDGED, "--profit", "approved-good=1,approved-bad=-5"),
    "strategy swap": ("strategy", "swap", "{model}", "{challenger}", "{data}", *_JUDGED),
    "policy test": ("policy", "test", *_ON, *_JUDGED, "--rules", "{rules}"),
    "strategy rounding": ("strategy", "rounding", *_ON, *_JUDGED),
    "report": ("report", "{model}", "--data", "{data}", *_JUDGED, *_INTO, "{folder}/report.html"),
    "verify": ("verify", "{model}", "--engine", "duckdb", "--json"),
    "verify --data": ("verify", "{model}", "--engine", "duckdb", "--data", "{data}", "--json"),
    "export": ("export", "{model}", "--to", "sql", *_INTO, "{folder}/model.sql"),
    "import": ("import", "{points}", "--classes", "0,1", "--favourable", "1", *_INTO, "{folder}/imported.json"),
    "combine": ("combine", "low={model}", "rest={challenger}", "--when", "low=x0<0", *_INTO, "{folder}/combined.json"),
    "show": ("show", "{model}"),
    "plot": ("plot", "{model}", *_INTO, "{folder}/model.svg"),
}
#: What `policy test` tries.
RULES = """
[[knock_out]]
code = "N1"
reason = "Value of x0"
when = "x0 < -1.5"
[[adjustment]]
code = "N2"
points = -10
reason = "Value of x1"
when = "x1 > 0.5 or missing"
[[override]]
code = "N3"
decision = "approve"
reason = "Value of x2"
when = "x2 > 20"
"""
#: Commands whose work is of the model: no option of theirs, in the calls above, reads applicants.
OF_THE_MODEL = {"verify", "export", "import", "combine", "show", "plot"}
#: A review, which ends when its page says so.
REVIEW = ("review", "{data}", *_LEARNED, "--no-browser", "--json", "-o", "{folder}/review.toml")


def run(words: tuple[str, ...], files: Mapping[str, str]) -> str:
    """Run a command in this process, and give what it printed.

    Raises
    ------
    RuntimeError : it ended with an error; `monitor` may end with 1, where something drifted.
    """
    told = CliRunner().invoke(app, [word.format(**files) for word in words])
    if told.exit_code > (words[0] == "monitor"):
        raise RuntimeError(f"{' '.join(words)}: {told.stderr[-500:]} {told.exception!r}")
    return told.stdout


def review(files: Mapping[str, str]) -> None:
    """Begin a review as a process, ask its page for everything, merge two bins of the first column, and finish."""
    Path(REVIEW[-1].format(**files)).unlink(missing_ok=True)
    command = [sys.executable, "-m", "scrutable.cli", *(word.format(**files) for word in REVIEW)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        first = _asked(f"{address}api/state")["features"][0]
        cut = next(each["upper"] for each in first["attributes"] if each["upper"] is not None)
        _asked(f"{address}api/edit", {"edit": {"feature": "x0", "action": "merge", "at": cut, "why": "few"}})
        _asked(f"{address}api/finish", {})
        process.communicate()


def _asked(address: str, body: object = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return dict(json.load(answer))
