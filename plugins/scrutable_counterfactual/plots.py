"""A score's path over the cutoff: from what it is over each change to what it would be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    INK,
    LINE,
    MARGIN,
    PALETTE,
    SHADE,
    SMALL,
    TITLE,
    fit,
    header,
    page,
    place,
    styled,
    wrap,
)
from scrutable.writing import decimal, decimals_apart
from scrutable_counterfactual.answers import Answers, Change
from scrutable_counterfactual.wording import value_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS, _WIDTH = 3.2, 4.6  # room to the left of the frame, and the frame's width
_HEADER, _NAMES, _ROW, _FOOT = 0.85, 0.25, 0.4, 0.45
_FALL = PALETTE[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One change.

    Parameters
    ----------
    label : what changes, in words.
    points : what it adds to the score.
    """

    label: str
    points: float


def plot_counterfactual(explanation: Answers, answer: int = 0) -> Figure:
    """Draw the path of one applicant's score over the changes of an answer, with the cutoff and the wanted scores.

    Parameters
    ----------
    answer : which one, from 0.

    Raises
    ------
    InputError : there is no such answer, or matplotlib is not installed.
    """
    if not 0 <= answer < len(explanation.answers):
        raise InputError(
            "there is no such answer to draw",
            where="counterfactuals",
            got=answer,
            allowed=f"0 to {len(explanation.answers) - 1}"
            if explanation.answers
            else f"none: the search ended as {explanation.status!r}",
        )
    return plot_path(
        [
            PathStep(label=_step_label(change), points=change.points_gained)
            for change in explanation.answers[answer].changes
        ],
        start=explanation.score,
        cutoff=explanation.cutoff,
        low=explanation.low,
        high=explanation.high,
        title="What the model would have decided"
        if explanation.cutoff is not None
        else "What the model would have predicted",
        subtitle=f"Wanted is {explanation.wanted}{_which(answer, len(explanation.answers))}",
    )


@styled()
def plot_path(
    steps: Sequence[PathStep],
    *,
    start: float,
    cutoff: float | None = None,
    low: float = -math.inf,
    high: float = math.inf,
    title: str = "From this score to the wanted one",
    subtitle: str = "",
) -> Figure:
    """Draw the steps from a score to another as a waterfall, from top to bottom, with the cutoff and the wanted scores.

    Parameters
    ----------
    start : the score before the steps.
    cutoff : drawn as a line, if there is one.
    low, high : the scores that are wanted, shaded; infinite where there is no bound.

    Raises
    ------
    InputError : no steps, a value that is no finite number, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.plots import render
    >>> steps = [PathStep(label="Savings: none → some", points=30), PathStep(label="Duration: 36 → 24", points=9)]
    >>> figure = plot_path(steps, start=571.2, cutoff=600, low=600)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['571.2', '610.2', '+30', '+9', 'cutoff 600']
    >>> render(figure, "svg").startswith(b"<?xml")
    True
    """
    if not steps:
        raise InputError("there is nothing to draw", where="steps", fix="give at least one")
    for value in (start, cutoff, *(step.points for step in steps)):
        if value is not None and not math.isfinite(value):
            raise InputError("expected a finite number", where="path of a score", got=value)
    scores = list(itertools.accumulate((step.points for step in steps), initial=start))
    frame = _ROW * (len(steps) + 2)
    figure = page(2 * MARGIN + _LABELS + _WIDTH, _HEADER + _NAMES + frame + _FOOT)
    header(figure, 0.0, fit(title, _LABELS + _WIDTH, TITLE, bold=True), [subtitle])
    axes = place(figure, MARGIN + _LABELS, _HEADER + _NAMES, _WIDTH, frame)
    axes.set_label("path")
    left, right = _limits(
        [*scores, *(each for each in (cutoff, low, high) if each is not None and math.isfinite(each))]
    )
    if (low, high) != (-math.inf, math.inf):
        axes.axvspan(max(low, left), min(high, right), facecolor=SHADE, linewidth=0, zorder=0)
    ends = [each for each in (low, high) if math.isfinite(each)]
    decimals = decimals_apart([*scores, *ends, *([] if cutoff is None else [cutoff])])
    _draw_scores(axes, steps, scores, decimals)
    if cutoff is not None:
        _draw_cutoff(axes, cutoff, decimals)
    _label(axes, steps, len(scores) + 1)
    axes.set_xlim(left, right)
    axes.set_xlabel("score; shaded: wanted" if ends else "score", fontsize=SMALL)
    return figure


def _draw_scores(axes: Axes, steps: Sequence[PathStep], scores: Sequence[float], decimals: int) -> None:
    """A dot for the first and the last score, between them a bar a step, and the number beside each."""
    last = len(scores)
    for row, score in ((0, scores[0]), (last, scores[-1])):
        axes.plot([score], [row], marker="o", markersize=6, color=INK, linestyle="none", zorder=4)
        _beside(axes, decimal(score, decimals), score, row, weight="bold")
    for row, (step, (before, after)) in enumerate(zip(steps, itertools.pairwise(scores), strict=True), 1):
        axes.plot([before, before], [row - 1, row], color=LINE, linewidth=0.8, zorder=1.5)
        colour = ACCENT if step.points >= 0 else _FALL
        axes.barh([row], [step.points], left=before, height=0.5, color=colour, edgecolor=colour, zorder=3)
        shown = decimal(step.points, decimals_apart([0.0, step.points], decimals), sign=True)
        _beside(axes, shown, max(before, after), row)
    axes.plot([scores[-1]] * 2, [last - 1, last], color=LINE, linewidth=0.8, zorder=1.5)


def _draw_cutoff(axes: Axes, cutoff: float, decimals: int) -> None:
    axes.axvline(cutoff, color=INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
    axes.annotate(
        f"cutoff {decimal(cutoff, decimals)}",
        (cutoff, 1.0),
        (0, 3),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="center",
        fontsize=SMALL,
        color=INK,
    )


def _label(axes: Axes, steps: Sequence[PathStep], rows: int) -> None:
    labels = ["now", *("\n".join(wrap(step.label, _LABELS - 0.15)) for step in steps), "then"]
    axes.set_yticks(range(rows), labels, fontsize=BODY)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.tick_params(axis="x", length=2, labelcolor=FAINT)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(rows - 0.5, -0.5)


def _beside(axes: Axes, text: str, score: float, row: int, weight: str = "normal") -> None:
    axes.annotate(
        text, (score, row), (6, 0), textcoords="offset points", va="center", fontsize=SMALL, weight=weight, zorder=5
    )


def _limits(scores: Sequence[float]) -> tuple[float, float]:
    """All scores, with room for the numbers beside them."""
    low, high = min(scores), max(scores)
    room = (high - low) / (_WIDTH - 2.0) or 1.0
    return low - room, high + room


def _which(answer: int, count: int) -> str:
    return f"; answer {answer + 1} of {count}" if count > 1 else ""


def _step_label(change: Change) -> str:
    return f"{change.title}: {value_words(change.value)} → {change.required}"
