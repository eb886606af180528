"""Rules that apply, in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator.outputs import Codes


def rules_in_words(hits: NDArray[np.bool_], fallback: NDArray[np.bool_]) -> Codes:
    """Positions of the rules that apply, from 1 and with blanks between, or "F1" and so on where only a fallback does.

    Parameters
    ----------
    hits : (n, rules) Booleans.
    fallback : (n, fallback rules) Booleans, of which one a row is true.

    Examples
    --------
    >>> rules_in_words(np.array([[True, True], [False, False]]), np.array([[True], [True]])).tolist()
    ['1 2', 'F1']
    """
    decisive = np.concatenate([hits, fallback & ~hits.any(axis=1, keepdims=True)], axis=1)
    names = [*(str(i + 1) for i in range(hits.shape[1])), *(f"F{i + 1}" for i in range(fallback.shape[1]))]
    packed = np.packbits(decisive, axis=1)
    patterns, which = np.unique(packed, axis=0, return_inverse=True)
    rows = np.unpackbits(patterns, axis=1, count=len(names))
    texts = np.array([" ".join(names[i] for i in np.flatnonzero(row)) for row in rows], dtype=object)
    return texts[which]
