"""Certificates: a model's exports run in real engines, compared with the evaluator, and what was seen set down.

Sign-off: who says that a model may be used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.proof.approvals import STATES, Approval, Approvals, approvals_file, read_approvals
    from scrutable.proof.certificate import Certificate, certify
    from scrutable.proof.document import to_html
    from scrutable.proof.edges import edge_rows
    from scrutable.proof.engine_identity import Program, execute, graph_session, program_version, run_program
    from scrutable.proof.rows import verification_rows
    from scrutable.proof.runners import exporter_at
    from scrutable.proof.sign_off import approve, require_state, sign_off_in_words

__all__ = [
    "STATES",
    "Approval",
    "Approvals",
    "Certificate",
    "Program",
    "approvals_file",
    "approve",
    "certify",
    "edge_rows",
    "execute",
    "exporter_at",
    "graph_session",
    "program_version",
    "read_approvals",
    "require_state",
    "run_program",
    "sign_off_in_words",
    "to_html",
    "verification_rows",
]

__getattr__ = lazily(__name__)
