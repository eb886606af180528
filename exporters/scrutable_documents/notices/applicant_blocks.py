"""Applicants of a file, block by block: what a model reads of them, and what letters say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from scrutable.data import ReadingConfig, read_blocks
from scrutable.data.frames import slices, suffix_of, table_of
from scrutable.model import Model, numbers_of, texts_of
from scrutable.writing import DoubtfulError
from scrutable_documents.notices.batch import counted_ids
from scrutable_documents.notices.guessed import Guessed
from scrutable_documents.notices.names import Stems
from scrutable_documents.notices.options import NoticeOptions
from scrutable_documents.notices.repeats import Repeats
from scrutable_documents.notices.values import Applicants

#: Applicants who are decided on at once.
_ROWS = 8192
Progress = Callable[[Iterable[Any], int], Iterable[Any]]


class Block(NamedTuple):
    """Some applicants, what they and their files are called, and how many come before them."""

    applicants: Applicants
    ids: list[str]
    stems: list[str]
    before: int


class ApplicantBlocks:
    """The applicants of a file, which is gone through twice: what files are called depends on all ids.

    Parameters
    ----------
    told : how a CSV file is written.
    progress : gives the blocks as they come, of about how many there are.

    Raises
    ------
    DoubtfulError, ScrutableError : anything is to be mended, told of or refused, as who reads the whole file does.
    """

    def __init__(
        self, model: Model, options: NoticeOptions, data: Path, told: ReadingConfig, progress: Progress
    ) -> None:
        self._data, self._told, self._progress, self._id = data, told, progress, options.id
        self._guessed = Guessed.of(options.sender.score)
        self._kinds = {"text": texts_of(model), "numbers": [*numbers_of(model), *self._guessed.numbers]}
        named = (options.id, options.name, *(options.address or ()), *self._guessed.texts)
        self._carried = [*dict.fromkeys(name for name in named if name is not None)]
        if not set(self._guessed.numbers).isdisjoint((*self._kinds["text"], *self._carried)):
            raise DoubtfulError("numbers that are texts, too")
        self._stems, self.rows = Stems(), 0
        self._look()

    def __iter__(self) -> Iterator[Block]:
        before = 0
        for arrays in self._blocks(self._kinds, self._carried):
            applicants = Applicants(table_of({name: _as_held(array) for name, array in arrays.items()}))
            ids = self._ids(applicants, before)
            yield Block(applicants, ids, list(map(self._stems.of, ids)), before)
            before += len(ids)
        if before != self.rows:
            raise DoubtfulError("a file that changes while it is read")

    def _blocks(self, kinds: Mapping[str, list[str]], carried: list[str]) -> Iterator[Mapping[str, Any]]:
        told = self._told if self.rows else replace(self._told, ranges={})  # told of once, with all columns
        blocks = read_blocks(
            self._data, told, text=kinds.get("text", ()), numbers=kinds.get("numbers", ()), carried=carried
        )
        return slices(self._progress(blocks, blocks.expected), _ROWS)

    def _look(self) -> None:
        """Go through ids, and through what the whole file tells."""
        as_texts = () if suffix_of(self._data) == ".parquet" else (*self._guessed.numbers, *self._guessed.texts)
        looked_at = [*dict.fromkeys((*([] if self._id is None else [self._id]), *as_texts))]
        repeats = Repeats()
        for arrays in self._blocks(self._first_kind(looked_at), looked_at):
            if as_texts:
                self._guessed.check(arrays)
            if self._id is not None:
                ids = self._ids(Applicants(table_of({self._id: _as_held(arrays[self._id])})), self.rows)
                repeats.look(ids)
                self._stems.look(ids)
            self.rows += len(next(iter(arrays.values())))
        if repeats.any:
            raise DoubtfulError("ids that repeat")
        if self._id is None:
            self._stems.look(counted_ids(range(1, self.rows + 1), self.rows))

    def _first_kind(self, others: list[str]) -> dict[str, list[str]]:
        """One column that the model reads, which says how many rows there are."""
        for kind, names in self._kinds.items():
            for name in names:
                if name not in others:
                    return {kind: [name]}
        raise DoubtfulError("a model that reads no other column")

    def _ids(self, applicants: Applicants, before: int) -> list[str]:
        if self._id is None:
            return counted_ids(range(before + 1, before + applicants.table.n_rows + 1), self.rows)
        ids = [text for text in applicants.texts(self._id, "option id") if text]
        if len(ids) < applicants.table.n_rows:
            raise DoubtfulError("rows without an id")
        return ids


def _as_held(array: Any) -> Any:
    """Texts and whole numbers as a dictionary of texts, doubles as they are."""
    import pyarrow as pa

    if pa.types.is_floating(array.type) or pa.types.is_dictionary(array.type):
        return array
    return array.cast(pa.string()).dictionary_encode()
