"""Small problems, drawn at random."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scrutable.data import TrainingData
from scrutable_additive.fine import FineBinner
from scrutable_additive.problem import Problem

RATES = (0.2, 0.5, 0.8)


def drawn(seed: int, n: int = 300, *, weighted: bool = True) -> Problem:
    """Rows of a few features of all kinds, with missing values and a special code."""
    return Problem.of(data_of(seed, n, weighted=weighted), FineBinner(max_bins=6, special_codes={"code": [-9]}), ())


def data_of(seed: int, n: int, *, weighted: bool) -> TrainingData:
    """The rows as training data."""
    chance = np.random.default_rng(seed)
    amount = np.round(chance.normal(size=n), 1)
    amount[chance.random(n) < 0.1] = np.nan
    code = chance.integers(0, 5, n).astype(float)
    code[chance.random(n) < 0.2] = -9
    job = pd.Series(chance.choice(["cook", "clerk", "smith"], n), dtype=object)
    log_odds = np.nan_to_num(amount) + 0.5 * (code == -9) + 0.8 * (job == "cook")
    frame = pd.DataFrame({"amount": amount, "code": code, "job": job})
    good = (chance.random(n) < 1 / (1 + np.exp(-log_odds))).astype(int)
    weight = np.round(chance.uniform(0.5, 2, n), 2) if weighted else np.ones(n)
    return FineBinner(special_codes={"code": [-9]}).read(frame, good, sample_weight=weight)
