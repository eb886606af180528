"""The command `scrutable`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the entry point of the installed command.

    Reports never fail on a terminal that lacks a character: it is shown escaped. Data are written as bytes in UTF-8.
    """
    from scrutable.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()
