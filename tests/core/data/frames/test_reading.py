"""What would be corrupted in silence: codes with leading zeros, percent signs, separators of thousands, dates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import read_file
from scrutable.data.frames.leading_zeros import LeadingZerosWarning
from scrutable.data.frames.numerals import MixedDecimalsWarning
from scrutable.errors import InputError, KindError


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def _write(columns: dict[str, list[str]], separator: str = ",") -> Path:
        lines = [list(columns), *map(list, zip(*columns.values(), strict=True))]
        path = tmp_path / "loans.csv"
        path.write_text("".join(separator.join(f'"{cell}"' for cell in line) + "\n" for line in lines))
        return path

    return _write


def test_leading_zeros_mean_text(write: Any) -> None:
    path = write({"zip": ["01001", "90210", "", "01001"], "n": ["0", "10", "2", "3"]})
    expected = r"column 'zip': 2 of 3 values begin with a zero, such as '01001', .* read as text\. Fix: .*--numbers zip"
    with pytest.warns(LeadingZerosWarning, match=expected) as caught:
        frame = read_file(path)
    assert len(caught) == 1
    assert Path(caught[0].filename) == Path(__file__)
    assert frame["zip"].dropna().tolist() == ["01001", "90210", "01001"]
    assert frame["n"].tolist() == [0, 10, 2, 3]
    assert read_file(path, text=["zip"])["zip"].dropna().tolist() == ["01001", "90210", "01001"]
    assert read_file(path, numbers=["zip"])["zip"].dropna().tolist() == [1001, 90210, 1001]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("code", ["007", "00", " 01"])
def test_leading_zeros_are_seen_in_every_kind_of_file(tmp_path: Path, separator: str, code: str) -> None:
    path = tmp_path / "loans.csv"
    path.write_text(f"a{separator}b\n" + f"5{separator}1\n" * 200 + f"5{separator}{code.strip()}\n")
    with pytest.warns(LeadingZerosWarning, match="column 'b': 1 of 201"):
        frame = read_file(path, separator=separator)
    assert frame["b"].iloc[-1] == code.strip()


@pytest.mark.parametrize(
    ("values", "read"),
    [
        (["0", "0.5", "00.25"], [0, 0.5, 0.25]),
        (["007", "7.5"], [7, 7.5]),
        (["-01", "2"], [-1, 2]),
        (["2019-01-02", "x 01"], ["2019-01-02", "x 01"]),
        (["01/02", "09:30"], ["01/02", "09:30"]),
        (["007", "x"], ["007", "x"]),
        (["1e05", "1"], [100_000, 1]),
    ],
)
def test_other_zeros_are_read_as_ever(write: Any, values: list[str], read: list[Any]) -> None:
    assert read_file(write({"a": values, "b": ["1"] * len(values)}))["a"].tolist() == read


def test_a_quoted_line_end_does_not_hide_a_code(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    path.write_text('zip,note\n01001,"one\n two"\n2,x\n')
    with pytest.warns(LeadingZerosWarning, match="column 'zip': 1 of 2"):
        assert read_file(path)["zip"].tolist() == ["01001", "2"]


def test_percent_signs_are_dropped_where_numbers_are_asked_for(write: Any) -> None:
    path = write({"rate": ["36.9%", "4 %", "", "0.125%"], "b": ["1"] * 4})
    assert read_file(path, numbers=["rate"])["rate"].dropna().tolist() == [36.9, 4.0, 0.125]
    with pytest.raises(InputError, match=r"column 'rate': some values have a percent sign.*got \('3%', '0.03'\)"):
        read_file(write({"rate": ["3%", "0.03"], "b": ["1"] * 2}), numbers=["rate"])


def test_thousands_are_read_where_the_decimal_mark_is_told(write: Any) -> None:
    american = write({"a": ["1,234", "1,234,567.5", "12"], "b": ["1.5", "2", "3"]})
    assert read_file(american, decimal=".")["a"].tolist() == [1234, 1234567.5, 12]
    german = write({"a": ["1.234", "950", "12.500"], "b": ["1,5", "2", "3"]}, ";")
    frame = read_file(german, decimal=",")
    assert (frame["a"].tolist(), frame["b"].tolist()) == ([1234, 950, 12500], [1.5, 2, 3])
    swiss = write({"a": ["1'234.5", "12 345", "1\u202f000"], "b": ["1", "2", "3"]})
    assert read_file(swiss, decimal=".")["a"].tolist() == [1234.5, 12345, 1000]
    with pytest.raises(InputError, match=r"decimal: unknown decimal; got ';'; allowed: '\.' or ','"):
        read_file(swiss, decimal=";")  # type: ignore[arg-type]  # what is tested


def test_what_two_marks_read_differently_is_refused(write: Any) -> None:
    path = write({"a": ["1,234", "950"], "b": ["1", "2"]})
    expected = r"column 'a': a point or comma may .*got '1,234'; allowed: 1,234 is 1234 where a point .*--decimal"
    with pytest.raises(InputError, match=expected):
        read_file(path, numbers=["a"])
    assert read_file(path, numbers=["a"], decimal=".")["a"].tolist() == [1234, 950]
    told = write({"a": ["1,234", "1,234,567", "1.5"], "b": ["1"] * 3})
    assert read_file(told, numbers=["a"])["a"].tolist() == [1234, 1234567, 1.5]


def test_a_column_that_is_told_to_be_numbers_and_is_not(write: Any) -> None:
    path = write({"a": ["1", "2", "?", "x"], "b": ["1"] * 4})
    with pytest.raises(KindError, match=r"column 'a': read as numbers, but 2 of 4 values are none; got '\?'"):
        read_file(path, numbers=["a"])
    with pytest.raises(InputError, match="column 'a': read as text and as numbers"):
        read_file(path, numbers=["a"], text=["a"])


def test_dates_with_their_year_last(write: Any) -> None:
    path = write({"day": ["31/07/2019", "", "1/8/2019"], "time": ["1.2.2020 09:30", "2.2.2020 10:00", ""]})
    frame = read_file(path, dates="d/m/Y")
    assert frame["day"].dropna().tolist() == ["2019-07-31", "2019-08-01"]
    assert frame["time"].dropna().tolist() == ["2020-02-01 09:30", "2020-02-02 10:00"]
    with pytest.raises(InputError, match="column 'day': no such day; got '31/07/2019'; allowed: dates as m/d/Y"):
        read_file(path, dates="m/d/Y")
    with pytest.raises(InputError, match="dates: unknown dates; got 'Y-m-d'"):
        read_file(path, dates="Y-m-d")  # type: ignore[arg-type]  # what is tested


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    numbers=st.lists(st.integers(-(10**9), 10**9).map(lambda n: n / 100), min_size=1, max_size=10),
    decimal=st.sampled_from([".", ","]),
)
def test_numbers_with_thousands_are_the_nearest_doubles(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float], decimal: Any
) -> None:
    swap = str.maketrans(".,", ",.") if decimal == "," else {}
    path = tmp_path_factory.getbasetemp() / "thousands.csv"
    path.write_text("a|b\n" + "".join(f"{number:,.2f}|1\n".translate(swap) for number in numbers))
    read = read_file(path, decimal=decimal)["a"].tolist()
    assert read == numbers


def test_points_that_may_separate_thousands_are_told_where_commas_separate_values(write: Any) -> None:
    points = ["1.511", "90", "23.900", "2.040", "7.540", "999", "12.345"]
    with pytest.warns(MixedDecimalsWarning, match="column 'inc': '1.511' is read as a little more than"):
        read_file(write({"inc": points}))
    for ordinary in (points[:5], [each for each in points if "." in each], [*points, "1.5"], [*points, "0.250"]):
        read_file(write({"inc": ordinary}))
