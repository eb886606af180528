"""Recorded columns beside those that a model gives now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import Column, table_of
from scrutable.writing import array_numbers
from scrutable_records.packing import NO_TEXT, places_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What stands for a text that the other side does not have at all.
_FOREIGN = -2


def read_columns(
    columns: Mapping[str, Any], wanted: Sequence[tuple[str, str]], prefix: str
) -> dict[str, Column] | None:
    """The columns that a model reads, by name; None where one is not there, or is of another kind.

    Parameters
    ----------
    columns : recorded ones, by name.
    wanted : names and kinds.
    prefix : how the names of recorded inputs begin.
    """
    read = {}
    for name, kind in wanted:
        array = columns.get(prefix + name)
        if array is None or _kind(array) != kind:
            return None
        read[name] = table_of({name: array.dictionary_encode() if kind == "categorical" else array}).column(name)
    return read


def unequal(recorded: Any, anew: Any) -> NDArray[np.bool_] | None:
    """(n,) rows in which two columns differ, to the bit; None where none does."""
    import pyarrow as pa

    if recorded.null_count == anew.null_count == len(anew):
        return None
    if pa.types.is_string(recorded.type) or pa.types.is_dictionary(recorded.type):
        mine, other = recorded.dictionary_encode(), anew.dictionary_encode()
        known = {text: place for place, text in enumerate(mine.dictionary.to_pylist())}
        lookup = np.array([known.get(text, _FOREIGN) for text in other.dictionary.to_pylist()] + [NO_TEXT])
        differ = places_of(mine) != lookup[places_of(other)]
    else:
        bits = [array_numbers(each, 0).view(np.int64) for each in (recorded, anew)]
        both = np.asarray(recorded.is_valid()) != np.asarray(anew.is_valid())
        differ = both | (bits[0] != bits[1])
    return differ if differ.any() else None


def left_out(columns: Mapping[str, Any]) -> NDArray[np.bool_]:
    """(n,) approved rows that were recorded without reasons, as an engine gives them that explains declines alone.

    Examples
    --------
    >>> import pyarrow as pa
    >>> left_out({"decision": pa.array([1, 1, 0]), "reasons": pa.array(["[]", '["R1"]', "[]"])}).tolist()
    [True, False, False]
    """
    import pyarrow.compute as pc

    approved = pc.equal(columns["decision"], 1)
    return np.asarray(pc.fill_null(pc.and_(approved, pc.equal(columns["reasons"], "[]")), False), dtype=bool)


def _kind(array: Any) -> str:
    import pyarrow as pa

    return "numeric" if pa.types.is_float64(array.type) else "categorical"
