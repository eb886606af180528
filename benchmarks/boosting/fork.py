"""The authors' fork, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boosting.data import Problem

#: Names the interpreter of the environment in which `fairgbm` is installed.
VARIABLE = "SCRUTABLE_FORK_PYTHON"

WORKER = Path(__file__).with_name("fork_worker.py")


@dataclass(frozen=True, kw_only=True)
class Fit:
    """One fit: options in the fork's terms, without constraint its own plain LightGBM."""

    options: dict[str, Any]
    constrained: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """CPU seconds, and log-odds of the rows of each part that was to be scored."""

    seconds: float
    scores: tuple[NDArray[np.float64], ...]


def present() -> bool:
    """Whether the fork can be run."""
    return bool(os.environ.get(VARIABLE))


def run(fits: Sequence[Fit], train: Problem, scored: Sequence[Problem] = (), *, threads: int = 1) -> list[Fitted]:
    """Fits in one process, one after another; y = 1 is the favourable outcome, as in `Problem`."""
    names = [f"part{i}" for i in range(len(scored))]
    with tempfile.TemporaryDirectory(prefix="scrutable-fork-") as folder:
        base = Path(folder)
        files = {name: str(base / file) for name, file in FILES.items()}
        arrays: dict[str, Any] = {"X": train.matrix, "y": train.y, "groups": train.members}
        arrays |= {name: part.matrix for name, part in zip(names, scored, strict=True)}
        np.savez(files["arrays"], **arrays)
        wanted = [
            {
                "constrained": fit.constrained,
                "categorical": train.places,
                "options": {"n_jobs": threads, "verbose": -1, **fit.options},
            }
            for fit in fits
        ]
        request = base / "request.json"
        request.write_text(json.dumps({**files, "scored": names, "fits": wanted}))
        _work(request, threads)
        seconds = json.loads(Path(files["seconds"]).read_text())
        with np.load(files["scores"]) as scores:
            return [
                Fitted(seconds=spent, scores=tuple(scores[f"{place}_{name}"] for name in names))
                for place, spent in enumerate(seconds)
            ]


FILES = {"arrays": "arrays.npz", "scores": "scores.npz", "seconds": "seconds.json"}


def _work(request: Path, threads: int) -> None:
    done = subprocess.run(
        [os.environ[VARIABLE], str(WORKER), str(request)],
        env={**_clean(), "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the fork's environment failed: {done.stderr.strip()[-2000:]}")


def _clean() -> dict[str, str]:
    """The environment without what points Python elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
