"""What is guessed of a file and told, and what is not sure and left or refused."""

from __future__ import annotations

import warnings
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import read_file, read_header
from scrutable.data.frames.day_first import DateOrderWarning
from scrutable.data.frames.encodings import GuessedEncodingWarning
from scrutable.data.frames.plain_csv import read_plain
from scrutable.data.frames.totals import TotalRowWarning
from scrutable.errors import InputError


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def _write(content: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "loans.csv"
        path.write_bytes(content.encode(encoding))
        return path

    return _write


# --- dates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "order", "read"),
    [
        (["31/01/2024", "01/02/2024"], "d/m/Y", ["2024-01-31", "2024-02-01"]),
        (["01/31/2024", "01/02/2024"], "m/d/Y", ["2024-01-31", "2024-01-02"]),
        (["1.2.2024", "3.2.2024"], "d/m/Y", ["2024-02-01", "2024-02-03"]),
    ],
)
def test_an_order_that_is_sure_is_told(write: Any, texts: list[str], order: str, read: list[str]) -> None:
    path = write("issued,n\n" + "".join(f"{text},1\n" for text in texts))
    with pytest.warns(DateOrderWarning, match=f"column 'issued': its dates are read as {order}"):
        assert read_file(path)["issued"].tolist() == read
    assert read_file(path, text=["issued"])["issued"].tolist() == texts


@pytest.mark.parametrize(
    "texts", [["01/02/2024", "03/04/2024"], ["31/01/2024", "01/31/2024"], ["32/32/2024", "1/1/2024"]]
)
def test_an_order_that_is_not_sure_is_left(write: Any, texts: list[str]) -> None:
    assert read_file(write("issued,n\n" + "".join(f"{text},1\n" for text in texts)))["issued"].tolist() == texts


def test_columns_that_show_no_order_have_that_of_the_others(write: Any) -> None:
    path = write("issued,paid\n31/01/2024,01/02/2024\n")
    with pytest.warns(DateOrderWarning, match="'issued': .*a day above 12|'paid': .*as other columns show"):
        assert read_file(path).iloc[0].tolist() == ["2024-01-31", "2024-02-01"]


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    days=st.lists(st.dates(date(1950, 1, 1), date(2050, 1, 1)), min_size=1),
    form=st.sampled_from(["%d/%m/%Y", "%m/%d/%Y"]),
)
def test_dates_are_never_read_in_the_wrong_order(
    tmp_path_factory: pytest.TempPathFactory, days: list[date], form: str
) -> None:
    path = tmp_path_factory.mktemp("dates") / "d.csv"
    written = [day.strftime(form) for day in days]
    pd.DataFrame({"n": 1, "issued": written}).to_csv(path, index=False)
    with warnings.catch_warnings(action="ignore"):
        read = read_file(path)["issued"].tolist()
    assert read in ([day.isoformat() for day in days], written)


# --- encodings ---------------------------------------------------------------------------------------------------


def test_western_letters_are_read_as_cp1252_and_told(write: Any) -> None:
    path = write("größe;beruf\n1;Köchin – 2 €\n", "cp1252")
    with pytest.warns(GuessedEncodingWarning, match="read as cp1252, in which it has the letters '€–ßö'"):
        assert read_file(path)["beruf"].tolist() == ["Köchin – 2 €"]
    assert read_header(path) == ("größe", "beruf")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("работа", "cp1251"),
        ("małżeństwo", "cp1250"),
        ("příjem ženy", "cp1250"),
        ("Köchin", "cp850"),
        ("Köchin", "mac-roman"),
        ("işçi ağ", "cp1254"),
        ("εργασία", "cp1253"),
    ],
)
def test_other_encodings_are_refused(write: Any, text: str, encoding: str) -> None:
    path = write(f"a;b\n1;{text}\n", encoding)
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_file(path)
    assert read_file(path, encoding=encoding)["b"].tolist() == [text]


def test_a_letter_cut_at_the_end_is_no_utf8(write: Any) -> None:
    path = write("a;b\n1;caf")
    path.write_bytes(path.read_bytes() + b"\xe9")
    with pytest.warns(GuessedEncodingWarning):
        assert read_file(path)["b"].tolist() == ["café"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(words=st.lists(st.text("abcäöüß éñç€", min_size=1), min_size=1))
def test_utf8_is_never_taken_for_another_encoding(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    words = [f"x{word}x" for word in words]
    path = tmp_path_factory.mktemp("utf8") / "d.csv"
    pd.DataFrame({"n": 1, "job": words}).to_csv(path, index=False)
    assert read_file(path, text=["job"])["job"].tolist() == words


# --- rows --------------------------------------------------------------------------------------------------------


def test_a_row_of_another_length_is_named_by_its_line(write: Any) -> None:
    path = write('a,b\n1,"two\nlines"\n\n2,Ann Smith,extra\n')
    with pytest.raises(InputError, match=r"row 2 below the header, line 5: .*got '3 values'") as refused:
        read_file(path)
    assert "Ann" not in str(refused.value)


def test_totals_are_told(write: Any) -> None:
    rows = "".join(f"{name},{i}\n" for i, name in enumerate(["cook", "clerk", "cook"]))
    with pytest.warns(TotalRowWarning, match="last row looks like totals of the others \\('Total' in column 'job'\\)"):
        assert len(read_file(write(f"job,n\n{rows}Total,3\n"))) == 4
    read_file(write(f"job,n\nTotal,3\n{rows}"))


def test_totals_are_left_out_before_kinds_are_told(write: Any) -> None:
    path = write("id,job,income\n" + "".join(f"{row},cook,{row * 1000}\n" for row in range(1, 9)) + "Total,,36000\n")
    with pytest.warns(TotalRowWarning, match=r"'Total' in column 'id'\), and is left out"):
        frame = read_file(path, totals="drop")
    assert (len(frame), frame["id"].tolist(), frame["income"].max()) == (8, list(range(1, 9)), 8000)
    with warnings.catch_warnings(action="error"):
        assert len(read_file(path, totals="keep", text=["id"])) == 9


@pytest.mark.parametrize(
    "content",
    [
        "id;income;loans;k\n" + "".join(f"c{row};{row},5;{row % 3};N/A\n" for row in range(1, 9)) + ";40,0;9;\n",
        "id,income,loans\na,5,1\nb,6,2\nc,7,3\n,18,6\n",
        "income,loans\n5,1\n6,2\n7,3\n18,6\n",
    ],
)
def test_sums_without_a_word_are_totals(write: Any, content: str) -> None:
    path, rows = write(content), content.count("\n") - 1
    with pytest.warns(TotalRowWarning, match=r"sums in columns 'income' and 'loans'\), and counts as an applicant"):
        assert len(read_file(path, missing=["N/A"])) == rows
    with pytest.warns(TotalRowWarning, match="is left out"):
        assert len(read_file(path, totals="drop", missing=["N/A"])) == rows - 1
    assert read_plain(path, text=["id"], numbers=["income", "loans"]) is None


def test_a_last_row_that_equals_few_others_is_none(write: Any) -> None:
    with warnings.catch_warnings(action="error"):
        assert len(read_file(write("id,a,b\nx,0,0\ny,1,0\nz,0,1\n,1,1\n"), totals="drop")) == 4
        assert len(read_file(write("id,a,b\n" + "x,6e307,inf\n" * 4 + ",1,inf\n"), totals="drop")) == 5
