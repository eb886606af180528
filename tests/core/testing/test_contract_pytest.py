"""The suites under pytest, in a process of its own, with the sample plugins installed as a distribution."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from .conftest import SAMPLES

TESTS = """
from scrutable.testing import BinnerSuite, ConstraintSuite, ExporterSuite


class TestTiny(ConstraintSuite):
    component = "tiny-constraint"


class TestPartial(ConstraintSuite):
    component = "partial"


class TestMisdeclared(BinnerSuite):
    component = "misdeclared"


class TestKnown(ConstraintSuite):
    component = "forgivable"


class TestDemanding(ExporterSuite):
    component = "demanding"
    options = {"address": "here"}


class TestDeclared(BinnerSuite):
    component = "declared"


class TestGone(BinnerSuite):
    component = "gone"
"""

#: Checks of the suites of which something is told below; that all checks run is told of the first of them.
TOLD = (
    "TestPartial and every-known-group-is-bounded",
    "TestKnown and every-known-group-is-bounded",
    "TestMisdeclared and it-names-a-reference",
    "TestDeclared and scikit-learns-checks-pass",
    "TestDemanding and it-can-be-made",
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of the suites above."""
    folder = tmp_path_factory.mktemp("suites")
    installed = folder / "samples-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: samples\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[scrutable]\ntiny = contract_samples\nfaulty = contract_faulty\n")
    (folder / "test_mine.py").write_text(TESTS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(SAMPLES)])}
    command = [sys.executable, "-m", "pytest", "-rA", "--color=no", "-p", "no:cacheprovider", str(folder)]
    options = ["-k", " or ".join(["TestTiny and not another-process", "TestGone", *TOLD])]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, env=environment, cwd=folder
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def outcomes(printed: str, suite: str) -> dict[str, str]:
    """The outcome of each check of a suite."""
    found = re.findall(rf"^([A-Z]+) test_mine.py::{suite}::test_contract\[(.*?)\]", printed, re.MULTILINE)
    return {check: outcome for outcome, check in found}


def test_each_check_is_a_test_of_its_own(printed: str) -> None:
    found = outcomes(printed, "TestTiny")
    assert set(found.values()) == {"PASSED"}
    assert {"it-is-found", "every-known-group-is-bounded"} <= set(found)


def test_a_fault_is_told_in_its_own_words_with_a_hint(printed: str) -> None:
    assert outcomes(printed, "TestPartial")["every-known-group-is-bounded"] == "FAILED"
    assert (
        "constraint 'partial': a known group is not bounded; got ['west'].\n"
        "Hint: say in bounds_for what one group must satisfy, and leave bind to the base class."
    ) in printed
    assert "Traceback" not in printed


def test_known_failures_are_strict(printed: str) -> None:
    assert outcomes(printed, "TestKnown")["every-known-group-is-bounded"] == "XFAIL"
    assert outcomes(printed, "TestMisdeclared")["it-names-a-reference"] == "FAILED"
    assert "[XPASS(strict)] hard" in printed


def test_declared_failures_of_scikit_learn_are_expected_with_their_reasons(printed: str) -> None:
    assert outcomes(printed, "TestDeclared")["scikit-learns-checks-pass"] == "XFAIL"
    assert "scikit-learn's check_sample_weight_equivalence_on_dense_data: a row is a row" in printed


def test_options_of_the_suite_are_used(printed: str) -> None:
    assert outcomes(printed, "TestDemanding")["it-can-be-made"] == "PASSED"


def test_a_component_that_is_not_there_is_one_failure(printed: str) -> None:
    assert outcomes(printed, "TestGone") == {"it-is-found": "FAILED"}
    assert "unknown binner; got 'gone'" in printed
