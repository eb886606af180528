"""Reading of frames and files into columns of doubles and of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.frames.blocks import slices, table_of
    from scrutable.data.frames.column import Coded, Column, unusable
    from scrutable.data.frames.convert import as_table
    from scrutable.data.frames.files import read_file, read_header
    from scrutable.data.frames.formats import suffix_of
    from scrutable.data.frames.lookalikes import unlike_numbers
    from scrutable.data.frames.names import checked_names, known_column
    from scrutable.data.frames.plain_csv import are_numbers, is_small
    from scrutable.data.frames.same_kind import PANDAS, FrameKind, kind_of, like, rows_like
    from scrutable.data.frames.table import Table, select

__all__ = [
    "PANDAS",
    "Coded",
    "Column",
    "FrameKind",
    "Table",
    "are_numbers",
    "as_table",
    "checked_names",
    "is_small",
    "kind_of",
    "known_column",
    "like",
    "read_file",
    "read_header",
    "rows_like",
    "select",
    "slices",
    "suffix_of",
    "table_of",
    "unlike_numbers",
    "unusable",
]

__getattr__ = lazily(__name__)
