"""How commands read data files: options that every command with files has, and what its models know already."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from scrutable.cli.help_panels import Panel
from scrutable.cli.option_groups import Command, with_groups, with_parameters
from scrutable.data.config import ReadingConfig

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table
    from scrutable.model import Model
    from scrutable.plugins.bases import RowSource

READING = Panel("Reading data files")

Encoding = Annotated[
    str | None, READING.option(help="Encoding, such as cp1252; UTF-8 if no byte-order mark says another.")
]
DecimalMark = Annotated[
    str | None, READING.option(metavar=".|,", help="What separates decimals; the other may then separate thousands.")
]
Dates = Annotated[str | None, READING.option(metavar="d/m/Y|m/d/Y", help="Order of dates with their year last.")]
TextColumn = Annotated[
    list[str] | None, READING.option(help="Column to read as text, though it looks like numbers. Repeatable.")
]
NumbersColumn = Annotated[
    list[str] | None,
    READING.option(help="Column to read as numbers, though written with leading zeros, thousands or %. Repeatable."),
]
MissingMarker = Annotated[
    list[str] | None,
    READING.option(help="Text that stands where nothing is known, such as ?. Commas make a list. Repeatable."),
]
Separator = Annotated[
    str | None, READING.option(help="What stands between two values of a CSV file, such as ;. Guessed if not given.")
]
Header = Annotated[
    int | None, READING.option(metavar="LINE", help="Line of the columns' names in a CSV file or sheet, from 1.")
]
Totals = Annotated[
    str | None,
    READING.option(metavar="drop|keep", help="What becomes of a last row that looks like totals; kept if not given."),
]
Sheet = Annotated[str | None, READING.option(help="Sheet of a workbook; the first if not given.")]
Database = Annotated[
    str | None,
    READING.option(
        metavar="URL",
        help="Database that the query of a .sql file is put to, as postgresql://user:$PASSWORD@host/name.",
    ),
]
_OPTIONS: dict[str, Any] = {
    "encoding": Encoding,
    "decimal": DecimalMark,
    "dates": Dates,
    "text": TextColumn,
    "numbers": NumbersColumn,
    "missing": MissingMarker,
    "separator": Separator,
    "header": Header,
    "totals": Totals,
    "sheet": Sheet,
    "database": Database,
}


_NOTHING = ReadingConfig()
_TOLD: ContextVar[ReadingConfig] = ContextVar("told", default=_NOTHING)


def reads_files(command: Command) -> Command:
    """A command with the options of reading, which hold for each data file that it reads.

    A parameter whose type is a dataclass stands for an option for each of its fields.
    """
    grouped = with_groups(command)

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        options = {name: given.pop(name) for name in _OPTIONS}
        options |= {name: tuple(options[name] or ()) for name in ("text", "numbers")}
        markers = [marker.lstrip() for text in options["missing"] or () for marker in text.split(",")]
        options["missing"] = tuple(marker for marker in markers if marker)
        with telling(ReadingConfig(**options)):
            grouped(**given)

    own = inspect.signature(grouped)
    keyword = inspect.Parameter.KEYWORD_ONLY
    further = [inspect.Parameter(name, keyword, default=None, annotation=hint) for name, hint in _OPTIONS.items()]
    reading: Command = with_parameters(with_options, own, [*own.parameters.values(), *further])
    return reading


@contextmanager
def telling(said: ReadingConfig) -> Iterator[None]:
    """What is told of data files in what runs below."""
    token = _TOLD.set(said)
    try:
        yield
    finally:
        _TOLD.reset(token)


def told() -> ReadingConfig:
    """What the options of the running command say."""
    return _TOLD.get()


def read_data(
    path: str | Path, *models: Model, text: Iterable[str] = (), reading: ReadingConfig | None = None
) -> pd.DataFrame:
    """The rows of a file, each column of the kind that models read it as.

    Parameters
    ----------
    models : their categorical columns are read as text, their numeric ones as numbers, however they are written.
    text : further columns to read as they stand in the file, such as ids.
    reading : what is told of the file; what the options of the running command say when None.

    Raises
    ------
    InputError, KindError : a file that cannot be read, or an option that names a column which it lacks.
    """
    from scrutable.data.reading import read_rows

    return read_rows(path, told() if reading is None else reading, **_kinds(models, text))


def read_columns(path: str | Path, model: Model, *, text: Iterable[str] = ()) -> Table | pd.DataFrame:
    """The columns of a file for who needs no frame, and else what `read_data` gives; errors as of it."""
    from scrutable.data.reading import read_columns

    return read_columns(path, told(), **_kinds([model], text))


def opened(engine: str, path: Path, *models: Model, text: Iterable[str] = ()) -> RowSource:
    """The rows that a source reads where they live, by its name and options and by what is told of files.

    Parameters
    ----------
    models, text : as of `read_data`; they matter where files do not say of what kind a column is.

    Raises
    ------
    InputError, PluginError : no such source or place; an option of reading that the source does not have.
    """
    from scrutable.plugins.sources import opened_source

    kinds = _kinds(models, [*text, *told().text])
    kinds["numbers"] |= {*told().numbers}
    reading: dict[str, Any] = {name: getattr(told(), name) for name in _OPTIONS if name not in kinds}
    reading |= {name: sorted(names) for name, names in kinds.items()}
    return opened_source(engine, str(path), **reading)


def _kinds(models: Sequence[Model], text: Iterable[str]) -> dict[str, set[str]]:
    from scrutable.model.contents import numbers_of, texts_of

    return {"text": {*texts_of(*models), *text}, "numbers": set(numbers_of(*models))}
