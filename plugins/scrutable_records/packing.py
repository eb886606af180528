"""Values as bytes that tell them apart, block by block: what is digested of a record.

A value is `-` where it is missing; else `i` and a whole number of 64 bits, `d` and the bits of a double, or `t`, the
number of its bytes as such a whole number, and a text in UTF-8. Numbers begin with their lowest byte.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.writing import array_numbers
from scrutable_records.fields import DIGEST, FACTS, INPUT, PERSONAL

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_MISSING = b"-"
#: The place of a text that is none.
NO_TEXT = -1


def packed(value: str | int | float | None) -> bytes:
    """One value.

    >>> packed("é"), packed(None), packed(-1)[:2]
    (b't\\x02\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\xc3\\xa9', b'-', b'i\\xff')
    """
    if value is None:
        return _MISSING
    if isinstance(value, str):
        text = value.encode()
        return b"t" + len(text).to_bytes(8, "little") + text
    tag, kind = (b"d", "<f8") if isinstance(value, float) else (b"i", "<i8")
    return tag + np.array(value, dtype=kind).tobytes()


def facts(columns: Mapping[str, Any]) -> pa.Array:
    """The facts of each record, and the digest of what is personal in it.

    Parameters
    ----------
    columns : by name, n values each, as a part has them.

    Returns
    -------
    (n,) binary
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    digests = pc.fill_null(columns["personal_sha256"].cast(pa.binary()), _MISSING)
    return _concatenated([*_pieces([columns[name] for name in FACTS]), digests])


def personal(columns: Mapping[str, Any], inputs: Sequence[str]) -> pa.Array:
    """The salt of each record, what is personal in it, and the names and values of its inputs.

    Parameters
    ----------
    columns : by name, n values each; no salt is missing.
    inputs : names of columns of inputs.

    Returns
    -------
    (n,) binary
    """
    import pyarrow as pa

    names = b"".join(packed(name.removeprefix(INPUT)) for name in inputs)
    between = pa.scalar(packed(len(inputs)) + names, pa.binary())
    persons = _pieces([columns[name] for name in PERSONAL])
    values = _pieces([columns[name] for name in inputs])
    return _concatenated([columns["salt"].cast(pa.binary()), *persons, between, *values])


def sha256_of(texts: pa.Array) -> list[bytes]:
    """The digest of each of n texts of bytes."""
    sha256 = hashlib.sha256
    return [sha256(text).digest() for text in each(texts)]


def each(texts: pa.Array) -> Iterator[bytes]:
    """The values of a binary array, none of them missing."""
    _, ends, held = texts.buffers()
    places = np.frombuffer(ends, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1].tolist()
    content = b"" if held is None else held.to_pybytes()
    return (content[start:end] for start, end in itertools.pairwise(places))


def of_fixed_size(values: Sequence[bytes | None], size: int = DIGEST) -> pa.Array:
    """Values of so many bytes each, some perhaps missing, as an array of that type."""
    import pyarrow as pa

    return pa.array(values, pa.binary(size))


def places_of(encoded: Any) -> NDArray[np.int64]:
    """(n,) the place of each text in the dictionary of an array, `NO_TEXT` where it is none."""
    import pyarrow as pa

    return array_numbers(encoded.indices.cast(pa.int64()), NO_TEXT)


def matrix(array: pa.Array) -> NDArray[np.uint8]:
    """(n, size) the bytes of an array of values of fixed size; 0 where one is missing."""
    size = array.type.byte_width
    held = np.frombuffer(array.buffers()[1], dtype=np.uint8)
    rows = held.reshape(-1, size)[array.offset : array.offset + len(array)]
    if not array.null_count:
        return rows
    return np.where(_known(array)[:, None], rows, np.uint8(0))


def _concatenated(pieces: Sequence[Any]) -> pa.Array:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*pieces, b"")


def _pieces(arrays: Sequence[Any]) -> list[Any]:
    """Arrays packed, numbers that stand side by side and are all known in one piece."""
    import pyarrow as pa

    pieces: list[Any] = []
    numbers: list[Any] = []
    for array in (*arrays, None):
        if array is not None and not array.null_count and _is_number(array):
            numbers.append(array)
            continue
        if numbers:
            pieces.append(_packed_numbers(numbers))
            numbers = []
        if array is not None:
            pieces.append(pa.scalar(_MISSING, pa.binary()) if array.null_count == len(array) else _packed(array))
    return pieces


def _is_number(array: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_int64(array.type) or pa.types.is_float64(array.type))


def _packed(array: Any) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if _is_number(array):
        filled = pc.if_else(array.is_valid(), _packed_numbers([pc.fill_null(array, 0)]), _MISSING)
        return filled
    if pa.types.is_dictionary(array.type):
        levels = pa.array([packed(text) for text in array.dictionary.to_pylist()], pa.binary())
        return pc.fill_null(levels.take(array.indices), _MISSING)
    lengths = pc.fill_null(pc.binary_length(array).cast(pa.int64()), 0)
    heads = _packed_numbers([lengths], tag=b"t")
    return pc.fill_null(pc.binary_join_element_wise(heads, array.cast(pa.binary()), b""), _MISSING)


def _packed_numbers(arrays: Sequence[Any], tag: bytes | None = None) -> pa.Array:
    import pyarrow as pa

    n_rows, width = len(arrays[0]), 9 * len(arrays)
    held = np.empty((n_rows, len(arrays), 9), dtype=np.uint8)
    for place, array in enumerate(arrays):
        values = np.ascontiguousarray(array_numbers(array, 0))
        held[:, place, 0] = ord(tag or (b"d" if values.dtype == np.float64 else b"i"))
        held[:, place, 1:] = values.astype(values.dtype.newbyteorder("<"), copy=False).view(np.uint8).reshape(n_rows, 8)
    return pa.Array.from_buffers(pa.binary(width), n_rows, [None, pa.py_buffer(held)]).cast(pa.binary())


def _known(array: Any) -> NDArray[np.bool_]:
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], dtype=np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(bool)
