"""The section on parity: what a certificate says of the model in real engines."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scrutable.errors import InputError, ScrutableWarning
from scrutable.writing import read_json
from scrutable_documents.common.figures import count
from scrutable_documents.common.sections import Block, Facts, Gap, Paragraph, Section, Table
from scrutable_documents.report.options import named
from scrutable_documents.report.subject import Subject


class OtherModelWarning(ScrutableWarning):
    """A certificate is about another model than the document."""


def read_certificate(given: str | Path | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """What is in a certificate.

    Raises
    ------
    InputError : the file cannot be read, or is no certificate in JSON.
    """
    if given is None:
        return None
    where = "option certificate"
    if not isinstance(given, Mapping):
        where = f"file {str(given)!r}"
        given = read_json(given)
    if not isinstance(given, Mapping) or not {"model_sha256", "passed", "runs"} <= set(given):
        raise InputError(
            "no certificate", where=where, allowed="what scrutable verify wrote as JSON", fix="give another file"
        )
    return given


def parity(subject: Subject, certificate: Mapping[str, Any] | None) -> Section:
    """Engines, rows and hashes, or plainly that there is no certificate or that it is about another model.

    Warns
    -----
    OtherModelWarning : it is about another model.
    """
    return Section("parity", "Parity certificate", list(_blocks(subject, certificate)))


def _blocks(subject: Subject, certificate: Mapping[str, Any] | None) -> Iterator[Block]:
    own = subject.fingerprint
    if certificate is None:
        yield Gap(
            "There is no parity certificate: nothing here shows that exports of the model give its results. Run "
            f"scrutable verify, and give what it writes as {named('certificate')}."
        )
        return
    proven = str(certificate["model_sha256"])
    if proven != own:
        warnings.warn("the certificate is about another model; the document says so", OtherModelWarning, stacklevel=2)
        yield Gap("The certificate is about another model, and proves nothing of this one. Run scrutable verify anew.")
        yield Facts([("This model", own), ("The certificate's model", proven)])
        return
    verdict = "Every engine gave what the model says." if certificate["passed"] else "SOMETHING DIFFERED; see below."
    yield Paragraph(verdict)
    rows = certificate.get("rows", {})
    told = ", ".join(f"{count(rows[key])} {key}" for key in ("edge", "drawn", "data") if key in rows)
    pairs = [("Model, SHA-256", proven), ("Rows", told), ("Issued", str(certificate.get("issued") or "not stated"))]
    if certificate.get("data_sha256"):
        pairs.append(("Data file, SHA-256", str(certificate["data_sha256"])))
    yield Facts(pairs)
    yield _engines(certificate["runs"])
    yield _files(certificate["runs"])


def _engines(runs: Any) -> Table:
    lines = [
        [
            _title(run),
            _whose(run),
            count(run["n_rows"]),
            count(run["excluded_rows"]),
            str(sum(run["differing"].values())),
            str(run["probability_ulp"]),
            "passed" if run["passed"] else "FAILED",
        ]
        for run in runs
    ]
    headers = (
        "Engine",
        "Exporter",
        "Rows",
        "Left out",
        "Values that differ",
        "Units in the last place of probabilities",
        "",
    )
    return Table(caption="Engines", headers=headers, rows=lines, numbers=frozenset({2, 3, 4, 5}))


def _title(run: Any) -> str:
    """The engine, and that the exporter alone says what it is; certificates of an earlier release say neither."""
    return f"{run['engine']}, unattested" if run.get("attested") is False else str(run["engine"])


def _whose(run: Any) -> str:
    return " ".join(str(run[key]) for key in ("exporter", "distribution", "version") if run.get(key))


def _files(runs: Any) -> Table:
    lines = [[str(run["engine"]), name, str(digest)] for run in runs for name, digest in run["files"].items()]
    return Table(caption="Exported files", headers=("Engine", "File", "SHA-256"), rows=lines)
