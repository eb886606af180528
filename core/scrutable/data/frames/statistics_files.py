"""Files of Stata and SAS: codes stay as they are, their labels and their special missing codes are told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.cells import frame_of
from scrutable.data.frames.labels import Labels
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.settling import settled_kinds
from scrutable.errors import InputError, ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

_READERS = {".dta": "read_dta", ".sas7bdat": "read_sas7bdat", ".xpt": "read_xport"}
_SHOWN = 5


class CodesWarning(ScrutableWarning):
    """A file has labels for codes, or reasons why values are missing, which columns do not hold."""


def read(file: Path, reading: Reading) -> pd.DataFrame:
    """All rows."""
    frame, meta = _parsed(file, reading)
    names = checked_names(frame.columns, f"file {str(file)!r}")
    if not len(frame):
        raise InputError("no rows", where=f"file {str(file)!r}", fix="give a file with at least one row")
    special: set[str] = set()
    columns = []
    for name in names:
        cells = frame[name].astype(object).tolist()
        if codes := frozenset(meta.missing_user_values.get(name, ())):
            special.update(cell for cell in cells if cell in codes)
            cells = [None if cell in codes else cell for cell in cells]
        columns.append(cells)
    _warn(file, special, _labels(meta).codes)
    return settled_kinds(frame_of(names, columns, reading), reading)


def read_names(file: Path, reading: Reading) -> tuple[str, ...]:
    """Column names."""
    frame, _ = _parsed(file, reading, metadataonly=True)
    return checked_names(frame.columns, f"file {str(file)!r}")


def read_labels(file: Path, reading: Reading) -> Labels:
    """The labels of columns and of codes that a file holds."""
    return _labels(_parsed(file, reading, metadataonly=True)[1])


def _labels(meta: Any) -> Labels:
    return Labels(
        {name: label for name, label in meta.column_names_to_labels.items() if label},
        {
            name: {_code(code): str(label) for code, label in labels.items()}
            for name, labels in meta.variable_value_labels.items()
        },
    )


def _code(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _parsed(file: Path, reading: Reading, **more: Any) -> tuple[Any, Any]:
    import pyreadstat

    suffix = file.suffix.lower()
    if suffix != ".xpt":
        more["user_missing"] = True
    try:
        frame, meta = getattr(pyreadstat, _READERS[suffix])(str(file), encoding=reading.encoding, **more)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError, OverflowError) as error:
        raise InputError(
            f"cannot be read as {suffix[1:]}",
            where=f"file {str(file)!r}",
            got=type(error).__name__,
            fix="check that it is complete, name its encoding (--encoding cp1252), or write it again",
        ) from None
    return frame, meta


def _warn(file: Path, special: set[str], codes: Mapping[str, Mapping[str, str]]) -> None:
    if special:
        listed = ", ".join(f".{code}" for code in sorted(special))
        warn_caller(
            f"file {file.name!r}: its special missing codes ({listed}) are read as missing. Fix: none if the reasons "
            "do not matter, else write the codes as a column of their own.",
            CodesWarning,
        )
    if codes:
        names = ", ".join(map(repr, list(codes)[:_SHOWN])) + (", …" if len(codes) > _SHOWN else "")
        warn_caller(
            f"file {file.name!r}: codes of columns have labels ({names}); the codes are read. Fix: none; `scrutable "
            "dictionary` writes the labels down.",
            CodesWarning,
        )
