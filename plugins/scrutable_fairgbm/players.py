"""The two sides of the game: the booster descends on gradients, the player of the multipliers gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from scrutable_fairgbm.gradients import Floats, Singles


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """Where the booster stands before a round.

    Parameters
    ----------
    score, held_score : (n,) and (m,) log-odds of training rows, and of rows that no tree is grown on.
    threshold, held_threshold : scores from which on the decision on them is favourable.
    """

    score: Floats
    threshold: float
    held_score: Floats | None = None
    held_threshold: float = 0.0


class Player(Protocol):
    """Whoever holds the multipliers.

    Attributes
    ----------
    values : the multipliers.
    measured : what each of them was moved by: the value of its constraint when last looked at.
    """

    values: Floats
    measured: Floats

    def gradients(self, view: View) -> tuple[Singles, Singles]:
        """(n,) gradients and hessians of the training rows for this round; the multipliers then move."""
