"""What the user chooses about the document of reason codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins import check_options

FORMATS = ("html", "pdf", "json", "csv")

#: How the options are given, in Python and on the command line.
APPLICANTS, GROUPS = "applicants= (--option applicants=FILE)", "groups= (--option groups=COLUMN,COLUMN)"


@dataclass(frozen=True, kw_only=True)
class ReasonDocumentOptions:
    """Options of the exporter `reason-document`.

    Parameters
    ----------
    applicants : applicants, the declined among them, to count shares and codes on: a frame, or the path of a CSV or
        Parquet file.
    groups : protected attributes of the same rows: names of columns of `applicants`, also in one text with commas
        between them, a frame, or `Groups`.
    language : of the texts in the tables, one that the reason policy has translations in; its own texts if None. The
        list of codes has the texts in every language.
    title, date : texts for the head of the document. No date is taken from the clock.
    format : one or several of "html", "pdf", "json", "csv", also in one text with commas between them.

    Raises
    ------
    InputError : an unknown format, groups without applicants.
    """

    applicants: Any = field(default=None, repr=False, compare=False)
    groups: Any = field(default=None, repr=False, compare=False)
    language: str | None = None
    title: str = ""
    date: str = ""
    format: str | Sequence[str] = "html"

    def __post_init__(self) -> None:
        check_options(self)
        for name in self.formats:
            if name not in FORMATS:
                raise InputError("unknown format", where="option format", got=name, fix=did_you_mean(name, FORMATS))
        if not self.formats or len(set(self.formats)) < len(self.formats):
            raise InputError("expected formats, each once", where="option format", got=self.format)
        if self.groups is not None and self.applicants is None:
            raise InputError(
                "there are no rows that the groups belong to", where="option groups", fix="give applicants, too"
            )

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats asked for."""
        return names_of(self.format)


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names that were given one by one, or in one text with commas between them.

    >>> names_of("html, pdf"), names_of(["html"])
    (('html', 'pdf'), ('html',))
    """
    return tuple(name.strip() for name in given.split(",")) if isinstance(given, str) else tuple(given)
