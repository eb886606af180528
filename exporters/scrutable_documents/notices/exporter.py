"""The exporter `notices`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrutable.data.frames import kind_of
from scrutable.model import Evidence, Model
from scrutable.plugins.bases import Export, Exporter, Progress
from scrutable_documents.common.pdf import no_font
from scrutable_documents.notices.batch import Decided, decide
from scrutable_documents.notices.formats import Contents, Pages, files_of, missing_letters
from scrutable_documents.notices.lender import example_lender
from scrutable_documents.notices.made_notices import MadeNotices, entries, index_csv
from scrutable_documents.notices.names import file_stems
from scrutable_documents.notices.notice import Notice
from scrutable_documents.notices.options import NoticeOptions


class Notices(NoticeOptions, Exporter):
    """A letter to each declined applicant: action taken, principal reasons, ECOA notice, and the score that was used.

    The options are those of `NoticeOptions`. The templates are a starting point and not legal advice.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable import registry
    >>> german = load_german_credit()
    >>> X = german.X[["checking_status", "duration_months"]]
    >>> texts = {"R01": "Balance of the checking account", "R02": "Length of the loan"}
    >>> explainer = registry().create("explainer", "reason-codes", texts=texts)
    >>> learner = registry().create("learner", "scorecard", explainer=explainer).fit(X, german.y)
    >>> lender = {"name": "Example Bank", "address": "1 Main Street",
    ...           "agency": {"name": "Federal Trade Commission", "address": "Washington, DC 20580"}}
    >>> export = Notices(applicants=X.iloc[:2], lender=lender, date="2026-11-22").export(learner.model_)
    >>> list(export.files)
    ['index.html', 'index.csv', 'notice-000002.html']
    """

    @classmethod
    def example_files(cls) -> Mapping[str, str]:
        """A lender's TOML file."""
        return {"lender": example_lender()}

    def notices(self, model: Model) -> list[Notice]:
        """What each notice says.

        Raises
        ------
        InputError, UnsupportedModel : as in `export`.
        """
        return [each.notice for each in decide(model, self) if each.notice is not None]

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """One file for each notice and format, and the index.

        Raises
        ------
        InputError : columns that are not there, ids that repeat, applicants whose notice would not be whole, a template
            that cannot be filled, or letters that no installed font has.
        UnsupportedModel : the model has no reasons, or has no texts in the language.
        """
        return self.make(model).export

    def export_followed(self, model: Model, *, evidence: Evidence | None = None, progress: Progress) -> Export:
        """The files of `export`; progress is given the notices."""
        return self.make(model, progress=progress).export

    def make(self, model: Model, *, progress: Progress | None = None) -> MadeNotices:
        """The files of `export`, and the list of everybody's decisions; errors as there.

        Parameters
        ----------
        progress : is given the notices and their number, and gives them back one by one; None: nobody follows.

        Examples
        --------
        >>> from scrutable.testing.contract.examples.models import models_named
        >>> applicants = {"amount": [1.0, 9.0], "job": ["x", "cook"], "age": [10.0, 40.0], "region": [1.0, 1.0]}
        >>> lender = {"name": "Example Bank", "address": "1 Main Street",
        ...           "agency": {"name": "Federal Trade Commission", "address": "Washington, DC 20580"}}
        >>> made = Notices(applicants=applicants, lender=lender, date="2026-11-22").make(models_named()["scorecard"])
        >>> made
        MadeNotices(1 of 2 applicants, 3 files)
        >>> made.frame()["decision"].tolist()
        ['declined', 'approved']
        """
        decided = decide(model, self)
        pages = Pages(self)
        notices = [each.notice for each in decided if each.notice is not None]
        made = pages.contents(notices, len(notices))
        contents = list(made if progress is None else progress(made, len(notices)))
        _refuse_missing(notices, contents)
        files, listed = _files(decided, contents, pages)
        return MadeNotices(
            export=Export(model=model, files=files),
            listed=tuple(listed),
            notices=len(notices),
            kind=kind_of(self.applicants),
        )


def _files(
    decided: Sequence[Decided], contents: Iterable[Contents], pages: Pages
) -> tuple[dict[str, str | bytes], list[dict[str, Any]]]:
    """All files by name, and the entries of the index."""
    files: dict[str, str | bytes] = {}
    names: list[list[str]] = []
    remaining = iter(contents)
    for each, stem in zip(decided, file_stems([each.id for each in decided]), strict=True):
        named = {} if each.notice is None else files_of(stem, next(remaining))
        files |= named
        names.append(list(named))
    listed = entries(decided, names)
    page = "".join(pages.index(listed, sum(map(bool, names))))
    return {"index.html": page, "index.csv": index_csv(listed), **files}, listed


def _refuse_missing(notices: Sequence[Notice], contents: Sequence[Contents]) -> None:
    """Refuse letters that would show as boxes, with the rows that have them."""
    missing = {
        notice.row: letters
        for notice, each in zip(notices, contents, strict=True)
        if (letters := missing_letters(each))
    }
    if missing:
        rows = ", ".join(map(str, list(missing)[:10])) + (" and more" if len(missing) > 10 else "")
        raise no_font("".join(sorted(set("".join(missing.values())))), f"PDF of rows {rows}")
