"""Characteristics that part the rows as another does, of which one is enough."""

from __future__ import annotations

import numpy as np

from scrutable_additive.layout import Layout
from scrutable_additive.problem import Problem


def without_copies(problem: Problem) -> tuple[Problem, dict[str, str]]:
    """The problem without characteristics whose bins have the rows of another's, and by name which one that is.

    Two that tell the same would share it between them, and the card would have its steps twice. What is asked of stays:
    features that must, that have a trend, or whose attributes the user has said.
    """
    blocks, layouts = problem.rows.blocks, problem.layouts
    alike: dict[bytes, list[int]] = {}
    copies: dict[int, int] = {}
    for place in sorted(range(len(layouts)), key=lambda each: not _asked_of(layouts[each])):
        others = alike.setdefault(layouts[place].count.tobytes(), [])
        same = [other for other in others if np.array_equal(blocks[place], blocks[other])]
        if same and not _asked_of(layouts[place]) and layouts[place].nominal == layouts[same[0]].nominal:
            copies[place] = same[0]
        else:
            others.append(place)
    if not copies:
        return problem, {}
    names = {layouts[place].name: layouts[other].name for place, other in copies.items()}
    return problem.only([place for place in range(len(layouts)) if place not in copies]), names


def _asked_of(layout: Layout) -> bool:
    return layout.kept or layout.fixed or layout.asked
