"""CPU time of a fold: from training rows to the optimal tree, less what training the target model takes."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from clock import timed, yardstick
from report import Row

from compressing.data import Fold, first_fold
from compressing.discretised import Discretised, grown
from compressing.targets import TARGETS
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.training import TargetOptions, train_target


def rows_of_folds(names: Sequence[str], runs: int) -> Iterator[Row]:
    """The first fold of each data set, at Q = 0, which leaves most to the tree."""
    sorting = yardstick(5)
    for name in names:
        fold = first_fold(name)
        _whole(fold)  # compiles
        pairs = [(timed(partial(_whole, fold))[0], _training(fold)) for _ in range(runs)]
        training = statistics.median(alone for _, alone in pairs)
        yield Row(
            name=f"one fold without the target's training, {name}",
            value=statistics.median(whole - alone for whole, alone in pairs),
            unit="s",
            relation="<=",
            bound=TARGETS["fold"]["seconds"],
            peer=TARGETS["fold"]["paper"][name],
            note=f"CPU, median of {runs}; {len(fold.train.y)} rows of {fold.train.X.shape[1]} columns, training "
            f"{training:.2f} s; peer: the paper's, with training; sorting a million doubles takes {sorting:.2f} s",
        )


def _whole(fold: Fold) -> None:
    discretised = Discretised.of(fold)
    grown(discretised.found.kept.binary(discretised.train_points), fold.train.y)


def _training(fold: Fold) -> float:
    """Seconds of the training alone."""
    points = Inputs.of(fold.train.data).encode(fold.train.columns)
    return timed(lambda: train_target(points, fold.train.y, np.ones(len(points)), TargetOptions()))[0]
