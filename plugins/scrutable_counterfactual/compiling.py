"""The search's loops made machine code before a clock starts: on a new machine that takes longer than a search may."""

from __future__ import annotations

import functools

import numpy as np

from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.several_answers import several


@functools.cache
def compile_loops() -> None:
    """Search once for two answers of a tiny problem, with a second objective held to a limit.

    Numba compiles a loop at its first call. In a search of a second that call would be all of it, and the answer
    "unknown". Where the machine code is kept from an earlier run this takes milliseconds.
    """
    problem = Problem(
        base=0.0,
        points=np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]),
        current=np.zeros(3, np.int64),
        allowed=np.array([[False, True, True]] * 3),
        low=2.0,
        max_changes=2,
        whitening=np.eye(3),
        centre=np.zeros(3),
        forbidden=np.zeros((0, 3, 3), np.bool_),
    )
    term = Term(separable=problem.points, closeness=1.0)
    several(problem, Joint(term=term), 2, Diversity(values=True), limits=[(Joint(term=term), 100.0)])
