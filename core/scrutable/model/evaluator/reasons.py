"""The reasons of each row, ranked by the model's reason policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator.outputs import Codes, Floats
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.scorecard import Scorecard

#: Rows ranked at once, so that the keys of all codes stay in the processor's cache.
_BLOCK = 16_384

#: The key of each attribute of a characteristic.
_Keys = tuple[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The k codes that fall short most, largest first, ties in the policy's order; a knock-out comes first.

    A knock-out stands alone where the score alone would have led to the favourable decision: what falls short was then
    no reason (12 CFR part 1002, Supplement I, comments 9(b)(2)-7 and -8).

    Parameters
    ----------
    reasons : object array of shape (n, k), None where fewer than k codes fall short.
    shortfalls : (n, k) points short, NaN for a knock-out and where there is no reason.
    """

    reasons: Codes
    shortfalls: Floats

    @classmethod
    def empty(cls, n_rows: int, k: int) -> Ranked:
        """No reason for any row."""
        return cls(np.full((n_rows, k), None, dtype=object), np.full((n_rows, k), np.nan))

    def after(self, knock_out: Codes, passed: NDArray[np.bool_]) -> Ranked:
        """These reasons with the knock-outs put in, in place; each pushes out the last reason.

        Parameters
        ----------
        passed : (n,) whether the score reaches the cutoff.
        """
        out = np.flatnonzero(knock_out != np.array(None))
        self.reasons[out[passed[out]]] = None
        self.shortfalls[out[passed[out]]] = np.nan
        for values, first in ((self.reasons, knock_out[out]), (self.shortfalls, np.nan)):
            values[out, 1:] = values[out, :-1]
            values[out, 0] = first
        return self


def ranked_attributes(
    scorecard: Scorecard,
    policy: ReasonPolicy,
    attribute: Mapping[str, NDArray[np.intp]],
    knock_out: Codes,
    passed: NDArray[np.bool_],
) -> Ranked:
    """The reasons of a scorecard.

    It has finitely many shortfalls, so each is known by an integer: its rank among all, times one more than there are
    codes, plus the place of its code counted from the end of the order. The greater of two is the greater shortfall
    or, of equal ones, the earlier code; a key is 0 where nothing falls short.

    Parameters
    ----------
    attribute : per characteristic, (n,) position of the attribute that each row has.
    knock_out : (n,) code of the knock-out that applies, else None.
    passed : (n,) whether the score reaches the cutoff.
    """
    n_rows, n_codes = len(knock_out), len(policy.order)
    levels, carried = _keys(scorecard, policy)
    texts = np.array([None, *reversed(policy.order)], dtype=object)
    levels[0] = np.nan
    ranked = Ranked.empty(n_rows, policy.k)
    for start in range(0, n_rows, _BLOCK):
        rows = slice(start, start + _BLOCK)
        keys = [_greatest([by_attribute[attribute[name][rows]] for name, by_attribute in parts]) for parts in carried]
        for place in range(min(policy.k, len(keys))):
            best = _greatest(keys)
            level, code = np.divmod(best, n_codes + 1)
            ranked.reasons[rows, place] = texts[code]
            ranked.shortfalls[rows, place] = levels[level]
            for key in keys:
                key *= key != best
    return ranked.after(knock_out, passed)


def ranked_features(
    policy: ReasonPolicy, short: Mapping[str, Floats], knock_out: Codes, passed: NDArray[np.bool_]
) -> Ranked:
    """The reasons of a model that tells for each row how far each feature falls short.

    Parameters
    ----------
    short : per feature, (n,) points below its baseline, or votes against.
    knock_out, passed : as in `ranked_attributes`.
    """
    carried = {code: features for code, features in policy.features().items() if features}
    codes = list(carried)
    ranked = Ranked.empty(len(knock_out), policy.k)
    rows = np.arange(len(knock_out))
    by_code = [np.maximum.reduce([np.zeros(len(rows)), *(short[name] for name in carried[code])]) for code in codes]
    matrix = np.stack(by_code, axis=1) if codes else np.zeros((len(rows), 0))
    texts = np.array(codes, dtype=object)
    for place in range(min(policy.k, len(codes))):
        best = np.argmax(matrix, axis=1)  # the first of equal ones
        most = matrix[rows, best]
        ranked.reasons[:, place] = np.where(most > 0, texts[best], None)
        ranked.shortfalls[:, place] = np.where(most > 0, most, np.nan)
        matrix[rows, best] = 0
    return ranked.after(knock_out, passed)


def _keys(scorecard: Scorecard, policy: ReasonPolicy) -> tuple[Floats, list[list[_Keys]]]:
    """All shortfalls from 0 up; for each code that some characteristic carries: these, and their attributes' keys."""
    points = {
        item.feature: np.array([attribute.points for attribute in item.attributes])
        for item in scorecard.characteristics
    }
    short = {name: baseline - points[name] for name, baseline in policy.baselines.items()}
    levels = np.unique(np.concatenate([np.zeros(1), *(each[each > 0] for each in short.values())]))
    carried = []
    for place, carriers in zip(range(len(policy.order), 0, -1), policy.carriers(scorecard).values(), strict=True):
        parts = []
        for position, indices in carriers:
            name = scorecard.characteristics[position].feature
            carries = np.isin(np.arange(len(points[name])), indices) & (short[name] > 0)
            key = np.searchsorted(levels, short[name]) * (len(policy.order) + 1) + place
            parts.append((name, np.where(carries, key, 0)))
        if parts:
            carried.append(parts)
    return levels, carried


def _greatest(keys: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    first, *rest = keys
    best = first.copy()
    for key in rest:
        np.maximum(best, key, out=best)
    return best
