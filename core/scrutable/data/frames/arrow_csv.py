"""Large CSV files block by block through Arrow's reader, as long as nothing in them is to be mended or told of."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scrutable.data.frames.csvfile import guessed, read_names
from scrutable.data.frames.encodings import open_text
from scrutable.data.frames.headers import NUMBER
from scrutable.data.frames.marks import GROUPED, WHOLE
from scrutable.data.frames.missing_words import undeclared_words
from scrutable.data.frames.numerals import COMMA_SEPARATORS
from scrutable.data.frames.reading import MISSING, Reading
from scrutable.data.frames.thousands import SAMPLED, SEVERAL
from scrutable.data.frames.totals import Sums, is_word_for_totals
from scrutable.writing.arrow_arrays import array_numbers, texts_array
from scrutable.writing.csv_blocks import DoubtfulError

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["text", "numbers", "carried"]
_Read = Kind | Literal["whole"]
Arrays = dict[str, "pa.Array"]

#: Characters that are read at once.
_BLOCK = 2**22
_BLANKS = (" ", "\t")


class CsvBlocks:
    """The rows of a CSV file, some columns alone, each cell with the meaning that `read_file` gives it.

    Parameters
    ----------
    reading : what is told of the file.
    kinds : of the columns that are asked for: `text`, `numbers`, or `carried`, text that is mostly different.

    Raises
    ------
    DoubtfulError : when it is made or gone through; InputError for a header that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = path.write_text("age,job\\n41,cook\\nNA,none\\n")
    >>> blocks = CsvBlocks(path, Reading(), {"age": "numbers", "job": "text"})
    >>> [(block["age"].to_pylist(), block["job"].to_pylist()) for block in blocks]
    [([41.0, None], ['cook', 'none'])]
    """

    def __init__(self, file: Path, reading: Reading, kinds: Mapping[str, Kind]) -> None:
        self._file, self._kinds = file, kinds
        with _doubting():
            self._separator, self._reading = guessed(file, reading)
            self.names = read_names(file, replace(reading, separator=self._separator))
            self._check()

    @property
    def expected(self) -> int:
        """About how many blocks there are."""
        return -(-os.path.getsize(self._file) // _BLOCK)

    def __iter__(self) -> Iterator[Arrays]:
        kinds: dict[str, _Read] = {**self._kinds, **dict.fromkeys(self._without_marks(), "whole")}
        marks = [self._reading.decimal or "."]
        if self._reading.decimal is None and self._separator in COMMA_SEPARATORS:
            marks.append(",")
        for mark in marks:
            blocks = self._blocks(mark, kinds)
            try:
                first = next(blocks, None)
            except DoubtfulError:
                if mark == marks[-1]:
                    raise
                continue
            if first is None:
                raise DoubtfulError("no rows")
            yield first
            yield from blocks
            return

    def has_missing_words(self, name: str) -> bool:
        """Whether a word that nobody declared, such as NA, stands in a column of texts; the file is read once more."""
        words = undeclared_words(self._reading)
        with _doubting(), open_text(self._file, self._reading.encoding) as handle:
            handle.readline()
            batches = self._batches(_Lines(handle), self._reading.decimal or ".", {name: "text"}, missing=[])
            levels = (level for batch in batches for level in batch.column(name).dictionary.to_pylist())
            return any(level.lstrip(" ") in words for level in levels)

    def _check(self) -> None:
        """Find what concerns the whole file before its rows are read."""
        told = self._reading
        if not self._kinds.keys() <= set(self.names):
            raise DoubtfulError("no such columns")
        with open_text(self._file, told.encoding) as handle:
            line = handle.readline()
            header = next(csv.reader([line], delimiter=self._separator, skipinitialspace=True))
        if told.header is not None or tuple(name.strip() for name in header) != self.names or self._separator == " ":
            raise DoubtfulError("the header is not the first line")
        if len(self.names) == 1 or any(NUMBER.fullmatch(name) for name in self.names):
            raise DoubtfulError("blank lines may be values, or the header may be data")
        if told.dates is not None or any(map(_is_number, told.missing)):
            raise DoubtfulError("texts are rewritten, or numbers are missing values")

    def _without_marks(self) -> list[str]:
        """Columns of whole numbers, by the first rows, in which a later point or comma may separate thousands.

        Columns in which one may do so in the first rows, where whole reading looks, are doubtful.
        """
        if self._reading.decimal is not None:
            return []
        with _doubting(), open_text(self._file, self._reading.encoding) as handle:
            rows = list(islice(csv.reader(handle, delimiter=self._separator, skipinitialspace=True), 1 + SAMPLED))
        missing, commas, whole = self._missing, self._separator in COMMA_SEPARATORS, []
        for place, name in enumerate(self.names):
            if self._kinds.get(name) == "numbers":
                texts = [row[place] for row in rows[1:] if len(row) > place and row[place] not in missing]
                if _in_groups(texts, 0 if commas else SEVERAL):
                    raise DoubtfulError(f"thousands in {name}")
                if commas and all(re.fullmatch(WHOLE, text) for text in texts):
                    whole.append(name)
        return whole

    @property
    def _missing(self) -> frozenset[str]:
        return self._reading.missing.union(MISSING)

    def _blocks(self, mark: str, kinds: Mapping[str, _Read]) -> Iterator[Arrays]:
        with _doubting(), open_text(self._file, self._reading.encoding) as handle:
            handle.readline()
            lines, sums = _Lines(handle), Sums()
            for batch in self._batches(lines, mark, kinds, self._missing):
                block = {name: self._checked(name, batch.column(name), lines.quoted) for name in self._kinds}
                for name in block:
                    if self._kinds[name] == "numbers":
                        sums.add(name, array_numbers(block[name], 0.0))
                yield block
            if lines.quotes % 2:
                raise DoubtfulError("a quote without its other one")
            last = next(csv.reader([lines.last], delimiter=self._separator), [])
            if self._reading.totals != "keep" and (sums.names or is_word_for_totals(last)):
                raise DoubtfulError("a last row of totals")

    def _batches(self, lines: _Lines, mark: str, kinds: Mapping[str, _Read], missing: Collection[str]) -> Any:
        """Arrow's batches of some columns; what is read as missing is null."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        types = {
            "text": pa.dictionary(pa.int32(), pa.string()),
            "numbers": pa.float64(),
            "whole": pa.int64(),
            "carried": pa.string(),
        }
        return arrow.open_csv(
            pa.PythonFile(lines, mode="rb"),
            read_options=arrow.ReadOptions(block_size=4 * _BLOCK, use_threads=False, column_names=self.names),
            parse_options=arrow.ParseOptions(delimiter=self._separator, newlines_in_values=True),
            convert_options=arrow.ConvertOptions(
                column_types={name: types[kind] for name, kind in kinds.items()},
                include_columns=list(kinds),
                null_values=sorted(missing),
                strings_can_be_null=True,
                decimal_point=mark,
            ),
        )

    def _checked(self, name: str, array: Any, quoted: bool) -> Any:
        """A column of a block, in which every value means what it would mean in the file as a whole."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self._kinds[name] == "numbers":
            array = array.cast(pa.float64())
            values = array_numbers(array, np.nan)
            if not np.isfinite(values).sum() == len(array) - array.null_count:
                raise DoubtfulError(f"numbers without bounds in {name}")
        elif self._kinds[name] == "carried":
            if any(pc.any(pc.starts_with(array, blank)).as_py() for blank in _BLANKS):
                raise DoubtfulError(f"blanks in {name}")
        else:
            levels = array.dictionary.to_pylist()
            if name in levels:
                raise DoubtfulError("a row like the header")
            if any(level.startswith(_BLANKS) for level in levels):
                return self._without_blanks(name, array, levels, quoted)
        return array

    def _without_blanks(self, name: str, array: Any, levels: Collection[str], quoted: bool) -> Any:
        """Texts without the blanks after separators, of a file in which none of these is quoted."""
        import pyarrow.compute as pc

        bare = [level.lstrip(" ") for level in levels]
        if quoted or any(level.startswith(_BLANKS) for level in bare):
            raise DoubtfulError(f"blanks in {name}")
        known = [None if level in self._missing else level for level in bare]
        return pc.take(texts_array(known), array.indices).dictionary_encode()


class _Lines:
    """Whole lines of a text as bytes in UTF-8, as Arrow asks for them; what any reader may take otherwise is doubtful.

    Parameters
    ----------
    handle : the text, below its header.
    """

    closed = False

    def __init__(self, handle: Any) -> None:
        self._handle, self._rest = handle, memoryview(b"")
        self.quotes = 0
        self.last = ""

    @property
    def quoted(self) -> bool:
        """Whether any quote was read."""
        return self.quotes > 0

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        if not self._rest:
            self._rest = memoryview(self._next())
        part, self._rest = self._rest[:size], self._rest[size:]
        return bytes(part)

    def close(self) -> None:
        """Arrow's end of reading; who opened the file closes it."""
        self.closed = True

    def readable(self) -> bool:
        """What Arrow asks of a file."""
        return True

    def _next(self) -> bytes:
        text: str = self._handle.read(_BLOCK)
        text += self._handle.readline()
        self.last = text[text.rstrip().rfind("\n") + 1 :] or self.last
        if "\0" in text or ("\r" in text and text.count("\r") != text.count("\r\n")):
            raise DoubtfulError("line ends or characters that readers take for several things")
        quotes = text.count('"')
        if quotes and (' "' in text or '\t"' in text):
            raise DoubtfulError("blanks before quotes")
        self.quotes += quotes
        return text.encode()


@contextmanager
def _doubting() -> Iterator[None]:
    """What cannot be read as doubtful: the reader of whole files says what is wrong with it."""
    try:
        yield
    except (OSError, EOFError, ValueError, csv.Error) as error:  # Arrow's and those of encodings are values'
        raise DoubtfulError(str(error)) from error


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _in_groups(texts: Iterable[str], several: int) -> bool:
    """Whether all are such as 1.234, as many different ones as are told of, or have no mark."""
    grouped, whole = set(), False
    for text in texts:
        if re.fullmatch(GROUPED, text):
            grouped.add(text)
        elif re.fullmatch(WHOLE, text):
            whole = True
        else:
            return False
    return len(grouped) >= max(several, 1) and (whole or not several)
