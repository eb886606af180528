"""What happened round by round; `scrutable_fairgbm.plots.plot_history` draws it."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Json, freeze
from scrutable_fairgbm.gradients import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History:
    """T rounds of boosting with C constraints.

    Parameters
    ----------
    names : (C,) what each constraint is called.
    values : (T, C) what each was before the round: with method "signed" the gap of a rate, or with a bound on a ratio
        the group's rate less that share of the reference's; with "proxy-lagrangian" its violation.
    limits : (C, 2) least and largest value that keeps each.
    multipliers : (T, C) those that weighed the rows of the round.
    thresholds : (T,) scores from which on the decision was favourable.
    losses : (T + 1,) on rows that no tree is grown on, before each round and after the last, plus what a bound is
        broken by on them at most; empty without such rows, or where nothing asks for them.
    kept : number of rounds whose trees are in the model.
    """

    names: tuple[str, ...]
    values: Floats
    limits: Floats
    multipliers: Floats
    thresholds: Floats
    losses: Floats
    kept: int

    def to_json(self) -> tuple[Json, ...]:
        """A row for each round."""
        rows = zip(self.values.tolist(), self.multipliers.tolist(), self.thresholds.tolist(), strict=True)
        return tuple(
            freeze({"constraints": values, "multipliers": multipliers, "threshold": threshold})
            for values, multipliers, threshold in rows
        )
