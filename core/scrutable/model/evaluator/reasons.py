"""The reasons of each row, ranked by the model's reason policy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator.outputs import Codes, Floats
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.scorecard import Scorecard


def shortfalls(
    scorecard: Scorecard,
    policy: ReasonPolicy,
    points: Mapping[str, Floats],
    attribute: Mapping[str, NDArray[np.intp]],
    n_rows: int,
) -> Floats:
    """Points below the baseline per code, in the policy's order; 0 where none of its characteristics falls short.

    Returns
    -------
    array of shape (n_rows, codes)
    """
    found = np.zeros((n_rows, len(policy.order)))
    for column, carriers in enumerate(policy.carriers(scorecard).values()):
        for position, indices in carriers:
            characteristic = scorecard.characteristics[position]
            name = characteristic.feature
            short = policy.baselines[name] - points[name]
            if len(indices) < len(characteristic.attributes):
                short = np.where(np.isin(attribute[name], indices), short, 0.0)
            np.maximum(found[:, column], short, out=found[:, column])
    return found


def rank(policy: ReasonPolicy, short: Floats, knock_out: Codes) -> Codes:
    """The k codes that fall short most, largest first, ties in the policy's order; a knock-out comes first.

    Returns
    -------
    object array of shape (n, k); None where fewer than k codes fall short.
    """
    n_rows, n_codes = short.shape
    codes = np.array([*policy.order, None], dtype=object)
    ranked = np.full((n_rows, policy.k), n_codes)
    kept = min(policy.k, n_codes)
    order = np.argsort(-short, axis=1, kind="stable")[:, :kept]
    ranked[:, :kept] = np.where(np.take_along_axis(short, order, axis=1) > 0, order, n_codes)
    reasons: Codes = codes[ranked]
    out = np.flatnonzero(knock_out != np.array(None))
    reasons[out, 1:] = reasons[out, :-1]
    reasons[out, 0] = knock_out[out]
    return reasons
