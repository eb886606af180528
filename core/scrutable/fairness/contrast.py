"""A rate bound as weights over rows: what learners put into their linear programs and gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data.array_checks import Bools, Floats, Outcomes, favourable, outcomes
from scrutable.errors import KindError
from scrutable.fairness.counted_events import Rate


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contrast:
    """A linear inequality in what happens to each row: low <= sum_i weights[i] * event[i] <= high.

    event[i] is 1 where it happens to row i and 0 elsewhere, or a surrogate in between (a hinge, a probability):

    * "approval": the decision is favourable,
    * "error": the decision, or the predicted class, differs from the outcome.

    `counted_in` turns the one into the other. Weights are positive for rows of the group, negative for rows of its
    reference, and 0 for rows that the bound does not look at. `RateBound.contrast` makes one. `value` is what is
    bounded; the weights are its gradient in the events, and between the limits a row of a linear program.
    """

    event: Rate
    weights: Floats
    low: float
    high: float

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)

    def value(self, event: Any) -> float:
        """The sum for (n,) events, or surrogates of them.

        >>> Contrast(event="error", weights=np.array([0.5, 0.5, -1.0]), low=-0.1, high=0.1).value([True, False, True])
        -0.5
        """
        return float(self.weights @ np.asarray(event, dtype=np.float64))

    def counted_in(self, event: Rate, y: Any) -> Contrast:
        """State the inequality in the other event: approvals in errors, or errors in approvals.

        A good payer is approved exactly if there is no error, and a bad payer exactly if there is one. So weights of
        good payers change their sign, and their sum moves to the limits. A learner that has one error variable a row
        asks every bound for "error"; bounds on errors, of any number of classes, are returned as they are.

        With more than two classes, of which one is favourable, an error on a bad payer need not be an approval. There
        it holds where only good payers have a weight, as in a bound on the approval rate among them.

        Parameters
        ----------
        y : (n,) booleans, True where the outcome is favourable. Not looked at if the event stays the same.

        Raises
        ------
        InputError : another number of rows.
        KindError : `y` that is not boolean.

        Examples
        --------
        >>> approvals = Contrast(event="approval", weights=np.array([1.0, -0.5, -0.5]), low=-0.1, high=0.1)
        >>> errors = approvals.counted_in("error", [True, True, False])
        >>> errors.weights.tolist(), errors.low, errors.high
        ([-1.0, 0.5, -0.5], -0.6, -0.4)
        """
        if event == self.event:
            return self
        good = favourable(y, "y", self.weights.size)
        constant = float(self.weights[good].sum())
        return Contrast(
            event=event,
            weights=np.where(good, 0.0 - self.weights, self.weights),  # 0.0 - w has no negative zero
            low=self.low - constant,
            high=self.high - constant,
        )


def events_of(rate: Rate, y: Any, predicted: Any) -> Bools:
    """(n,) whether the event of a rate happens to each row.

    Parameters
    ----------
    y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
    predicted : (n,) the same for the decision, or for the predicted class; an approval needs booleans.

    Raises
    ------
    InputError : lengths that differ, or a missing value.
    KindError : class labels where approvals are counted, or different kinds: booleans, text, numbers.

    Examples
    --------
    >>> events_of("approval", [True, False], [True, True]).tolist()
    [True, True]
    >>> events_of("error", ["paid", "late"], ["paid", "paid"]).tolist()
    [False, True]
    """
    actual = outcomes(y, "y")
    if rate == "approval":
        return favourable(predicted, "predicted", actual.size)
    labels = outcomes(predicted, "predicted", actual.size)
    if _kind(actual) != _kind(labels):
        raise KindError(
            "outcomes and predictions are of different kinds, so none would agree",
            where="predicted",
            got=f"{_kind(labels)} for outcomes that are {_kind(actual)}",
            allowed="booleans for both, or labels of the same classes for both",
            fix="compare both with the favourable class, or give both as labels",
        )
    wrong: Bools = np.asarray(labels != actual, dtype=bool)
    return wrong


def _kind(values: Outcomes) -> str:
    if values.dtype == bool:
        return "booleans"
    return "text" if isinstance(values[0], str) else "numbers"
