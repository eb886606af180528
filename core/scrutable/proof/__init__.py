"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down."""

from scrutable.proof.certificate import Certificate, EngineRun, certify
from scrutable.proof.comparison import ColumnCheck, Difference, compare
from scrutable.proof.document import to_html, to_json
from scrutable.proof.rows import VerificationRows, verification_rows
from scrutable.proof.runners import engine_names, exporter_at, exporter_name

__all__ = [
    "Certificate",
    "ColumnCheck",
    "Difference",
    "EngineRun",
    "VerificationRows",
    "certify",
    "compare",
    "engine_names",
    "exporter_at",
    "exporter_name",
    "to_html",
    "to_json",
    "verification_rows",
]
