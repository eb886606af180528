"""Certificates as commands write and show them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.cli import console, line, table
from scrutable.errors import InputError
from scrutable.writing import write_all

if TYPE_CHECKING:
    from scrutable.proof import Certificate, EngineRun


def today() -> str:
    """The date in UTC; SOURCE_DATE_EPOCH, in seconds, stands for it where it is set, as in reproducible builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not epoch.isdecimal():
        raise InputError("not a number of seconds", where="environment variable SOURCE_DATE_EPOCH", got=epoch)
    when = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    return when.strftime("%Y-%m-%d")


def write(certificate: Certificate, targets: Sequence[str], overwrite: bool) -> None:
    """Write a certificate as JSON, as a page, or both."""
    from scrutable.proof import to_html, to_json

    forms = {".json": to_json, ".html": to_html}
    write_all({path: forms[Path(path).suffix](certificate) for path in targets}, overwrite=overwrite)


def show(certificate: Certificate, targets: Sequence[str]) -> None:
    """Print what was compared, what differs and where it was written."""
    out = console()
    rows = certificate.rows
    counts = f"{rows['edge']:,} edge, {rows['drawn']:,} drawn (seed {rows['seed']}), {rows['data']:,} of data"
    out.print(f"{certificate.model_kind} {certificate.model_sha256[:12]}; rows: {counts}", soft_wrap=True)
    whats = list(dict.fromkeys(what for run in certificate.runs for what in run.differing()))
    headers = ("engine", "rows", "left out", *whats, "ulp", "")
    lines = [_line(run, whats) for run in certificate.runs]
    out.print(table(headers, lines, title="Values that differ", right=range(1, len(headers) - 1)))
    for run in certificate.runs:
        if not run.attested and not run.returned:
            told = "only the exporter held the connection, and says what it is"
            out.print(f"{run.engine} is unattested: {told}; {_whose(run)}", soft_wrap=True)
        for words in _differences(run):
            out.print(words, style="red", soft_wrap=True)
        if run.excluded_rows:
            out.print(f"{run.engine} left out: {run.excluded}", soft_wrap=True)
    for path in targets:
        out.print(f"wrote {path}", soft_wrap=True)


def _differences(run: EngineRun) -> list[str]:
    told = []
    for check in run.columns:
        told += [
            f"{run.engine}: {check.name}, row {each.row}: model {each.expected}, engine {each.got}"
            for each in check.first
        ]
        if check.differing and not check.first:
            told.append(f"{run.engine}: {check.name}: {check.differing:,} differ, {check.note}")
    return told


def _whose(run: EngineRun) -> str:
    return f"{run.exporter} of {f'{run.distribution} {run.version}'.strip() or 'no distribution'}"


def _line(run: EngineRun, whats: Sequence[str]) -> list[object]:
    counts = run.differing()
    verdict = line(("passed", "green") if run.passed else ("FAILED", "bold red"))
    cells = [f"{counts[what]:,}" if what in counts else "" for what in whats]
    return [run.title, f"{run.n_rows:,}", f"{run.excluded_rows:,}", *cells, str(run.ulp), verdict]
