"""Notices to the applicants of a file, written as they are made, in memory that grows by the names of files alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scrutable.data import ReadingConfig
from scrutable.errors import ScrutableError
from scrutable.model import Model
from scrutable.plugins import DataDictionary, in_words_of
from scrutable.writing import (
    AnyPath,
    CsvRows,
    DoubtfulError,
    NewFiles,
    check_target,
    numbers_array,
    temporary_folder,
    texts_array,
    written_together,
)
from scrutable_documents.notices.applicant_blocks import ApplicantBlocks, Progress
from scrutable_documents.notices.batch import Decided, decided_of, refuse_unfit_texts, warn_of_unfit_texts
from scrutable_documents.notices.entry_file import EntryFile
from scrutable_documents.notices.formats import Contents, Pages, files_of, missing_letters, name_of
from scrutable_documents.notices.made_notices import entries
from scrutable_documents.notices.notice import Notice
from scrutable_documents.notices.options import NoticeOptions
from scrutable_documents.notices.policies import check_ranges, deciders
from scrutable_documents.notices.report_used import check_report_columns

_PAGE, _TABLE = "index.html", "index.csv"
_NOTHING = ReadingConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNotices:
    """How many applicants and notices there are, and the names of all files, the index first."""

    applicants: int
    notices: int
    names: tuple[str, ...]

    def to_dict(self) -> dict[str, int]:
        """Plain values for JSON."""
        return {"applicants": self.applicants, "notices": self.notices}


def write_notices(
    model: Model,
    options: NoticeOptions,
    data: Path,
    folder: Path,
    *,
    told: ReadingConfig = _NOTHING,
    inputs: Collection[AnyPath] = (),
    overwrite: bool = False,
    progress: Progress = lambda blocks, _: blocks,
) -> WrittenNotices | None:
    """Write into a folder what `Notices.make` gives of a file's rows, block by block.

    Parameters
    ----------
    options : whose own applicants are passed over.
    told : how a CSV file is written.
    inputs : files that none of ours may replace.
    progress : gives the blocks as they come, of about how many there are.

    Returns
    -------
    None, with nothing written, where anything is to be mended, told of or refused: who reads the whole file does that.

    Examples
    --------
    >>> import tempfile
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> folder = Path(tempfile.mkdtemp())
    >>> rows = folder / "applicants.csv"
    >>> _ = rows.write_text("amount,job,age,region\\n1.0,x,10,1\\n9.0,cook,40,1\\n")
    >>> lender = {"name": "Example Bank", "address": "1 Main Street",
    ...           "agency": {"name": "Federal Trade Commission", "address": "Washington, DC 20580"}}
    >>> options = NoticeOptions(applicants=None, lender=lender, date="2026-11-22")
    >>> write_notices(models_named()["scorecard"], options, rows, folder).names
    ('index.html', 'index.csv', 'notice-000001.html')
    """
    try:
        model = in_words_of(model, DataDictionary.given(options.dictionary))
        blocks = ApplicantBlocks(model, options, data, told, progress)
        with written_together(overwrite=overwrite) as files, temporary_folder() as spool:
            writing = _Writing(options, _Folder(folder, files, inputs, overwrite), EntryFile(spool / "entries"))
            written = writing.write(model, blocks)
            warn_of_unfit_texts(model, options)
        return written
    except (ScrutableError, DoubtfulError):
        return None


class _Folder:
    """Files of a folder in which no notice is left that they do not replace."""

    def __init__(self, home: Path, files: NewFiles, inputs: Collection[AnyPath], overwrite: bool) -> None:
        self._home, self._files, self._overwrite = home.resolve(), files, overwrite
        self._inputs = {Path(path).resolve() for path in inputs}
        self.others = {path.name for path in home.glob("notice-*")}

    def new(self, name: str) -> Any:
        """A file to write to."""
        self.others.discard(name)
        target = check_target(self._home / name, overwrite=self._overwrite)
        if target != self._home / name or target in self._inputs:
            raise DoubtfulError("a name that leads elsewhere, or to an input")
        return self._files.new(target)

    def write(self, name: str, content: str | bytes) -> None:
        """A file that is made."""
        with self.new(name) as handle:
            handle.write(content.encode() if isinstance(content, str) else content)


@dataclass(frozen=True, slots=True)
class _Writing:
    options: NoticeOptions
    folder: _Folder
    entries: EntryFile

    def write(self, model: Model, blocks: ApplicantBlocks) -> WrittenNotices:
        """Write all files: each notice as it is made, and the index."""
        pages = Pages(self.options)
        waiting: deque[str] = deque()
        names: list[str] = []
        with self.folder.new(_TABLE) as handle:
            notices = self._notices(model, blocks, handle, waiting)
            for each in pages.contents(notices, blocks.rows):
                names += self._write(waiting.popleft(), each)
        made = len(names) // len(self.options.formats)
        with self.folder.new(_PAGE) as handle:
            handle.writelines(piece.encode() for piece in pages.index(self.entries, made))
        if self.folder.others:
            raise DoubtfulError("notices of another batch")
        return WrittenNotices(applicants=blocks.rows, notices=made, names=(_PAGE, _TABLE, *names))

    def _notices(self, model: Model, blocks: ApplicantBlocks, table: BinaryIO, waiting: deque[str]) -> Iterator[Notice]:
        """The notices, once their entries are written, and what their files are called."""
        by_segment = deciders(model, self.options.language)
        refuse_unfit_texts(model, self.options)
        check_ranges(self.options.sender.score, by_segment)
        check_report_columns(self.options.sender, model)
        rows = CsvRows(table)
        for block in blocks:
            decided = decided_of(model, self.options, by_segment, block.applicants, block.ids, block.before)
            self._list(decided, block.stems, rows)
            for each, stem in zip(decided, block.stems, strict=True):
                if each.notice is not None:
                    waiting.append(stem)
                    yield each.notice

    def _list(self, decided: list[Decided], stems: list[str], rows: CsvRows) -> None:
        names = [
            [] if each.notice is None else [name_of(stem, kind) for kind in self.options.formats]
            for each, stem in zip(decided, stems, strict=True)
        ]
        listed = entries(decided, names)
        self.entries.add(listed)
        texts = {name: [_joined(entry[name]) for entry in listed] for name in listed[0] if name != "row"}
        numbers = numbers_array(np.array([entry["row"] for entry in listed]))
        rows.write({"row": numbers, **{name: texts_array(values) for name, values in texts.items()}})

    def _write(self, stem: str, contents: Contents) -> list[str]:
        if missing_letters(contents):
            raise DoubtfulError("letters that no font has")
        made = files_of(stem, contents)
        for name, content in made.items():
            self.folder.write(name, content)
        return list(made)


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
