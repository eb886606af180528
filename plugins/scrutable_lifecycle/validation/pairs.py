"""A group beside its reference: the weights of their rows, and how many rows of equal weight tell as much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scrutable.data import Floats
from scrutable.fairness import Groups, ProtectedAttribute
from scrutable.measures import effective_sizes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """A group and its reference.

    Parameters
    ----------
    ours, theirs : (n,) weights with which each row counts in the group and in the reference: its sample weight times
        its membership.
    sizes : effective numbers of members of the two.
    hard : whether memberships are known.
    """

    attribute: str
    group: str
    reference: str
    ours: Floats
    theirs: Floats
    sizes: tuple[float, float]
    hard: bool


def pairs_of(groups: Groups, weight: Floats) -> Iterator[Pair]:
    """Every group that is not its attribute's reference, beside the reference.

    >>> import numpy as np
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> [pair.ours.tolist() for pair in pairs_of(groups, np.ones(3))]
    [[1.0, 0.0, 0.0]]
    """
    for attribute in groups.attributes:
        yield from _pairs(attribute, weight)


def _pairs(attribute: ProtectedAttribute, weight: Floats) -> Iterator[Pair]:
    reference = attribute.reference_index
    sizes = effective_sizes(attribute, weight)
    for position, label in enumerate(attribute.labels):
        if position != reference:
            yield Pair(
                attribute=attribute.name,
                group=label,
                reference=attribute.reference,
                ours=weight * attribute.membership[:, position],
                theirs=weight * attribute.membership[:, reference],
                sizes=(float(sizes[position]), float(sizes[reference])),
                hard=attribute.hard,
            )
