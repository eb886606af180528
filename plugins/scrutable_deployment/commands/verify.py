"""`scrutable verify`: run a model's export in real engines, or compare what is deployed, and certify what differs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable import registry
from scrutable.cli import (
    drawn_applicants,
    emit_json,
    page_targets,
    read_evidence,
    read_model,
    reads_data,
    refuse_dotted,
    table_name,
    working,
)
from scrutable.cli.options import AsJson, ModelFile, Overwrite, Panel
from scrutable.errors import InputError
from scrutable.plugins import checked_options, library, parse_names, parse_pairs
from scrutable.writing import check_targets, read_text
from scrutable_deployment.commands.certificates import show, today, write

if TYPE_CHECKING:
    from scrutable.model import Model
    from scrutable.plugins.bases import Exporter
    from scrutable.proof import Certificate

_ENGINES = Panel("Exports run in engines")
_DEPLOYED = Panel("What is deployed")
_RETURNED = Panel("What others ran")


@dataclass(frozen=True, kw_only=True)
class Exports:
    """Exports, run in engines."""

    data: Annotated[Path | None, _ENGINES.option("--data", help="A data file of applicants to add.")] = None
    most: Annotated[int, _ENGINES.option("--most", min=1, help="Rows of the data at most, drawn at random.")] = 100_000
    option: Annotated[
        list[str] | None,
        _ENGINES.option(metavar="KEY=VALUE", help="Option of each exporter; lists also as a,b."),
    ] = None
    evidence: Annotated[Path | None, _ENGINES.option(help="The model's evidence file.")] = None


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """What is deployed in a database."""

    deployed: Annotated[
        str | None,
        _DEPLOYED.option(
            metavar="NAME",
            help="A view, table or function of the database of --engine, name or schema.name, to compare.",
        ),
    ] = None
    table: Annotated[
        str | None,
        _DEPLOYED.option(help="Table of the inputs, name or schema.name; as the deployed text says if not given."),
    ] = None
    key: Annotated[
        list[str] | None, _DEPLOYED.option("--key", help="Column that names a row, in both. Repeatable.")
    ] = None
    column: Annotated[
        list[str] | None, _DEPLOYED.option(metavar="FEATURE=COLUMN", help="Column of a feature. Repeatable.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Returned:
    """The result of a script that others ran."""

    returned: Annotated[
        Path | None, _RETURNED.option("--returned", help="The row that a script of scrutable proof gave, as CSV.")
    ] = None
    script: Annotated[Path | None, _RETURNED.option(help="That script, as it was handed out.")] = None


@reads_data
def verify(
    model: ModelFile,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine",
            help="An engine's name, or the URL of a database; distribution:engine for a plugin whose name for it is "
            "another's too. Repeatable; duckdb if not given.",
        ),
    ] = None,
    rows: Annotated[int, typer.Option(min=0, help="Rows drawn at random from the edge values.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws.")] = 0,
    *,
    exports: Exports,
    deployed: Deployed,
    returned: Returned,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="A .json or .html file, or a folder for both.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Run the exported model in a real engine, row by row beside the model itself, and certify what was seen.

    The rows are every cut of the model with the doubles beside it, missing values, infinities, special codes, unseen
    and hostile texts, draws of all these, and the applicants of --data. Scores, points, decisions, knock-outs, reasons
    and rules must be equal to the last bit, probabilities to two units in the last place.

    With --deployed, what a database holds is compared instead of an export: its own text on those rows, which stand in
    the statement, the types of its columns, and each row of the table. It needs SELECT on both, and writes nothing. A
    function of PostgreSQL or DuckDB is called with those rows, and with those of --table; it needs EXECUTE.
    With --returned, the result of a script that others ran is checked; the certificate says that it is their word.

    The date of the certificate is today's, or that of SOURCE_DATE_EPOCH. Exit code 1 tells that something differed.

    Examples:

    [bold]scrutable verify model.json -o certificate.html[/bold]

    [bold]scrutable verify model.json --engine postgresql://localhost/risk --data loans.csv -o proof/[/bold]

    [bold]scrutable verify model.json --engine postgresql://localhost/risk --deployed risk.score -o proof/[/bold]
    """
    _refuse_unused(engine, exports, deployed, returned)
    given = (model, exports.data, exports.evidence, returned.returned, returned.script)
    inputs = [path for path in given if path is not None]
    targets = page_targets(output, "certificate")
    check_targets(targets, inputs=inputs, overwrite=overwrite)
    with working(f"Reading {model}") as say:
        whole = read_model(model)
        if not whole.features:
            raise InputError("the model reads no column, so there is nothing to compare", where=f"file {str(model)!r}")
        if returned.returned is not None:
            certificate = _returned(whole, returned)
        elif deployed.deployed is not None:
            certificate = _deployed(whole, engine or (), deployed, {"rows": rows, "seed": seed, "say": say})
        else:
            exporters = _exporters(engine or ["duckdb"], exports.option or (), deployed.table)
            drawing = {"n_random": rows, "max_data": exports.most, "seed": seed}
            certificate = _certify(whole, exporters, exports, drawing, say)
    write(certificate, targets, overwrite)
    if as_json:
        emit_json(certificate.to_dict())
    else:
        show(certificate, targets)
    if not certificate.passed:
        raise typer.Exit(1)


def _refuse_unused(engine: Sequence[str] | None, exports: Exports, deployed: Deployed, returned: Returned) -> None:
    """Refuse options that would be passed over, so that nobody takes a certificate for one of something else."""
    of_exports = {"--data": exports.data, "--option": exports.option, "--evidence": exports.evidence}
    of_rows = {"--key": deployed.key, "--column": deployed.column}
    if returned.returned is not None:
        how, fix = "with --returned", "leave it out: the result is compared with its script alone"
        named = {"--engine": engine, "--deployed": deployed.deployed, "--table": deployed.table}
        unused: dict[str, Any] = named | of_rows | of_exports
    elif deployed.deployed is not None:
        how = "with --deployed"
        fix = "leave it out: the table's own rows are compared, and what is deployed is what is read"
        unused = {**of_exports, "--script": returned.script}
    else:
        how, fix = "without --deployed", "give --deployed, or leave it out"
        unused = of_rows
        if returned.script is not None:
            how, fix, unused = "without --returned", "give --returned", {"--script": returned.script}
    for option, value in unused.items():
        if value is not None:
            raise InputError(f"{option} does nothing {how}", where=option, got=value, fix=fix)


def _returned(model: Model, returned: Returned) -> Certificate:
    from scrutable_deployment.returned import attested, read_returned

    assert returned.returned is not None
    if returned.script is None:
        fix = "give --script with the file that scrutable proof wrote"
        raise InputError("a result is checked beside its script", where="--returned", fix=fix)
    return attested(model, read_returned(returned.returned), read_text(returned.script), issued=today())


def _deployed(model: Model, engines: Sequence[str], deployed: Deployed, further: dict[str, Any]) -> Certificate:
    library("sqlglot", "scrutable[deployment]")
    from scrutable_deployment.names import named
    from scrutable_deployment.verifying import verify_deployed

    if len(engines) != 1:
        fix = "give --engine once, for example --engine postgresql://localhost/risk"
        raise InputError("--deployed is looked for in one database", where="--engine", got=len(engines), fix=fix)
    assert deployed.deployed is not None
    return verify_deployed(
        model,
        engines[0],
        named(deployed.deployed, "--deployed"),
        table=None if deployed.table is None else named(deployed.table, "--table"),
        key=deployed.key or (),
        columns=parse_names(deployed.column or (), "--column", once="the feature"),
        issued=today(),
        **further,
    )


def _exporters(engines: Sequence[str], option: Sequence[str], table: str | None) -> list[Exporter]:
    from scrutable.proof import exporter_at, exporter_name

    refuse_dotted(option)
    options = parse_pairs(option, "--option")
    if table is not None:
        if "table" in options:
            raise InputError("the option is given twice", where="--option", got="table", fix="give it once")
        options["table"] = table_name(table)
    exporters = []
    for engine in engines:
        name = exporter_name(engine)
        given = checked_options(registry().load("exporter", name), options, f"exporter {name!r}")
        exporters.append(exporter_at(engine, **given))
    return exporters


def _certify(
    model: Model, exporters: list[Exporter], exports: Exports, drawing: dict[str, int], say: Any
) -> Certificate:
    from scrutable.plugins.bases import engine_of
    from scrutable.proof import certify, verification_rows

    data = exports.data
    applicants = None if data is None else drawn_applicants(model, data, exports.most, drawing["seed"], say)
    rows = verification_rows(model, applicants, **drawing)
    say(f"Running {len(rows.frame):,} rows in {', '.join(engine_of(exporter) for exporter in exporters)}")
    return certify(
        model,
        exporters,
        rows,
        evidence=None if exports.evidence is None else read_evidence(exports.evidence, model),
        data_sha256=None if data is None else _sha256(data),
        issued=today(),
    )


def _sha256(file: Path) -> str:
    with open(file, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
