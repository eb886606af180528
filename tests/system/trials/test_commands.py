"""Commands that are killed, told to stop, or run out of room: every file of theirs is old, or every one is new."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from .conftest import COMMANDS
from .forks import Outcome, Trial, run

Command = Callable[[str], tuple[list[str], list[str]]]
Tried = Callable[[str, int], None]

#: Processes that are started for one command at once.
BATCH = 20
#: One command is tried in every run of the suite, all of them in `make test-deep`.
EVERY = [pytest.param(name, marks=() if name == "rescale" else pytest.mark.deep) for name in COMMANDS]
DEEP = [pytest.param(name, marks=pytest.mark.deep) for name in COMMANDS]
CODES = {"SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}

pytestmark = pytest.mark.trial


def at_each(command: Command, name: str, way: str) -> Iterator[Outcome]:
    """What becomes of a command that is ended before its first step, its second, until none of twenty ends it."""
    arguments, names = command(name)
    for first in range(1, 400, BATCH):
        steps = range(first, first + BATCH)
        outcomes = run([Trial(arguments=arguments, names=names, way=way, at=step) for step in steps])
        for outcome in outcomes:
            if outcome.code:
                yield outcome
            else:
                assert outcome.raw == ["new"] * len(names)
        if not any(outcome.code for outcome in outcomes):
            return
    raise AssertionError("the command never ends")


@pytest.mark.parametrize("name", EVERY)
def test_killed_before_any_step(command: Command, name: str, tried: Tried) -> None:
    outcomes = list(at_each(command, name, "kill"))
    for outcome in outcomes:
        assert (outcome.code, outcome.said.count("Traceback")) == (-9, 0)
        assert set(outcome.raw) <= {"old", "new"}
        assert len(set(outcome.read)) == 1
        assert len(outcome.left) <= 1
    assert len(outcomes) > 8
    assert {outcome.read[0] for outcome in outcomes} == {"old", "new"}
    tried("kills", len(outcomes))


@pytest.mark.parametrize("name", DEEP)
def test_without_room_before_any_step(command: Command, name: str, tried: Tried) -> None:
    outcomes = list(at_each(command, name, "no room"))
    assert len(outcomes) > 3
    for outcome in outcomes:
        assert outcome.code == 2
        assert "No space left on device" in outcome.said
        assert (set(outcome.raw), outcome.left) == ({"old"}, [])
    tried("full disks", len(outcomes))


@pytest.mark.parametrize("name", EVERY)
def test_files_that_may_not_grow(command: Command, name: str, tried: Tried) -> None:
    arguments, names = command(name)
    sizes = (0, 10, 1000)
    for outcome in run([Trial(arguments=arguments, names=names, way="limit", at=size) for size in sizes]):
        assert outcome.code == 2
        assert (set(outcome.raw), outcome.left) == ({"old"}, [])
    tried("full disks", len(sizes))


@pytest.mark.parametrize("name", DEEP)
def test_told_to_stop_at_any_time(command: Command, name: str, tried: Tried) -> None:
    draw = random.Random(len(name))
    arguments, names = command(name)
    ways = [(way, draw.randrange(2000 if name == "fit" else 400)) for way in CODES for _ in range(12)]
    stopped = 0
    outcomes = run([Trial(arguments=arguments, names=names, way=way, at=at) for way, at in ways])
    for (way, _), outcome in zip(ways, outcomes, strict=True):
        assert outcome.code in (0, CODES[way], 128 - CODES[way])  # or before the command began
        assert outcome.raw in (["old"] * len(names), ["new"] * len(names))
        assert (outcome.left, outcome.said.count("Traceback")) == ([], 0)
        stopped += outcome.code != 0
    assert stopped
    tried("signals", stopped)
