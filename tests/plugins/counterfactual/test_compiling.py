"""A clock runs while the search does, not while loops become machine code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scrutable_counterfactual import answering
from scrutable_counterfactual.search import Clock

from .cards import answer

#: Loops that a process has compiled after `compile_loops`, and those that real searches needed beyond them.
_PROGRAM = """
import numpy as np
from problems import random_problem, random_term
from scrutable.data.compiling import Compiled
from scrutable_counterfactual import arrays, cheapest_set, duality, exploring, search, starting
from scrutable_counterfactual.compiling import compile_loops
from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.several_answers import several

loops = [loop for module in (arrays, cheapest_set, duality, exploring, starting)
         for loop in vars(module).values() if isinstance(loop, Compiled) and loop.__module__ == module.__name__]
compile_loops()
before = {loop.__name__: len(loop.machine_code.signatures) for loop in loops}
assert sum(before.values()) > 5
for seed in range(40):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, features=(2, 4), cells=(2, 4), most=60)
    joint, number = Joint(term=random_term(rng, problem)), int(rng.integers(1, 4))
    limits = [(Joint(term=random_term(rng, problem)), 50.0)] if seed % 2 else []
    several(problem, joint, number, Diversity(values=bool(seed % 3)), limits=limits)
    search.every(problem, joint.term, 3.0)
print(*sorted(loop.__name__ for loop in loops if len(loop.machine_code.signatures) > before[loop.__name__]))
"""


def test_no_search_compiles_anything_more() -> None:
    folder = str(Path(__file__).parent)
    made = subprocess.run(
        [sys.executable, "-c", _PROGRAM], cwd=folder, capture_output=True, text=True, check=True, timeout=300
    )
    assert made.stdout.split() == []


@pytest.mark.parametrize(("seconds", "expected"), [(60.0, ["compiled", "clock"]), (None, ["clock"])])
def test_the_clock_starts_afterwards(
    seconds: float | None, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []

    def clock(*limits: Any) -> Clock:
        happened.append("clock")
        return Clock(*limits)

    monkeypatch.setattr(answering, "compile_loops", lambda: happened.append("compiled"))
    monkeypatch.setattr(answering, "Clock", clock)
    answer(seconds=seconds)
    assert happened[: len(expected)] == expected
