"""The archive: a folder of Parquet files to which decisions are added, and never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrutable.data import ReadingConfig, read_blocks, read_names, read_rows
from scrutable.data.frames import Table, as_table, is_small, rows_like, slices, table_of
from scrutable.errors import InputError, ScrutableError
from scrutable.model import Model, fingerprint, numbers_of, texts_of
from scrutable.writing import AnyPath, DoubtfulError
from scrutable_records.chain import Head
from scrutable_records.decided import DECISION, Decider
from scrutable_records.looking_up import erased_among, ids_there
from scrutable_records.manifest import held_manifest, read_manifest
from scrutable_records.parts import Block, write_parts
from scrutable_records.said import BY_MODEL, Said, amendments, decisions
from scrutable_records.texts import with_time_as_text

#: Rows that are written at once.
ROWS = 131_072
_NOTHING = Said()
_PLAIN = ReadingConfig()
Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Appended:
    """The numbers of the first and the last record that were added, and the head of the archive from now on.

    Parameters
    ----------
    known_ids : how many of the ids of a file other records had already: it may have been added twice. None where no
        file with ids was added.
    """

    first: int
    head: Head
    known_ids: int | None = None

    def to_dict(self) -> dict[str, int | str | None]:
        """Plain values for JSON."""
        return {
            "first": self.first,
            "last": self.head.record,
            "known_ids": self.known_ids,
            "head": str(self.head),
        }

    def frame(self) -> Any:
        """One row: the first and the last record, how many ids were there, and the head."""
        return rows_like([self.to_dict()])


class Archive:
    """An archive of decisions, in a folder.

    A record holds the inputs as the model reads them, to the bit, the fingerprint of the model, and what was decided.
    Records are numbered from 1, and each has the digest of itself and of the one before.

    Parameters
    ----------
    folder : of the archive; it is made with the first record.

    Examples
    --------
    >>> import tempfile
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> archive = Archive(Path(tempfile.mkdtemp(), "decisions"))
    >>> X = {"age": [19.0, 40.0], "income": [1000.0, None], "loan": ["L1", "L2"]}
    >>> archive.append(models_named()["stumps"], X, Said(id="loan")).first
    1
    >>> archive.head.record
    2
    """

    def __init__(self, folder: AnyPath) -> None:
        self.folder = Path(folder)

    @property
    def head(self) -> Head:
        """The number and the digest of the last record; kept elsewhere, it tells later whether any was taken away.

        Raises
        ------
        InputError : the folder is no archive.
        """
        return read_manifest(self.folder).head

    def append(self, model: Model, X: Any, said: Said = _NOTHING) -> Appended:
        """Add a record of each row.

        Parameters
        ----------
        model : that decides, or did.
        X : a frame (pandas, polars, pyarrow), a dict of columns or a `Table`, n rows.
        said : the columns that are no inputs, such as ids and times.

        Raises
        ------
        InputError : a column is not there, or a text cannot be held exactly.
        KindError : a column is of another kind than the model reads.
        """
        return self._add(_blocks(model, X, said))

    def append_file(
        self,
        model: Model,
        data: Path,
        said: Said = _NOTHING,
        *,
        told: ReadingConfig = _PLAIN,
        progress: Progress = lambda blocks, _: blocks,
    ) -> Appended:
        """Add a record of each row of a data file; a large one is read block by block.

        Ids that are there already are counted. They are no error: what was decided anew has another record.

        Parameters
        ----------
        said : as in `append`.
        told : how a CSV file is written.
        progress : gives the blocks as they come, of about how many there are.

        Raises
        ------
        InputError, KindError : as `append`, and a file that cannot be read.

        Examples
        --------
        >>> import tempfile
        >>> from scrutable.testing.contract.examples.models import models_named
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "rows.csv").write_text("age,income,loan\\n19,1000,L1\\n40,,L2\\n")
        >>> archive = Archive(folder / "decisions")
        >>> archive.append_file(models_named()["stumps"], folder / "rows.csv", Said(id="loan")).head.record
        2
        """
        decider, name = Decider(model), fingerprint(model)
        results = {*decider.results, DECISION, BY_MODEL} if said.decided else set[str]()
        inputs = {*numbers_of(model), *results.intersection(("score", "predicted"))}
        texts = {*texts_of(model), *said.texts, *results} - inputs
        if not is_small(data):
            try:
                there = set(read_names(data, told))
                numbers = inputs | (results & there & {"approved"})  # in words, they are of the whole file
                blocks = read_blocks(data, told, text=texts - numbers - (results - there), numbers=numbers)
                tables = map(table_of, slices(progress(blocks, blocks.expected), ROWS))
                in_all = ROWS * blocks.expected
                return self._add_named(_block(decider, name, table, said, in_all) for table in tables)
            except (ScrutableError, DoubtfulError):
                pass  # what is to be mended, told of or refused is, of the whole file
        return self._add_named(_blocks(model, read_rows(data, told, text=texts, numbers=inputs), said))

    def amend(self, records: Sequence[int], X: Any, said: Said) -> Appended:
        """Add what came later to earlier records: a notice that was sent, or a manual decision.

        Parameters
        ----------
        records : n numbers of records.
        X : n rows with the columns that are named.

        Raises
        ------
        InputError : a record that is not there or of no decision, one that is erased, or nothing to add.

        Examples
        --------
        >>> import tempfile
        >>> from scrutable.testing.contract.examples.models import models_named
        >>> archive = Archive(Path(tempfile.mkdtemp(), "decisions"))
        >>> _ = archive.append(models_named()["stumps"], {"age": [19.0], "income": [1000.0]})
        >>> archive.amend([1], {"letter": ["N-17"]}, Said(notice="letter")).head.record
        2
        """
        table = as_table(with_time_as_text(X, said.time))
        if said.notice is None and said.manual_decision is None:
            fix = "name the column of the notices or of the manual decisions"
            raise InputError("nothing to add to records", where="said", fix=fix)
        head = self.head
        unknown = [number for number in records if not head.reaches(number)]
        if unknown or len(records) != table.n_rows:
            raise InputError(
                "not the records that the rows are about",
                where="records",
                got=unknown[0] if unknown else f"{len(records)} numbers",
                allowed=f"a number from 1 to {head.record} for each of {table.n_rows} rows",
                fix="give the numbers that `append` gave",
            )
        erased = erased_among(self.folder, read_manifest(self.folder).parts, records)
        if erased is not None:
            raise InputError(
                "not the record of a decision, or erased",
                where="records",
                got=erased,
                allowed="records whose personal parts are there",
                fix="leave its row out: what is added to it would have to be erased again",
            )
        said = replace(said, decided=False, without=())
        return self._add(iter([Block(amendments(list(records), table, said), [])]))

    def _add(self, blocks: Iterator[Block]) -> Appended:
        with held_manifest(self.folder) as manifest:
            head = write_parts(self.folder, manifest, blocks)
            return Appended(manifest.head.record + 1, head)

    def _add_named(self, blocks: Iterator[Block]) -> Appended:
        """Add blocks, and count the ids of theirs that are in parts from before."""
        ids: list[Any] = []
        with held_manifest(self.folder) as manifest:
            head = write_parts(self.folder, manifest, _with_ids_kept(blocks, ids))
            return Appended(manifest.head.record + 1, head, ids_there(self.folder, manifest.parts, ids))


def _blocks(model: Model, X: Any, said: Said) -> Iterator[Block]:
    """The records of the rows of a frame."""
    table = as_table(with_time_as_text(X, said.time))
    decider, name = Decider(model), fingerprint(model)
    parts = (table.subset(slice(start, start + ROWS)) for start in range(0, table.n_rows, ROWS))
    return (_block(decider, name, part, said, table.n_rows) for part in parts)


def _with_ids_kept(blocks: Iterator[Block], ids: list[Any]) -> Iterator[Block]:
    for block in blocks:
        ids.append(block.columns["id"])
        yield block


def _block(decider: Decider, model: str, table: Table, said: Said, in_all: int) -> Block:
    return Block(*decisions(decider, model, table, said, in_all))
