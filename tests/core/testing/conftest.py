"""Sample plugins on the path, and their components under check."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.plugins.component import Kind
from scrutable.plugins.registry import GROUP, Registry
from scrutable.testing.contract import Outcome, Subject, checks_of, run_check, subject_of

SAMPLES = Path(__file__).parent / "samples"
Checked = Callable[[Kind, str, str], Outcome]


@pytest.fixture(scope="session", autouse=True)
def _samples() -> Iterator[None]:
    """The packages of sample plugins, importable here and in processes that checks start."""
    sys.path.insert(0, str(SAMPLES))
    yield
    sys.path.remove(str(SAMPLES))
    for name in [
        name
        for name in sys.modules
        if name.partition(".")[0] in ("contract_samples", "contract_faulty", "contract_planted")
    ]:
        del sys.modules[name]


def of_plugin(package: str, kind: Kind | None, name: str) -> Subject:
    """A component of a sample plugin, found by a registry of that plugin alone."""
    return subject_of(kind, name, Registry([EntryPoint(name=package, value=package, group=GROUP)]))


@pytest.fixture
def checked() -> Checked:
    """Run one check of a faulty component."""

    def run(kind: Kind, name: str, check: str) -> Outcome:
        [found] = [each for each in checks_of(kind) if each.name == check]
        return run_check(found, of_plugin("contract_faulty", kind, name))

    return run
