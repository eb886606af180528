"""Texts and files: written whole or not at all, and steering nothing that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.writing.arrow_arrays import array_numbers, numbers_array, texts_array
    from scrutable.writing.csv_blocks import CsvRows, DoubtfulError
    from scrutable.writing.decimals import amount, amounts, decimal, decimals_apart, in_digits, number, points_in_words
    from scrutable.writing.decoder import from_json, read_json, read_toml
    from scrutable.writing.facades import lazily
    from scrutable.writing.files import (
        AnyPath,
        NewFiles,
        check_target,
        check_targets,
        json_text,
        make_folder,
        read_text,
        write_all,
        write_whole,
        written_together,
        written_whole,
    )
    from scrutable.writing.locks import locked
    from scrutable.writing.notebook_progress import told_in_notebooks, tracked_in_notebooks
    from scrutable.writing.notebooks import NotebookTable, ShownInNotebooks
    from scrutable.writing.parquet_blocks import ParquetRows
    from scrutable.writing.plain_values import plain, plain_fields
    from scrutable.writing.row_files import changed_texts, check_row_file, row_file
    from scrutable.writing.spreadsheet import csv_text, reads_as_formula
    from scrutable.writing.templating import document_templates
    from scrutable.writing.temporary import complete, temporary_folder
    from scrutable.writing.toml import toml_key, toml_value
    from scrutable.writing.visible_text import escaped_in_json, javascript, visible

__all__ = [
    "AnyPath",
    "CsvRows",
    "DoubtfulError",
    "NewFiles",
    "NotebookTable",
    "ParquetRows",
    "ShownInNotebooks",
    "amount",
    "amounts",
    "array_numbers",
    "changed_texts",
    "check_row_file",
    "check_target",
    "check_targets",
    "complete",
    "csv_text",
    "decimal",
    "decimals_apart",
    "document_templates",
    "escaped_in_json",
    "from_json",
    "in_digits",
    "javascript",
    "json_text",
    "lazily",
    "locked",
    "make_folder",
    "number",
    "numbers_array",
    "plain",
    "plain_fields",
    "points_in_words",
    "read_json",
    "read_text",
    "read_toml",
    "reads_as_formula",
    "row_file",
    "temporary_folder",
    "texts_array",
    "told_in_notebooks",
    "toml_key",
    "toml_value",
    "tracked_in_notebooks",
    "visible",
    "write_all",
    "write_whole",
    "written_together",
    "written_whole",
]

__getattr__ = lazily(__name__)
