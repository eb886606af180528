"""Models, their evidence and tables of applicants, read from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.data.frames.formats import suffix_of
from scrutable.errors import InputError
from scrutable.model import Evidence, Model, fingerprint, load, load_evidence

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table


def read_model(path: Path) -> Model:
    """The model of a file.

    Raises
    ------
    ModelError, InputError : a file that is not there, holds data or something else, or breaks the rules of models.
    """
    if suffix_of(path) is not None:
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
    """The model, and the rows as of `read_frame`; errors as of both."""
    model = read_model(model_path)
    return model, read_frame(model, data_path, identifier)


def read_frame(model: Model, path: Path, identifier: str | None) -> pd.DataFrame:
    """The rows of a file with categorical columns and the id as text, as they stand in the file.

    Raises
    ------
    InputError, KindError : a file that cannot be read, or an id that is no column.
    """
    from scrutable.cli.reading import read_data

    frame = read_data(path, model, text=_named(identifier))
    _check(model, frame, identifier, path)
    return frame


def read_applicants(model: Model, path: Path, identifier: str | None) -> Table | pd.DataFrame:
    """What a model reads of a file, as a frame only where that takes one; errors as above."""
    from scrutable.cli.reading import read_columns

    columns = read_columns(path, model, text=_named(identifier))
    _check(model, columns, identifier, path)
    return columns


def _named(identifier: str | None) -> list[str]:
    return [] if identifier is None else [identifier]


def _check(model: Model, rows: Table | pd.DataFrame, identifier: str | None, path: Path) -> None:
    """Refuse an id that is no column, and tell of columns that the model can do nothing with."""
    from scrutable.cli.categories import Strangers
    from scrutable.data.frames.names import known_column

    if identifier is not None:
        known_column(identifier, map(str, rows), f"--id, file {str(path)!r}")
    strangers = Strangers(model)
    strangers.look(rows)
    strangers.tell()
