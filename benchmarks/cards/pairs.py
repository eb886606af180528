"""Pairs of features on rows held out: what they gain on the sets, on a simulated pair, and on none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from report import Row

from cards import models
from cards.data import Rows, Split, crossed, split
from cards.figures import Difference, auc

#: Most pairs of a card.
_MOST = 5
#: Rows to learn from, of simulated sets, and as many to measure on; and how many sets have no pair.
_ROWS, _WITHOUT = 3_000, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class _Both:
    """A card with pairs beside the one without."""

    gained: float
    seconds: float
    number: int


def rows(names: tuple[str, ...], seeds: int) -> Iterator[Row]:
    """AUC that pairs gain, how often one is kept where there is none, and CPU beside that of a fit without."""
    of_sets = {name: [_both(split(name, seed)) for seed in range(seeds)] for name in names}
    gained = {name: [each.gained for each in both] for name, both in of_sets.items()}
    told = "; ".join(f"{name} {Difference.of({name: each})}" for name, each in gained.items())
    yield _row("all sets: AUC with pairs less without", Difference.of(gained), 0.002, told)
    least = min((Difference.of({name: each}) for name, each in gained.items()), key=lambda each: each.in_errors)
    yield Row(
        name="AUC with pairs less without, the set where it is least",
        value=least.in_errors,
        unit="s.e.",
        relation=">=",
        bound=-1.5,
        note=str(least),
    )
    seconds = [each.seconds for both in of_sets.values() for each in both]
    yield Row(
        name="CPU of a fit with pairs, median",
        value=float(np.median(seconds)),
        unit="of one without",
        relation="<=",
        bound=3.0,
        note=f"{min(seconds):.1f} to {max(seconds):.1f}",
    )
    simulated = [_both(_halves(crossed(2 * _ROWS, 1.5, seed))) for seed in range(seeds)]
    yield _row(
        "a simulated pair: AUC with pairs less without", Difference.of({"": [each.gained for each in simulated]}), 0.003
    )
    kept = [_both(_halves(crossed(2 * _ROWS, 0.0, seed))).number for seed in range(_WITHOUT)]
    yield Row(
        name="sets without a pair of which a card has one",
        value=float(np.mean([number > 0 for number in kept])),
        unit="",
        relation="<=",
        bound=0.05,
        note=f"of {_WITHOUT}",
    )


def _both(parts: Split) -> _Both:
    alone, paired = models.additive(parts), models.additive(parts, pairs=_MOST)
    without, beside = (auc(parts.held.y, each.probability) for each in (alone, paired))
    number = sum(each["on_card"] for each in paired.card["pairs"]["told"].values())
    return _Both(gained=beside - without, seconds=paired.seconds / alone.seconds, number=number)


def _halves(drawn: Rows) -> Split:
    order = np.arange(len(drawn.y))
    return Split(learned=drawn.take(order[: len(order) // 2]), held=drawn.take(order[len(order) // 2 :]))


def _row(name: str, difference: Difference, bound: float, note: str = "") -> Row:
    words = f"standard error {difference.error:.4f}"
    return Row(
        name=name,
        value=difference.mean,
        unit="",
        relation=">=",
        bound=bound,
        note=f"{words}; {note}" if note else words,
    )
