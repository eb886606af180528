"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data files that the environment variable SCRUTABLE_DATA names."""
    folder = os.environ.get("SCRUTABLE_DATA")
    if not folder:
        pytest.skip("real data needs the environment variable SCRUTABLE_DATA")
    return Path(folder)
