"""Rows drawn from a file that is read block by block: those that a frame of the whole file would give."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from scrutable.data.frames.arrow_csv import Arrays
from scrutable.data.frames.blocks import Blocks, table_of
from scrutable.data.frames.table import Table
from scrutable.writing.csv_blocks import DoubtfulError

Progress = Callable[[Iterable[Any], int], Iterable[Any]]


def sampled(blocks: Blocks, most: int, seed: int, progress: Progress = lambda blocks, _: blocks) -> Table:
    """At most so many rows of a file, drawn without replacement as pandas does; all, in their order, if it has no more.

    The file is gone through twice, since how many rows it has says which ones are drawn.

    Parameters
    ----------
    progress : gives the blocks as they come, of about how many there are.

    Raises
    ------
    DoubtfulError : as of the blocks.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> from scrutable.data.frames.blocks import blocks_of
    >>> from scrutable.data.frames.reading import Reading
    >>> path, frame = Path(tempfile.mkdtemp(), "loans.csv"), pd.DataFrame({"age": range(50), "job": "cook"})
    >>> frame.to_csv(path, index=False)
    >>> drawn = sampled(blocks_of(path, Reading(), {"age": "numbers"}), most=3, seed=1)
    >>> drawn.column("age").values.tolist() == frame.sample(3, random_state=1)["age"].tolist()
    True
    """
    import pyarrow as pa

    n_rows = sum(map(_length, progress(blocks, blocks.expected)))
    if n_rows <= most:
        order = drawn = np.arange(n_rows)
    else:
        order = np.random.RandomState(seed).choice(n_rows, size=most, replace=False)
        drawn = np.sort(order)
    parts, start = [], 0
    for block in progress(blocks, blocks.expected):
        end = start + _length(block)
        own = drawn[np.searchsorted(drawn, start) : np.searchsorted(drawn, end)] - start
        parts.append(pa.table({name: array.take(pa.array(own)) for name, array in block.items()}))
        start = end
    if start != n_rows:
        raise DoubtfulError("a file that changes while it is read")
    whole = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    places = pa.array(np.searchsorted(drawn, order))
    arrays = {name: whole.column(name).combine_chunks().take(places) for name in whole.column_names}
    return table_of(arrays)


def _length(block: Arrays) -> int:
    return len(next(iter(block.values())))
