"""Values that columns may not have, as a data dictionary says: how many rows of a file or a frame have one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from scrutable.data.config import ReadingConfig
from scrutable.data.frames.blocks import Blocks, SeenBlocks
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.arrow_arrays import array_numbers
from scrutable.writing.decimals import number
from scrutable.writing.shortlist import shortlist

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.array_checks import Floats
    from scrutable.data.frames.arrow_csv import Arrays


class OutOfRangeWarning(ScrutableWarning):
    """Rows have values that a column may not have."""


class RangeWatch:
    """Counts of rows outside what columns of numbers may hold; missing values and special codes are not outside.

    Parameters
    ----------
    told : ranges and special codes by column.
    numbers : the columns that are looked at.
    where : how the data are called.

    Examples
    --------
    >>> import warnings
    >>> import pandas as pd
    >>> told = ReadingConfig(ranges={"age": (18, 75)}, special={"age": [-9]})
    >>> watch = RangeWatch(told, ["age"], "file 'new.csv'")
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     watch.look(pd.DataFrame({"age": [17, 30, -9, None, 99]}))
    ...     watch.tell()
    >>> print(heard[0].message)
    file 'new.csv': values outside the allowed range: 'age' in 2 of 5 rows (18 to 75)...
    """

    def __init__(self, told: ReadingConfig, numbers: Iterable[str], where: str) -> None:
        watched = set(numbers)
        self._ranges = {name: each for name, each in told.ranges.items() if name in watched}
        self._special, self._where = told.special, where
        self._outside, self._rows = dict.fromkeys(self._ranges, 0), 0

    def look(self, frame: pd.DataFrame) -> None:
        """Look at the rows of a frame."""
        import pandas as pd

        def values(name: str) -> Floats:
            return np.asarray(pd.to_numeric(frame[name], errors="coerce"), dtype=float)

        self._count(map(str, frame.columns), values, len(frame))

    def blocks(self, blocks: Blocks) -> Blocks:
        """The blocks of a file, which are looked at as they come, and told of after the last one."""

        def look(block: Arrays) -> None:
            self._count(block, lambda name: array_numbers(block[name], np.nan), len(next(iter(block.values()))))

        return SeenBlocks(blocks, look, self.tell)

    def tell(self) -> None:
        """Warn of the columns with such rows, with their number, which is then forgotten."""
        outside = {name: count for name, count in self._outside.items() if count}
        if outside:
            said = [
                f"{name!r} in {count:,} of {self._rows:,} rows ({_ends(self._ranges[name])})"
                for name, count in sorted(outside.items(), key=lambda item: -item[1])
            ]
            warn_caller(
                f"{self._where}: values outside the allowed range: {shortlist(said)}. Fix: correct the rows, or "
                "the range in the data dictionary.",
                OutOfRangeWarning,
            )
        self._outside, self._rows = dict.fromkeys(self._ranges, 0), 0

    def _count(self, names: Iterable[str], values: Callable[[str], Floats], n_rows: int) -> None:
        there = set(names)
        self._rows += n_rows
        for name, (low, high) in self._ranges.items():
            if name in there:
                given = values(name)
                codes = [code for code in self._special.get(name, ()) if isinstance(code, int | float)]
                outside = ((given < low) | (given > high)) & ~np.isin(given, codes)
                self._outside[name] += int(outside.sum())


def _ends(ends: tuple[float, float]) -> str:
    return f"{number(ends[0])} to {number(ends[1])}"
