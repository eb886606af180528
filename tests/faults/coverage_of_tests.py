"""A plugin of pytest: which tests run which lines, and the CPU time of each; a file a process in the folder COVERED.

With FAULTS, a file of faults, only the files in which they are planted are looked at, which takes little more time than
the tests alone. It needs the package coverage, which nothing else here does: `pip install coverage`.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

coverage: Any = importlib.import_module("coverage")
_ROOT = Path(__file__).parents[2]
_seconds: dict[str, float] = {}


def _looked_at() -> list[str]:
    if "FAULTS" in os.environ:
        faults = json.loads(Path(os.environ["FAULTS"]).read_text())
        return sorted({str(_ROOT / fault["path"]) for fault in faults})
    return [str(_ROOT / folder / "*") for folder in ("core", "plugins", "exporters")]


_cover = coverage.Coverage(data_file=None, include=_looked_at(), config_file=False)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin to count."""
    del session
    _cover.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Count what the test runs as its own."""
    _cover.switch_context(item.nodeid)
    begun = sum(os.times()[:4])
    result = yield
    _seconds[item.nodeid] = sum(os.times()[:4]) - begun
    return result


def pytest_sessionfinish() -> None:
    """Write what this process saw."""
    _cover.stop()
    if not _seconds:
        return
    data = _cover.get_data()
    lines = {
        str(Path(path).relative_to(_ROOT)): {str(line): tests for line, tests in data.contexts_by_lineno(path).items()}
        for path in data.measured_files()
    }
    path = Path(os.environ["COVERED"], f"{os.getpid()}.json")
    path.write_text(json.dumps({"seconds": _seconds, "lines": lines}))
