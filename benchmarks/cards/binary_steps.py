"""FasterRisk's integer cards beside those of the learner, on the same binary steps, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from clock import timed
from report import Row

from cards.data import Ints, split
from cards.ebm import ONE_THREAD
from cards.figures import loss
from scrutable import create
from scrutable_additive.fine import FineBinner
from scrutable_additive.jumps import Jumps, Limits
from scrutable_additive.problem import Problem
from scrutable_additive.small import small_card

_WORKER = Path(__file__).with_name("binary_steps_worker.py")
#: Steps with points, thresholds of a column, and most points of a step.
_SIZES, _THRESHOLDS, _POINTS = (5, 10), 20, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sides:
    """CPU seconds and mean log-loss on the training rows, of both, and CPU seconds of our search alone.

    FasterRisk's are those of its search, from a matrix of binary steps to points. A fit of ours also reads the rows,
    and makes the path and the evidence.
    """

    seconds: tuple[float, float]
    losses: tuple[float, float]
    search: float


def rows(names: tuple[str, ...], python: str) -> Iterator[Row]:
    """Training loss and CPU time beside FasterRisk's, with as many binary steps and points from -5 to 5."""
    for name in names:
        for size in _SIZES:
            sides = _fitted(name, size, python)
            ours, theirs = sides.losses
            words = f"{name}, {size} binary steps"
            yield Row(
                name=f"{words}: training log-loss less FasterRisk's",
                value=ours - theirs,
                unit="",
                relation="<=",
                bound=0.0,
                note=f"{ours:.5f} and {theirs:.5f}",
            )
            for what, ours in (("the search", sides.search), ("a whole fit", sides.seconds[0])):
                theirs = sides.seconds[1]
                yield Row(
                    name=f"{words}: CPU of {what}",
                    value=ours / theirs,
                    unit="of FasterRisk's search",
                    relation="<=",
                    bound=0.05 if what == "the search" else 1.0,
                    note=f"{ours:.2f} s and {theirs:.2f} s",
                )


def _fitted(name: str, size: int, python: str) -> _Sides:
    learned = split(name, 0).learned
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        learned.X.assign(**{"the outcome": learned.y}).to_csv(folder / "learned.csv", index=False)
        _work(python, folder, size)
        told = json.loads((folder / "fasterrisk.json").read_text())
        steps = np.load(folder / "binary.npy")
    X = pd.DataFrame(steps, columns=[f"step {at}" for at in range(steps.shape[1])])
    learner = create(
        "learner",
        "additive",
        favourable=1,
        explainer=None,
        max_characteristics=size,
        max_points=_POINTS,
        aim="outcomes",
        min_count=0,
        keep=1.0,
    )
    seconds, _ = timed(lambda: learner.fit(X, learned.y))
    probability = learner.predict_proba(X)[:, list(learner.classes_).index(1)]
    assert len(learner.model_.characteristics) <= size
    return _Sides(
        seconds=(seconds, told["seconds"]),
        losses=(loss(learned.y, probability), told["loss"]),
        search=_searching(X, learned.y, size),
    )


def _searching(X: pd.DataFrame, y: Ints, size: int) -> float:
    """CPU seconds of what the learner searches small cards by, from rows in bins to points."""
    binner = FineBinner(favourable=1)
    problem = Problem.of(binner.read(X, y), binner)
    limits = Limits(jumps=size, steps=None, characteristics=size, min_count=0)

    def search() -> object:
        jumps = Jumps.of(problem.layouts, np.zeros(problem.rows.size))
        return small_card(problem.rows, lambda part: part.target, jumps, limits, _POINTS)

    return timed(search)[0]


def _work(python: str, folder: Path, size: int) -> None:
    """Run the worker without this environment's own paths, which would give it the wrong packages."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [python, str(_WORKER), str(folder), str(size), str(_THRESHOLDS)]
    done = subprocess.run(command, env=clean | ONE_THREAD, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the environment of FasterRisk failed: {done.stderr.strip()[-2000:]}")
