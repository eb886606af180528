"""A small review of two features, one with an awkward category, and its session."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scrutable_review import Review
from scrutable_review.page import ReviewSession, scales_of

AWKWARD = "<img src=x onerror=alert(1)>"


@pytest.fixture
def frame() -> pd.DataFrame:
    """Two hundred applicants: `age` has a special code and missing values, `home` an awkward category."""
    rng = np.random.default_rng(3)
    age = rng.integers(18, 70, 200).astype(float)
    age[::20], age[1::25] = -9.0, np.nan
    home = rng.choice(["own", "rent", "free", AWKWARD], 200)
    paid = np.where(rng.random(200) < 0.3 + 0.4 * (age > 40), "yes", "no")
    return pd.DataFrame({"age": age, "home": home, "sex": rng.choice(["f", "m"], 200), "paid": paid})


@pytest.fixture
def review(frame: pd.DataFrame) -> Review:
    """The review of the frame by quantiles."""
    return Review(
        frame[["age", "home"]],
        frame["paid"],
        binner="quantile",
        special_codes={"age": [-9]},
        sensitive_features=frame[["sex"]],
        who="ana",
    )


@pytest.fixture
def session(review: Review, frame: pd.DataFrame, tmp_path: Path) -> ReviewSession:
    """A session that saves in a folder of its own."""
    return ReviewSession(review, tmp_path / "review.toml", scales=scales_of(review, frame), source="loans.csv")
