"""Compiled loops work where compiled code cannot be kept, as in a read-only container without a home."""

from __future__ import annotations

from typing import Any

import numba
import pytest

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
