"""Characteristics that part the rows as another does, of which one is enough."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from scrutable_additive.problem import Problem


def without_copies(
    problem: Problem, held: Collection[str] = (), preferred: Collection[str] = ()
) -> tuple[Problem, dict[str, str]]:
    """The problem without characteristics whose bins have the rows of another's, and by name which one that is.

    Two that tell the same would share it between them, and the card would have its steps twice. What is asked of stays:
    features that must, that have a trend, or whose attributes the user has said.

    Parameters
    ----------
    held : further features that stay in any case.
    preferred : features that stay before others that part the rows as they do.
    """
    asked_of = [each.name in held or each.kept or each.fixed or each.asked for each in problem.layouts]
    blocks, layouts = problem.rows.blocks, problem.layouts
    alike: dict[bytes, list[int]] = {}
    copies: dict[int, int] = {}
    order = sorted(range(len(layouts)), key=lambda each: (not asked_of[each], layouts[each].name not in preferred))
    for place in order:
        others = alike.setdefault(layouts[place].count.tobytes(), [])
        same = [other for other in others if np.array_equal(blocks[place], blocks[other])]
        if same and not asked_of[place] and layouts[place].nominal == layouts[same[0]].nominal:
            copies[place] = same[0]
        else:
            others.append(place)
    if not copies:
        return problem, {}
    names = {layouts[place].name: layouts[other].name for place, other in copies.items()}
    return problem.only([place for place in range(len(layouts)) if place not in copies]), names
