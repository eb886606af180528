"""Plugin: exporters `report`, `reason-document` and `notices`, documents for people."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl

_EVERY = ("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model")
_DECIDING = ("scorecard", "rule-set", "tree-ensemble", "segmented-model")
#: Notices are made for somebody, by somebody: applicants, one of whom each model of the checks declines.
_NOTICES = {
    "applicants": {
        "amount": [1.0, 1.0],
        "job": ["x", "cook"],
        "age": [10.0, 10.0],
        "income": [1.0, 50.0],
        "region": [1.0, 1.0],
        "debts": [1.0, 1.0],
    },
    "lender": {
        "name": "Example Bank",
        "address": "1 Main Street",
        "agency": {"name": "Federal Trade Commission", "address": "Washington, DC 20580"},
    },
    "date": "2026-11-22",
}


@hookimpl
def scrutable_exporters() -> list[Component]:
    """What a validator, an auditor and an applicant read."""
    return [
        Component(
            name="report",
            kind="exporter",
            path="scrutable_documents.report.exporter:Report",
            summary="The model's own document: one page with tables, measures, provenance and a live calculator",
            reference="Mitchell et al. (2019), Model cards for model reporting",
            accepts=_EVERY,
            produces=("html", "pdf"),
            engines=("chromium",),
            extra="documents",
            requires=("weasyprint",),
        ),
        Component(
            name="reason-document",
            kind="exporter",
            path="scrutable_documents.reason_document.exporter:ReasonDocument",
            summary="Every reason a model can give: code, text, what it goes back to, and how often to expect it",
            reference="12 CFR part 1002 (Regulation B), section 1002.9(b)(2) and its commentary",
            accepts=_EVERY,
            produces=("html", "pdf", "json", "csv"),
            extra="documents",
            requires=("weasyprint",),
        ),
        Component(
            name="notices",
            kind="exporter",
            path="scrutable_documents.notices.exporter:Notices",
            summary="Adverse-action notices, one for each declined applicant, with an index",
            reference="12 CFR 1002.9 (Regulation B); 15 U.S.C. 1681m(a) and 1681g(f) (FCRA)",
            accepts=_DECIDING,
            produces=("html", "pdf", "docx", "text", "json"),
            extra="documents",
            requires=("docx", "weasyprint"),
            options=_NOTICES,
            known_failures={
                "names-of-columns-may-hold-anything": "its applicants are an option, and have columns of their own"
            },
        ),
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """Documents of a model, and of its decisions."""
    return [
        Command(
            name="notices",
            path="scrutable_documents.commands.notices:notices",
            summary="A notice to each declined applicant: action taken, principal reasons, and the ECOA notice.",
            order=140,
        ),
        Command(
            name="report",
            path="scrutable_documents.commands.report:report",
            summary="Write a model's own document: purpose, data, binning, points, performance, groups, limits, "
            "parity, provenance.",
            order=150,
        ),
    ]
