"""`scrutable deploy`: versions of a model behind a view, an atomic switch, a shadow, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, emit, emit_json, note, read_model, refuse_dotted, with_groups, working
from scrutable.cli.options import AsJson, Panel
from scrutable.errors import InputError
from scrutable.plugins import library, parse_names, parse_pairs
from scrutable_deployment.names import named, spoken

if TYPE_CHECKING:
    from scrutable_deployment.deployment import Deployment
    from scrutable_deployment.swapping import SwapReport

_TABLE = Panel("The table of the inputs")
_WHAT = Panel("What is done")


@dataclass(frozen=True, kw_only=True)
class Table:
    """The table of the inputs, and how the statement is written."""

    table: Annotated[str, _TABLE.option(help="Table or view of the inputs, name or schema.name.")] = "applicants"
    key: Annotated[list[str] | None, _TABLE.option("--key", help="Column that names a row. Repeatable.")] = None
    column: Annotated[
        list[str] | None, _TABLE.option(metavar="FEATURE=COLUMN", help="Column of a feature. Repeatable.")
    ] = None
    option: Annotated[
        list[str] | None, _TABLE.option(metavar="KEY=VALUE", help="Further option of the exporter sql.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class What:
    """What is done, and whether it is done."""

    run: Annotated[bool, _WHAT.option("--run", help="Run the statements; without it they are only printed.")] = False
    shadow: Annotated[
        bool, _WHAT.option("--shadow", help="Score beside the present version, as NAME_shadow, and switch nothing.")
    ] = False
    anew: Annotated[
        bool,
        _WHAT.option(
            "--anew", help="Make a new version though there is one of this model, or NAME was replaced by somebody."
        ),
    ] = False
    swap: Annotated[
        bool, _WHAT.option("--swap", help="Compare the shadow with the present version; nothing is changed.")
    ] = False
    rollback: Annotated[bool, _WHAT.option("--rollback", help="Go back to the version before; needs no model.")] = False
    to: Annotated[int | None, _WHAT.option(help="With --rollback: the version to go to.")] = None
    by: Annotated[str | None, _WHAT.option(help="Who does it, for the registry; the database's user if not given.")] = (
        None
    )


@with_groups
def deploy(
    model: Annotated[Path | None, typer.Argument(help="A model file; none for --rollback and --swap.")] = None,
    *,
    name: Annotated[str, typer.Option("--name", help="The view that others read, name or schema.name.")],
    url: Annotated[
        str | None, typer.Option("--url", help="Database, for example postgresql://localhost/risk; never printed.")
    ] = None,
    dialect: Annotated[str | None, typer.Option(help="Dialect, where no URL is given: a first version.")] = None,
    table: Table,
    what: What,
    as_json: AsJson = False,
) -> None:
    """Put a version of a model behind a view in a database: made, switched to from one moment on, and back again.

    Each version is a view of its own, NAME_v1, NAME_v2 and so on. The view NAME has the key, score, decision, reasons,
    model_version and model_fingerprint, whatever version it gives; the view NAME_reasons has declines with their
    reasons in words, from the table NAME_texts. The table NAME_versions tells what was done when and by whom; rows are
    only added. What is there already is not done again.

    Nothing is changed without --run: the statements are printed, as the script that would run.

    Examples:

    [bold]scrutable deploy model.json --url postgresql://localhost/risk --name risk.score --key id[/bold]

    [bold]scrutable deploy next.json --url postgresql://localhost/risk --name risk.score --key id --shadow --run[/bold]

    [bold]scrutable deploy --url postgresql://localhost/risk --name risk.score --swap[/bold]

    [bold]scrutable deploy --url postgresql://localhost/risk --name risk.score --rollback --run[/bold]
    """
    _check(model, url, what)
    target = named(name, "--name")
    if what.swap:
        _show_swap(_swapped(target, url), as_json)
        return
    with working(f"Deploying {name}"):
        library("sqlglot", "scrutable[deployment]")
        from scrutable_deployment.deploying import roll_back

        if what.rollback:
            assert url is not None
            done = roll_back(target, url=url, to=what.to, run=what.run, by=what.by)
        else:
            assert model is not None
            done = _deployed(model, target, {"url": url, "dialect": dialect}, table, what)
    _show(done, as_json)


def _check(model: Path | None, url: str | None, what: What) -> None:
    if what.swap and (what.rollback or what.shadow or what.run):
        fix = "give it alone, or leave it out"
        raise InputError("--swap changes nothing, so that it goes with nothing that does", where="--swap", fix=fix)
    if what.anew and (what.rollback or what.swap):
        fix = "leave it out, or deploy a model with it"
        raise InputError("--anew makes a version of a model that is given", where="--anew", fix=fix)
    if what.rollback and what.shadow:
        raise InputError("a shadow is no version to go back to", where="--rollback", fix="leave out --shadow")
    if what.to is not None and not what.rollback:
        raise InputError("--to does nothing without --rollback", where="--to", got=what.to, fix="give --rollback")
    if (model is None) != (what.rollback or what.swap):
        raise InputError(
            "a model is deployed; --rollback and --swap have none",
            where="model",
            got=model and str(model),
            fix="give a model file, or --rollback or --swap",
        )
    if url is None and (what.rollback or what.swap or what.run):
        raise InputError("no database", where="--url", fix="give the URL of the database")


def _deployed(model: Path, target: Any, where: dict[str, Any], table: Table, what: What) -> Deployment:
    from scrutable_deployment.deploying import deploy as deploy_model

    refuse_dotted(table.option or ())
    return deploy_model(
        read_model(model),
        target,
        **where,
        table=named(table.table, "--table"),
        key=table.key or (),
        columns=parse_names(table.column or (), "--column", once="the feature"),
        options=parse_pairs(table.option or (), "--option"),
        shadow=what.shadow,
        anew=what.anew,
        run=what.run,
        by=what.by,
        allow=partial(_allow, model, what.run),
    )


def _allow(model: Path, run: bool, statement: str | None) -> None:
    """Refuse to run what is not signed off; or only say so."""
    from scrutable.proof import require_state

    try:
        require_state(model, "deploy", deployed=statement)
    except InputError as error:
        if run:
            raise
        note(f"--run would be refused: {error}")


def _swapped(target: Any, url: str | None) -> SwapReport:
    from scrutable_deployment.swapping import swap_report

    assert url is not None
    with working("Comparing both versions"):
        return swap_report(target, url=url)


def _show(done: Deployment, as_json: bool) -> None:
    for words in done.warnings:
        note(f"warning: {words}")
    if as_json:
        emit_json(done.to_dict())
    elif done.ran:
        for step in done.steps:
            console().print(f"done: {step.about}", soft_wrap=True)
        console().print(f"version {done.version} of {spoken(done.name)}", soft_wrap=True)
    else:
        emit(done.text)
        if done.steps:
            note("nothing was changed; --run runs these statements")


def _show_swap(report: SwapReport, as_json: bool) -> None:
    if as_json:
        emit_json(report.to_dict())
        return
    out = console()
    out.print(f"version {report.version_now} is read now, version {report.version_next} is next")
    out.print(f"{report.rows:,} applicants scored by both versions, {report.unmatched:,} by one alone or by none")
    for which, count in report.decisions.items():
        now, following = which.split(", ")
        told = "not told, since it is a count of few or would tell one" if count is None else f"{count:,}"
        out.print(f"{now} now, {following} next: {told}", soft_wrap=True)
    if report.mean_shift is not None:
        out.print(
            f"mean score {report.mean_now:,.2f} now, {report.mean_next:,.2f} next, shift {report.mean_shift:+,.2f}"
        )
    if report.psi is not None:
        out.print(f"PSI of the score {report.psi:.4f}")
