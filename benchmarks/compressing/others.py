"""Other target models on boston, as in figure 13: forests and a linear support vector machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np
from clock import timed

from compressing import accuracy
from compressing.data import folds
from compressing.discretised import Discretised, mean_of
from scrutable_fcca.training import TargetKind, TargetOptions

COLUMNS = ("target", "right", "s/fold", *accuracy.OF_TREES)
_KINDS: tuple[TargetKind, ...] = ("boosting", "forest", "linear")


def lines_of_others(most: int) -> Iterator[list[str]]:
    """Means over so many folds at Q = 0."""
    for kind in _KINDS:
        seconds, right, measured = [], [], []
        for fold in islice(folds("boston"), most):
            taken, discretised = timed(partial(Discretised.of, fold, TargetOptions(kind=kind)))
            seconds.append(taken)
            right.append(discretised.accuracy)
            measured.append(discretised.on(discretised.found.kept))
        yield [kind, f"{100 * np.mean(right):.1f} %", f"{np.mean(seconds):.1f}", *accuracy.cells(mean_of(measured))]
