"""Words such as N/A among categories are missing, and told of once."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from scrutable.data.config import ReadingConfig
from scrutable.data.frames import read_file
from scrutable.data.frames.missing_words import MissingWordsWarning
from scrutable.data.frames.plain_csv import read_plain
from scrutable.data.reading import read_rows


def _files(folder: Path, job: list[str | None]) -> list[Path]:
    openpyxl = pytest.importorskip("openpyxl")
    text = "\n".join(["age,job", *(f"{20 + i},{word or ''}" for i, word in enumerate(job))])
    (folder / "a.csv").write_text(text + "\n")
    book = openpyxl.Workbook()
    book.active.append(["age", "job"])
    for i, word in enumerate(job):
        book.active.append([20 + i, word])
    book.save(folder / "a.xlsx")
    return [folder / "a.csv", folder / "a.xlsx"]


def test_words_for_nothing_among_categories_are_told_once(tmp_path: Path) -> None:
    for path in _files(tmp_path, ["cook", "N/A", None, "NA", "N/A"]):
        with pytest.warns(MissingWordsWarning, match=r"'job' in 3 of 5 rows\..*--missing.*production") as told:
            assert read_file(path)["job"].isna().sum() == 4
        assert len(told) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read_file(path, missing=["N/A", "NA"])
            read_file(path, text=["job"], silent=["job"])  # as a model of it does
            read_rows(path, ReadingConfig(), text=["job"])
        with pytest.warns(MissingWordsWarning, match="'job' in 3 of 5 rows"):
            read_rows(path, ReadingConfig(text=("job",)), text=["job"])


def test_empty_cells_and_missing_numbers_are_not_told_of(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in _files(tmp_path, ["cook", None, "clerk"]):
            read_file(path)
        for path in _files(tmp_path, ["5", "NA", "6"]):
            read_file(path)


def test_plain_reading_leaves_files_with_such_words(tmp_path: Path) -> None:
    [path, _] = _files(tmp_path, ["cook", "N/A", "clerk"])
    assert read_plain(path, text=(), numbers=()) is None
    assert read_plain(path, text=("job",), numbers=()) is not None
