"""`scrutable plugins check`: whether a component keeps the contract of its kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from scrutable.cli.component_descriptions import described
from scrutable.cli.conformance import conformance
from scrutable.cli.guard import FAILED
from scrutable.cli.output import console, emit_json, note, table, tracked
from scrutable.cli.terminal import line, lines
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.component import KINDS
from scrutable.plugins.registry import Listing, registry
from scrutable.writing.files import check_targets, json_text, write_whole

if TYPE_CHECKING:
    from scrutable.testing.contract import Outcome, Report

_STYLES = {"passed": ("✓", "green"), "failed": ("✗", "red"), "known": ("~", "yellow"), "not applicable": ("–", "dim")}


def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Components; all that are installed if left out.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help=f"Its kind: {', '.join(KINDS)}.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A JSON file for the catalogue.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Run the checks that every component of its kind has to pass; what fails comes with its reason and a hint.

    Without names every component is checked, and a plugin that cannot be loaded is a failure too.

    They are those of the suites in scrutable.testing, which plugin authors run with pytest. Exit code 1 tells that a
    check failed. A failure that the plugin declares with a reason does not count; a declared one that passes does.

    Examples: [bold]scrutable plugins check scorecard[/bold], [bold]scrutable plugins check -o conformance.json[/bold]
    """
    if output is not None:
        check_targets([output], overwrite=overwrite)
    checked = [(listing, _report(listing)) for listing in _asked(names, kind)]
    if output is not None:
        write_whole(output, json_text([conformance(*each) for each in checked]), overwrite=overwrite)
    if as_json:
        emit_json([{**described(listing), **report.to_dict()} for listing, report in checked])
    else:
        console().print(_table([report for _, report in checked], every=bool(names)))
    for failure in registry().failures:
        note(f"plugin {failure.plugin} failed: {failure.reason}")
    failed = not names and registry().failures
    if failed or not all(report.passed for _, report in checked):
        raise typer.Exit(FAILED)


def _asked(names: list[str] | None, kind: str | None) -> list[Listing]:
    known = next((each for each in KINDS if each == kind), None)
    if kind is not None and known is None:
        raise InputError("unknown kind of plugin", where="--kind", got=kind, fix=did_you_mean(kind, KINDS))
    if not names:
        return registry().listings(known)
    return [listing for name in names for listing in registry().named(name, known)]


def _report(listing: Listing) -> Report:
    """What came of all checks; a bar shows how far they are."""
    from scrutable.testing.contract import Subject, run_checks

    what = f"Checking {listing.component.kind} {listing.name}"
    return run_checks(Subject(listing), lambda outcomes, total: tracked(outcomes, total, what))


def _table(reports: list[Report], *, every: bool) -> Group:
    """A row for each check; where many components are checked, only for what did not pass."""
    return Group(*(part for report in reports for part in _parts(report, every=every)))


def _parts(report: Report, *, every: bool) -> list[RenderableType]:
    counts = ", ".join(f"{count} {status}" for status, count in report.counts().items())
    verdict = ("passes", "green") if report.passed else ("fails", "red")
    title = line((f"{report.kind} {report.name} ", "bold"), verdict, f": {counts}")
    shown = [outcome for outcome in report.outcomes if every or outcome.status != "passed"]
    rows = [(line(_STYLES[each.status]), each.check, _remark(each)) for each in shown]
    return [title, table(("", "check", ""), rows, whole=(0, 1))] if rows else [title]


def _remark(outcome: Outcome) -> Text:
    if outcome.status == "passed":
        return line(outcome.says, style="dim")
    return lines([outcome.reason, f"Hint: {outcome.hint}"] if outcome.hint else [outcome.reason])
