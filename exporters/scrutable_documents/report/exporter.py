"""The exporter `report`."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, evaluate, read_inputs
from scrutable.plugins.bases import Export, Exporter
from scrutable_documents.common.pdf import to_pdf
from scrutable_documents.report import chromium
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.page import page, sections
from scrutable_documents.report.proof import read_certificate
from scrutable_documents.report.subject import read_subject

HTML, PDF = "report.html", "report.pdf"

_MISSING = {"numeric": float("nan"), "categorical": None}


class Report(ReportOptions, Exporter):
    """A model's own document: what it is for, what it is made of, what was measured, and a calculator that runs it.

    The page stands alone and fetches nothing. In it, scores, points, decisions, knock-outs, reasons and rules equal the
    evaluator's to the last bit, and probabilities to two units in the last place. The options are those of
    `ReportOptions`; the same options give the same bytes.
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The document as `report.html`, `report.pdf` or both.

        Raises
        ------
        InputError : data, outcomes, groups or a certificate that cannot be used.

        Examples
        --------
        >>> from scrutable.model import *
        >>> age = Characteristic(feature="age", attributes=(
        ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
        ...     Attribute(condition=Missing(), points=20)))
        >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
        ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
        ...     calibration=Calibration(slope=0.03, intercept=-16))
        >>> export = Report(purpose="To decide on consumer loans.").export(card)
        >>> list(export.files), "To decide on consumer loans." in export.text
        (['report.html'], True)
        """
        certificate = read_certificate(self.certificate)
        subject = read_subject(model, evidence, self)
        parts = sections(subject, certificate)
        files: dict[str, str | bytes] = {}
        if "html" in self.formats:
            files[HTML] = page(subject, parts, calculator=True)
        if "pdf" in self.formats:
            files[PDF] = to_pdf(page(subject, parts, calculator=False))
        return Export(model=model, files=files)

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Open the page in a headless Chromium, and let its script evaluate n rows.

        Raises
        ------
        InputError : X lacks a column, or the export has no page.
        KindError : a column of X is of another kind than the model reads.
        PluginError : Chromium is not there.
        """
        text = export.files.get(HTML)
        if not isinstance(text, str):
            raise InputError(
                "only a page runs", where="export", got=list(export.files), fix="export with format='html'"
            )
        columns, n_rows = read_inputs(export.model, X)
        return chromium.run(text, result_names(export.model), columns, n_rows)

    def engine(self) -> str:
        """The browser and its version, for example "Chromium 140.0.7339.16"."""
        return chromium.version()


def result_names(model: Model) -> tuple[str, ...]:
    """Names of the columns that the evaluator returns."""
    nothing = {feature.name: np.array([_MISSING[feature.kind]]) for feature in model.features}
    return tuple(evaluate(model, nothing).frame())
