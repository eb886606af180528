"""Protected groups of few rows, counted with others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import MISSING, ProtectedAttribute
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.groups import Groups, SmallGroupWarning, largest
from scrutable.errors import warn_caller


def pooled_groups(
    groups: Groups,
    weight: NDArray[np.float64] | None = None,
    *,
    least: int | None = None,
    count: NDArray[np.intp] | None = None,
) -> Groups | None:
    """Groups in which none has fewer rows than may be told of, to measure and to tell of; None where none are left.

    Rows of smaller groups count as "(missing)", of unknown membership, where these are enough together; else
    with the smallest group that has enough. An attribute with one group left goes. A row counts in each group that it
    may belong to.

    Parameters
    ----------
    weight : (n,) weights of the rows, of which those of none do not count; None where all count.
    least : rows that a group has at least; `scrutable.data.min_cell()` where None.
    count : (n,) how many rows each of these stands for; 1 each where None.

    Examples
    --------
    >>> few = Groups.from_frame({"faith": ["a"] * 60 + ["b"] * 40 + ["c"] * 2 + ["d"]}, min_group_size=0)
    >>> pooled_groups(few)["faith"].sizes
    {'a': 60.0, 'b': 43.0}
    >>> pooled_groups(few, least=3)["faith"].sizes
    {'a': 60.0, 'b': 40.0, '(missing)': 3.0}
    """
    least = min_cell() if least is None else least
    often = np.ones(groups.rows, dtype=np.intp) if count is None else count
    counted = often if weight is None else np.where(weight > 0, often, 0)
    pooled = [each for each in (_pooled(attribute, least, counted, often) for attribute in groups.attributes) if each]
    return Groups(tuple(pooled)) if pooled else None


def _pooled(
    attribute: ProtectedAttribute, least: int, counted: NDArray[np.intp], count: NDArray[np.intp]
) -> ProtectedAttribute | None:
    """One attribute; `counted` is `count` for the rows that have weight, 0 for others."""
    labels, membership = attribute.labels, attribute.membership.copy()
    if MISSING not in labels:
        labels, membership = (*labels, MISSING), np.column_stack([membership, np.zeros(len(membership))])
    rows, unknown = counted @ (membership > 0), labels.index(MISSING)
    few = rows < least
    if not few[: len(attribute.labels)].any():
        return attribute
    enough = [i for i in range(len(labels)) if not few[i] and i != unknown]
    if rows[few].sum() + rows[unknown] * (not few[unknown]) >= least:
        host = unknown
    elif enough:
        host = min(enough, key=lambda i: rows[i])
    else:
        return None
    moved = membership[:, few].sum(axis=1)
    membership[:, few] = 0.0
    membership[:, host] = np.minimum(membership[:, host] + moved, 1.0)  # rounding may sum to more
    kept = [i for i in range(len(labels)) if i == host or not few[i]]
    if len(kept) < 2:
        return None if moved.any() else attribute  # of one group, and of others that nobody belongs to
    names, membership = tuple(labels[i] for i in kept), membership[:, kept]
    return ProtectedAttribute(attribute.name, names, _reference(attribute, names, membership, count), membership)


def _reference(
    attribute: ProtectedAttribute, labels: tuple[str, ...], membership: NDArray[np.float64], count: NDArray[np.intp]
) -> str:
    """The attribute's reference, or the largest group in its place where it is too small to be told of."""
    if attribute.reference in labels:
        return attribute.reference
    other = largest(labels, membership, count)
    warn_caller(
        f"the reference of {attribute.name!r} has too few rows to be told of, so that groups are compared with "
        f"{other!r}. Fix: name a larger reference.",
        SmallGroupWarning,
    )
    return other
