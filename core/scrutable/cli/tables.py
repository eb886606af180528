"""Tables of applicants and of results: read for a model, and written as CSV or JSON."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scrutable.errors import InputError
from scrutable.model import Evidence, Model, fingerprint, load, load_evidence

if TYPE_CHECKING:
    import pandas as pd

#: A spreadsheet takes a text that begins with one of these for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

_DATA = (".csv", ".csv.gz", ".tsv", ".parquet")


def read_model(path: Path) -> Model:
    """The model of a file.

    Raises
    ------
    ModelError, InputError : a file that is not there, holds data or something else, or breaks the rules of models.
    """
    if path.name.lower().endswith(_DATA):
        fix = "name the model first, for example scrutable score model.json applicants.csv"
        raise InputError("a file of data where a model is expected", where=f"file {str(path)!r}", fix=fix)
    return load(path)


def read_evidence(path: Path, model: Model) -> Evidence:
    """The evidence of a file, which must be about this model.

    Raises
    ------
    ModelError, InputError : a file that cannot be read, or is about another model.
    """
    evidence = load_evidence(path)
    if evidence.model_sha256 != fingerprint(model):
        raise InputError(
            "the evidence is about another model",
            where=f"file {str(path)!r}",
            got=evidence.model_sha256,
            allowed=fingerprint(model),
            fix="give the evidence that was written with this model",
        )
    return evidence


def read_model_and_data(model_path: Path, data_path: Path, identifier: str | None) -> tuple[Model, pd.DataFrame]:
    """The model, and the rows with categorical columns and the id as text, as they stand in the file.

    Raises
    ------
    ModelError, InputError : a file that cannot be read, or an id that is no column.
    """
    from scrutable.frames import read_file
    from scrutable.frames.names import known_column

    model = read_model(model_path)
    text = [feature.name for feature in model.features if feature.kind == "categorical"]
    frame = read_file(data_path, text=[*text, *([identifier] if identifier is not None else [])])
    if identifier is not None:
        known_column(identifier, frame.columns, f"--id, file {str(data_path)!r}")
    return model, frame


def harmless(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula: a single quote is put before one that begins like a formula.

    >>> harmless("=1+1"), harmless("A-17"), harmless(-3.5)
    ("'=1+1", 'A-17', -3.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as CSV: doubles with every digit, missing values empty, no text that reads as a formula."""
    safe = frame.copy()
    for name in _text_columns(safe):
        safe[name] = safe[name].map(harmless, na_action="ignore")
    safe = safe.rename(columns=harmless)
    # Before Python 3.13 a lone carriage return is not quoted, and a reader would take it for the end of a row.
    returns = any("\r" in str(value) for value in (*safe.columns, *_texts(safe)))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    return safe.to_csv(index=False, lineterminator="\n", quoting=quoting)


def records(frame: pd.DataFrame) -> Iterable[dict[str, Any]]:
    """Rows as plain values for JSON; missing is None."""
    columns = {name: _plain(frame[name]) for name in frame.columns}
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def _text_columns(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if frame[name].dtype.kind not in "biuf"]


def _texts(frame: pd.DataFrame) -> Iterable[object]:
    return itertools.chain.from_iterable(frame[name] for name in _text_columns(frame))


def _plain(column: pd.Series) -> list[Any]:
    missing = column.isna().tolist()
    kept = (int, float, str, bool)
    return [
        None if gone else value if isinstance(value, kept) else str(value)
        for value, gone in zip(column.tolist(), missing, strict=True)
    ]
