"""Small samples of the sets, beside a logistic regression that is shrunken as much as cross-validation says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from report import Row

from cards import models
from cards.data import sample
from cards.figures import Difference, auc, slope

SIZES = (300, 583, 1_000)


def rows(names: tuple[str, ...], seeds: int) -> Iterator[Row]:
    """For each size the AUC won, in standard errors, and the mean calibration slope."""
    for size in SIZES:
        yield from _rows_of_size(names, size, seeds)


def _rows_of_size(names: tuple[str, ...], size: int, seeds: int) -> Iterator[Row]:
    won: dict[str, list[float]] = {}
    slopes: list[tuple[float, float]] = []
    for name in names:
        drawn = (sample(name, size, seed) for seed in range(seeds))
        for parts in (each for each in drawn if each is not None):
            ours, theirs = models.additive(parts).probability, models.logistic(parts).probability
            good = parts.held.y
            won.setdefault(name, []).append(auc(good, ours) - auc(good, theirs))
            slopes.append((slope(good, ours), slope(good, theirs)))
    difference = Difference.of(won)
    each = "; ".join(f"{name} {np.mean(splits):+.4f}" for name, splits in won.items())
    yield Row(
        name=f"{size:,} rows: AUC less that of a shrunken logistic regression",
        value=difference.in_errors,
        unit="s.e.",
        relation=">=",
        bound=-1.0,
        note=f"{difference}; {each}",
    )
    mean, peer = np.mean(slopes, axis=0).tolist()
    for relation, bound in ((">=", 0.8), ("<=", 1.25)):
        yield Row(
            name=f"{size:,} rows: mean calibration slope",
            value=mean,
            unit="",
            relation=relation,
            bound=bound,
            peer=peer,
        )
