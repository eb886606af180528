"""A problem solved: its dense fit, the path of cards from there, and the card that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from scrutable_additive.choice import Choice
from scrutable_additive.dense import DenseFit
from scrutable_additive.elimination import Card
from scrutable_additive.layout import Layout
from scrutable_additive.metric import Metric
from scrutable_additive.path import Path, path_from
from scrutable_additive.problem import Problem
from scrutable_additive.shapes import Shape, shaped
from scrutable_additive.steps import first_steps


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A problem and what became of it.

    Parameters
    ----------
    layouts : of the blocks, with the shapes that they have.
    card : the one of the path that is chosen.
    """

    problem: Problem
    dense: DenseFit
    metric: Metric
    layouts: Sequence[Layout]
    shapes: Sequence[Shape]
    path: Path
    card: Card

    @classmethod
    def of(cls, problem: Problem, dense: DenseFit, choice: Choice, *, free: bool, min_count: float) -> Self:
        """The card that is chosen, from the dense fit of a problem.

        Parameters
        ----------
        free, min_count : as in `shaped` and `path_from`.
        """
        metric = Metric.at(dense, problem.rows)
        layouts, shapes = shaped(metric, problem.layouts, free=free)
        path = path_from(first_steps(metric, layouts, choice.loss(metric)), metric, layouts, min_count)
        return cls(problem, dense, metric, layouts, shapes, path, choice.card(path))

    def chosen(self, choice: Choice) -> Self:
        """The solution with the card of the path that another choice makes."""
        return replace(self, card=choice.card(self.path))
