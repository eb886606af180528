"""What the user chooses about notices."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins import DataDictionary, Dictionary
from scrutable_documents.common.clean import one_text, several
from scrutable_documents.notices.dates import checked_date
from scrutable_documents.notices.lender import Lender, built, read_lender
from scrutable_documents.notices.score import ScoreDisclosure

#: Ending of the file by format.
ENDINGS = {"html": "html", "pdf": "pdf", "docx": "docx", "text": "txt", "json": "json"}

_PAPERS = ("letter", "A4")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, kw_only=True)
class NoticeOptions:
    """Options of the exporter `notices`.

    Parameters
    ----------
    applicants : a frame of applicants, with the features that the model reads and the columns named below.
    lender : who sends the notices: a `Lender`, a mapping, or a TOML file.
    date : of the notices, in ISO form; there is no default, so that the same options give the same bytes.
    formats : one or several of "html", "pdf", "docx", "text", "json".
    id : the column that calls the applicants and names their files; rows are counted if None.
    name : the column of the applicants' names.
    address : the column, or columns, of their addresses.
    score : the disclosure of the score that was used; the lender's if None.
    language : of the reasons, one that the model's reason policy has translations in; its own texts if None.
    templates : a folder whose `notice.html`, `notice.LANGUAGE.html`, `index.html` or `style.css` come before ours.
    paper : "letter" or "A4".
    workers : processes that make PDF and DOCX files.
    dictionary : a data dictionary, whose labels and texts of reasons hold where the model has none of its own.
    draft : whether the notices are drafts, not to be sent: each says so, and texts of reasons may be unfit.

    Raises
    ------
    InputError : something is missing, unknown, or as in `read_lender`.
    """

    applicants: Any = field(repr=False, compare=False)
    lender: Lender | Mapping[str, Any] | str | Path
    date: str
    formats: str | Sequence[str] = ("html",)
    id: str | None = None
    name: str | None = None
    address: str | Sequence[str] | None = None
    score: ScoreDisclosure | Mapping[str, Any] | None = None
    language: str | None = None
    templates: str | Path | None = None
    paper: str = "letter"
    workers: int = 1
    dictionary: Dictionary | None = field(default=None, repr=False, compare=False)
    draft: bool = False

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "lender", read_lender(self.lender))
        settle(self, "dictionary", DataDictionary.given(self.dictionary))
        settle(self, "date", checked_date(self.date, "option date"))
        settle(self, "formats", several(self.formats, "option formats"))
        settle(self, "address", () if self.address is None else several(self.address, "option address"))
        for key in ("id", "name"):
            if getattr(self, key) is not None:
                one_text(getattr(self, key), f"option {key}")
        for name in self.formats:
            if name not in ENDINGS:
                raise InputError("unknown format", where="option formats", got=name, fix=did_you_mean(name, ENDINGS))
        if not self.formats or len(set(self.formats)) < len(self.formats):
            raise InputError("expected formats, each once", where="option formats", got=self.formats)
        if self.paper not in _PAPERS:
            raise InputError("unknown paper", where="option paper", got=self.paper, allowed=" or ".join(_PAPERS))
        if self.language is not None and not _LANGUAGE.fullmatch(self.language):
            raise InputError("not a language", where="option language", got=self.language, fix='for example "de"')
        if type(self.workers) is not int or not 1 <= self.workers <= 64:
            raise InputError("unusable number", where="option workers", got=self.workers, allowed="1 to 64")
        if type(self.draft) is not bool:
            raise InputError("expected true or false", where="option draft", got=self.draft)
        self._settle_score()

    @property
    def sender(self) -> Lender:
        """The lender, with the score disclosure that holds."""
        assert isinstance(self.lender, Lender)
        return self.lender

    def _settle_score(self) -> None:
        if self.score is None:
            return
        kept = built(ScoreDisclosure, self.score, "option score") if isinstance(self.score, Mapping) else self.score
        object.__setattr__(self, "score", kept)
        object.__setattr__(self, "lender", self.sender.disclosing(kept))
