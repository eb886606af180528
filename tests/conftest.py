"""Fixtures for every test."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrutable.masking import show_values

#: What begins the name of a count that a test tells of.
_TRIED = "tried: "


@pytest.fixture
def tried(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Tell how many of a kind a test tried, for the sums at the end of the run."""
    return lambda what, count: record_property(f"{_TRIED}{what}", count)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The sums of what tests say they tried."""
    sums: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", ()):
        sums.update({what: count for what, count in report.user_properties if what.startswith(_TRIED)})
    if sums:
        told = ", ".join(f"{count:,} {what.removeprefix(_TRIED)}" for what, count in sorted(sums.items()))
        terminalreporter.section("tried")
        terminalreporter.line(told)


@pytest.fixture
def everybody_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of few rows are told of, so that examples can be small enough to compute by hand."""
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")


@pytest.fixture
def values_shown() -> Iterator[None]:
    """Errors show values as under `scrutable --debug`; how they hide them is tested beside the commands."""
    show_values(True)
    yield
    show_values(False)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data files that the environment variable SCRUTABLE_DATA names."""
    folder = os.environ.get("SCRUTABLE_DATA")
    if not folder:
        pytest.skip("real data needs the environment variable SCRUTABLE_DATA")
    return Path(folder)
