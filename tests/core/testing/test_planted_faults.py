"""The mutation test of the contract suite: every fault that was planted is caught by the check that is there for it."""

from __future__ import annotations

import sys

import pytest

from .conftest import SAMPLES

sys.path.insert(0, str(SAMPLES))  # to collect them; conftest.py takes it away again
from contract_planted.fault import PlantedFault, faults


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: f"{fault.component.kind}-{fault.component.name}")
def test_the_fault_is_caught(fault: PlantedFault) -> None:
    outcome = fault.outcome()
    assert outcome.status == "failed", f"{fault.component.summary} {fault.check} does not catch it"
    assert outcome.hint


def test_no_two_faults_have_one_name() -> None:
    names = [(fault.component.kind, fault.component.name) for fault in faults()]
    assert len(set(names)) == len(names)
