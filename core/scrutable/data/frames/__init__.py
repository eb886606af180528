"""Reading of frames and files into columns of doubles and of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.frames.column import Column
    from scrutable.data.frames.convert import as_table
    from scrutable.data.frames.files import read_file
    from scrutable.data.frames.names import known_column
    from scrutable.data.frames.same_kind import PANDAS, FrameKind, kind_of, like, rows_like
    from scrutable.data.frames.table import Table, select

__all__ = [
    "PANDAS",
    "Column",
    "FrameKind",
    "Table",
    "as_table",
    "kind_of",
    "known_column",
    "like",
    "read_file",
    "rows_like",
    "select",
]

__getattr__ = lazily(__name__)
