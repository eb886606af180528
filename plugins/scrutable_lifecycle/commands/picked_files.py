"""The folder that a search and a comparison write: the pick, the log, and the frontier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.cli import output_folder
from scrutable.writing import check_targets, json_text
from scrutable_lifecycle.commands.options import FRONTIER, need_matplotlib

if TYPE_CHECKING:
    from scrutable.model import Evidence
    from scrutable_lifecycle.search import SearchResult

_MODEL, _EVIDENCE, _TABLE = "model.json", "evidence.json", "frontier.csv"


def folder_of_pick(output: Path, log: str, inputs: Iterable[Path], *, picture: bool, overwrite: bool) -> Path:
    """The folder, refused now where writing would be refused after the work.

    Parameters
    ----------
    log : name of the file with everything that was compared.
    """
    if picture:
        need_matplotlib(FRONTIER, "give --no-picture")
    folder = output_folder(output)
    names = (_MODEL, _EVIDENCE, log, _TABLE, *([FRONTIER] if picture else []))
    check_targets([folder / name for name in names], inputs=inputs, overwrite=overwrite)
    return folder


def files_of_pick(
    result: SearchResult, evidence: Evidence, frame: Any, log: Mapping[str, Mapping[str, Any]], *, picture: bool
) -> dict[str, str | bytes]:
    """What is written, by its name in the folder.

    Parameters
    ----------
    frame : a row for each candidate.
    log : everything that was compared, by the name of its file.
    """
    from scrutable.model import dumps, dumps_evidence
    from scrutable.writing import csv_text

    contents: dict[str, str | bytes] = {_MODEL: dumps(result.picked.model), _EVIDENCE: dumps_evidence(evidence)}
    contents |= {name: json_text(told) for name, told in log.items()} | {_TABLE: csv_text(frame)}
    if picture:
        from scrutable.plots import render

        contents[FRONTIER] = render(result.plot(), "svg")
    return contents
