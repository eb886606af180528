"""Chromium, and many models evaluated by the page's script in one run of it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scrutable.errors import PluginError
from scrutable.model import Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable_documents.report import chromium
from scrutable_documents.report.exporter import result_names
from scrutable_documents.report.script import EVALUATOR, model_block, scope, votes

#: Evaluates each model on its rows.
EvaluateAll = Callable[[Sequence[tuple[Model, Any]]], list[OutputFrame]]
#: Opens a page in which a script of the test's own runs last, and returns what it put into `document.title`.
Script = Callable[[str, str], Any]

_RESULTS = re.compile(r'<pre id="results">(.*?)</pre>', re.DOTALL)
_HARNESS = """
const jobs = JSON.parse(document.getElementById("jobs").textContent);
const results = document.createElement("pre");
results.id = "results";
results.textContent = asciiJson(jobs.map(([model, votes, rows]) => evaluateRows(model, votes, rows)));
document.body.append(results);
"""


@pytest.fixture(scope="session")
def browser() -> str:
    """The path of Chromium; without it the test is skipped."""
    try:
        return chromium.find()
    except PluginError as error:
        pytest.skip(f"Chromium is not here: {error}")


@pytest.fixture(scope="session")
def evaluate_all(browser: str) -> EvaluateAll:
    """Runs the page's evaluator over many models."""

    def run(pairs: Sequence[tuple[Model, Any]]) -> list[OutputFrame]:
        names = [result_names(model) for model, _ in pairs]
        jobs = [
            f"[{model_block(model)},{json.dumps(votes(model))},{chromium.rows_block(own, *read_inputs(model, rows))}]"
            for (model, rows), own in zip(pairs, names, strict=True)
        ]
        page = (
            '<!DOCTYPE html><meta charset="utf-8"><body>'
            f'<script type="application/json" id="jobs">[{",".join(jobs)}]</script>'
            f"<script>{scope(EVALUATOR, _HARNESS)}</script>"
        )
        found = _RESULTS.search(chromium.dump(page))
        assert found is not None
        return [chromium.frame(own, values) for own, values in zip(names, json.loads(found[1]), strict=True)]

    return run


@pytest.fixture(scope="session")
def in_page(browser: str) -> Script:
    """Runs a script after the page's own."""

    def run(page: str, code: str) -> Any:
        unlocked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
        ending = f"<script>document.title = JSON.stringify((() => {{ {code} }})());</script></body>"
        dumped = chromium.dump(unlocked.replace("</body>", ending))
        found = re.search(r"<title>(.*?)</title>", dumped, re.DOTALL)
        assert found is not None
        return json.loads(html.unescape(found[1]))

    return run
