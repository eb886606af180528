"""NumPy's arrays and texts as arrays of Arrow; its own way of making them imports pandas, which takes long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def numbers_array(values: NDArray[Any], known: NDArray[np.bool_] | None = None) -> pa.Array:
    """Numbers, those that are not known as null.

    >>> numbers_array(np.array([1.5, 2.0]), np.array([True, False])).to_pylist()
    [1.5, None]
    """
    import pyarrow as pa

    held = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [_bits(known), held])


def truths_array(values: NDArray[np.bool_]) -> pa.BooleanArray:
    """Truth values.

    >>> truths_array(np.array([True, False])).to_pylist()
    [True, False]
    """
    import pyarrow as pa

    return pa.Array.from_buffers(pa.bool_(), len(values), [None, _bits(values)])


def texts_array(values: Iterable[str | None]) -> pa.StringArray:
    """Texts, None as null.

    >>> texts_array(["cook", None]).to_pylist()
    ['cook', None]
    """
    import pyarrow as pa

    texts = list(values)
    encoded = [b"" if text is None else text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    known = np.array([text is not None for text in texts], dtype=bool)
    return pa.Array.from_buffers(
        pa.string(), len(texts), [_bits(known), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    )


def array_numbers(array: pa.Array, unknown: float) -> NDArray[Any]:
    """The numbers of an array, with another where they are null.

    >>> import pyarrow as pa
    >>> array_numbers(pa.array([1.5, None]), np.nan).tolist()
    [1.5, nan]
    """
    known, held = array.buffers()
    rows = slice(array.offset, array.offset + len(array))
    values = np.frombuffer(held, dtype=array.type.to_pandas_dtype())[rows]
    if not array.null_count:
        return values
    there = np.unpackbits(np.frombuffer(known, dtype=np.uint8), bitorder="little")[rows]
    return np.where(there, values, np.array(unknown, dtype=values.dtype))


def _bits(known: NDArray[np.bool_] | None) -> pa.Buffer | None:
    import pyarrow as pa

    return None if known is None else pa.py_buffer(np.packbits(known, bitorder="little"))
