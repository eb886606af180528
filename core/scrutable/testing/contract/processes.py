"""Another Python process: it starts from nothing, so it tells what an import costs and what depends on chance."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from scrutable.testing.contract.check import Fault

_SECONDS = 300
#: Imports a module and names those of the given ones that were imported with it.
_IMPORTS = """
import importlib, json, sys
asked = json.load(sys.stdin)
sys.path[:] = asked["path"]
importlib.import_module(asked["module"])
print(json.dumps([name for name in asked["watched"] if name in sys.modules]))
"""


def imported_with(module: str, watched: tuple[str, ...]) -> list[str]:
    """Those of the watched modules that a fresh interpreter holds after importing a module."""
    asked = {"path": sys.path, "module": module, "watched": watched}
    found: list[str] = _answer(["-c", _IMPORTS], asked, dict(os.environ))
    return found


def in_another_process(module: str, asked: dict[str, Any]) -> Any:
    """What a module says, run with a question as its input, in a process whose hashes of texts are others."""
    ours = os.environ.get("PYTHONHASHSEED", "random")
    environment = {**os.environ, "PYTHONHASHSEED": "1" if ours != "1" else "2", "PYTHONPATH": os.pathsep.join(sys.path)}
    return _answer(["-m", module], asked, environment)


def _answer(arguments: list[str], asked: dict[str, Any], environment: dict[str, str]) -> Any:
    """The last line that a process prints, read as JSON."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=_SECONDS,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Fault("it does not work in a process of its own", got=said[-1] if said else f"code {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])
