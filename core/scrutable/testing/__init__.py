"""What plugin authors and our own tests check with: suites of the contract, hostile models, hostile rows.

`class TestMine(LearnerSuite): component = "my-learner"` in a test file runs the contract under pytest.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.testing.cards import card
    from scrutable.testing.imports import check_import
    from scrutable.testing.suites import BinnerSuite, ConstraintSuite, ExplainerSuite, ExporterSuite, LearnerSuite

__all__ = [
    "BinnerSuite",
    "ConstraintSuite",
    "ExplainerSuite",
    "ExporterSuite",
    "LearnerSuite",
    "card",
    "check_import",
]

__getattr__ = lazily(__name__)

if "pytest" in sys.modules:  # failures of assertions in here then show their values
    import pytest

    pytest.register_assert_rewrite(*(f"{__name__}.{each}" for each in ("contract", "suites", "reasoned")))
