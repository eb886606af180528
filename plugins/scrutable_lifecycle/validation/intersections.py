"""Intersections of groups that are already made, known ones and probable ones alike."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from scrutable.data import Floats
from scrutable.errors import InputError
from scrutable.fairness import MISSING, Groups, ProtectedAttribute


def with_intersections(groups: Groups, intersections: Iterable[Sequence[str]]) -> Groups:
    """The groups, and an attribute more for each intersection: "sex & age", with groups such as "f & < 26".

    A row's membership in a combination is the product of its memberships. That is exact where all but one attribute is
    known; of several that are probabilities it takes them to be independent given what they were estimated from.
    Combinations that no row can have are left out, and where a part is "(missing)", so is the combination. The
    reference is the combination of the references, or the largest one where nobody has it.

    Raises
    ------
    InputError : an unknown attribute, fewer than two different ones, or two combinations that would have one name.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"], "age": ["20", "20", "60"]}, min_group_size=0)
    >>> crossed = with_intersections(groups, [("sex", "age")])["sex & age"]
    >>> crossed.labels, crossed.reference
    (('f & 20', 'm & 20', 'm & 60'), 'm & 20')
    """
    crossed = []
    for names in map(tuple, intersections):
        Groups.check_crossed(names)
        crossed.append(_crossed([groups[name] for name in names]))
    return Groups((*groups.attributes, *crossed))


def _crossed(parts: Sequence[ProtectedAttribute]) -> ProtectedAttribute:
    columns: dict[str, Floats] = {}
    combinations: dict[str, list[str]] = {}
    rows = len(parts[0].membership)
    for places in itertools.product(*(range(len(part.labels)) for part in parts)):
        labels = [part.labels[place] for part, place in zip(parts, places, strict=True)]
        name = MISSING if MISSING in labels else " & ".join(labels)
        if name != MISSING and combinations.setdefault(name, labels) != labels:
            raise InputError(
                "two combinations of groups would have one name",
                where=f"intersection {' & '.join(part.name for part in parts)!r}",
                got=f"{combinations[name]} and {labels}, both {name!r}",
                fix="name the groups without ' & '",
            )
        product = np.prod([part.membership[:, place] for part, place in zip(parts, places, strict=True)], axis=0)
        columns[name] = columns.get(name, np.zeros(rows)) + product
    filled = {name: column for name, column in columns.items() if column.any()}
    ordered = [*(name for name in filled if name != MISSING), *(name for name in filled if name == MISSING)]
    wanted = " & ".join(part.reference for part in parts)
    largest = max((name for name in ordered if name != MISSING), key=lambda name: filled[name].sum(), default=MISSING)
    return ProtectedAttribute(
        " & ".join(part.name for part in parts),
        tuple(ordered),
        wanted if wanted in filled else largest,
        np.column_stack([filled[name] for name in ordered]),
    )
