"""OptBinning's Counterfactual: its mixed-integer program for one applicant at a time, solved by CBC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np
import optbinning
import pandas as pd
from clock import timed
from optbinning.scorecard import Counterfactual

from recourse.heloc import heloc
from recourse.reading import names_of

VERSIONS = f"OptBinning {metadata.version('optbinning')}, OR-Tools {metadata.version('ortools')} (CBC)"
BOTH = {"proximity": 1.0, "closeness": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What the peer says of one applicant.

    Parameters
    ----------
    status : of its solver.
    objective : as the solver has it; NaN without an answer.
    score : log-odds of a good outcome with the weights of evidence that the peer proposes; NaN without an answer.
    row : every feature as the peer's table shows it, an interval in words where it changes; None without an answer.
    seconds : CPU time of `generate`.
    """

    status: str
    objective: float
    score: float
    row: Mapping[str, Any] | None
    seconds: float


class Peer:
    """A fitted Counterfactual.

    Parameters
    ----------
    special_missing : whether the bins of special codes and of missing values may be proposed.
    """

    def __init__(self, card: optbinning.Scorecard, X: pd.DataFrame, *, special_missing: bool = False) -> None:
        self.names = names_of(card)
        self.fitted = Counterfactual(card, special_missing=special_missing).fit(X)

    def ask(self, applicant: pd.DataFrame, *, y: float = 0, outcome: str = "binary", **options: Any) -> Advice:
        """One answer with at most four changes; `objectives` and constraints as `generate` takes them."""
        asked = {"n_cf": 1, "max_changes": 4, "objectives": BOTH, "time_limit": 60} | options
        seconds, _ = timed(lambda: self.fitted.generate(applicant, y, outcome, **asked))
        found = self.fitted._cfs
        if not found:
            return Advice(status=self.fitted.status, objective=np.nan, score=np.nan, row=None, seconds=seconds)
        (answer,) = found
        return Advice(
            status=self.fitted.status,
            objective=float(self.fitted._optimizer.solver_.Objective().Value()),
            score=-float(answer["score"]),
            row=answer["query"].iloc[0].to_dict(),
            seconds=seconds,
        )

    @property
    def costs(self) -> dict[str, float]:
        """What its proximity multiplies a difference of weights of evidence by: one over the range of the points."""
        return dict(zip(self.names, self.fitted._wrange.tolist(), strict=True))


@cache
def peer() -> Peer:
    """The peer on HELOC."""
    data = heloc()
    return Peer(data.peer, data.X)


def in_peers_units() -> dict[str, Any]:
    """Options of our explainer that make its objective the peer's on HELOC.

    Proximity: |difference of points| = |coefficient| |difference of weights of evidence|, so the cost of a feature is
    the peer's divided by |coefficient|. Closeness, from the mean, is the same in points as in weights of evidence.
    """
    coefficients = np.abs(heloc().peer.estimator_.coef_.ravel())
    costs = dict(zip(peer().names, coefficients, strict=True))
    return {
        "scaling": "none",
        "closeness_from": "mean",
        "actions": {name: {"cost": cost / costs[name]} for name, cost in peer().costs.items()},
    }
