"""Simulated applicants in Parquet files of a million rows: 26 characteristics, two protected attributes, an outcome."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from scrutable.data.datasets import make_credit

#: The columns that are no characteristics.
TARGET, PROTECTED = "default", ("sex", "group")
#: Rows of a file.
PART = 1_000_000
_NUMBERS, _TEXTS, _CATEGORIES = 12, 3, 12


def applicants(rows: int, seed: int, part: int = 0) -> pd.DataFrame:
    """Those of one part: the eleven characteristics of `make_credit`, and fifteen that the outcome moves a little.

    Of these three are texts, four are rounded, and one number in thirty is missing.
    """
    drawn, ours = np.random.SeedSequence([seed, part]).generate_state(2).tolist()
    frame = make_credit(rows, seed=drawn).frame
    draw = np.random.default_rng(ours)
    categories = pd.Index([f"c{place}" for place in range(_CATEGORIES)])
    moved = frame[TARGET].to_numpy() - 0.2
    for at in range(_NUMBERS):
        values = draw.normal(size=rows) + moved * (0.5 - 0.04 * at)
        values = np.exp(values) if at % 3 == 1 else np.round(10 * values) if at % 3 == 2 else values
        frame[f"number{at}"] = np.where(draw.random(rows) < 1 / 30, np.nan, values)
    for at in range(_TEXTS):
        place = np.minimum(draw.exponential(2 + moved, rows).astype(int), _CATEGORIES - 1)
        frame[f"text{at}"] = pd.Categorical.from_codes(place.tolist(), categories)
    return frame


def write(folder: Path, rows: int, seed: int) -> str:
    """Write files of a million rows or fewer, part by part; a pattern that names them.

    Files of an earlier run are kept: the same seed gives the same part.
    """
    home = folder / f"{rows}-{seed}"
    home.mkdir(parents=True, exist_ok=True)
    for part in range(-(-rows // PART)):
        size = min(PART, rows - part * PART)
        file = home / f"{part:04}.parquet"
        if not file.exists():
            applicants(size, seed, part).to_parquet(file.with_suffix(".part"), index=False)
            file.with_suffix(".part").rename(file)
    return str(home / "*.parquet")
