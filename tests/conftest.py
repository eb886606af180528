"""Fixtures for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrutable.masking import show_values


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
