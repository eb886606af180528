"""Work that several processes do, and what becomes of them when the one that started them ends."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from scrutable.errors import ScrutableError
from scrutable.plugins.workers import spread

#: Two processes that have more to do than anybody waits for; each says so when it begins.
BUSY = """
import os, sys, time

def slow(item):
    os.write(1, b"working\\n")  # at once, so that two processes do not mix their lines
    time.sleep(600)

def work():
    from scrutable.plugins.workers import spread
    list(spread(slow, ["more than a pipe takes" * 10_000] * 20, workers=2))

if __name__ == "__main__":
    from scrutable.cli import ending
    ending.PATIENCE = 300  # what does not end in order, does not end in time
    ending.orderly(work)
"""


def test_results_come_in_order_and_few_items_ahead(tmp_path: Path) -> None:
    taken: list[int] = []

    def names() -> Iterator[str]:
        for number in range(40):
            taken.append(number)
            yield f"{number}.toml"

    found = spread(os.path.abspath, names(), workers=2, prepare=partial(os.chdir, tmp_path))
    assert next(found) == str(tmp_path / "0.toml")
    assert len(taken) < 12
    assert list(found) == [str(tmp_path / f"{number}.toml") for number in range(1, 40)]


def test_the_first_error_ends_the_work() -> None:
    found = spread(math.sqrt, [4.0, -1.0, *[9.0] * 30], workers=2)
    assert next(found) == 2
    with pytest.raises(ValueError, match="math domain error"):
        next(found)


def test_a_process_that_is_ended_from_outside_is_said_to_be() -> None:
    with pytest.raises(ScrutableError, match="a process ended before its work was done"):
        list(spread(signal.raise_signal, [signal.SIGKILL] * 20, workers=2))


def test_whatever_ends_the_parent_ends_its_processes(tmp_path: Path) -> None:
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    ends = {
        signal.SIGTERM: (143, "Stopped by SIGTERM.\n"),
        signal.SIGHUP: (129, "Stopped by SIGHUP.\n"),
        signal.SIGINT: (130, ""),
        signal.SIGKILL: (-9, None),
    }
    running = {
        (number, send): subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        for number in ends
        for send in (os.kill, os.killpg)  # a closing terminal, and Ctrl-C, reach the processes, too
    }
    for (number, send), process in running.items():
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["working\n"] * 2
        send(process.pid, number)
    for (number, _), process in running.items():
        _, said = process.communicate(timeout=60)  # the pipes close when the last process has ended
        code, words = ends[number]
        assert (process.returncode, words if words is None else said) == (code, words)
