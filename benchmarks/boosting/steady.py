"""Whether scores stay finite and small, whatever the rate of the multipliers and the slack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from report import Row

from boosting import fork, methods
from boosting.data import Parts
from boosting.draws import Draw
from boosting.methods import Found
from boosting.ours import Ours

#: Multiples of plain LightGBM's largest score that count as diverged.
DIVERGED = 2.0


def rows_of_divergence(parts: Parts, rates: Sequence[float], slacks: Sequence[float]) -> Iterator[Row]:
    """The largest score over rates and slacks, by that of plain LightGBM with the same trees."""
    draws = [Draw(multiplier_rate=rate, slack=slack) for rate, slack in product(rates, slacks)]
    plain = methods.plain(parts, draws[:1]).tried[0]
    assert plain.largest is not None
    found = {"ours": Ours()(parts, draws)}
    if fork.present():
        found["fork"] = methods.of_fork(parts, draws)
    grown = {name: _largest(each) / plain.largest for name, each in found.items()}
    worst = {name: min(each.test.accuracy for each in runs.tried) for name, runs in found.items()}
    fall = ", ".join(f"{name} {100 * (plain.test.accuracy - accuracy):.2f}" for name, accuracy in worst.items())
    yield Row(
        name=f"{parts.train.name}: largest score / plain's",
        value=grown["ours"],
        unit="x",
        relation="<=",
        bound=DIVERGED,
        peer=grown.get("fork"),
        note=f"multiplier rates {rates[0]:g} to {rates[-1]:g}, slacks {', '.join(f'{each:g}' for each in slacks)}; "
        f"plain {plain.largest:.3g}; points of accuracy lost at worst: {fall}; peer: fork",
    )


def _largest(found: Found) -> float:
    return float(np.max([np.inf if each.largest is None else each.largest for each in found.tried]))
