"""The optimal tree of depth 3 on 5000 rows and 100 binary features, beside STreeD."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

import numpy as np
from clock import timed
from report import Row

from compressing import streed
from compressing.data import Flags, whole
from compressing.discretised import DEPTH, EQUAL, PENALTY, grown
from compressing.streed import Streed
from compressing.targets import TARGETS
from scrutable_fcca.discretising.thresholds import gain_thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.training import TargetOptions, train_target

Binary = tuple[Flags, Flags]

_ROWS, _FEATURES = 5000, 100


def rows_of_trees(runs: int) -> Iterator[Row]:
    """Time of ours, and how far its objective is from STreeD's where that is installed."""
    for name, make in {"magic": magic, "random": drawn}.items():
        bits, y = make()
        ours = grown(bits, y)  # compiles
        seconds = statistics.median(timed(partial(grown, bits, y))[0] for _ in range(runs))
        taken, theirs = (
            timed(partial(Streed.of, bits, y, DEPTH, PENALTY / len(y))) if streed.present() else (None, None)
        )
        yield Row(
            name=f"optimal tree, {name}",
            value=seconds,
            unit="s",
            relation="<=",
            bound=TARGETS["tree_of"]["seconds"],
            peer=taken,
            note=f"CPU, {len(y)} rows, {bits.shape[1]} binary features, depth {DEPTH}; "
            f"{'proven' if ours.proven else 'not proven'}; peer: STreeD",
        )
        if theirs is not None:
            yield Row(
                name=f"optimal tree, {name}: objective less STreeD's",
                value=abs(ours.objective - theirs.objective),
                unit="",
                relation="<=",
                bound=EQUAL,
                note=f"ours {ours.objective:.6f}, {ours.n_leaves} leaves, {100 * ours.errors:.2f} % wrong",
            )


def magic() -> Binary:
    """The rows that folds of magic are made of, and of many stumps the thresholds that gain most."""
    rows = whole("magic")
    inputs = Inputs.of(rows.data)
    points = inputs.encode(rows.columns)
    trained = train_target(points, rows.y, np.ones(len(points)), TargetOptions(n_estimators=500))
    return gain_thresholds(trained, inputs).largest(_FEATURES).binary(points), rows.y


def drawn() -> Binary:
    """Independent features, of which some tell the class a little: bounds rule out least."""
    random = np.random.default_rng(0)
    bits = random.random((_ROWS, _FEATURES)) < random.uniform(0.1, 0.9, _FEATURES)
    weights = random.normal(size=_FEATURES) * (random.random(_FEATURES) < 0.3)
    score = (bits - bits.mean(axis=0)) @ weights
    return bits, score + random.normal(size=_ROWS) > 0
