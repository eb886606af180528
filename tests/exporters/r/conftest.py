"""R itself: locales, and code run beside an exported function."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

LOCALES = ("C", "C.UTF-8")
#: Runs code after `score.R` with this text was sourced, and returns what it prints.
RunR = Callable[[str, str], str]


@pytest.fixture(params=LOCALES, scope="session")
def locale(request: pytest.FixtureRequest) -> str:
    """Both locales in turn."""
    return str(request.param)


@pytest.fixture
def run_r(rscript: str, locale: str, tmp_path: Path) -> RunR:
    """Runs R code in one of the locales."""

    def run(text: str, code: str) -> str:
        (tmp_path / "score.R").write_text(text, encoding="ascii")
        (tmp_path / "code.R").write_text(f'source("score.R")\n{code}', encoding="ascii")
        done = subprocess.run(
            [rscript, "--vanilla", "code.R"],
            cwd=tmp_path,
            env={**os.environ, "LC_ALL": locale},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b""
        return done.stdout.decode()

    return run
