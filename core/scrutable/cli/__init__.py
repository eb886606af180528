"""The command `scrutable`.

`commands` holds a module for each command, `demo` what `scrutable demo` does; `fitting`, `tables` and `report` are what
the commands do with data, `choices`, `coerce` and `config` how components and options are read, `folders` where they
write to, `guard` and `output` how errors, notes and results are said, `ending` how a command ends that is stopped.
"""

from __future__ import annotations

import io
import sys
from typing import TextIO


def main() -> None:
    """Run the command line; the entry point of the installed command.

    Reports never fail on a terminal that lacks a character: it is shown escaped. Data are written as bytes in UTF-8.
    """
    from scrutable.cli.ending import orderly

    orderly(_run)


def _run() -> None:
    from scrutable.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout = _buffered(sys.stdout)
    app()


def _buffered(stream: TextIO) -> TextIO:
    """The stream behind a buffer: with PYTHONUNBUFFERED there is none, and what the system did not take is lost."""
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=True)
