"""Another Python process: it starts from nothing, so it tells what an import costs and what depends on chance."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from importlib.metadata import EntryPoint
from typing import Any, Literal

from scrutable.testing.contract.check import Fault, NotApplicable
from scrutable.testing.contract.forking import Forking, other_seed
from scrutable.testing.contract.subject import Subject

_SECONDS = 300
_FORKING = Forking()
#: Lists a plugin, and names the modules that this imported.
_LISTS = """
import json, sys
asked = json.load(sys.stdin)
sys.path[:] = asked["path"]
from importlib.metadata import EntryPoint
from scrutable.plugins.registry import Registry
Registry([])
before = set(sys.modules)
Registry([EntryPoint(**asked["entry_point"])])
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def imported_by_listing(entry_point: EntryPoint, package: str) -> list[str]:
    """Other packages that a fresh interpreter imports when it lists a plugin.

    Parameters
    ----------
    entry_point : of the plugin.
    package : the one that its class is in, which may be imported too.
    """
    point = {"name": entry_point.name, "value": entry_point.value, "group": entry_point.group}
    modules: list[str] = _answer(["-c", _LISTS], {"path": sys.path, "entry_point": point}, dict(os.environ))
    known = {*sys.stdlib_module_names, "scrutable", "pluggy", entry_point.module.partition(".")[0], package}
    return sorted({name.partition(".")[0] for name in modules} - known)


def made_in_another_process(subject: Subject, what: Literal["results", "calls", "fits"]) -> dict[str, str]:
    """What a component makes in a process whose hashes of texts are others: `results`, `fresh_calls`, or `fits`.

    Raises
    ------
    NotApplicable : the component's options cannot be told to another process.
    """
    asked = {"component": asdict(subject.component) | {"options": subject.options}, "what": what}
    try:
        json.dumps(asked)
    except (TypeError, ValueError) as error:
        raise NotApplicable("its options are no plain values, so another process cannot be given them") from error
    if hasattr(os, "fork"):
        return dict(_FORKING.answer(asked, _SECONDS))
    seed = {"PYTHONHASHSEED": other_seed(), "PYTHONPATH": os.pathsep.join(sys.path)}
    return dict(_answer(["-m", "scrutable.testing.contract.other_process"], asked, os.environ | seed))


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
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError) as error:
        raise Fault("it ends a process of its own before there is an answer", got=done.stdout) from error
