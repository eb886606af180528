"""Fixtures of the core's tests."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest


@pytest.fixture(autouse=True)
def _values_shown(values_shown: None) -> None:
    """Every test here reads values in errors."""


@pytest.fixture
def proportional() -> Callable[[Callable[[int], Callable[[], object]], int], None]:
    """Asserts that work takes time in proportion to its size.

    Four times the size may take ten times the CPU time: proportional work takes four times, work that grows with the
    square sixteen. The least of several runs counts, and of three tries one; garbage is collected apart.
    """

    def least(work: Callable[[], object]) -> float:
        times = []
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                begun = time.process_time()
                work()
                times.append(time.process_time() - begun)
        finally:
            gc.enable()
        return min(times)

    def check(made: Callable[[int], Callable[[], object]], size: int) -> None:
        small, large = made(size), made(4 * size)
        ratios = []
        while not ratios or (ratios[-1] >= 10 and len(ratios) < 3):
            ratios.append(least(large) / least(small))
        assert ratios[-1] < 10, ratios

    return check
