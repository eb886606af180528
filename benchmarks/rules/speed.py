"""Whole fits beside the package ruleopt, pair by pair in one run."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from clock import timed, yardstick
from report import Row

from rules.data import Problem, encoded
from rules.options import Setting, longest


@dataclass(frozen=True, kw_only=True)
class Case:
    """A data set, how many times faster than the package a fit must be, and its most CPU seconds."""

    problem: Problem
    bound: float
    setting: Setting
    pairs: int = 5
    seconds: float | None = None
    note: str = ""


def rows_of_fits(cases: Iterable[Case]) -> Iterator[Row]:
    """Medians of the pairs' ratios, and CPU seconds."""
    sorting = yardstick(5)
    for case in cases:
        found = pairs_of(case)
        ours, theirs = (statistics.median(column) for column in zip(*found, strict=True))
        where = f"{case.problem.name}, depth {case.setting.depth}"
        yield Row(
            name=f"fit, {where}: ruleopt / ours",
            value=statistics.median(its / mine for mine, its in found),
            unit="x",
            relation=">=",
            bound=case.bound,
            note=f"{theirs:.2f} s and {ours:.2f} s CPU, median of {case.pairs} pairs; four fifths of "
            f"{len(case.problem.y)} rows, {case.setting.calls} calls{case.note}",
        )
        if case.seconds is not None:
            yield Row(
                name=f"fit, {where}",
                value=ours,
                unit="s",
                relation="<=",
                bound=case.seconds,
                peer=theirs,
                note=f"CPU; peer: ruleopt; sorting a million doubles takes {sorting:.2f} s",
            )


def pairs_of(case: Case) -> list[tuple[float, float]]:
    """CPU seconds of ours and of the package, whose columns are made beforehand, while ours are read."""
    train, _ = case.problem.split()
    numbers, _ = encoded(case.problem).split()
    X, y = np.array(numbers.X), np.array(numbers.y)
    longest(train, case.setting.depth)  # what the penalty is divided by is found beforehand too
    return [
        (
            timed(lambda: case.setting.learner(train).fit(train.X, train.y))[0],
            timed(lambda: case.setting.package().fit(X, y))[0],
        )
        for _ in range(case.pairs)
    ]
