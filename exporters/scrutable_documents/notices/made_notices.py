"""Notices that were made: their files, and the list of everybody who was decided on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable.data.frames import FrameKind, like
from scrutable.plugins.bases import Export
from scrutable_documents.notices.index import rows_of


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
