"""Points and commas before three digits: decimals or thousands, never silently the wrong ones."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import read_file
from scrutable.data.frames.numerals import MixedDecimalsWarning
from scrutable.errors import InputError

Columns = dict[str, list[Any]]


def _csv(folder: Path, columns: Columns) -> Path:
    path = folder / "loans.csv"
    lines = [";".join(columns), *(";".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def _tsv(folder: Path, columns: Columns) -> Path:
    path = folder / "loans.tsv"
    path.write_text(_csv(folder, columns).read_text().replace(";", "\t"))
    return path


def _sheet(folder: Path, columns: Columns) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (list(columns), *zip(*columns.values(), strict=True)):
        book.active.append(list(row))
    book.save(folder / "loans.xlsx")
    return folder / "loans.xlsx"


FILES = pytest.mark.parametrize("write", [_csv, _tsv, _sheet])


@FILES
@pytest.mark.parametrize(
    ("columns", "read"),
    [
        ({"a": ["20.000", "1.600"], "r": ["0,7914", "1,25"]}, [20_000, 1_600]),
        ({"a": ["20,000", "1,600"], "r": ["0.7914", "1.25"]}, [20_000, 1_600]),
        ({"a": ["20,000", "1,600"], "r": ["1,250.50", "0.5"]}, [20_000, 1_600]),
        ({"a": ["-1,600", "390"], "r": ["x", "y"]}, [-1_600, 390]),
        ({"a": ["1.600", "39000"], "r": ["x", "y"]}, [1_600, 39_000]),
        ({"a": ["1.600", "39.000"], "r": ["1.200", "390"]}, [1_600, 39_000]),
    ],
)
def test_thousands_are_read_and_told_once(write: Any, columns: Columns, read: list[float], tmp_path: Path) -> None:
    path = write(tmp_path, columns)
    with pytest.warns(MixedDecimalsWarning, match=r"^columns? 'a'.*is read as a separator of thousands.*--dec") as told:
        assert read_file(path)["a"].tolist() == read
    assert len(told) == 1
    with pytest.warns(MixedDecimalsWarning):
        assert read_file(path, numbers=["a"])["a"].tolist() == read


@FILES
@pytest.mark.parametrize(
    ("columns", "read"),
    [
        ({"a": ["1.234", "0.250"], "r": ["x", "y"]}, [1.234, 0.25]),
        ({"a": ["1.234", "12.5"], "r": ["x", "y"]}, [1.234, 12.5]),
        ({"a": ["1,234", "1234,567"], "r": ["x", "y"]}, [1.234, 1234.567]),
        ({"a": ["1,234", "1,600"], "r": ["0,7914", "1,25"]}, [1.234, 1.6]),
        ({"a": ["1.234", "390"], "r": ["0.7914", "1.25"]}, [1.234, 390]),
    ],
)
def test_decimals_are_read_in_silence(write: Any, columns: Columns, read: list[float], tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_file(write(tmp_path, columns))["a"].tolist() == read


@FILES
@pytest.mark.parametrize(
    "columns",
    [
        {"a": ["20.000", "1.600"], "r": ["x", "y"]},
        {"a": ["20,000", "1,600"], "r": ["x", "y"]},
        {"a": ["1.600", "2"], "r": ["x", "y"]},
        {"a": ["1.600", "390"], "r": ["1,600", "390"]},
    ],
)
def test_what_nothing_shows_is_text_or_refused(write: Any, columns: Columns, tmp_path: Path) -> None:
    path = write(tmp_path, columns)
    with pytest.warns(MixedDecimalsWarning, match=r"column.* 'a'.*nothing in the file shows.*--decimal \. or"):
        assert read_file(path)["a"].tolist() == columns["a"]
    with pytest.raises(InputError, match=r"column 'a': each (point|comma) stands before three digits.*--decimal \. or"):
        read_file(path, numbers=["a"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", MixedDecimalsWarning)
        assert read_file(path, text=["a", "r"])["a"].tolist() == columns["a"]
        assert read_file(path, decimal=".")["a"].iloc[0] in (1.6, 20, 1600, 20_000)


@FILES
def test_two_columns_that_show_different_marks_show_none(write: Any, tmp_path: Path) -> None:
    path = write(tmp_path, {"a": ["1.600", "390"], "r": ["0.25", "1"], "s": ["0,25", "1"]})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert read_file(path)["a"].tolist() == ["1.600", "390"]
    assert any("column 'a'" in str(each.message) and "nothing in the file shows" in str(each.message) for each in told)


def test_numbers_of_a_sheet_are_numbers(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_file(_sheet(tmp_path, {"a": [1.234, 20.0], "b": [1.5, 390]}))["a"].tolist() == [1.234, 20]


def test_a_number_among_texts_of_a_sheet_shows_no_mark(tmp_path: Path) -> None:
    with pytest.warns(MixedDecimalsWarning, match="column 'a'.*is read as a separator of thousands"):
        frame = read_file(_sheet(tmp_path, {"a": ["1.600", 390, "20.000"], "b": ["0,5", 12, "1"]}))
    assert frame["a"].tolist() == [1_600, 390, 20_000]
    with pytest.warns(MixedDecimalsWarning, match="column 'a'.*nothing in the file shows"):
        frame = read_file(_sheet(tmp_path, {"a": ["1.600", 39.5, "20.000"]}))
    assert frame["a"].tolist() == ["1.600", "39.5", "20.000"]


def test_marks_far_below_the_first_rows_are_seen(tmp_path: Path) -> None:
    rows = 10_050
    path = _csv(tmp_path, {"a": ["390"] * rows + ["1.600"], "b": ["20.000"] * rows + ["0.5"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = read_file(path)
    assert (frame["a"].iloc[-1], frame["b"].iloc[0]) == (1.6, 20)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    amounts=st.lists(st.integers(0, 999_999), min_size=1, max_size=8),
    shares=st.lists(st.integers(1, 9_999), min_size=8, max_size=8),
    german=st.booleans(),
    sheet=st.booleans(),
)
def test_no_amount_is_ever_read_as_another_number(
    tmp_path_factory: pytest.TempPathFactory, amounts: list[int], shares: list[int], german: bool, sheet: bool
) -> None:
    swap = str.maketrans(".,", ",.") if german else {}
    columns = {
        "amount": [f"{amount:,}".translate(swap) for amount in amounts],
        "share": [f"{share / 10_000:.4f}".translate(swap) for share in shares[: len(amounts)]],
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = read_file((_sheet if sheet else _csv)(tmp_path_factory.getbasetemp(), columns))
    assert frame["amount"].tolist() == amounts
    assert frame["share"].tolist() == [share / 10_000 for share in shares[: len(amounts)]]
