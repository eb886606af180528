"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.proof.certificate import Certificate, EngineRun, certify
    from scrutable.proof.comparison import ColumnCheck, Difference, compare
    from scrutable.proof.document import to_html, to_json
    from scrutable.proof.edges import edge_rows
    from scrutable.proof.engine_identity import execute, graph_session, run_program
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
    "edge_rows",
    "engine_names",
    "execute",
    "exporter_at",
    "exporter_name",
    "graph_session",
    "run_program",
    "to_html",
    "to_json",
    "verification_rows",
]

__getattr__ = lazily(__name__)
