"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.proof.certificate import Certificate, certify
    from scrutable.proof.document import to_html
    from scrutable.proof.edges import edge_rows
    from scrutable.proof.engine_identity import execute, graph_session, run_program
    from scrutable.proof.rows import verification_rows
    from scrutable.proof.runners import exporter_at

__all__ = [
    "Certificate",
    "certify",
    "edge_rows",
    "execute",
    "exporter_at",
    "graph_session",
    "run_program",
    "to_html",
    "verification_rows",
]

__getattr__ = lazily(__name__)
