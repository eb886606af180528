"""An answer as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable_counterfactual.answers import Answers, Change
from scrutable_counterfactual.plots import PathStep, plot_path
from scrutable_counterfactual.wording import value_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        [PathStep(label=_label(change), points=change.points_gained) for change in explanation.answers[answer].changes],
        start=explanation.score,
        cutoff=explanation.cutoff,
        low=explanation.low,
        high=explanation.high,
        title="What the model would have decided"
        if explanation.cutoff is not None
        else "What the model would have predicted",
        subtitle=f"Wanted is {explanation.wanted}{_place(answer, len(explanation.answers))}",
    )


def _place(answer: int, count: int) -> str:
    return f"; answer {answer + 1} of {count}" if count > 1 else ""


def _label(change: Change) -> str:
    return f"{change.title}: {value_words(change.value)} → {change.required}"
