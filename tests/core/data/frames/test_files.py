"""CSV and Parquet files."""

from __future__ import annotations

import gzip
import math
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrutable.data.frames import as_table, read_file
from scrutable.data.frames.files import read_header
from scrutable.data.frames.lookalikes import NumbersAsTextWarning
from scrutable.errors import InputError, KindError

NAN = float("nan")


pytestmark = pytest.mark.filterwarnings("ignore::scrutable.data.frames.missing_words.MissingWordsWarning")


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def _write(content: str | bytes, name: str = "loans.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


def rows(path: Path, **options: Any) -> list[list[Any]]:
    frame = read_file(path, **options).astype(object)
    return [list(frame.columns), *frame.where(frame.notna(), None).to_numpy().tolist()]


@pytest.mark.parametrize(
    "content",
    [
        "age,job\n41,clerk\n17,\n",
        "\ufeffage,job\r\n41,clerk\r\n17,NA\r\n",
        '\ufeff"age" , "job"\n41, "clerk"\n17, ""\n',
        "age;job\n41;clerk\n17;NULL",
        "age;job\n41;clerk\n17;n/a",
        "age\tjob\n41\tclerk\n17\t#N/A\n",
        "age|job\n41|clerk\n\n17|nan\n\n",
        "\n\nage, job\n41 ,clerk\n   \n17 ,  N/A\n",
        "age,job\r41,clerk\r17,null\r",
    ],
)
def test_many_ways_to_write_one_table(write: Any, content: str) -> None:
    path = write(content)
    assert rows(path) == [["age", "job"], [41, "clerk"], [17, None]]
    assert read_header(path) == ("age", "job")
    compressed = write(gzip.compress(content.encode()), "LOANS.CSV.GZ")
    assert rows(compressed) == [["age", "job"], [41, "clerk"], [17, None]]
    assert read_header(compressed) == ("age", "job")


@pytest.mark.parametrize("text", ["None", "none", "-", "?", "NULL ", "Na", "<NA>", "#NA"])
def test_other_words_for_nothing_stay_categories(write: Any, text: str) -> None:
    assert rows(write(f"job,age\n{text},1\nNA,2\n")) == [["job", "age"], [text, 1], [None, 2]]


def test_kinds_of_columns(write: Any) -> None:
    path = write(
        "whole,part,flag,code,huge,none,limit\n"
        "1,0.5,True,007,123456789012345678901234567890,,inf\n"
        "2,,,x,1,,-Infinity\n"
        "-3,1e-3,False,7,,,0\n"
    )
    table = as_table(read_file(path))
    np.testing.assert_array_equal(table.column("whole").values, [1, 2, -3])
    np.testing.assert_array_equal(table.column("part").values, [0.5, NAN, 0.001])
    np.testing.assert_array_equal(table.column("flag").values, [1, NAN, 0])
    assert table.column("code").values.tolist() == ["007", "x", "7"]
    np.testing.assert_array_equal(table.column("huge").values, [123456789012345678901234567890.0, 1, NAN])
    assert table.column("none").kind == "empty"
    np.testing.assert_array_equal(table.column("limit").values, [np.inf, -np.inf, 0])


def test_columns_named_as_text_stay_text(write: Any) -> None:
    frame = read_file(write("code,n\n01,1\nNA,2\n1.0,3\n"), text=["code", "not there"])
    assert as_table(frame).column("code").values.tolist() == ["01", None, "1.0"]
    assert as_table(frame).column("n").values.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("values", "fault", "count", "fix"),
    [
        (["1,5", "2,25", "1.234,5", ""], "1.234,5", "1 of 3", "--decimal"),
        (["1.234,50", "12", "999"], "1.234,50", "1 of 3", "--decimal"),
        (["12", "1 234", "1'234'567.8"], "1 234", "2 of 3", "--decimal"),
        (["36.9%", "4 %"], "36.9%", "2 of 2", "--numbers rate .* reads 36.9% as 36.9"),
        (["1", "True", "0", "NA"], "True", "1 of 3", "write numbers"),
        (["false", "1.5"], "false", "1 of 2", "write numbers"),
    ],
)
def test_numbers_that_become_categories_are_said(
    write: Any, values: list[str], fault: str, count: str, fix: str
) -> None:
    path = write("n;rate\n" + "".join(f"{i};{value}\n" for i, value in enumerate(values)))
    expected = f"column 'rate': its values look like numbers, but {count}, for instance {fault!r}, are none"
    with pytest.warns(NumbersAsTextWarning, match=re.escape(expected) + f", .* Fix: {fix}") as caught:
        read_file(path, missing=["NA"])
    assert len(caught) == 1
    assert Path(caught[0].filename) == Path(__file__)
    read_file(path, text=["rate"])


@pytest.mark.parametrize(
    ("words", "said", "fix"),
    [
        (["?"] * 4, "'?' in 4 of 44", "--missing '?' (in Python missing=['?']) where"),
        (["unknown"] * 30, "'unknown' in 30 of 70", "--missing unknown (in"),
        (["--"], "'--' in 1 of 41", "--missing=-- (in"),
        (["tbd", "?", "?"], "'?' in 2 of 43 is none and 'tbd' in 1 of 43", "--missing '?' --missing tbd (in"),
        (["A", "A"], "'A' in 2 of 42", "--missing A (in Python missing=['A']) where nothing is known, else correct it"),
        (["a, b"], "'a, b' in 1 of 41", "write nothing but numbers"),
    ],
)
def test_words_among_numbers_are_named_with_their_count(write: Any, words: list[str], said: str, fix: str) -> None:
    for numbers, more in ((map(str, range(40)), "but "), ((f"{i}.5%" for i in range(40)), "'0.5%', are none and ")):
        values = [f'"{value}"' for value in (*numbers, *words)]
        path = write("n;rate\n" + "".join(f"{i};{value}\n" for i, value in enumerate(values)))
        with pytest.warns(NumbersAsTextWarning, match=f"{more}{re.escape(said)} is none.*{re.escape(fix)}"):
            read_file(path)
        assert read_file(path, missing=words, numbers=["rate"])["rate"].isna().sum() == len(words)


@pytest.mark.parametrize(
    ("form", "unit"), [("${}", "$"), ("{} EUR", "EUR"), ("{}.5k", "k"), ("L{}", None), ("{}A", None)]
)
def test_numbers_with_a_unit_are_named(write: Any, form: str, unit: str | None) -> None:
    path = write("n;rate\n" + "".join(f"{i};{form.format(i)}\n" for i in range(30)) + "30;?\n")
    if unit is None:
        read_file(path)
        return
    said = f"column 'rate': its values look like numbers with {unit!r}, such as {form.format(0)!r}"
    with pytest.warns(NumbersAsTextWarning, match=re.escape(said)):
        read_file(path)


def test_words_for_nothing_in_columns_told_to_be_numbers_are_offered_as_missing(write: Any) -> None:
    with pytest.raises(KindError, match=r"got '\?'; .*--missing '\?' \(in Python missing=\['\?'\]\)"):
        read_file(write("n,rate\n1,5\n2,?\n"), numbers=["rate"])


@pytest.mark.parametrize(
    ("decimal", "values", "said", "fix"),
    [
        (".", ["1511", "1,234", "abc", *map(str, range(40))], "but 'abc' in 1 of 43 is none", "--missing abc"),
        (",", ["0.189", "1.5", "2"], "but 1 of 3, for instance '1.5', are none", "write numbers with a decimal comma"),
        (".", ["1.234,5", "2"], "but 1 of 2, for instance '1.234,5', are none", "write numbers with a decimal point"),
    ],
)
def test_the_fault_is_what_the_decimal_mark_leaves_unread(
    write: Any, decimal: Any, values: list[str], said: str, fix: str
) -> None:
    path = write("n;rate\n" + "".join(f"{i};{value}\n" for i, value in enumerate(values)))
    with pytest.warns(NumbersAsTextWarning, match=f"{re.escape(said)}, .* Fix: {fix}"):
        read_file(path, decimal=decimal)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_are_read_where_they_separate_nothing(write: Any, separator: str) -> None:
    rows = [["n", "rate", "code"], ["1", "0,1", "1,5"], ["2", "-,5", "2,5"], ["3", "NA", ""], ["4", "12", "3,5"]]
    path = write("".join(separator.join(row) + "\n" for row in rows))
    frame = read_file(path, text=["code"])
    assert frame["n"].tolist() == [1, 2, 3, 4]
    assert frame["rate"].tolist() == pytest.approx([0.1, -0.5, math.nan, 12.0], rel=0, nan_ok=True)
    assert frame["code"].dropna().tolist() == ["1,5", "2,5", "3,5"]


@pytest.mark.parametrize("separator", [",", "|"])
def test_commas_elsewhere_are_told_of(write: Any, separator: str) -> None:
    path = write(f"n{separator}rate\n" + "".join(f'{i}{separator}"{i},5"\n' for i in range(3)))
    with pytest.warns(NumbersAsTextWarning, match="3 of 3, for instance '0,5', are none"):
        frame = read_file(path)
    assert frame["rate"].tolist() == ["0,5", "1,5", "2,5"]


@pytest.mark.parametrize(
    "values",
    [
        ["01/02/2024", "02/02/2024"],
        ["2024-01-02", "2024-01-03"],
        ["L0001", "L0002"],
        ["0 <= x < 200", "x < 0"],
        ["1", "2", "x"],
        ["1.2.3", "10.0.0.1"],
        ["A1", "1A"],
        ["yes", "no"],
        [*map(str, range(18)), "A", "B"],
        ["1", "2", "3", "unknown"],
    ],
)
def test_texts_that_are_no_numbers_are_read_in_silence(write: Any, values: list[str]) -> None:
    read_file(write("n;text\n" + "".join(f"{i};{value}\n" for i, value in enumerate(values))))


def test_quotes_protect_separators_line_ends_and_spaces(write: Any) -> None:
    path = write('"a, b"," c"\n"x;y;z"," two\nlines "\n"say ""hi""",\\\n')
    assert rows(path) == [["a, b", "c"], ["x;y;z", " two\nlines "], ['say "hi"', "\\"]]


def test_a_header_over_two_lines(write: Any) -> None:
    assert rows(write('"monthly\nincome",b\n1,2\n')) == [["monthly\nincome", "b"], [1, 2]]


def test_the_separator_is_the_one_that_splits_every_row_alike(write: Any) -> None:
    assert rows(write("rate;sum\na,5;b,5\na,7;2\n")) == [["rate", "sum"], ["a,5", "b,5"], ["a,7", "2"]]
    assert rows(write("name\tnote\na, b\tc; d\ne\tf\n"))[1:] == [["a, b", "c; d"], ["e", "f"]]
    cut_in_the_sample = "a,b;c;d\n" + "1,5;2;x\n" * 62 + '1,5;"2\n3";x\n'
    assert read_header(write(cut_in_the_sample)) == ("a,b", "c", "d")
    many = "".join(f'{i};"{i}, {i}\n|"\n' for i in range(100))
    assert len(rows(write("a;b\n" + many))) == 101


def test_a_stated_separator(write: Any) -> None:
    assert rows(write("a b\n1 2\n"), separator=" ") == [["a", "b"], [1, 2]]
    assert rows(write("a,b;c\nx,5;2\n"), separator=";") == [["a,b", "c"], ["x,5", 2]]
    assert read_header(write("a,b;c\n"), separator=";") == ("a,b", "c")


@pytest.mark.parametrize("separator", ["", ",,", '"', "\n"])
def test_a_separator_that_is_none(write: Any, separator: str) -> None:
    with pytest.raises(InputError, match="separator: a separator is one character; got"):
        read_file(write("a,b\n1,2\n"), separator=separator)


def test_tsv_files_are_separated_by_tabs(write: Any) -> None:
    path = write("a,b\tc\nx,2\t\n\t\t\n".replace("\t\t", "\t"), "loans.tsv")
    assert rows(path) == [["a,b", "c"], ["x,2", None], [None, None]]


def test_a_single_column_keeps_its_missing_values(write: Any) -> None:
    assert rows(write('age\n1\n\n""\n4\n')) == [["age"], [1], [None], [None], [4]]


@pytest.mark.parametrize("header", ["a,b,a", "\ufeffa,b,a", '\ufeff"a",b,a', "a , b, a", '"a", b ," a"', "\r\na,b,a"])
def test_duplicate_header_names_are_refused(write: Any, header: str) -> None:
    path = write(f"{header}\n1,2,3\n")
    for read in (read_file, read_header):
        with pytest.raises(InputError, match=r"header of file '.*loans.csv': duplicate column names: 'a'; .*Fix:"):
            read(path)


def test_a_column_without_a_name_is_refused(write: Any) -> None:
    with pytest.raises(InputError, match=r"column 1 has no name.*index=False"):
        read_file(write(",a\n0,5\n"))


@pytest.mark.parametrize(
    ("content", "row", "line", "got"),
    [
        ("a,b\n1,2\n3\n", 2, 3, "1 values"),
        ("a,b\n1,2\n\n3,4,5\n", 2, 4, "3 values"),
        ("a,b\n1,2,\n3,4,\n", 1, 2, "3 values"),
        ("age\n1,2\n", 1, 2, "2 values"),
    ],
)
def test_ragged_rows_are_refused(write: Any, content: str, row: int, line: int, got: str) -> None:
    with pytest.raises(
        InputError,
        match=rf"loans.csv', row {row} below the header, line {line}: a row of another length than the "
        rf"header; got '{got}'; allowed: \d values? separated by ','",
    ):
        read_file(write(content))


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_empty_files_are_refused(write: Any, content: str) -> None:
    for read in (read_file, read_header):
        with pytest.raises(InputError, match=r"loans.csv': the file is empty"):
            read(write(content))


def test_a_header_alone_is_refused(write: Any) -> None:
    with pytest.raises(InputError, match="no rows below the header"):
        read_file(write("a,b\n\n"))
    assert read_header(write("a,b\n")) == ("a", "b")


def test_other_encodings_are_refused_with_the_option_that_reads_them(write: Any) -> None:
    path = write("a,b\n1,\xe9\xe9\xe9\n".encode("latin-1"))
    told = r"loans.csv': not UTF-8 text; got b'\\xe9'.*save the file as CSV in UTF-8, or .*--encoding cp1252"
    for read in (read_file, read_header):
        with pytest.raises(InputError, match=told):
            read(path)
    assert rows(path, encoding="cp1252") == [["a", "b"], [1, "\xe9\xe9\xe9"]]
    with pytest.raises(InputError, match=r"not ascii text; got b'\\xe9'"):
        read_file(path, encoding="ascii")
    with pytest.raises(InputError, match=r"encoding: unknown encoding; got 'latin-one'; allowed: .*'cp1252'"):
        read_file(path, encoding="latin-one")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("zipped", [False, True])
def test_utf_16_is_read_where_it_is_marked_and_named_where_not(write: Any, encoding: str, zipped: bool) -> None:
    content = "a,b\n1,\xe9\n".encode(encoding)
    path = write(gzip.compress(content), "loans.csv.gz") if zipped else write(content)
    if encoding in ("utf-16", "utf-32"):
        assert rows(path) == [["a", "b"], [1, "\xe9"]]
    else:
        with pytest.raises(InputError, match=f"as UTF-16 does without a byte-order mark.*--encoding {encoding}"):
            read_file(path)
    assert rows(path, encoding=encoding) == [["a", "b"], [1, "\xe9"]]


def test_files_that_two_readers_understand_differently_are_refused(write: Any) -> None:
    with pytest.raises(InputError, match="cannot be read; got '1 rows by one reading, 2 by another'"):
        read_file(write('a,b\n1,2\n""\n'))
    with pytest.raises(InputError, match=r"cannot be read; got .*EOF inside string"):
        read_file(write('a,b\n1,"2\n'))
    with pytest.raises(InputError, match="cannot be read; got 'field larger than field limit"):
        read_file(write('a,b\n1,"' + "x" * 200_000 + '"\n'))


def test_broken_gzip_files_are_refused(write: Any) -> None:
    whole = gzip.compress(b"a,b\n1,2\n" * 1000)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 255
    for content in (b"a,b\n1,2\n", whole[:-9], bytes(flipped)):
        with pytest.raises(InputError, match=r"loans.csv.gz': cannot be read; got"):
            read_file(write(content, "loans.csv.gz"))


def test_a_missing_file_names_the_closest(write: Any, tmp_path: Path) -> None:
    write("a\n1\n", "german.csv")
    write("", "germany.xlsx")
    with pytest.raises(InputError, match=r"file '.*germn.csv': does not exist; allowed: did you mean 'german.csv'\?"):
        read_file(tmp_path / "germn.csv")
    with pytest.raises(InputError, match=r"is a folder, not a file; allowed: one of 'german.csv'"):
        read_file(tmp_path)
    for name in ("n" * 300 + ".csv", "a\0b.csv"):
        with pytest.raises(InputError, match="does not exist"):
            read_file(tmp_path / name)
    with pytest.raises(InputError, match="the folder does not exist"):
        read_header(tmp_path / "no" / "german.csv")


@pytest.mark.parametrize("name", ["loans.docx", "loans", "loans.gz", "loans.json"])
def test_other_suffixes_are_refused(write: Any, name: str) -> None:
    with pytest.raises(
        InputError, match=r"unknown kind of file; got '.*'; allowed: \.csv, \.csv\.gz, \.tsv, \.parquet"
    ):
        read_file(write("a\n1\n", name))


def test_parquet_from_every_backend(tmp_path: Path) -> None:
    content = {"age": [41, None, 17], "job": ["NA", None, ""], "paid": [True, None, False]}
    pl.DataFrame(content).write_parquet(tmp_path / "polars.parquet")
    pq.write_table(pa.table(content), tmp_path / "pyarrow.parquet")
    pd.DataFrame(content).to_parquet(tmp_path / "pandas.parquet")
    for path in tmp_path.glob("*.parquet"):
        table = as_table(read_file(path))
        assert table.names == read_header(path) == ("age", "job", "paid")
        np.testing.assert_array_equal(table.column("age").values, [41, NAN, 17])
        assert table.column("job").values.tolist() == ["NA", None, ""]
        np.testing.assert_array_equal(table.column("paid").values, [1, NAN, 0])


def test_parquet_decimals_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    job = pa.array(["b", None, "a"]).dictionary_encode()
    pq.write_table(pa.table({"rate": [Decimal("0.1"), None, Decimal("2.5")], "job": job}), path)
    table = as_table(read_file(path))
    np.testing.assert_array_equal(table.column("rate").values, [0.1, NAN, 2.5])
    assert table.column("job").values.tolist() == ["b", None, "a"]


def test_a_named_pandas_index_is_a_column_and_an_unnamed_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"a.b": [1, 2]}, index=[5, 7])
    frame.to_parquet(path)
    assert read_header(path) == tuple(read_file(path).columns) == ("a.b",)
    frame.rename_axis("id").to_parquet(path)
    assert read_header(path) == tuple(read_file(path).columns) == ("a.b", "id")
    assert read_file(path)["id"].tolist() == [5, 7]


def test_parquet_refusals(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(InputError, match=r"a.parquet': duplicate column names: 'a'"):
        read_file(path)
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), path)
    with pytest.raises(InputError, match="no rows"):
        read_file(path)
    pq.write_table(pa.table({"day": pa.array([1], pa.date32())}), path)
    with pytest.raises(KindError, match="column 'day': each argument must be a string or a number"):
        as_table(read_file(path)).column("day")
    for content in (b"", b"PAR1 but not really PAR1"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"a.parquet': cannot be read as Parquet; got"):
            read_header(path)
