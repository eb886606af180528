"""Training time beside plain LightGBM with the same trees, pair by pair; the fork beside the one that it contains."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from clock import timed
from report import Row

from boosting import fork, methods
from boosting.data import Problem
from boosting.draws import Draw
from boosting.ours import Ours


@dataclass(frozen=True, kw_only=True)
class Case:
    """Rows, threads, how many times plain LightGBM's time a fit may take, and how often both are run."""

    problem: Problem
    threads: int
    bound: float
    pairs: int = 5
    note: str = ""
    draw: Draw = field(default_factory=Draw)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Seconds of our training, of our whole fit and of plain, as CPU time and as the clock has it."""

    ours: tuple[float, float]
    whole: tuple[float, float]
    plain: tuple[float, float]


def row_of(case: Case) -> Row:
    """Training, from rows that are read to the model; no row is held out, as plain holds none out."""
    found = pairs_of(case)
    cpu, clock = (statistics.median(each.ours[i] / each.plain[i] for each in found) for i in (0, 1))
    whole = statistics.median(each.whole[0] / each.plain[0] for each in found)
    ours, plain = (statistics.median(getattr(each, side)[0] for each in found) for side in ("ours", "plain"))
    n = len(case.problem.y)
    threads = f"{case.threads} thread{'s' if case.threads > 1 else ''}"
    return Row(
        name=f"training time / plain, {n:,} rows, {threads}",
        value=cpu,
        unit="x",
        relation="<=",
        bound=case.bound,
        peer=_of_fork(case) if fork.present() else None,
        note=f"{ours:.2f} s and {plain:.2f} s CPU, median of {case.pairs} pairs; by the clock {clock:.2f} x; "
        f"whole fit, with reading the frame, its checks and fingerprints, {whole:.2f} x; "
        f"{case.draw.n_estimators} trees of {case.draw.max_leaves} leaves, {case.problem.X.shape[1]} inputs; "
        f"peer: fork{case.note}",
    )


def rows_of_speed(cases: list[Case]) -> Iterator[Row]:
    """One row a case."""
    for case in cases:
        yield row_of(case)


def pairs_of(case: Case) -> list[Pair]:
    """Both sides in turn, after a fit on few rows that compiles what is compiled when first used."""
    train, ours = case.problem, Ours(options={"held_out": None, "n_jobs": case.threads})
    frame, groups, matrix = train.frame, train.groups.to_frame(), train.matrix
    made_ready = train.rows(np.arange(2000))
    ours.fit(made_ready, case.draw)
    learner = ours.learner(train, case.draw)
    data = learner.read(frame, train.y, sensitive_features=groups, sample_weight=None)
    return [
        Pair(
            ours=_clocked(lambda: learner.learn(data)),
            whole=_clocked(lambda: learner.fit(frame, train.y, sensitive_features=groups)),
            plain=_clocked(lambda: methods.base(case.draw, case.threads).fit(matrix, train.y)),
        )
        for _ in range(case.pairs)
    ]


def _clocked(work: Callable[[], object]) -> tuple[float, float]:
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds, _ = timed(work)
    return seconds, time.perf_counter() - started


def _of_fork(case: Case) -> float:
    """The same in its environment: median of constrained by plain, pair by pair."""
    trees = case.draw.trees
    constrained = {**trees, "constraint_type": "FNR", "multiplier_learning_rate": case.draw.multiplier_rate}
    pair = [fork.Fit(options=constrained), fork.Fit(options=trees, constrained=False)]
    found = fork.run(pair * case.pairs, case.problem, threads=case.threads)
    seconds = [each.seconds for each in found]
    return statistics.median(mine / plain for mine, plain in zip(seconds[::2], seconds[1::2], strict=True))
