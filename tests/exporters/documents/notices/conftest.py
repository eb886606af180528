"""A scorecard whose reasons are known, its applicants, and a lender."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from scrutable.model import Scorecard
from scrutable_documents.notices.exporter import Notices

from .cards import FEATURES, known_card

#: Makes the exporter of the applicants and the lender, unless its options say otherwise.
Make = Callable[..., Notices]


@pytest.fixture(scope="session")
def card() -> Scorecard:
    """The card of `known_card`."""
    return known_card()


@pytest.fixture
def applicants() -> pd.DataFrame:
    """One approved; three declined: for three reasons, by a knock-out, for all reasons."""
    rows = {
        "A-1": (1, 1, 1, 1, 1, 0),
        "A-2": (0, 0, 0, 1, 1, 0),
        "A-3": (1, 1, 1, 1, 0, 1),
        "A-4": (0, 0, 0, 0, 0, 0),
    }
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*FEATURES, "bankrupt"]).rename_axis("id")
    frame = frame.reset_index()
    frame["name"] = ["Ann Approved", "Bob Baker", "Cleo Clark", "Dan Drake"]
    frame["address"] = ["1 A Street", "2 B Street\nSpringfield", "3 C Street", "4 D Street"]
    return frame


@pytest.fixture
def lender() -> dict[str, Any]:
    """A lender that used a consumer report."""
    return {
        "name": "Example Bank",
        "address": ["1 Main Street", "Springfield, IL 62701"],
        "phone": "(555) 010-0100",
        "agency": {"name": "Bureau of Consumer Financial Protection", "address": "1700 G Street NW., Washington"},
        "bureau": {"name": "Example Reporting Agency", "address": "P.O. Box 1000", "phone": "(555) 010-0199"},
    }


@pytest.fixture
def make(applicants: pd.DataFrame, lender: dict[str, Any]) -> Make:
    """Notices to the applicants, who are called by their ids and names."""
    usual: dict[str, Any] = {"applicants": applicants, "lender": lender, "date": "2026-11-22"}
    return lambda **options: Notices(**usual | {"id": "id", "name": "name"} | options)
