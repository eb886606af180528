"""Protected groups of few rows, counted with others."""

from __future__ import annotations

import numpy as np

from scrutable.fairness.attribute import MISSING, ProtectedAttribute
from scrutable.fairness.groups import Groups, largest


def pooled_groups(groups: Groups, least: int) -> Groups | None:
    """Groups in which none has fewer than `least` rows, to measure and to tell of; None where none are left.

    Rows of smaller groups count as "(missing)", of unknown membership, where these are `least` or more together; else
    with the smallest group that has enough. An attribute with one group left goes. Probabilities stay as they are,
    since they name nobody's group.

    Parameters
    ----------
    least : see `scrutable.disclosure.min_cell`.

    Examples
    --------
    >>> few = Groups.from_frame({"faith": ["a"] * 60 + ["b"] * 40 + ["c"] * 2 + ["d"]}, min_group_size=0)
    >>> pooled_groups(few, 5)["faith"].sizes
    {'a': 60.0, 'b': 43.0}
    >>> pooled_groups(few, 2)["faith"].sizes
    {'a': 60.0, 'b': 40.0, 'c': 3.0}
    """
    pooled = [each for each in (_pooled(attribute, least) for attribute in groups.attributes) if each is not None]
    return Groups(tuple(pooled)) if pooled else None


def _pooled(attribute: ProtectedAttribute, least: int) -> ProtectedAttribute | None:
    if not attribute.hard or (attribute.membership.sum(axis=0) >= least).all():
        return attribute
    labels, membership = attribute.labels, attribute.membership.copy()
    if MISSING not in labels:
        labels, membership = (*labels, MISSING), np.column_stack([membership, np.zeros(len(membership))])
    rows, unknown = membership.sum(axis=0), labels.index(MISSING)
    few = rows < least
    enough = [i for i in range(len(labels)) if not few[i] and i != unknown]
    if rows[few].sum() + rows[unknown] * (not few[unknown]) >= least:
        host = unknown
    elif enough:
        host = min(enough, key=lambda i: rows[i])
    else:
        return None
    moved = membership[:, few].sum(axis=1)
    membership[:, few] = 0.0
    membership[:, host] += moved
    kept = [i for i in range(len(labels)) if i == host or not few[i]]
    if len(kept) < 2 and not moved.any():
        return attribute  # of one group, and of others that nobody belongs to
    if len(kept) < 2:
        return None
    names = tuple(labels[i] for i in kept)
    reference = attribute.reference if attribute.reference in names else largest(names, membership[:, kept])
    return ProtectedAttribute(attribute.name, names, reference, membership[:, kept])
