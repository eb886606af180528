"""Compiled loops work where compiled code cannot be kept, as in a read-only container without a home."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from scrutable.data import compiling
from scrutable.data.compiling import compiled, compiled_part


def test_without_a_place_for_compiled_code_it_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit

    def refuse(*given: Any, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*given, **options)

    monkeypatch.setattr(numba, "njit", refuse)

    def twice(number: int) -> int:
        return 2 * number

    assert compiled(twice)(4) == 8


def test_a_part_is_compiled_with_its_caller_and_runs_as_python_by_itself() -> None:
    @compiled_part
    def twice(number: int) -> int:
        return 2 * number

    @compiled
    def fourfold(number: int) -> int:
        return twice(twice(number))

    assert (fourfold(4), twice(4)) == (16, 8)
    assert not hasattr(twice, "signatures")


def test_a_loop_runs_as_python_until_its_steps_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FEW_STEPS", 10)
    ran = []

    def listed(values: Any) -> int:
        ran.append(len(values))
        return len(values)

    @compiled(steps=len, small=listed)
    def counted(values: Any) -> int:
        return len(values)

    assert [counted(np.zeros(size)) for size in (4, 5, 1, 2)] == [4, 5, 1, 2]
    assert ran == [4, 5]
    assert counted.machine_code.signatures  # type: ignore[attr-defined]  # compiled by the decorator


def test_what_stands_for_a_part_as_python_is_the_part_where_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_numpy(values: Any) -> str:
        return "NumPy"

    @compiled_part(small=by_numpy)
    def by_loops(values: Any) -> str:
        return "loops"

    @compiled(steps=len)
    def whole(values: Any) -> str:
        return by_loops(values)

    assert whole(np.zeros(3)) == "NumPy"
    monkeypatch.setattr(compiling, "FEW_STEPS", 0)
    assert whole(np.zeros(3)) == "loops"


def test_compiled_code_calls_what_is_compiled_itself() -> None:
    @compiled(steps=lambda number: 1)
    def twice(number: int) -> int:
        return 2 * number

    @compiled
    def fourfold(number: int) -> int:
        return twice(twice(number))

    assert fourfold(3) == 12


def test_numbers_that_overflow_do_so_without_a_word() -> None:
    @compiled(steps=lambda number: 1)
    def squared(number: Any) -> Any:
        return number * number

    assert squared(np.int64(2**40)) == np.int64(0)


@pytest.mark.parametrize("learner", ["rug", "fcca-tree", "fairgbm", "lda-xgb1"])
def test_a_small_fit_does_without_numba(learner: str) -> None:
    code = f"""
import sys
from scrutable import create
from scrutable.data.datasets import make_credit
data = make_credit(300, seed=1)
create("learner", {learner!r}, favourable=0).fit(data.X, data.y)
print("numba" in sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr  # which names what the machine lacks
    assert ended.stdout.split() == ["False"]
