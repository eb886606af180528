"""CPU time and memory of a whole process that has one thread."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
_BENCHMARKS = Path(__file__).parents[1]


class Used(NamedTuple):
    """CPU seconds, and the most gigabytes held."""

    seconds: float
    gigabytes: float


def used(command: list[str], environment: Mapping[str, str] = os.environ) -> Used:
    """What a process takes; it is started in the folder of the benchmarks."""
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(command, env={**environment, **_ONE_THREAD}, cwd=_BENCHMARKS, stdout=quiet, stderr=quiet)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20)
