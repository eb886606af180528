"""Optima that are proven, over all rules up to a depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from clock import timed
from report import Row

from rules.data import problem
from scrutable_rug.learner import RUGClassifier


@dataclass(frozen=True, kw_only=True)
class Case:
    """A small data set, and the depth and penalty up to which its optimum is proven."""

    name: str
    depth: int
    penalty: float


def row_of_certificates(cases: Sequence[Case]) -> Row:
    """How many data sets end with a proof."""
    found = [timed(partial(_metrics, case)) for case in cases]
    words = [
        f"{case.name} (depth {case.depth}, penalty {case.penalty:g}): {metrics['ending']} at "
        f"{metrics['objective']:.4g}, gap {metrics['gap']:.1g}, {seconds:.1f} s"
        for case, (seconds, metrics) in zip(cases, found, strict=True)
    ]
    return Row(
        name="optimality certified",
        value=sum(metrics["ending"] == "optimal" for _, metrics in found),
        unit="data sets",
        relation=">=",
        bound=4,
        note="; ".join(words),
    )


def _metrics(case: Case) -> Any:
    part = problem(case.name)
    learner = RUGClassifier(max_depth=case.depth, penalty=case.penalty, iterations=1000, exact=True)
    return learner.fit(part.X, part.y).evidence_.metrics
