"""What happened round by round, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scrutable.model.values import Json, freeze
from scrutable_fairgbm.gradients import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History:
    """T rounds of boosting with C constraints.

    Parameters
    ----------
    names : (C,) what each constraint is called.
    values : (T, C) what each was before the round: with method "signed" the gap of a rate, or with a bound on a ratio
        the group's rate less that share of the reference's; with "proxy-lagrangian" its violation.
    multipliers : (T, C) those that weighed the rows of the round.
    thresholds : (T,) scores from which on the decision was favourable.
    losses : (T + 1,) on rows that no tree is grown on, before each round and after the last; empty without such rows.
    kept : number of rounds whose trees are in the model.
    """

    names: tuple[str, ...]
    values: Floats
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

    def plot(self) -> Figure:
        """Draw constraints, multipliers, and where there are any, losses by round.

        Raises
        ------
        InputError : matplotlib is not installed.
        """
        return _drawn(self)


def _drawn(history: History) -> Figure:
    from scrutable.plots.style import ACCENT, BODY, FAINT, LINE, PALETTE, fit, header, page, place, styled

    panels = [("constraints", history.values), ("multipliers", history.multipliers)] if history.names else []
    if len(history.losses):
        panels.append(("loss, held out", history.losses[:, None]))
    with styled():
        figure = page(9.0, 0.9 + 1.9 * max(len(panels), 1))
        header(figure, 0.1, "Boosting under constraints", [f"{history.kept} rounds are in the model"])
        for at, (label, lines) in enumerate(panels):
            axes = place(figure, 0.9, 0.8 + 1.9 * at, 5.2, 1.55)
            axes.axvline(history.kept, color=LINE, linewidth=1.0)
            for number, line in enumerate(lines.T):
                colour = PALETTE[number % len(PALETTE)] if lines.shape[1] > 1 else ACCENT
                name = history.names[number] if label != "loss, held out" else ""
                axes.plot(np.arange(len(line)), line, color=colour, linewidth=1.2, label=fit(name, 2.4))
            axes.set_ylabel(label, fontsize=BODY)
            if at == 0 and len(history.names) <= 2 * len(PALETTE):
                axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, labelcolor=FAINT)
            if at == len(panels) - 1:
                axes.set_xlabel("round", fontsize=BODY)
    return figure
