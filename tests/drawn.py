"""Hostile models of every kind, drawn once for all tests that compare engines with the evaluator.

Hypothesis draws them without chance, so every run would draw the same ones again for each engine, which takes longer
than most engines need to run them. They are kept in a file that belongs to the code that drew them. `make fuzz` draws
others, by seed and in any number.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

import scrutable.model
import scrutable.testing.strategies
from scrutable.model import Model, dumps, loads
from scrutable.testing.strategies import regression_scorecards, rule_sets, scorecards, segmented_models, tree_ensembles

KINDS = {
    "scorecards": scorecards(),
    "regression scorecards": regression_scorecards(),
    "rule sets of two classes": rule_sets(2),
    "rule sets": rule_sets() | rule_sets(3),
    "tree ensembles": tree_ensembles(),
    "segmented models": segmented_models(),
}
#: How many tests get if they do not say, and how many there are; of scorecards more: some formats hold few of them.
COUNT = 40
_DRAWN = dict.fromkeys(KINDS, COUNT) | {"scorecards": 120}

_FOLDER = Path(__file__).parents[1] / ".hypothesis" / "drawn"


def drawn(kind: str, count: int = COUNT) -> list[Model]:
    """So many models of a kind, the simplest first."""
    return spread(_all(kind), count)


def of_every_kind(count: int) -> list[Model]:
    """So many models of each kind."""
    return [model for kind in KINDS for model in drawn(kind, count)]


def spread(models: list[Model], count: int) -> list[Model]:
    """So many of the models, at equal distances up to the last; all if they are fewer."""
    count = min(count, len(models))
    return [models[place * len(models) // count - 1] for place in range(1, count + 1)]


@cache
def _all(kind: str) -> list[Model]:
    """Those of the file, if this code drew them; else one process draws them anew and others wait."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    path = _FOLDER / f"{kind.replace(' ', '-')}.json"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
        if kept.get("sources") != _sources():
            kept = {"sources": _sources(), "models": _drawn_apart(kind)}
            new = path.with_suffix(".new")
            new.write_text(json.dumps(kept), encoding="ascii")
            os.replace(new, path)
    return [loads(text) for text in kept["models"]]


def _drawn_apart(kind: str) -> list[str]:
    """Models as texts, from a process of its own: Hypothesis also draws constants of whatever modules are loaded."""
    done = subprocess.run([sys.executable, __file__, kind], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    texts: list[str] = json.loads(done.stdout)
    return texts


def _draw(kind: str) -> list[Model]:
    models: list[Any] = []

    @settings(
        max_examples=_DRAWN[kind],
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(KINDS[kind])
    def collect(model: Any) -> None:
        models.append(model)

    collect()
    return models[: _DRAWN[kind]]


@cache
def _sources() -> str:
    """A hash of the code that draws models and of what they are."""
    folders = [Path(str(package.__file__)).parent for package in (scrutable.model, scrutable.testing.strategies)]
    files = [Path(__file__), *(file for folder in folders for file in sorted(folder.rglob("*.py")))]
    text = hypothesis.__version__.encode() + b"".join(file.read_bytes() for file in files)
    return hashlib.sha256(text).hexdigest()


if __name__ == "__main__":
    print(json.dumps([dumps(model) for model in _draw(sys.argv[1])]))
