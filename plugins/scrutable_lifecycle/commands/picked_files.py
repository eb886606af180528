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

_MODEL, _EVIDENCE = "model.json", "evidence.json"
#: The table and the picture by whether groups are compared.
_SHOWN = {True: ("frontier.csv", FRONTIER), False: ("models.csv", "roc.svg")}


def folder_of_pick(
    output: Path, log: str, inputs: Iterable[Path], *, picture: bool, overwrite: bool, by_groups: bool = True
) -> Path:
    """The folder, refused now where writing would be refused after the work.

    Parameters
    ----------
    log : name of the file with everything that was compared.
    by_groups : whether groups are compared.
    """
    shown, drawn = _SHOWN[by_groups]
    if picture:
        need_matplotlib(drawn, "give --no-picture")
    folder = output_folder(output)
    names = (_MODEL, _EVIDENCE, log, shown, *([drawn] if picture else []))
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
    contents |= {name: json_text(told) for name, told in log.items()} | {table_of(result): csv_text(frame)}
    if picture:
        from scrutable.plots import render

        contents[_SHOWN[result.settings.by_groups][1]] = render(result.plot(), "svg")
    return contents


def table_of(result: SearchResult) -> str:
    """The name of the file with a row for each candidate."""
    return _SHOWN[result.settings.by_groups][0]
