"""Every test here reads values in errors."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _values_shown(values_shown: None) -> None:
    """Values stand in errors as they are."""
