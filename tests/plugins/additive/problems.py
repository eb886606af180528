"""Small problems, drawn at random."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scrutable.data import CodedArrays, TrainingData
from scrutable_additive.families import Bernoulli
from scrutable_additive.fine import FineBinner
from scrutable_additive.problem import Problem
from scrutable_additive.recoded import Coded
from scrutable_additive.tallies import Part, Rows

RATES = (0.2, 0.5, 0.8)


def drawn(seed: int, n: int = 300, *, weighted: bool = True) -> Problem:
    """Rows of a few features of all kinds, with missing values and a special code."""
    return Problem.of(data_of(seed, n, weighted=weighted), FineBinner(max_bins=6, special_codes={"code": [-9]}), ())


def drawn_quantity(seed: int, n: int = 300) -> Problem:
    """Rows of these features with a quantity."""
    frame, score, weight = _rows_of(seed, n)
    amount = 50 + 20 * (score + np.random.default_rng(seed).normal(0, 0.5, n))
    binner = FineBinner(max_bins=6, special_codes={"code": [-9]})
    data = binner.read_quantity(frame, amount, sample_weight=weight)
    return Problem.of_quantity(data, binner, ())


def in_memory(blocks: list[np.ndarray], sizes: list[int], target: np.ndarray, weight: np.ndarray) -> Rows:
    """Rows of two classes in these bins."""
    coded = CodedArrays(blocks, sizes, target, weight)
    return Rows(coded, tuple(Coded(place, size) for place, size in enumerate(sizes)), Bernoulli())


def every_row(rows: Rows) -> Part:
    """All of few rows."""
    [part] = rows.chunks()
    return part


def indicators(rows: Rows) -> np.ndarray:
    """(n, K) which bins each row is in."""
    sizes = np.diff(rows.starts)
    return np.concatenate([np.eye(size)[own] for own, size in zip(every_row(rows).codes, sizes, strict=True)], axis=1)


def data_of(seed: int, n: int, *, weighted: bool) -> TrainingData:
    """The rows as training data."""
    frame, log_odds, weight = _rows_of(seed, n)
    good = (np.random.default_rng(seed + 1000).random(n) < 1 / (1 + np.exp(-log_odds))).astype(int)
    binner = FineBinner(special_codes={"code": [-9]})
    return binner.read(frame, good, sample_weight=weight if weighted else np.ones(n))


def _rows_of(seed: int, n: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Rows, what their outcome depends on, and weights."""
    chance = np.random.default_rng(seed)
    amount = np.round(chance.normal(size=n), 1)
    amount[chance.random(n) < 0.1] = np.nan
    code = chance.integers(0, 5, n).astype(float)
    code[chance.random(n) < 0.2] = -9
    job = pd.Series(chance.choice(["cook", "clerk", "smith"], n), dtype=object)
    score = np.nan_to_num(amount) + 0.5 * (code == -9) + 0.8 * (job == "cook").to_numpy()
    return pd.DataFrame({"amount": amount, "code": code, "job": job}), score, np.round(chance.uniform(0.5, 2, n), 2)
