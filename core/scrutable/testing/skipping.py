"""A plugin of pytest: what fails for want of what pip cannot bring is skipped, with that reason, and counted.

Where nothing is missing it does nothing, so that it can hide no failure in continuous integration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

from scrutable.plugins.machine import Need, chain
from scrutable.testing import machine


def pytest_report_header() -> list[str]:
    """Say before the run what is missing, and what installs it."""
    return [machine.remark()] if machine.missing() else []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that failed for want of what is missing."""
    report = yield
    _skip(report, call)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported for want of what is missing."""
    report = yield
    _skip(report, getattr(report, "call", None))
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count what was skipped for want of each."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    counts = Counter(need for reason in skipped for need in machine.named_in(reason)[:1])
    if counts:
        terminalreporter.section("skipped: not on this machine")
        for need, count in counts.items():
            terminalreporter.line(f"{count:5} for want of {need.what}: {need.command}")


def _skip(report: pytest.TestReport | pytest.CollectReport, call: pytest.CallInfo[Any] | None) -> None:
    if not report.failed or call is None or call.excinfo is None:
        return
    need = _want(call.excinfo.value)
    if need is not None:
        path, line, _ = getattr(report, "location", (report.nodeid, 0, ""))
        report.outcome = "skipped"
        report.longrepr = (path, line or 0, f"Skipped: {need.what} is not on this machine: {need.command}")


def _want(error: BaseException) -> Need | None:
    """What this machine lacks and the error names."""
    named = [need for each in chain(error) for need in machine.named_in(str(each))]
    return next((need for need in named if need in machine.missing()), None)
