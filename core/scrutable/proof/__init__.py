"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down.

Fit certificates: the same model learned from rows in several places.

Sign-off: who says that a model may be used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.proof.approvals import STATES, Approval, Approvals, approvals_file, read_approvals
    from scrutable.proof.certificate import Certificate, EngineRun, certificate_of, certify
    from scrutable.proof.comparison import ColumnCheck, compare, what_of
    from scrutable.proof.document import to_html, to_json
    from scrutable.proof.edges import edge_rows
    from scrutable.proof.engine_identity import (
        Program,
        engine_at,
        execute,
        graph_session,
        program_version,
        run_program,
        sha256,
    )
    from scrutable.proof.fits import FitCertificate, FitRun, certify_fits
    from scrutable.proof.rows import edge_values, verification_rows
    from scrutable.proof.runners import exporter_at, exporter_name
    from scrutable.proof.sign_off import approve, require_state, sign_off_in_words

__all__ = [
    "STATES",
    "Approval",
    "Approvals",
    "Certificate",
    "ColumnCheck",
    "EngineRun",
    "FitCertificate",
    "FitRun",
    "Program",
    "approvals_file",
    "approve",
    "certificate_of",
    "certify",
    "certify_fits",
    "compare",
    "edge_rows",
    "edge_values",
    "engine_at",
    "execute",
    "exporter_at",
    "exporter_name",
    "graph_session",
    "program_version",
    "read_approvals",
    "require_state",
    "run_program",
    "sha256",
    "sign_off_in_words",
    "to_html",
    "to_json",
    "verification_rows",
    "what_of",
]

__getattr__ = lazily(__name__)
