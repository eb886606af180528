"""What every source is held to: all rows each time, each value as it is, however the rows are shared out."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data import Source
from scrutable.data.frames import Table, as_table
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Make = Callable[["pa.Table"], Source]

#: Enough rows for several batches.
_MANY = 300_001
#: By which rows are known again, whatever their order.
_ROW = "row"
_NUMBERS = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), None, 5e-324, -2.2e-308, 1.7976931348623157e308, 0.1)
_WHOLE = (2**53 + 1, 2**63 - 1, -(2**63), None, -1, 0)
#: Texts that some engines take for one another, for nothing, or for numbers.
_TEXTS = (
    *("cook", "Cook", "cook ", " cook", "", " ", "\t", None, "NULL", "nan", "None", "0", "-0", "1.0", "ß", "ss"),
    *("caf\u00e9", "cafe\u0301", "\U0001f9d1\u200d\U0001f373", "a'b", 'a"b', "a\\b", "a\nb", "%", "x" * 5000),
)


def check_source(make: Make, without: Collection[str] = ()) -> None:
    """Make sources of tables, and hold them to what every source promises.

    All rows come each time, each once, while another reading is under way or was given up, and whichever columns are
    asked for in whatever order; a column is of one kind in all batches; numbers come as the doubles that the core makes
    of them, to the last bit, and texts code point by code point; what is not there, or is neither, is refused.

    Parameters
    ----------
    make : makes a source of a table.
    without : columns that the source has no kind for: among "double", "float", "whole", "unsigned", "flag", "decimal",
        "long decimal", "text", "category", "no number", "no text".

    Raises
    ------
    AssertionError : it is not so.
    """
    odd = _odd().drop_columns([*without])
    _holds(make(odd), odd)
    many = _many()
    source = make(many)
    _holds(source, many)
    _choose_columns(source, many)
    _reads_at_once(source, many)
    _holds(make(many.slice(7, 1)), many.slice(7, 1))
    _holds(make(many.slice(0, 0)), many.slice(0, 0))
    _refuses(make)


def _odd() -> pa.Table:
    """Rows of what is hard to read."""
    import pyarrow as pa

    rows = len(_NUMBERS) * len(_TEXTS)

    def over(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
        return pa.array([values[at % len(values)] for at in range(rows)], kind)

    short = [Decimal("0.10"), Decimal("-12345678901.23"), None]
    long = [Decimal("9007199254740993.1"), Decimal("-12345678901234567890123.4"), None]
    columns = {
        "double": over(_NUMBERS, pa.float64()),
        "float": over([0.1, None, -0.0, float("inf")], pa.float32()),
        "whole": over(_WHOLE, pa.int64()),
        "unsigned": over([2**64 - 1, 2**53 + 1, None], pa.uint64()),
        "flag": over([True, False, None], pa.bool_()),
        "decimal": over(short, pa.decimal128(15, 2)),
        "long decimal": over(long, pa.decimal128(38, 1)),
        "text": over(_TEXTS, pa.string()),
        "category": over(_TEXTS, pa.string()).dictionary_encode(),
        "no number": pa.nulls(rows, pa.float64()),
        "no text": pa.nulls(rows, pa.string()),
        'a "name" of 100 %': over([1.0], pa.float64()),
    }
    return pa.table({_ROW: np.arange(rows), **columns})


def _many() -> pa.Table:
    """Many rows, of which no text stands in the first half."""
    import pyarrow as pa

    draw = np.random.default_rng(0)
    amount = np.where(draw.random(_MANY) < 0.1, np.nan, draw.normal(size=_MANY))
    texts = pa.array(["owns", "rents", None, "lodges"]).take(pa.array(np.arange(_MANY) % 4))
    late = pa.array(np.arange(_MANY) > _MANY / 2)
    return pa.table(
        {
            _ROW: np.arange(_MANY),
            "amount": pa.array(amount, mask=draw.random(_MANY) < 0.1),
            "home": texts,
            "late": pa.compute.if_else(late, texts, None),
            "late number": pa.compute.if_else(late, pa.array(amount), None),
        }
    )


def _holds(source: Source, rows: pa.Table) -> None:
    assert source.names == tuple(rows.column_names), f"columns {source.names} of {rows.column_names}"
    for time in ("first", "second"):
        _are(source.batches(source.names), rows, source.names, f"the {time} reading of {rows.num_rows} rows")


def _choose_columns(source: Source, rows: pa.Table) -> None:
    for names in ([_ROW, "home"], ["home", "late", _ROW], [*source.names][::-1]):
        _are(source.batches(names), rows, names, f"a reading of the columns {names}")


def _reads_at_once(source: Source, rows: pa.Table) -> None:
    names = [_ROW, "home"]
    alternately = [*zip_longest(source.batches(names), source.batches(names[::-1]))]
    for reading in zip(*alternately, strict=True):
        batches = [batch for batch in reading if batch is not None]
        _are(batches, rows, names, "one of two readings at once")
    given_up = source.batches(names)
    next(given_up, None)
    _are(source.batches(names), rows, names, "a reading after one that was left unfinished")
    getattr(given_up, "close", lambda: None)()


def _are(batches: Iterable[Table], rows: pa.Table, names: Sequence[str], what: str) -> None:
    """That batches hold the rows, each once."""
    read: dict[str, list[Any]] = {name: [] for name in names}
    kinds: dict[str, set[str]] = {name: set() for name in names}
    for batch in batches:
        assert set(names) <= set(batch.names), f"{what} has the columns {batch.names}"
        for name in names:
            column = batch.column(name)
            assert len(column.values) == batch.n_rows, f"{what}: {name!r} has {len(column.values)} values in a batch"
            read[name].append(column.values)
            kinds[name].add(column.kind)
    n_rows = sum(map(len, read[_ROW]))
    assert n_rows == rows.num_rows, f"{what} has {n_rows} rows"
    if not n_rows:
        return
    wanted = {name: _kind(rows, name) for name in names}
    for name, kind in wanted.items():
        assert kinds[name] == {kind}, f"{what}: {name!r} is {' and '.join(sorted(kinds[name]))} in place of {kind}"
    expected = as_table(rows)
    order = np.argsort(np.concatenate(read[_ROW]), kind="stable")
    for name, kind in wanted.items():
        got = np.concatenate(read[name])[order]
        differing = np.flatnonzero(_bits(got) != _bits(_filled(expected.column(name).values, kind)))
        assert not len(differing), f"{what}: {name!r} has {got[differing[0]]!r} in row {differing[0]}"


def _kind(rows: pa.Table, name: str) -> str:
    import pyarrow as pa

    kind = rows.schema.field(name).type
    return "categorical" if pa.types.is_string(kind) or pa.types.is_dictionary(kind) else "numeric"


def _filled(values: Any, kind: str) -> Any:
    """Values of which the core says that they are of no kind, as those of a kind."""
    return np.array([np.nan if value is None else value for value in values]) if kind == "numeric" else values


def _bits(values: Any) -> Any:
    """What tells values apart: texts themselves, and the bits of numbers, of which those that are none are alike."""
    if values.dtype == object:
        return values
    return np.where(np.isnan(values), np.nan, values).astype(np.float64).view(np.int64)


def _refuses(make: Make) -> None:
    import pyarrow as pa

    source = make(pa.table({_ROW: [1.0, 2.0], "day": [datetime.date(2024, 2, 29), None]}))
    for name, what in (("no such", "a column that there is not"), ("day", "a column of dates")):
        try:
            for batch in source.batches([name]):
                batch.column(name)
        except InputError:
            continue
        raise AssertionError(f"{what} is read")
    _are(source.batches([_ROW]), pa.table({_ROW: [1.0, 2.0]}), [_ROW], "a reading beside a column of dates")
