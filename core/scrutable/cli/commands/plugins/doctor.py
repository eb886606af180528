"""`scrutable plugins doctor`: what is wrong with the plugins installed here."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from scrutable.cli.guard import FAILED
from scrutable.cli.output import console, emit_json, table
from scrutable.plugins.registry import registry


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """Look for plugins that fail or claim one name, libraries that are missing, and versions that clash.

    Exit code 1 tells that something has to be mended; libraries of extras that are not installed are remarks.

    Example: [bold]scrutable plugins doctor[/bold]
    """
    from scrutable.testing.diagnosis import diagnose

    findings = diagnose(registry())
    if as_json:
        emit_json([asdict(each) for each in findings])
    elif findings:
        lines = [(each.severity, each.what, each.where, each.reason, each.fix) for each in findings]
        console().print(table(("", "what", "where", "reason", "mended by"), lines, whole=(0, 1)))
    else:
        console().print("Nothing is wrong.")
    if any(each.severity == "fault" for each in findings):
        raise typer.Exit(FAILED)
