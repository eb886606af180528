"""Importers: a file of other software as a model, with a report of what the file leaves open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from scrutable.model import Model

FindingKind = Literal["gap", "overlap", "assumption", "note"]
_TITLES: dict[FindingKind, str] = {"gap": "Gaps", "overlap": "Overlaps", "assumption": "Assumptions", "note": "Notes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the file left open, said twice, or that is worth knowing.

    Parameters
    ----------
    where : the characteristic or the part of the model; empty for the file as a whole.
    what : a sentence without its full stop, with what was done about it.
    rows : the rows of the file that it is about, from 1.
    """

    kind: FindingKind
    what: str
    where: str = ""
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """How a file became a model.

    Parameters
    ----------
    layout : the importer that read it.
    fingerprint : SHA-256 of the file.
    findings : gaps, overlaps, assumptions and notes.

    Examples
    --------
    >>> note = Finding(kind="note", where="cutoff", what="stands in the file", rows=(3,))
    >>> print(ImportReport(layout="tiny", fingerprint="", findings=(note,)).describe())
    Layout tiny
    Notes
      cutoff: stands in the file (row 3)
    """

    layout: str
    fingerprint: str
    findings: tuple[Finding, ...]

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def counts(self) -> dict[str, Any]:
        """What else is told of the file, as plain values for JSON; nothing by default."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "layout": self.layout,
            "fingerprint": self.fingerprint,
            **self.counts(),
            "findings": [
                {"kind": each.kind, "where": each.where, "what": each.what, "rows": list(each.rows)}
                for each in self.findings
            ],
        }

    def grouped(self) -> tuple[Finding, ...]:
        """The findings, gaps first, with those that differ only in where they are put together."""
        places: dict[tuple[FindingKind, str], list[Finding]] = {}
        for each in sorted(self.findings, key=lambda each: list(_TITLES).index(each.kind)):
            places.setdefault((each.kind, each.what), []).append(each)
        return tuple(
            Finding(
                kind=kind,
                what=what,
                where=", ".join(each.where for each in alike),
                rows=tuple(row for each in alike for row in each.rows),
            )
            for (kind, what), alike in places.items()
        )

    def describe(self) -> str:
        """The report for people."""
        grouped = self.grouped()
        lines = [self.summary]
        for kind, title in _TITLES.items():
            alike = [each for each in grouped if each.kind == kind]
            lines += [title, *(f"  {_said(each)}" for each in alike)] if alike else []
        return "\n".join(lines)

    @property
    def summary(self) -> str:
        """What was read, in one line."""
        return f"Layout {self.layout}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Imported:
    """A model that was imported, and the report on it."""

    model: Model
    report: ImportReport

    def frame(self) -> Any:
        """A row for each finding of the report, gaps first: kind, where, what, and the rows of the file."""
        from scrutable.data.frames.same_kind import rows_like

        return rows_like(map(asdict, self.report.grouped()))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"report": self.report.to_dict()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, {len(self.report.findings)} findings)"


class Importer(ABC):
    """Reads files of other software as models, exactly or not at all.

    Options are the constructor's keyword arguments; an importer keeps no state between calls. `scrutable import` hands
    over those of its own options that the constructor takes, among them `outcome`, `cutoff`, `base_points` and
    `scaling`, and refuses others that the user gives.
    """

    @abstractmethod
    def recognises(self, source: Path) -> bool:
        """Whether a file is one that it reads, by its name or by what stands in it.

        It is asked where the user does not say which importer to use. A file that cannot be read is none.
        """

    @abstractmethod
    def read(self, source: Path) -> Imported:
        """The model of a file: for every applicant the score that the file gives, or no model.

        Raises
        ------
        InputError : the file cannot be read, or says something that a model cannot reproduce exactly.
        """


def _said(finding: Finding) -> str:
    """A finding as a sentence."""
    where = f"{finding.where}: " if finding.where else ""
    return f"{where}{finding.what}{rows_said(finding.rows)}"


def rows_said(rows: Iterable[int]) -> str:
    """The rows in brackets, or nothing.

    >>> rows_said([3, 4])
    ' (rows 3, 4)'
    """
    listed = ", ".join(map(str, rows))
    return f" (row{'s' if ',' in listed else ''} {listed})" if listed else ""
