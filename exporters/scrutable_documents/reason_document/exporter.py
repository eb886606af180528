"""The exporter `reason-document`."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model import Evidence, Model
from scrutable.plugins.bases import Export, Exporter
from scrutable_documents.reason_document.contents import Chapter, chapters, to_csv, to_json
from scrutable_documents.reason_document.options import ReasonDocumentOptions
from scrutable_documents.reason_document.page import page

#: Files are called this, with the format as their ending.
NAME = "reasons"


class ReasonDocument(ReasonDocumentOptions, Exporter):
    """Every reason code of a model: how it is chosen, what gives it, its texts, and how often applicants get it.

    The page stands alone and fetches nothing. The options are those of `ReasonDocumentOptions`; the same options give
    the same bytes.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable import registry
    >>> german = load_german_credit()
    >>> learner = registry().create("learner", "scorecard", binner="quantile").fit(german.X, german.y)
    >>> document = ReasonDocument(applicants=german.frame, groups="sex", format=["html", "csv"])
    >>> export = document.export(learner.model_)
    >>> list(export.files), "How often each code is given" in export.text
    (['reasons.html', 'reasons.csv'], True)
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The document as `reasons.html`, `reasons.pdf`, `reasons.json` or `reasons.csv`, in the order asked for.

        Raises
        ------
        InputError : applicants or groups that cannot be used, letters that no installed font has in a PDF.
        KindError : a column of applicants is of another kind than the model reads.
        ModelError : the reason policy has no texts in the language.
        PluginError : a PDF is asked for, and its library is not there.
        """
        gathered = chapters(model, self)
        return Export(model=model, files={f"{NAME}.{kind}": self._file(kind, model, gathered) for kind in self.formats})

    def _file(self, kind: str, model: Model, gathered: Sequence[Chapter]) -> str | bytes:
        if kind == "json":
            return to_json(model, self, gathered)
        if kind == "csv":
            return to_csv(gathered)
        html = page(model, self, gathered)
        if kind == "html":
            return html
        from scrutable_documents.common.pdf import to_pdf

        return to_pdf(html, where="the document of reason codes")
