"""What fails for want of what pip cannot bring is skipped with that reason and counted; anything else still fails."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
CONFTEST = """
from scrutable.plugins.machine import CHINESE_FONT, OPENMP
from scrutable.testing import machine

machine.missing = lambda: {missing}
"""
GOMP = 'raise OSError("libgomp.so.1: cannot open shared object file: No such file or directory")'
TESTS = {
    "test_module.py": GOMP,
    "test_fixture.py": f"""
import pytest

@pytest.fixture(scope="module")
def booster():
    {GOMP}

def test_first(booster): ...
def test_second(booster): ...
""",
    "test_command.py": """
def test_output():
    assert 2 == 0, "│ PDF: a library is missing. Fix: install it: apt-get   │\\n│ install fonts-wqy-zenhei. │"

def test_long_output():
    error = "PDF: " + "a font is missing; " * 20 + "Fix: apt-get install fonts-wqy-zenhei. " + "It is free. " * 20
    assert (2, error) == (0, "")
""",
    "test_others.py": """
import pytest

def test_another_library():
    raise OSError("libnew.so.3: cannot open shared object file: No such file or directory")

def test_what_is_here():
    assert False, "apt-get install r-base-core"

def test_fine(): ...
""",
}


def _pytest(folder: Path, missing: str, *options: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST.format(missing=missing))
    options_of_project = tomllib.loads(PROJECT.read_text())["tool"]["pytest"]["ini_options"]
    verbosity = options_of_project["verbosity_assertions"]
    (folder / "pytest.ini").write_text(f"[pytest]\nverbosity_assertions = {verbosity}\n")
    for name, text in TESTS.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "scrutable.testing.skipping", "-p", "no:cacheprovider", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI"))}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment | {"COLUMNS": "200"}
    ).stdout


def test_what_is_missing_is_named_before_skipped_with_its_reason_and_counted(tmp_path: Path) -> None:
    told = _pytest(tmp_path, "(OPENMP, CHINESE_FONT)", "-n", "2", "-rsf")
    before, _, run = told.partition("skipped: not on this machine")
    (line,) = [line for line in before.splitlines() if "want of what pip cannot bring" in line]
    assert line.endswith("apt-get update && apt-get install --no-install-recommends libgomp1 fonts-wqy-zenhei")
    assert "    3 for want of OpenMP's runtime, for LightGBM: apt-get install libgomp1" in run
    assert "    2 for want of a Chinese font, for PDF: apt-get install fonts-wqy-zenhei" in run
    assert "2 failed, 1 passed, 5 skipped" in run
    assert "FAILED test_others.py::test_another_library" in told
    assert "FAILED test_others.py::test_what_is_here" in told


def test_where_nothing_is_missing_everything_fails_as_it_does(tmp_path: Path) -> None:
    told = _pytest(tmp_path, "()", "--continue-on-collection-errors")
    assert "want of" not in told
    assert "4 failed, 1 passed, 3 errors in" in told
