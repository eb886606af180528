"""Rows with every kind of value, drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from scrutable.data.frames import Table, as_table
from scrutable.model import Feature
from scrutable_rug.coding import code_table
from scrutable_rug.rows import Rows

SPECIAL: dict[str, tuple[float | str, ...]] = {"months": (-9, -8), "job": ("refused",)}
CATEGORICAL = ("region",)


@dataclass(frozen=True)
class Sample:
    """Raw rows, and the same coded."""

    table: Table
    features: list[Feature]
    rows: Rows


MakeSample = Callable[..., Sample]


def read(frame: pd.DataFrame, label: np.ndarray, *, min_share: float = 0.0) -> Sample:
    table = as_table(frame)
    columns = {name: table.column(name) for name in table}
    features = [Feature(name=n, kind=c.kind, special_codes=SPECIAL.get(n, ())) for n, c in columns.items()]
    categorical = [name for name in CATEGORICAL if name in columns]
    coded = code_table(features, columns, categorical=categorical, min_share=min_share)
    return Sample(table, features, Rows.of(coded, label, int(label.max()) + 1))


@pytest.fixture
def make_sample() -> MakeSample:
    """Make rows of numbers, whole numbers with special codes, codes, texts and Booleans, some of them missing."""

    def make(seed: int, n: int = 200, *, n_classes: int = 2, min_share: float = 0.0, values: int = 9) -> Sample:
        rng = np.random.default_rng(seed)
        income = np.round(rng.normal(0, values, n)) / 7
        income[rng.random(n) < 0.1] = np.nan
        income[rng.random(n) < 0.05] = np.inf
        income[rng.random(n) < 0.05] = -np.inf
        months = rng.integers(0, values, n).astype(float)
        months[rng.random(n) < 0.2] = -9
        months[rng.random(n) < 0.1] = -8
        months[rng.random(n) < 0.1] = np.nan
        job = rng.choice(np.array(["clerk", "cook", "", "smith", "refused", None], dtype=object), n)
        region = rng.choice([10.0, 20.0, 30.0, np.inf, np.nan], n, p=[0.4, 0.3, 0.1, 0.1, 0.1])
        frame = pd.DataFrame(
            {"income": income, "months": months, "job": job, "region": region, "owner": rng.random(n) < 0.4}
        )
        signal = np.nan_to_num(income, posinf=2, neginf=-2) + (job == "cook") - (months == -9) + rng.normal(0, 1, n)
        cuts = np.quantile(signal, np.arange(1, n_classes) / n_classes)
        return read(frame, np.searchsorted(cuts, signal), min_share=min_share)

    return make
