"""What plugin authors and our own tests check with: suites of the contract, hostile models, hostile rows.

`class TestMine(LearnerSuite): component = "my-learner"` in a test file runs the contract under pytest.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.testing.suites import BinnerSuite, ConstraintSuite, ExplainerSuite, ExporterSuite, LearnerSuite

__all__ = ["BinnerSuite", "ConstraintSuite", "ExplainerSuite", "ExporterSuite", "LearnerSuite"]

if "pytest" in sys.modules:  # failures of assertions in here then show their values
    import pytest

    pytest.register_assert_rewrite(*(f"{__name__}.{each}" for each in ("contract", "suites", "reasoned")))


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.suites"), name)
