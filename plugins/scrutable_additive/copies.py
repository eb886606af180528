"""Characteristics that part the rows as another does, of which one is enough."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

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
    layouts = problem.layouts
    parted = _parted_alike(problem)
    alike: dict[bytes, list[int]] = {}
    copies: dict[int, int] = {}
    order = sorted(range(len(layouts)), key=lambda each: (not asked_of[each], layouts[each].name not in preferred))
    for place in order:
        others = alike.setdefault(layouts[place].count.tobytes(), [])
        same = [other for other in others if frozenset({place, other}) in parted]
        if same and not asked_of[place] and layouts[place].nominal == layouts[same[0]].nominal:
            copies[place] = same[0]
        else:
            others.append(place)
    if not copies:
        return problem, {}
    names = {layouts[place].name: layouts[other].name for place, other in copies.items()}
    return problem.only([place for place in range(len(layouts)) if place not in copies]), names


def _parted_alike(problem: Problem) -> set[frozenset[int]]:
    """Pairs of blocks of which each bin has the rows of the other's, by their places; most often no row is read."""
    counts = [layout.count.tobytes() for layout in problem.layouts]
    places = [place for place, own in enumerate(counts) if counts.count(own) > 1]
    if not places:
        return set()
    rows = problem.rows.only(places)
    weight = rows.pair_sums()
    rows.weigh_up([weight], lambda part: [np.ones(len(part.weight))])
    tables, slices = weight.values, dict(zip(places, rows.slices, strict=True))
    return {
        frozenset({one, other})
        for one, other in itertools.combinations(places, 2)
        if counts[one] == counts[other] and _is_diagonal(tables[slices[one], slices[other]])
    }


def _is_diagonal(table: NDArray[np.float64]) -> bool:
    return not (table - np.diag(np.diag(table))).any()
