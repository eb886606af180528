"""The engine of these tests."""

from __future__ import annotations

import importlib.util

import pytest

ENGINES = ("onnxruntime", "skl2onnx")


@pytest.fixture(autouse=True, scope="session")
def engines() -> None:
    """Skip where an engine is not installed; CI installs both."""
    absent = [name for name in ENGINES if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(f"not installed: {', '.join(absent)}")
