"""A notice in every format: the page of HTML is the source, and PDF, DOCX and text follow it."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.plugins import spread
from scrutable_documents.common.docx import to_docx
from scrutable_documents.common.environment import environment, pieces, rendered
from scrutable_documents.common.pdf import Typeset, typeset
from scrutable_documents.common.text import to_text
from scrutable_documents.notices.dates import written_date
from scrutable_documents.notices.notice import Notice
from scrutable_documents.notices.options import ENDINGS, NoticeOptions

#: Notices that a process is started for.
_ENOUGH = 8

#: Objects made between two searches for garbage.
_GARBAGE = 50_000

_TITLE = "Notice of action taken"

Contents = Mapping[str, str | bytes | Typeset]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """A notice to be made: its page, its data as JSON, and the options that formats need."""

    page: str
    data: str
    formats: tuple[str, ...]
    paper: str


class Pages:
    """The templates of one batch."""

    def __init__(self, options: NoticeOptions) -> None:
        self._options = options
        self._templates = environment("scrutable_documents.notices", templates=options.templates)
        self._templates.filters["written_date"] = written_date

    def notice(self, notice: Notice) -> str:
        """A notice as a page of HTML.

        Raises
        ------
        InputError : the template cannot be filled.
        """
        values = {"notice": notice, "paper": self._options.paper, "named": self._options.id is not None}
        usual = "notice.html"
        first = f"notice.{notice.language}.html" if notice.language else usual
        return rendered(self._templates, first, values, usual)

    def index(self, entries: Sequence[Mapping[str, Any]], notices: int) -> Iterator[str]:
        """The list of all applicants, so many of them with a notice, as a page of HTML, piece by piece.

        Raises
        ------
        InputError : the template cannot be filled.
        """
        options = self._options
        values = {
            "entries": entries,
            "notices": notices,
            "date": options.date,
            "lender": options.sender.name,
            "draft": options.draft,
        }
        return pieces(self._templates, "index.html", values)

    def contents(self, notices: Iterable[Notice], most: int) -> Iterator[Contents]:
        """The content of each notice by format, one after another; a process has enough to do, or is not started.

        Parameters
        ----------
        most : how many notices there are at most.
        """
        worth_it = {"pdf", "docx"} & set(self._options.formats)
        workers = min(self._options.workers, most // _ENOUGH) if worth_it else 1
        return spread(_made, map(self._task, notices), workers=workers, prepare=_settle)

    def _task(self, notice: Notice) -> _Task:
        formats = tuple(self._options.formats)
        data = json.dumps(notice.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) if "json" in formats else ""
        return _Task(page=self.notice(notice), data=data, formats=formats, paper=self._options.paper)


def files_of(stem: str, contents: Contents) -> dict[str, str | bytes]:
    """The files of a notice, by their names."""
    return {name_of(stem, kind): made.pdf if isinstance(made, Typeset) else made for kind, made in contents.items()}


def name_of(stem: str, kind: str) -> str:
    """The name of a notice's file in a format."""
    return f"{stem}.{ENDINGS[kind]}"


def missing_letters(contents: Contents) -> str:
    """Letters of a notice that no font has."""
    return "".join("".join(each.missing) for each in contents.values() if isinstance(each, Typeset))


def _settle() -> None:
    """Let a process look for garbage less often: pages leave little of it, and there are many."""
    gc.freeze()
    gc.set_threshold(_GARBAGE)


def _made(task: _Task) -> Contents:
    return {name: _content(name, task) for name in task.formats}


def _content(name: str, task: _Task) -> str | bytes | Typeset:
    if name == "pdf":
        return typeset(task.page)
    if name == "docx":
        return to_docx(task.page, title=_TITLE, paper=task.paper)
    if name == "text":
        return to_text(task.page)
    return f"{task.data}\n" if name == "json" else task.page
