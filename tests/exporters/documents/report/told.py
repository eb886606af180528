"""German credit, and what a document tells, by section and by table."""

from __future__ import annotations

from typing import Any

from scrutable.data.datasets import load_german_credit
from scrutable.model import Model
from scrutable.model.evidence import Evidence
from scrutable_documents.common.sections import Gap, Section, Table
from scrutable_documents.report.exporter import Report
from scrutable_documents.report.page import sections
from scrutable_documents.report.subject import read_subject

DATA = load_german_credit()
NUMERIC = ["duration_months", "credit_amount", "installment_rate"]


def document(model: Model, evidence: Evidence | None = None, **options: Any) -> dict[str, Section]:
    """Sections by name."""
    own = Report(**options)
    return {section.name: section for section in sections(read_subject(model, evidence, own), own.certificate)}


def tables(section: Section) -> dict[str, Table]:
    """Tables by caption."""
    return {block.caption: block for block in section.blocks if isinstance(block, Table)}


def gaps(section: Section) -> str:
    """What a section says that it lacks."""
    return " ".join(block.text for block in section.blocks if isinstance(block, Gap))
