"""EBM's main effects, in an environment of their own."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cards.data import Floats, Rows, Split

_WORKER = Path(__file__).with_name("ebm_worker.py")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """One fit.

    Parameters
    ----------
    seconds : CPU time of the fit.
    steps : different values of all terms.
    probability : of the good class, for the rows held out.
    """

    seconds: float
    steps: int
    probability: Floats


def fit(python: str, parts: Split, folder: Path) -> Fitted:
    """A fit on one split, or what the folder has of it.

    Parameters
    ----------
    python : interpreter of an environment with interpret-core, scikit-learn, pandas and pyarrow.
    folder : for the rows that are handed over and for what comes back.
    """
    done = folder / "ebm.json"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(parts.learned, folder / "learned.parquet")
        _write(parts.held, folder / "held.parquet")
        _work(python, folder)
    told = json.loads(done.read_text())
    return Fitted(seconds=told["seconds"], steps=told["steps"], probability=np.array(told["probability"]))


def _write(rows: Rows, file: Path) -> None:
    rows.X.assign(**{"the outcome": rows.y}).to_parquet(file)


def _work(python: str, folder: Path) -> None:
    """Run the worker without this environment's own paths, which would give it the wrong packages."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [python, str(_WORKER), str(folder)], env=clean | ONE_THREAD, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the environment of EBM failed: {done.stderr.strip()[-2000:]}")
