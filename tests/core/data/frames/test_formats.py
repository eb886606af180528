"""Workbooks, files of statistics software, databases and several files give what a CSV file would give."""

from __future__ import annotations

import base64
import datetime
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data import ReadingConfig, read_blocks
from scrutable.data.frames import read_file, read_header
from scrutable.data.frames.cells import frame_of
from scrutable.data.frames.header_line import HeaderLineWarning
from scrutable.data.frames.leading_zeros import LeadingZerosWarning
from scrutable.data.frames.numerals import MixedDecimalsWarning
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.totals import TotalRowWarning
from scrutable.errors import InputError, KindError
from scrutable.writing import DoubtfulError

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("python_calamine")
pyreadstat = pytest.importorskip("pyreadstat")
sqlalchemy = pytest.importorskip("sqlalchemy")

#: What Excel 97 to 2003 would hold: a sheet of two rows, compressed.
OLD_WORKBOOK = (
    "c-rk)O=wd=5dL<PG(R+HQd6NVlu$6$8U*p;rF|-B4`QhvR8+7@6Erp?lITGXTCF(>f+xjGp$J~8Ui?813LZQN6+H-okm%7<LB&Ix"
    "=j^=qYFZ;SpatuGVZWW7*?BwJpLsv8XCsxV`(0Hm!ysI!nSQj?=>!$O(+Gp?rl~}y_E9l4{wer<w2&<xJPE$?sx?&WU4_Iw_j6+4"
    "Bb8$~jp0H*6I(^>;uw-b#V|lDaEmk{baGVf%wx>!nD27Wr_4K8bCr33`c}jd%o@Y}+wEO^SoX3l1a;kq?DL*AThW1+Y8PL;Cak_5"
    ">?~%JxwT^GakpX`w9-SFe5RPpRS=~mpT<`+27GbO_OqDQudZHz^xv22y}!}>(AH4zZ=k;}-M|FQQ9eRt1d(tniwC(vGGCfU9ICB~"
    "3rL>G5T7cfC<|murL&nd346bdoy_I~D))1)2rtPMK|VvR#AzB{$q_zDVG48p&fJ@QsS)EiYbN;qVBJMFsIXw-lJX$u5L;Y}+|M4H"
    "nJ@EIyIJmHj#Btk$45GBVb3J@xx&^sjkAsM*66E~H<Dcby#G;8`IE7U<e8!B`RL3$V+y@Ab!qZfzeyxSLfpKe@Yrx_VP~8V%$>hv"
    "AD;}{v77d-vJDFeuoz*sT55L0VoTa{rM$&5?+Y@(x(IID{RMlg*|BVrV%qXTvbSvDE!q2MH|&<ASc?Y*24y=QC?n;`p9nxhLqkJD"
    "LqkL3e}LfUQ0uAN%`XPlbG_I8uCqX;razOcSsXxterM>laX0c*7jdqs{j(k(;ap3s(8u{+sBnlzFJc@ij$^#({Y&p<qW=G^*fIR)"
    "j!?7X*P4m*FOUBNvb)*-"
)
DAYS = [datetime.date(2024, 2, 1), None, datetime.date(1960, 1, 1)]


def workbook(path: Path, rows: list[list[Any]], **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    for name, content in {"first": rows, **sheets}.items():
        page = book.create_sheet(name)
        for row in content:
            page.append(row)
    book.remove(book.worksheets[0])
    book.save(path)
    return path


def test_totals_of_a_sheet_are_left_out(tmp_path: Path) -> None:
    cells: list[list[Any]] = [[1, 5.5], [2, 6], [3, 7], ["Total", 18.5]]
    path = workbook(tmp_path / "loans.xlsx", [["id", "income"], *cells])
    with pytest.warns(TotalRowWarning, match="is left out"):
        frame = read_file(path, totals="drop")
    assert frame.to_dict("list") == {"id": [1, 2, 3], "income": [5.5, 6.0, 7.0]}


def write_excel(frame: pd.DataFrame, path: Path) -> Path:
    cells = [[None if pd.isna(cell) else cell for cell in row] for row in frame.astype(object).to_numpy().tolist()]
    return workbook(path.with_suffix(".xlsx"), [list(frame.columns), *cells])


def write_csv(frame: pd.DataFrame, path: Path) -> Path:
    frame.to_csv(path.with_suffix(".csv"), index=False, sep=";")
    return path.with_suffix(".csv")


def write_stata(frame: pd.DataFrame, path: Path) -> Path:
    pyreadstat.write_dta(frame, str(path.with_suffix(".dta")))
    return path.with_suffix(".dta")


def write_sas(frame: pd.DataFrame, path: Path) -> Path:
    pyreadstat.write_xport(frame, str(path.with_suffix(".xpt")))
    return path.with_suffix(".xpt")


WRITERS = [write_excel, write_csv, write_stata, write_sas]
# SAS's transport files hold IBM's doubles, of which these are some; a lone point or sign is no word of these texts
NUMBERS = st.integers(-(2**40), 2**40).map(lambda n: n / 8)
WORDS = st.text("abcdeÄöüß", min_size=1, max_size=8)
ROWS = st.lists(
    st.tuples(st.none() | NUMBERS, st.integers(0, 10**6), st.none() | WORDS, st.none() | st.dates(DAYS[2])),
    min_size=2,
    max_size=8,
)


@pytest.mark.parametrize("write", WRITERS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(rows=ROWS)
def test_every_format_gives_the_values_that_were_written(
    tmp_path_factory: pytest.TempPathFactory, write: Callable[[pd.DataFrame, Path], Path], rows: list[tuple[Any, ...]]
) -> None:
    rows = [*rows, (0.5, 1, "cook", DAYS[0])]  # so that no column is empty
    frame = pd.DataFrame(rows, columns=["amount", "months", "job", "issued"])
    path = write(frame, tmp_path_factory.mktemp("formats") / "loans")
    got = read_file(path, text=["job"], decimal=".")
    assert got["amount"].tolist() == pytest.approx(frame["amount"].tolist(), abs=0, nan_ok=True)
    assert (got["months"].dtype.kind, got["months"].tolist()) == ("i", frame["months"].tolist())
    assert [None if pd.isna(each) else each for each in got["job"]] == [row[2] for row in rows]
    days = [None if pd.isna(each) else each for each in got["issued"]]
    assert days == [None if row[3] is None else row[3].isoformat() for row in rows]
    assert read_header(path) == tuple(frame.columns)


# --- sheets ------------------------------------------------------------------------------------------------------


def test_a_sheet_is_named_and_an_unknown_one_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "b.xlsx", [["a", "b"], [1, 2]], loans=[["age", "job"], [41, "cook"]])
    with pytest.warns(UserWarning, match=r"sheet 'first' is read, being the first; not 'loans'\. Fix: .*--sheet"):
        assert list(read_file(path)) == ["a", "b"]
    assert list(read_file(path, sheet="first")) == ["a", "b"]
    assert read_file(path, sheet="loans").to_dict("list") == {"age": [41], "job": ["cook"]}
    with pytest.raises(InputError, match=r"no such sheet; got 'laons'.*did you mean 'loans'"):
        read_file(path, sheet="laons")


def test_titles_above_the_names_are_passed_over_and_told(tmp_path: Path) -> None:
    rows = [["Loans of 2024"], [], ["age", "job", "paid"], [41, "cook", 1], [], [17, None, 0]]
    path = workbook(tmp_path / "b.xlsx", rows)
    with pytest.warns(HeaderLineWarning, match="names are taken from line 3"):
        got = read_file(path)
    assert (got["age"].tolist(), got["job"].isna().tolist(), got["paid"].tolist()) == ([41, 17], [False, True], [1, 0])
    assert list(read_file(path, header=3)["age"]) == [41, 17]
    with pytest.raises(InputError, match="no names there"):
        read_file(path, header=2)


def test_merged_headers_are_refused_with_the_line_to_give(tmp_path: Path) -> None:
    rows = [["person", None, "loan", "paid"], ["age", "job", "amount", "ok"], [41, "cook", 1000, 1]]
    path = workbook(tmp_path / "b.xlsx", rows)
    with pytest.raises(InputError, match=r"column 2 has no name, as below merged cells.*--header LINE"):
        read_file(path)
    assert list(read_file(path, header=2)) == ["age", "job", "amount", "ok"]


def test_errors_are_missing_and_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "b.xlsx", [["age", "rate"], [41, "#N/A"], [17, "#DIV/0!"], [30, 2.5]])
    with pytest.warns(UserWarning, match="2 cells of its sheets hold errors"):
        assert read_file(path)["rate"].isna().tolist() == [True, True, False]


def test_numbers_stored_as_texts(tmp_path: Path) -> None:
    rows = [["amount", "zip", "note"], ["1,5", "01001", 5], ["22,5", "90210", "n.k."], [3, "10115", 7.5]]
    path = workbook(tmp_path / "b.xlsx", rows)
    with pytest.warns(LeadingZerosWarning, match="column 'zip'"):
        got = read_file(path, missing=["n.k."])
    assert got.to_dict("list")["amount"] == [1.5, 22.5, 3.0]
    assert got["zip"].tolist() == ["01001", "90210", "10115"]
    assert got["note"].dropna().tolist() == [5.0, 7.5]
    got = read_file(path, text=["note", "zip"], missing=["n.k."])
    assert got["note"].dropna().tolist() == ["5", "7.5"]


def test_repeated_names_and_cells_beside_the_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="duplicate column names: 'age'"):
        read_file(workbook(tmp_path / "b.xlsx", [["age", "age"], [1, 2]]))
    with pytest.raises(InputError, match="line 2: a cell without a column's name above it"):
        read_file(workbook(tmp_path / "b.xlsx", [["age"], [1, "Ann"]]))


def test_an_old_workbook(tmp_path: Path) -> None:
    (tmp_path / "o.xls").write_bytes(zlib.decompress(base64.b85decode(OLD_WORKBOOK)))
    got = read_file(tmp_path / "o.xls")
    assert (got["age"].tolist(), got["issued"].tolist()) == ([41.0, 17.5], ["2024-02-01", "1960-01-01"])
    assert got["job"].dropna().tolist() == ["Köchin"]


def test_a_broken_workbook_and_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "b.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(InputError, match="cannot be read as a workbook"):
        read_file(tmp_path / "b.xlsx")
    with pytest.raises(InputError, match="no names there"):
        read_file(workbook(tmp_path / "c.xlsx", []))
    with pytest.raises(InputError, match="no rows below the header"):
        read_file(workbook(tmp_path / "d.xlsx", [["age"]]))


# --- statistics software -----------------------------------------------------------------------------------------


def test_codes_stay_and_labels_are_told(tmp_path: Path) -> None:
    path = str(tmp_path / "l.dta")
    pyreadstat.write_dta(pd.DataFrame({"home": [1, 2]}), path, variable_value_labels={"home": {1: "own", 2: "rent"}})
    with pytest.warns(UserWarning, match="codes of columns have labels \\('home'\\)"):
        assert read_file(path)["home"].tolist() == [1, 2]


def test_special_missing_codes_are_missing_and_told(tmp_path: Path) -> None:
    path = str(tmp_path / "l.dta")
    frame = pd.DataFrame({"income": pd.Series([1.5, "a", None, "z"], dtype=object)})
    pyreadstat.write_dta(frame, path, missing_user_values={"income": ["a", "z"]})
    with pytest.warns(UserWarning, match=r"special missing codes \(\.a, \.z\)"):
        got = read_file(path)["income"]
    assert (got.dtype.kind, got.isna().tolist()) == ("f", [False, True, True, True])


@pytest.mark.parametrize("name", ["l.dta", "l.sas7bdat", "l.xpt"])
def test_broken_files_of_statistics_software(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"no such file")
    with pytest.raises(InputError, match=f"cannot be read as {name[2:]}"):
        read_file(tmp_path / name)


# --- databases ---------------------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "l.db") as connection:
        connection.execute("create table loans (age integer, job text, amount real)")
        connection.executemany("insert into loans values (?, ?, ?)", [(41, "007", 1.5), (17, None, 2.5)])
    connection.close()
    return f"sqlite:///{tmp_path / 'l.db'}"


def test_a_query_keeps_the_kinds_of_the_database(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = tmp_path / "l.sql"
    query.write_text("select * from loans where age > 0 order by age;\n")
    got = read_file(query, database=database)
    assert got["age"].tolist() == [17, 41]
    assert got["job"].dropna().tolist() == ["007"]
    monkeypatch.setenv("LOANS", database)
    assert read_file(query, database="$LOANS").equals(got)
    assert read_file(query, database=database, numbers=["job"])["job"].dropna().tolist() == [7.0]


def test_names_are_asked_for_without_rows(tmp_path: Path) -> None:
    query = tmp_path / "l.sql"
    query.write_text("select abs(-9223372036854775807 - 1) as amount -- no such number\n;")
    assert read_header(query, database="sqlite://") == ("amount",)
    with pytest.raises(InputError, match="refuses the query"):
        read_file(query, database="sqlite://")


@pytest.mark.parametrize(
    "text",
    [
        "pragma table_info(loans)",
        "with young as (select 1 as name) select * from young",
        "select 1 as age, 2 as Age",  # of which one would come as Age:1
    ],
)
def test_names_come_with_the_rows_where_a_query_is_no_part_of_another(text: str, tmp_path: Path, database: str) -> None:
    query = tmp_path / "l.sql"
    query.write_text(text)
    assert read_header(query, database=database) == tuple(read_file(query, database=database).columns)


def test_columns_of_one_name_are_refused_by_who_asks_for_names_alone(tmp_path: Path, database: str) -> None:
    query = tmp_path / "l.sql"
    query.write_text("select 1 as age, 2 as age")
    with pytest.raises(InputError, match="duplicate column names: 'age'"):
        read_header(query, database=database)


def test_what_a_query_changes_is_rolled_back_and_refused(tmp_path: Path, database: str) -> None:
    query = tmp_path / "l.sql"
    query.write_text("delete from loans")
    with pytest.raises(InputError, match="the query gives no rows"):
        read_file(query, database=database)
    query.write_text("select * from loans")
    assert len(read_file(query, database=database)) == 2


@pytest.mark.parametrize(
    ("text", "url", "said"),
    [
        ("select 1 as a", None, "a query needs a database"),
        ("select 1 as a", "no url", "not the URL of a database"),
        ("select 1 as a", "nosuch://x", "driver is not installed"),
        ("select from", "sqlite://", "refuses the query"),
        ("select 1 as a where 1 = 0", "sqlite://", "gives no rows"),
    ],
)
def test_queries_that_cannot_be_put(tmp_path: Path, text: str, url: str | None, said: str) -> None:
    (tmp_path / "q.sql").write_text(text)
    with pytest.raises(InputError, match=said):
        read_file(tmp_path / "q.sql", database=url)


def test_what_a_database_says_of_its_rows_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("select json_extract('Miller', '$.age')")
    with pytest.raises(InputError, match="refuses the query; got 'OperationalError SQLITE_ERROR'") as refused:
        read_file(tmp_path / "q.sql", database="sqlite://")
    (tmp_path / "q.sql").write_text("select * from Miller")
    with pytest.raises(InputError) as missing:
        read_file(tmp_path / "q.sql", database="sqlite://")
    assert "Miller" not in f"{refused.value} {missing.value}"


def test_a_password_in_the_url_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("select 1")
    with pytest.raises(InputError, match=r"a password .*\$NAME") as refused:
        read_file(tmp_path / "q.sql", database="postgresql://me:secret@host/db")
    assert "secret" not in str(refused.value)


# --- several files -----------------------------------------------------------------------------------------------


def test_several_files_are_one_below_the_other(tmp_path: Path) -> None:
    (tmp_path / "loans-1.csv").write_text("age,job\n41,cook\n")
    (tmp_path / "loans-2.csv").write_text("job,age\nclerk,17.5\n")
    pattern = tmp_path / "loans-*.csv"
    assert read_file(pattern).to_dict("list") == {"age": [41.0, 17.5], "job": ["cook", "clerk"]}
    assert read_header(pattern) == ("age", "job")
    with pytest.raises(DoubtfulError, match="several files"):
        read_blocks(pattern, ReadingConfig(), text=["job"], numbers=["age"])


def test_a_column_that_is_text_in_one_file_is_text_in_all(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("zip,n\n01001,1\n")
    (tmp_path / "2.csv").write_text("zip,n\n90210,2\n")
    with pytest.warns(LeadingZerosWarning):
        assert read_file(tmp_path / "?.csv")["zip"].tolist() == ["01001", "90210"]


def test_other_columns_are_named_with_their_file(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("age,job\n41,cook\n")
    (tmp_path / "2.csv").write_text("age,jobs\n17,clerk\n")
    with pytest.raises(InputError, match=r"2\.csv'.*same columns; got \"no column 'job'\".*did you mean 'jobs'"):
        read_file(tmp_path / "*.csv")
    with pytest.raises(InputError, match="no file is named so"):
        read_file(tmp_path / "x*.csv")


# --- cells and CSV files -----------------------------------------------------------------------------------------


def test_cells_of_no_kind_are_refused() -> None:
    with pytest.raises(KindError, match="column 'photo': neither a number, a text nor a date"):
        frame_of(["photo"], [[b"x", b"y"]], Reading())


def test_a_csv_file_with_titles(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("Loans of 2024;;\n\nage;job;amount\n41;cook;1,5\n17;clerk;2,25\n")
    with pytest.warns(HeaderLineWarning, match="from line 3"):
        got = read_file(path)
    assert got.to_dict("list") == {"age": [41, 17], "job": ["cook", "clerk"], "amount": [1.5, 2.25]}
    assert read_header(path) == ("age", "job", "amount")
    assert read_file(path, header=3).equals(got)


def test_thousands_are_still_told_below_titles(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("age;job;amount\n41;cook;1.234\n17;clerk;2.250\n")
    with pytest.warns(MixedDecimalsWarning):
        read_file(path)
