"""The reasons of each row, ranked by the model's reason policy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator.outputs import Codes
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.scorecard import Scorecard

#: Rows ranked at once, so that the keys of all codes stay in the processor's cache.
_BLOCK = 16_384

#: The key of each attribute of a characteristic.
_Keys = tuple[str, NDArray[np.int64]]


def ranked_reasons(
    scorecard: Scorecard, policy: ReasonPolicy, attribute: Mapping[str, NDArray[np.intp]], knock_out: Codes
) -> Codes:
    """The k codes that fall short most, largest first, ties in the policy's order; a knock-out comes first.

    A scorecard has finitely many shortfalls, so each is known by an integer: its rank among all, times one more than
    there are codes, plus the place of its code counted from the end of the order. The greater of two is the greater
    shortfall or, of equal ones, the earlier code; a key is 0 where nothing falls short.

    Parameters
    ----------
    attribute : per characteristic, (n,) position of the attribute that each row has.
    knock_out : (n,) code of the knock-out that applies, else None.

    Returns
    -------
    object array of shape (n, k); None where fewer than k codes fall short.
    """
    n_rows, n_codes = len(knock_out), len(policy.order)
    carried = _keys(scorecard, policy)
    texts = np.array([None, *reversed(policy.order)], dtype=object)
    reasons: Codes = np.full((n_rows, policy.k), None, dtype=object)
    for start in range(0, n_rows, _BLOCK):
        rows = slice(start, start + _BLOCK)
        keys = [_greatest([its[attribute[name][rows]] for name, its in parts]) for parts in carried]
        for place in range(min(policy.k, len(keys))):
            best = _greatest(keys)
            reasons[rows, place] = texts[best % (n_codes + 1)]
            for key in keys:
                key *= key != best
    out = np.flatnonzero(knock_out != np.array(None))
    reasons[out, 1:] = reasons[out, :-1]
    reasons[out, 0] = knock_out[out]
    return reasons


def _keys(scorecard: Scorecard, policy: ReasonPolicy) -> list[list[_Keys]]:
    """For each code that some characteristic carries: these, and the key of each of their attributes."""
    points = {
        item.feature: np.array([attribute.points for attribute in item.attributes])
        for item in scorecard.characteristics
    }
    short = {name: baseline - points[name] for name, baseline in policy.baselines.items()}
    levels = np.unique(np.concatenate([np.zeros(1), *(each[each > 0] for each in short.values())]))
    found = []
    for place, carriers in zip(range(len(policy.order), 0, -1), policy.carriers(scorecard).values(), strict=True):
        parts = []
        for position, indices in carriers:
            name = scorecard.characteristics[position].feature
            carries = np.isin(np.arange(len(points[name])), indices) & (short[name] > 0)
            key = np.searchsorted(levels, short[name]) * (len(policy.order) + 1) + place
            parts.append((name, np.where(carries, key, 0)))
        if parts:
            found.append(parts)
    return found


def _greatest(keys: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    first, *rest = keys
    best = first.copy()
    for key in rest:
        np.maximum(best, key, out=best)
    return best
