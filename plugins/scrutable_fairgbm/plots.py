"""Rounds of learning: constraints, multipliers and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrutable.plots.style import ACCENT, BODY, FAINT, LINE, PALETTE, SHADE, fit, header, page, place, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_fairgbm.gradients import Floats
    from scrutable_fairgbm.history import History

_HEIGHT, _WIDTH = 1.55, 5.2  # of a panel, in inches
_STEP = 1.9  # from one panel to the next
_MARGIN = 0.04  # beside the rounds, as a share of them


def plot_history(history: History) -> Figure:
    """Draw constraints, multipliers and, where there are any, losses by round; a line says which rounds are kept.

    Panels have the same range of rounds. Values that keep a constraint lie in the shaded band, where all constraints
    have the same one, else between dashes.

    Raises
    ------
    InputError : matplotlib is not installed.
    """
    panels = [("gap of rates", history.values), ("multiplier", history.multipliers)] if history.names else []
    if len(history.losses):
        panels.append(("loss + excess" if panels else "loss", history.losses[:, None]))
    ends = max(len(lines) for _, lines in panels) if panels else 1
    with styled():
        figure = page(10.2, 0.9 + _STEP * max(len(panels), 1))
        header(figure, 0.1, "Learning under constraints", [f"{history.kept} rounds are in the model"])
        for at, (label, lines) in enumerate(panels):
            axes = place(figure, 0.9, 0.8 + _STEP * at, _WIDTH, _HEIGHT)
            axes.axvline(history.kept, color=LINE, linewidth=1.0)
            axes.set_xlim(-_MARGIN * ends, (1 + _MARGIN) * ends)
            _draw(axes, lines, history.names if at == 0 else ())
            if at == 0 and history.names:
                _draw_limits(axes, history.limits)
            axes.set_ylabel(label, fontsize=BODY)
        if panels:
            axes.set_xlabel("round", fontsize=BODY)
    return figure


def _draw(axes: Axes, lines: Floats, names: tuple[str, ...]) -> None:
    """A line for each column, named where there are names and not too many."""
    for number, line in enumerate(lines.T):
        colour = PALETTE[number % len(PALETTE)] if lines.shape[1] > 1 else ACCENT
        label = fit(names[number], 3.4) if number < len(names) else ""
        axes.plot(np.arange(len(line)), line, color=colour, linewidth=1.2, label=label)
    if 0 < len(names) <= 2 * len(PALETTE):
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, labelcolor=FAINT)


def _draw_limits(axes: Axes, limits: Floats) -> None:
    """A band, or the limits of each constraint in its colour; gaps of rates lie between -1 and 1."""
    least, largest = axes.get_ylim()
    if (limits == limits[0]).all():
        axes.axhspan(*np.clip(limits[0], -2.0, 2.0), color=SHADE, zorder=0, linewidth=0)
    else:
        for number, limit in enumerate(limits):
            for end in limit[np.isfinite(limit)]:
                axes.axhline(end, color=PALETTE[number % len(PALETTE)], linewidth=0.8, linestyle="--")
    ends = 1.2 * limits[np.isfinite(limits)]
    axes.set_ylim(ends.min(initial=least), ends.max(initial=largest))
