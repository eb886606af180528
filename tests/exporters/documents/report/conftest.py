"""A small scorecard; Chromium, and scripts that run in a page after its own."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.exporters.documents.report.told import DATA, NUMERIC

from scrutable import create
from scrutable.errors import PluginError
from scrutable_documents.report import chromium

#: Opens a page in which a script of the test's own runs last, and returns what it put into `document.title`.
Script = Callable[[str, str], Any]


@pytest.fixture(scope="package")
def fitted() -> Any:
    """A small scorecard of German credit, learned on the first rows."""
    learner = create("learner", "scorecard", binner="quantile", favourable="good")
    return learner.fit(DATA.X[[*NUMERIC, "checking_status"]].iloc[:600], DATA.y.iloc[:600])


@pytest.fixture(scope="session")
def browser() -> str:
    """The path of Chromium; without it the test is skipped."""
    try:
        return chromium.find()
    except PluginError as error:
        pytest.skip(f"Chromium is not here: {error}")


@pytest.fixture(scope="session")
def in_page(browser: str) -> Script:
    """Runs a script after the page's own."""

    def run(page: str, code: str) -> Any:
        unlocked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
        ending = f'<script type="module">document.title = JSON.stringify((() => {{ {code} }})());</script></body>'
        dumped = chromium.dump(unlocked.replace("</body>", ending))
        found = re.search(r"<title>(.*?)</title>", dumped, re.DOTALL)
        assert found is not None
        return json.loads(html.unescape(found[1]))

    return run
