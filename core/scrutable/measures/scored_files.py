"""Files of applicants scored block by block, into a file, in memory that does not grow with their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.config import ReadingConfig
from scrutable.data.frames.blocks import Blocks, slices, table_of
from scrutable.data.reading import read_blocks
from scrutable.errors import ScrutableError
from scrutable.model import Model
from scrutable.model.contents import numbers_of, texts_of
from scrutable.model.evaluator.outputs import kind_of
from scrutable.model.evaluator.programs import program_of
from scrutable.model.evaluator.results import coded_results
from scrutable.model.program import Texts
from scrutable.model.program.reference import Listed
from scrutable.writing.arrow_arrays import numbers_array, texts_array
from scrutable.writing.csv_blocks import CsvRows, DoubtfulError
from scrutable.writing.files import written_whole
from scrutable.writing.parquet_blocks import ParquetRows

if TYPE_CHECKING:
    import pyarrow as pa

    from scrutable.data.frames import Table

#: Rows that are scored at once.
_ROWS = 131_072
#: How the names of results begin that say why.
_WHY = ("reason_", "short_")
_NOTHING = ReadingConfig()
Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredFile:
    """How many rows were scored, and how many of them approved; None of a model that does not decide so."""

    rows: int
    approved: int | None

    def to_dict(self) -> dict[str, int | None]:
        """Plain values for JSON."""
        return {"rows": self.rows, "approved": self.approved}


def score_file(
    model: Model,
    data: Path,
    output: Path,
    *,
    told: ReadingConfig = _NOTHING,
    identifier: str | None = None,
    points: bool = False,
    reasons: bool = False,
    overwrite: bool = False,
    seen: Callable[[Table], None] = lambda _: None,
    progress: Progress = lambda blocks, _: blocks,
) -> ScoredFile | None:
    """Write what `score` gives of a file's rows to a .csv or .parquet file, block by block.

    Parameters
    ----------
    told : how a CSV file is written.
    seen : is given the rows of each block.
    progress : gives the blocks as they come, of about how many there are.

    Returns
    -------
    None, with nothing written, where anything is to be mended, told of or refused: `score` does that.

    Raises
    ------
    InputError : the output exists already, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> folder = Path(tempfile.mkdtemp())
    >>> rows = folder / "applicants.csv"
    >>> _ = rows.write_text("amount,job,age,region\\n1.0,x,10,1\\n9.0,cook,40,1\\n")
    >>> score_file(models_named()["scorecard"], rows, folder / "scores.csv")
    ScoredFile(rows=2, approved=1)
    """
    names = results_asked(model, points=points, reasons=reasons)
    missing = (reasons and not any(map(says_why, names))) or (points and not any(map(is_points, names)))
    if missing or identifier in names:
        return None
    try:
        carried = [] if identifier is None else [identifier]
        blocks = read_blocks(data, told, text=texts_of(model), numbers=numbers_of(model), carried=carried)
        rows_of = CsvRows if output.suffix == ".csv" else ParquetRows
        with written_whole(output, overwrite=overwrite) as handle, rows_of(handle) as rows:
            return _written(model, blocks, identifier, names, rows, seen, progress)
    except (ScrutableError, DoubtfulError):
        return None


def results_asked(model: Model, *, points: bool = False, reasons: bool = False) -> list[str]:
    """Names of what a model says of each row: score, probability and decision, and points and reasons if asked for.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> results_asked(models_named()["scorecard"])
    ['score', 'probability', 'approved', 'knock_out']
    """
    there = program_of(model).results
    return [name for name in there if (points or not is_points(name)) and (reasons or not says_why(name))]


def is_points(name: str) -> bool:
    """Whether a result is the points of a characteristic."""
    return name.startswith("points_")


def says_why(name: str) -> bool:
    """Whether a result is a reason, or the rules that apply."""
    return name == "rules" or name.startswith(_WHY)


def _written(
    model: Model,
    blocks: Blocks,
    identifier: str | None,
    names: list[str],
    written: CsvRows | ParquetRows,
    seen: Callable[[Table], None],
    progress: Progress,
) -> ScoredFile:
    rows = approved = in_all = 0
    for block in slices(progress(blocks, blocks.expected), _ROWS):
        table = table_of(block)
        seen(table)
        in_all = in_all or table.n_rows * blocks.expected
        values = coded_results(model, table, names, in_all=in_all)
        rows += table.n_rows
        approved += int(np.sum(values["approved"])) if "approved" in values else 0
        carried = {} if identifier is None else {identifier: block[identifier]}
        written.write({**carried, **{name: _array(name, values[name]) for name in names}})
    return ScoredFile(rows=rows, approved=approved if "approved" in names else None)


def _array(name: str, values: Any) -> pa.Array:
    """A result as Arrow has it, NaN as null; texts and points as dictionaries, whose places are not read row by row."""
    import pyarrow as pa

    if not isinstance(values, Texts | Listed):
        return _numbers(values.astype(kind_of(name), copy=False))
    if isinstance(values, Listed):
        return pa.DictionaryArray.from_arrays(numbers_array(values.places), numbers_array(np.array(values.table)))
    known = np.array([text is not None for text in values.table])  # Parquet takes no null in a dictionary
    places = numbers_array(values.places, None if known.all() else known[values.places])
    return pa.DictionaryArray.from_arrays(places, texts_array(text or "" for text in values.table))


def _numbers(values: Any) -> pa.Array:
    unknown = np.isnan(values)
    return numbers_array(values, ~unknown if unknown.any() else None)
