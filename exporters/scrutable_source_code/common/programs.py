"""Programs that compile and run exported files: where they are, and what they say that they are."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scrutable.errors import PluginError
from scrutable.plugins import installation
from scrutable.proof import Program, program_version, run_program


@dataclass(frozen=True, slots=True)
class Engine:
    """A program of the machine.

    Parameters
    ----------
    command : what it is called.
    program : what it is known as to those who make certificates.
    packages : Debian's that bring it.
    """

    command: str
    program: Program
    packages: tuple[str, ...]

    def find(self) -> str:
        """Its path.

        Raises
        ------
        PluginError : it is not there.
        """
        path = shutil.which(self.command)
        if path is None:
            raise PluginError(
                f"{self.program} is not installed, or not on the path",
                where=f"engine {self.command}",
                fix=f"install it, on Debian or Ubuntu: {installation(self.packages)}",
            )
        return path

    def version(self) -> str:
        """Its name and version."""
        return program_version(self.program, self.find())

    def run(self, arguments: Sequence[str], folder: Path, files: Sequence[str] = ()) -> str:
        """What it prints, started in a folder of which it runs some exported files.

        Raises
        ------
        PluginError : it is not there, or stops with an error.
        """
        done = run_program(
            self.program,
            self.find(),
            arguments,
            files=[folder / file for file in files],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode != 0:
            last = done.stderr.strip()[-1000:]
            raise PluginError(f"{self.program} stopped with an error", where=f"engine {self.command}", got=last)
        return str(done.stdout)
