"""Applicants of a file to draw from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.errors import ScrutableError

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table
    from scrutable.model import Model


def drawn_applicants(
    model: Model, data: Path, most: int, seed: int, say: Callable[[str], None]
) -> pd.DataFrame | Table:
    """Rows to draw from or, of a large file in which nothing is doubtful, rows that were drawn from it.

    Parameters
    ----------
    most, seed : how many rows are drawn at most, and the seed of the draw.
    say : is told how far the reading is.
    """
    from scrutable.cli.reading import read_data, told
    from scrutable.data.frames.plain_csv import is_small

    if is_small(data):
        return read_data(data, model)
    from scrutable.data.frames.sampling import sampled
    from scrutable.data.reading import read_blocks
    from scrutable.model.contents import numbers_of, texts_of
    from scrutable.writing.csv_blocks import DoubtfulError

    try:
        blocks = read_blocks(data, told(), text=texts_of(model), numbers=numbers_of(model))
        return sampled(blocks, most, seed, partial(_saying, say, f"Reading {data}"))
    except (ScrutableError, DoubtfulError):
        return read_data(data, model)


def _saying(say: Callable[[str], None], what: str, blocks: Iterable[Any], expected: int) -> Iterator[Any]:
    for number, block in enumerate(blocks, 1):
        say(f"{what}: block {number:,} of {max(number, expected):,}")
        yield block
