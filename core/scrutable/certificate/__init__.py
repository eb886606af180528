"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down."""

from scrutable.certificate.certificate import Certificate, EngineRun, certify
from scrutable.certificate.comparison import ColumnCheck, Difference, compare
from scrutable.certificate.document import to_dict, to_html, to_json
from scrutable.certificate.rows import VerificationRows, verification_rows
from scrutable.certificate.runners import engine_names, exporter_at, exporter_name

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
    "to_dict",
    "to_html",
    "to_json",
    "verification_rows",
]
