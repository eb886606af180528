"""Rscript: where it is, and its runs over rows in a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from scrutable.errors import PluginError
from scrutable.model.evaluator import OutputFrame
from scrutable.proof import run_program
from scrutable.writing import temporary_folder
from scrutable_r.transfer import pack, unpack

#: The environment variable that names the Rscript to run.
VARIABLE = "SCRUTABLE_RSCRIPT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """An R file that defines one function, and the rows to call it with: columns of doubles, or of texts and None."""

    text: str
    columns: Mapping[str, NDArray[Any]]
    n_rows: int


def run(jobs: Sequence[Job], locale: str) -> list[OutputFrame]:
    """The results of each job, all from one R process.

    Parameters
    ----------
    locale : what LC_ALL is for R.

    Raises
    ------
    PluginError : R is not there, or stops with an error.
    """
    script = resources.files("scrutable_r").joinpath("templates", "run.R").read_text()
    with temporary_folder() as home:
        (home / "run.R").write_text(script)
        for i, job in enumerate(jobs):
            folder = home / str(i)
            folder.mkdir()
            (folder / "score.R").write_text(job.text)
            (folder / "rows.bin").write_bytes(pack(job.columns, job.n_rows))
        files = [home / str(i) / "score.R" for i in range(len(jobs))]
        _rscript("run.R", *map(str, range(len(jobs))), files=files, folder=home, locale=locale)
        return [unpack((home / str(i) / "results.bin").read_bytes()) for i in range(len(jobs))]


def version() -> str:
    """The version of R, for example "4.2.2"."""
    return _rscript("-e", "cat(format(getRversion()))").strip()


def find() -> str:
    """The path of Rscript.

    Raises
    ------
    PluginError : it is not there.
    """
    wanted = os.environ.get(VARIABLE) or "Rscript"
    program = shutil.which(wanted)
    if program is None:
        raise PluginError(
            "R is not installed, or not on the path",
            where="engine rscript",
            got=wanted,
            fix=f"install R (on Debian or Ubuntu: apt-get install r-base-core; on conda-forge: r-base), or name its "
            f"Rscript in the environment variable {VARIABLE}",
        )
    return program


def _rscript(*arguments: str, files: Sequence[Path] = (), folder: Path | None = None, locale: str = "C") -> str:
    done = run_program(
        "R",
        find(),
        ["--vanilla", *arguments],
        files=files,
        cwd=folder,
        env={**os.environ, "LC_ALL": locale},
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        message = done.stderr.decode(errors="replace").strip()
        raise PluginError("R stopped with an error", where="engine rscript", got=message)
    printed: str = done.stdout.decode(errors="replace")
    return printed
