"""The list of a batch: who was decided on, how, why, and which files there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from scrutable.writing import csv_text
from scrutable_documents.common.clean import cleaned
from scrutable_documents.notices.batch import Decided


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
