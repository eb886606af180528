"""What was found in a points table, and what had to be assumed to make a model of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

FindingKind = Literal["gap", "overlap", "assumption", "note"]
_TITLES: dict[FindingKind, str] = {"gap": "Gaps", "overlap": "Overlaps", "assumption": "Assumptions", "note": "Notes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the table left open, said twice, or that is worth knowing.

    Parameters
    ----------
    where : the characteristic or the part of the model; empty for the table as a whole.
    what : a sentence without its full stop, with what was done about it.
    rows : the table's rows it is about, from 1.
    """

    kind: FindingKind
    what: str
    where: str = ""
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """How a points table became a model.

    Parameters
    ----------
    layout : the layout that was read.
    fingerprint : SHA-256 of the file or frame.
    rows, characteristics, attributes : how many there were in the table, and are in the model.
    negated : whether the model's points are the table's with the sign changed, as more points were worse.
    decimals : of the points, 0 for whole ones; None where they are not rounded.
    largest_difference : no score can differ from the sum of the table's points by more; 0 where none can.
    findings : gaps, overlaps, assumptions and notes.
    """

    layout: str
    fingerprint: str
    rows: int
    characteristics: int
    attributes: int
    negated: bool
    decimals: int | None
    largest_difference: float
    findings: tuple[Finding, ...]

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "layout": self.layout,
            "fingerprint": self.fingerprint,
            "rows": self.rows,
            "characteristics": self.characteristics,
            "attributes": self.attributes,
            "negated": self.negated,
            "decimals": self.decimals,
            "largest_difference": self.largest_difference,
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
                where=", ".join(each.where for each in its),
                rows=tuple(row for each in its for row in each.rows),
            )
            for (kind, what), its in places.items()
        )

    def describe(self) -> str:
        """The report for people."""
        found = self.grouped()
        lines = [self.summary]
        for kind, title in _TITLES.items():
            its = [each for each in found if each.kind == kind]
            lines += [title, *(f"  {said(each)}" for each in its)] if its else []
        return "\n".join(lines)

    @property
    def summary(self) -> str:
        """The layout and the counts in one line."""
        counts = f"{self.rows} rows, {self.characteristics} characteristics, {self.attributes} attributes"
        return f"Layout {self.layout}: {counts}"


def said(finding: Finding) -> str:
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
