"""Notices that were made: their files, and the index of everybody: who was decided on, how, why, and which files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scrutable.data.frames import FrameKind, like
from scrutable.plugins.bases import Export
from scrutable.writing import csv_text
from scrutable_documents.common.clean import cleaned
from scrutable_documents.notices.batch import Decided


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MadeNotices:
    """The notices of a batch of applicants.

    Parameters
    ----------
    export : the model and all files by name, the index among them.
    listed : an entry for each applicant: row, id, decision, codes, files.
    notices : how many notices there are.
    kind : of the frame that `frame` gives.
    """

    export: Export
    listed: tuple[dict[str, Any], ...]
    notices: int
    kind: FrameKind

    @property
    def applicants(self) -> int:
        """Number of applicants."""
        return len(self.listed)

    def frame(self) -> Any:
        """The index: a row for each applicant, with the codes of the reasons and the names of the files."""
        return like(rows_of(self.listed), self.kind)

    def to_dict(self) -> dict[str, int]:
        """Plain values for JSON."""
        return {"applicants": self.applicants, "notices": self.notices}

    def __repr__(self) -> str:
        files = len(self.export.files)
        return f"MadeNotices({self.notices:,} of {self.applicants:,} applicants, {files:,} files)"


def entries(decided: Sequence[Decided], files: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """An entry for each applicant: row, id, decision, codes, files."""
    return [
        {
            "row": each.row,
            "id": cleaned(each.id),
            "decision": "approved" if each.approved else "declined",
            "codes": list(each.codes),
            "files": list(names),
        }
        for each, names in zip(decided, files, strict=True)
    ]


def rows_of(listed: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The entries as a table, in which codes and files are texts."""
    rows = [{**entry, "codes": " ".join(entry["codes"]), "files": " ".join(entry["files"])} for entry in listed]
    return pd.DataFrame(rows)


def index_csv(listed: Sequence[dict[str, Any]]) -> str:
    """The entries as CSV, without a text that a spreadsheet takes for a formula."""
    return csv_text(rows_of(listed))
