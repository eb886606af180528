"""Random applicants by attribute, some columns copies of others, near copies, or of no use, for tests of selection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import bin_counts, weight_of_evidence
from scrutable_selection.likelihood import CodedLikelihood


class Coded(NamedTuple):
    """Codes and their weights of evidence, the outcome and weights of the rows, and the likelihood of all."""

    codes: np.ndarray
    woe: list[np.ndarray]
    y: np.ndarray
    weight: np.ndarray
    likelihood: CodedLikelihood

    @property
    def design(self) -> np.ndarray:
        """(n, 1 + p) a one and the weights of evidence."""
        columns = [woe[code] for woe, code in zip(self.woe, self.codes, strict=True)]
        return np.column_stack([np.ones(len(self.y)), *columns])


def drawn(seed: int, *, most: int = 8, rows: int = 300, degenerate: bool = False, weighted: bool = True) -> Coded:
    """Random rows; where `degenerate`, one column is a copy, one nearly, one a constant, and one a coarser other."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(4, most + 1))
    latent = rng.normal(size=(p, rows)) + rng.choice([0.0, 1.0]) * rng.normal(size=rows)
    sizes = rng.integers(2, 6, p)
    codes = np.array(
        [
            np.searchsorted(np.quantile(each, np.linspace(0, 1, size + 1)[1:-1]), each)
            for each, size in zip(latent, sizes, strict=True)
        ]
    )
    if degenerate:
        codes[1] = codes[0]
        codes[2] = np.where(rng.random(rows) < 0.03, 0, codes[0])
        codes[3] = 0
        codes[p - 1] = codes[p - 1] // 2 if p > 4 else codes[p - 1]
    log_odds = (rng.normal(size=p) * (rng.random(p) < 0.6)) @ latent * 0.5 + rng.normal()
    y = (rng.random(rows) < 1 / (1 + np.exp(-log_odds))).astype(int)
    y[:2] = 0, 1
    weight = rng.integers(1, 4, rows) * 0.75 if weighted else np.ones(rows)
    bins = codes.max(axis=1) + 1
    woe = [weight_of_evidence(bin_counts(code, size, y, weight)) for code, size in zip(codes, bins, strict=True)]
    names = [f"x{number}" for number in range(p)]
    return Coded(codes, woe, y, weight, CodedLikelihood.of_woe(names, codes, woe, weight * y, weight * (1 - y)))
