"""CPU seconds of this process and of the solvers that it starts, and wall time of whole processes."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

Found = TypeVar("Found")
#: Runs a command from a small process, since what the one that starts it has in memory counts as its own.
_MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6)
"""


def timed(work: Callable[[], Found]) -> tuple[float, Found]:
    """CPU time of one call, children included, and what it gives."""
    before = _children() + time.process_time()
    found = work()
    return _children() + time.process_time() - before, found


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Median CPU time after one call to warm up."""
    work()
    return statistics.median(timed(work)[0] for _ in range(runs))


def wall_seconds(command: list[str], runs: int, environment: dict[str, str] | None = None) -> float:
    """Median wall time of a whole process after one run to warm up; in another environment than this one's if given."""
    taken = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken[1:])


def process_seconds(command: list[str], runs: int, environment: dict[str, str] | None = None) -> float:
    """Median CPU time of a whole process after one run to warm up, which keeps what it compiles beside its files."""
    kept = {name: value for name, value in (environment or os.environ).items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = partial(subprocess.run, command, check=True, capture_output=True, env=kept)
    return median_seconds(run, runs)


def process(command: list[str], runs: int) -> tuple[float, float]:
    """Median CPU seconds, and most megabytes, of a whole process after one run to warm up."""
    used = [
        subprocess.run([sys.executable, "-c", _MEASURE, *command], check=True, capture_output=True, text=True).stdout
        for _ in range(runs + 1)
    ]
    seconds, peaks = zip(*(map(float, each.split()) for each in used[1:]), strict=True)
    return statistics.median(seconds), max(peaks)


def yardstick(runs: int) -> float:
    """Median CPU time of sorting a million doubles, to tell a slow machine from slow code."""
    values = np.random.default_rng(0).random(1_000_000)
    return median_seconds(lambda: np.sort(values), runs)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
