"""LibreOffice without a window: it opens workbooks, computes every formula anew, and writes a sheet as CSV."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scrutable.errors import PluginError
from scrutable.writing import temporary_folder

_PROGRAMS = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")

#: Separator comma, quote ", UTF-8, from the first line; texts quoted, numbers as they are; the sheet's number follows.
_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,"
_SECONDS = 1800

#: Compute formulas when a file is opened, whatever results it holds; English numbers.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop></item>
</oor:items>
"""


def program() -> str:
    """Path of LibreOffice.

    Raises
    ------
    PluginError : it is not installed.
    """
    path = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if path is None:
        raise PluginError(
            "LibreOffice is not installed",
            where="exporter 'excel'",
            got="no soffice on the path",
            fix="install LibreOffice Calc, for example apt-get install libreoffice-calc-nogui",
        )
    return path


def version() -> str:
    """For example "LibreOffice 7.4.7.2"."""
    told = subprocess.run([program(), "--version"], capture_output=True, text=True, check=False, timeout=_SECONDS)
    return " ".join(told.stdout.split()[:2])


def recalculate(books: Sequence[bytes], sheet: int, name: str) -> list[list[list[str]]]:
    """The cells of a sheet of each workbook, after all of it was computed.

    Parameters
    ----------
    books : workbooks as xlsx; one start of LibreOffice opens all of them.
    sheet, name : number of the sheet, from 1, and its name.

    Raises
    ------
    PluginError : LibreOffice is not there, or did not open a workbook.
    """
    soffice = program()
    with temporary_folder() as home:
        (home / "profile" / "user").mkdir(parents=True)
        (home / "profile" / "user" / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")
        files = [home / f"book{number}.xlsx" for number in range(len(books))]
        for file, content in zip(files, books, strict=True):
            file.write_bytes(content)
        options = [f"-env:UserInstallation={(home / 'profile').as_uri()}", "--headless", "--norestore"]
        convert = ["--convert-to", f"{_CSV}{sheet}", "--outdir", str(home), *map(str, files)]
        _start([soffice, *options, *convert])
        return [_cells(file.with_name(f"{file.stem}-{name}.csv")) for file in files]


def _start(command: list[str]) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS, env=environment)
    except (subprocess.SubprocessError, OSError) as error:
        raise PluginError("LibreOffice stopped with an error", where="exporter 'excel'", got=str(error)) from None


def _cells(file: Path) -> list[list[str]]:
    if not file.exists():
        raise PluginError("LibreOffice did not compute the workbook", where="exporter 'excel'", got=file.name)
    with open(file, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))
