"""The command `scrutable`.

`hooked` makes groups of what plugins offer by the hook `scrutable_commands`, of which `own_commands` has the core's,
each a module of `commands` that is imported when it runs. `options` and `grouping` are what commands share of their
options, `reading` and `tables` how they read files, `folders` and `pages` where they write to, `guard` and `output` how
errors, notes and results are said, `ending` how a command ends that is stopped.
"""

from __future__ import annotations

import atexit
import gc
import io
import sys
from typing import TYPE_CHECKING, TextIO, cast

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.cli.card import scorecard_table, size_of_rules
    from scrutable.cli.drawing import drawn_applicants
    from scrutable.cli.explanations import explanation_group
    from scrutable.cli.features import parse_features
    from scrutable.cli.folders import output_folder
    from scrutable.cli.known_columns import known, missing_column, reads_data, with_must, with_special_codes
    from scrutable.cli.learner_evidence import about_characteristics, about_learning
    from scrutable.cli.login import login_name
    from scrutable.cli.option_groups import with_groups
    from scrutable.cli.output import (
        WIDTH,
        console,
        emit,
        emit_json,
        emit_json_lines,
        heading,
        note,
        remark,
        say_weighted,
        table,
        tracked,
        working,
    )
    from scrutable.cli.pages import page_targets
    from scrutable.cli.pictures import check_outputs, picture_content, picture_format
    from scrutable.cli.protected_options import FORM, check_reference, parse_probabilities, parse_references
    from scrutable.cli.reading import read_data, told
    from scrutable.cli.table_names import refuse_dotted, table_name
    from scrutable.cli.tables import read_evidence, read_model, read_model_and_data
    from scrutable.cli.terminal import Terminal, line, lines

__all__ = [
    "FORM",
    "WIDTH",
    "Terminal",
    "about_characteristics",
    "about_learning",
    "check_outputs",
    "check_reference",
    "console",
    "drawn_applicants",
    "emit",
    "emit_json",
    "emit_json_lines",
    "explanation_group",
    "heading",
    "known",
    "line",
    "lines",
    "login_name",
    "missing_column",
    "note",
    "output_folder",
    "page_targets",
    "parse_features",
    "parse_probabilities",
    "parse_references",
    "picture_content",
    "picture_format",
    "read_data",
    "read_evidence",
    "read_model",
    "read_model_and_data",
    "reads_data",
    "refuse_dotted",
    "remark",
    "say_weighted",
    "scorecard_table",
    "size_of_rules",
    "table",
    "table_name",
    "told",
    "tracked",
    "with_groups",
    "with_must",
    "with_special_codes",
    "working",
]

__getattr__ = lazily(__name__)

#: Objects more than at the last search for garbage that lead to another; the imports of a command make about as many.
_SELDOM = 100_000


def main() -> None:
    """Run the command line; the entry point of the installed command.

    Reports never fail on a terminal that lacks a character, and nothing in them steers it: such characters are shown
    escaped. Data are written as bytes in UTF-8.
    """
    from scrutable.cli.ending import orderly

    orderly(_run)


def _run() -> None:
    """Run the application; what it imports is seldom searched for garbage, of which there is none; its end is not."""
    usual = gc.get_threshold()
    gc.set_threshold(_SELDOM)
    atexit.register(_spare_the_last_search)
    try:
        _start()
    finally:
        gc.set_threshold(*usual)


def _spare_the_last_search() -> None:
    """Let Python end without a last search for garbage, but for a library that reports what is left then as leaks."""
    if "_duckdb" not in sys.modules:
        gc.freeze()


def _start() -> None:
    from scrutable.cli.app import app
    from scrutable.cli.terminal import Shown

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout = sys.stdout and cast(TextIO, Shown(_buffered(sys.stdout)))
    sys.stderr = sys.stderr and cast(TextIO, Shown(sys.stderr))
    app()


def _buffered(stream: TextIO) -> TextIO:
    """The stream behind a buffer: with PYTHONUNBUFFERED there is none, and what the system did not take is lost."""
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=True)
