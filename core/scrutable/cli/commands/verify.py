"""`scrutable verify`: run a model's export in real engines and certify that nothing differs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli.options import ModelFile
from scrutable.cli.output import console, emit_json, table, working
from scrutable.cli.pages import page_targets
from scrutable.cli.reading import reads_data
from scrutable.cli.terminal import line
from scrutable.errors import InputError, ScrutableError
from scrutable.plugins.choices import parse_pairs
from scrutable.plugins.reading_values import checked_options
from scrutable.plugins.registry import registry
from scrutable.writing.files import check_targets, write_all

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table
    from scrutable.model import Model
    from scrutable.plugins.bases import Exporter
    from scrutable.proof import Certificate
    from scrutable.proof.certificate import EngineRun


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
    data: Annotated[Path | None, typer.Option("--data", help="A CSV or Parquet file of applicants to add.")] = None,
    rows: Annotated[int, typer.Option(min=0, help="Rows drawn at random from the edge values.")] = 10_000,
    most: Annotated[int, typer.Option("--most", min=1, help="Rows of the data at most, drawn at random.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Option of each exporter; lists also as a,b."),
    ] = None,
    evidence: Annotated[Path | None, typer.Option(help="The model's evidence file.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="A .json or .html file, or a folder for both.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Run the exported model in a real engine, row by row beside the model itself, and certify what was seen.

    The rows are every cut of the model with the doubles beside it, missing values, infinities, special codes, unseen
    and hostile texts, draws of all these, and the applicants of --data. Scores, points, decisions, knock-outs, reasons
    and rules must be equal to the last bit, probabilities to two units in the last place.

    The date of the certificate is today's, or that of SOURCE_DATE_EPOCH. Exit code 1 tells that something differed.

    Examples:

    [bold]scrutable verify model.json -o certificate.html[/bold]

    [bold]scrutable verify model.json --engine postgresql://localhost/risk --data loans.csv -o proof/[/bold]

    [bold]scrutable verify model.json --engine onnxruntime --engine rscript --json[/bold]
    """
    inputs = [path for path in (model, data, evidence) if path is not None]
    targets = page_targets(output, "certificate")
    check_targets(targets, inputs=inputs, overwrite=overwrite)
    with working(f"Reading {model}") as say:
        read, exporters = _exporters(model, engine or ["duckdb"], option or ())
        certificate = _certify(read, exporters, data, evidence, {"n_random": rows, "max_data": most, "seed": seed}, say)
    _write(certificate, targets, overwrite)
    if as_json:
        emit_json(certificate.to_dict())
    else:
        _show(certificate, targets)
    if not certificate.passed:
        raise typer.Exit(1)


def _exporters(path: Path, engines: Sequence[str], option: Sequence[str]) -> tuple[Model, list[Exporter]]:
    from scrutable.cli.tables import read_model
    from scrutable.proof import exporter_at
    from scrutable.proof.runners import exporter_name

    model, options = read_model(path), parse_pairs(option, "--option")
    if not model.features:
        raise InputError("the model reads no column, so there is nothing to compare", where=f"file {str(path)!r}")
    exporters = []
    for engine in engines:
        name = exporter_name(engine)
        given = checked_options(registry().load("exporter", name), options, f"exporter {name!r}")
        exporters.append(exporter_at(engine, **given))
    return model, exporters


def _certify(
    model: Model, exporters: list[Exporter], data: Path | None, evidence: Path | None, drawing: dict[str, int], say: Any
) -> Certificate:
    from scrutable.cli.tables import read_evidence
    from scrutable.plugins.bases.answers import engine_of
    from scrutable.proof import certify, verification_rows

    applicants = None if data is None else _applicants(model, data, drawing, say)
    rows = verification_rows(model, applicants, **drawing)
    say(f"Running {len(rows.frame):,} rows in {', '.join(engine_of(exporter) for exporter in exporters)}")
    return certify(
        model,
        exporters,
        rows,
        evidence=None if evidence is None else read_evidence(evidence, model),
        data_sha256=None if data is None else _sha256(data),
        issued=_today(),
    )


def _applicants(model: Model, data: Path, drawing: dict[str, int], say: Any) -> pd.DataFrame | Table:
    """Rows to draw from or, of a large file in which nothing is doubtful, rows that were drawn from it."""
    from scrutable.cli.reading import read_data, told
    from scrutable.data.frames.plain_csv import is_small

    if is_small(data):
        return read_data(data, model)
    from scrutable.data.frames.sampling import sampled
    from scrutable.data.reading import read_blocks
    from scrutable.model.contents import numbers_of, texts_of
    from scrutable.writing.csv_blocks import DoubtfulError

    try:
        blocks = read_blocks(data, told(), text=texts_of(model), numbers=numbers_of(model))
        return sampled(blocks, drawing["max_data"], drawing["seed"], partial(_saying, say, f"Reading {data}"))
    except (ScrutableError, DoubtfulError):
        return read_data(data, model)


def _saying(say: Callable[[str], None], what: str, blocks: Iterable[Any], expected: int) -> Iterator[Any]:
    for number, block in enumerate(blocks, 1):
        say(f"{what}: block {number:,} of {max(number, expected):,}")
        yield block


def _sha256(file: Path) -> str:
    with open(file, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _today() -> str:
    """The date in UTC; SOURCE_DATE_EPOCH, in seconds, stands for it where it is set, as in reproducible builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not epoch.isdecimal():
        raise InputError("not a number of seconds", where="environment variable SOURCE_DATE_EPOCH", got=epoch)
    when = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    return when.strftime("%Y-%m-%d")


def _write(certificate: Certificate, targets: list[str], overwrite: bool) -> None:
    from scrutable.proof import to_html
    from scrutable.proof.document import to_json

    forms = {".json": to_json, ".html": to_html}
    write_all({path: forms[Path(path).suffix](certificate) for path in targets}, overwrite=overwrite)


def _show(certificate: Certificate, targets: list[str]) -> None:
    out = console()
    rows = certificate.rows
    counts = f"{rows['edge']:,} edge, {rows['drawn']:,} drawn (seed {rows['seed']}), {rows['data']:,} of data"
    out.print(f"{certificate.model_kind} {certificate.model_sha256[:12]}; rows: {counts}", soft_wrap=True)
    whats = list(dict.fromkeys(what for run in certificate.runs for what in run.differing()))
    headers = ("engine", "rows", "left out", *whats, "ulp", "")
    lines = [_line(run, whats) for run in certificate.runs]
    numbers = range(1, len(headers) - 1)
    out.print(table(headers, lines, title="Values that differ", right=numbers))
    for run in certificate.runs:
        if not run.attested:
            told = "only the exporter held the connection, and says what it is"
            out.print(f"{run.engine} is unattested: {told}; {_whose(run)}", soft_wrap=True)
        for check in run.columns:
            for each in check.first:
                told = f"{run.engine}: {check.name}, row {each.row}: model {each.expected}, engine {each.got}"
                out.print(told, style="red", soft_wrap=True)
        if run.excluded_rows:
            out.print(f"{run.engine} left out: {run.excluded}", soft_wrap=True)
    for path in targets:
        out.print(f"wrote {path}", soft_wrap=True)


def _whose(run: EngineRun) -> str:
    return f"{run.exporter} of {f'{run.distribution} {run.version}'.strip() or 'no distribution'}"


def _line(run: EngineRun, whats: Sequence[str]) -> list[object]:
    counts = run.differing()
    verdict = line(("passed", "green") if run.passed else ("FAILED", "bold red"))
    cells = [f"{counts[what]:,}" if what in counts else "" for what in whats]
    return [run.title, f"{run.n_rows:,}", f"{run.excluded_rows:,}", *cells, str(run.ulp), verdict]
