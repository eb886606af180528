"""The command line in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from scrutable.cli.app import app

#: What whoever runs the tests may have set otherwise.
TERMINAL: dict[str, str | None] = {"COLUMNS": "110", "TERM": "xterm", "NO_COLOR": None, "FORCE_COLOR": None}


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Run the command line with these arguments; paths become texts."""

    def invoke(*arguments: object, **environment: str) -> Result:
        return CliRunner(env=TERMINAL | environment).invoke(app, [str(argument) for argument in arguments])

    return invoke
