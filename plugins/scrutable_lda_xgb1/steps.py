"""The bins that may start at each border, in the order in which a trend lets them follow."""

from __future__ import annotations

import numpy as np

from scrutable_lda_xgb1.kernels import Steps
from scrutable_lda_xgb1.segments import Segments


def steps_of(segments: Segments) -> Steps:
    """Steps of bins with one fairness information value."""
    n = segments.n
    count = np.zeros(n + 1, dtype=np.int64)
    stop = np.zeros((n + 1, n + 1), dtype=np.int64)
    number = np.full((n + 1, n + 1), -1, dtype=np.int64)
    rates = []
    for border in range(n):
        stops = np.flatnonzero(segments.allowed[border])
        stops = stops[np.argsort(segments.rate[border, stops], kind="stable")]
        count[border], numbers = len(stops), np.arange(len(stops))
        stop[border, numbers], number[border, stops] = stops, numbers
        rates.append(segments.rate[border, stops])
    follows = np.zeros((n + 1, n + 1), dtype=np.int64)
    for border in range(1, n):
        follows[:border, border] = np.searchsorted(rates[border], segments.rate[:border, border])
    rows = np.arange(n + 1)[:, None]
    fiv = segments.fiv[:, :, 0]
    return Steps(count, stop, number, follows[rows, stop], segments.iv[rows, stop], fiv[rows, stop], fiv[:, n].copy())
