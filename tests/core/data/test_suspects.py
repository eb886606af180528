"""Inputs that are most likely not what they seem."""

from __future__ import annotations

import ast
import json
import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import make_credit
from scrutable.data.sentinels import suspected_codes
from scrutable.data.suspected_codes import codes_by_column
from scrutable.data.suspects import InputWarning
from scrutable.plugins.registry import registry


def _told(frame: dict[str, Any], **options: Any) -> list[str]:
    n = len(next(iter(frame.values())))
    binner = registry().create("binner", "quantile", **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        binner.fit(pd.DataFrame(frame), [i % 2 for i in range(n)])
    assert {Path(each.filename) for each in caught} <= {Path(__file__)}
    return [str(each.message) for each in caught]


AGE = [21.0 + i % 40 for i in range(100)]
DEBTS = [-30.0 * i for i in range(1, 9)]


def test_a_sentinel_that_would_be_the_lowest_bin_is_named_with_its_option() -> None:
    [told] = _told({"income": [-999.0] * 5 + AGE, "age": [18.0] * 5 + AGE})
    assert told.startswith("column 'income': -999 in 5 of 105 rows may stand for no information")
    assert "special_codes={'income': [-999]}" in told
    assert _told({"income": [-999.0] * 5 + AGE, "age": [18.0] * 5 + AGE}, special_codes={"income": [-999]}) == []


def test_codes_beside_a_known_one_are_named_with_it() -> None:
    values = [-9.0] * 4 + [-8.0] * 4 + AGE
    [told] = _told({"score": values, "age": [18.0] * 8 + AGE}, special_codes={"score": [-8]})
    assert told.startswith("column 'score': -9 in 4 of 108 rows")
    assert "[-9, -8]" in told


def _caught(frame: dict[str, Any], **options: Any) -> InputWarning:
    n = len(next(iter(frame.values())))
    with pytest.warns(InputWarning) as caught:
        registry().create("binner", "quantile", favourable=1, **options).fit(
            pd.DataFrame(frame), [i % 2 for i in range(n)]
        )
    [warning] = caught.list
    assert isinstance(warning.message, InputWarning)
    return warning.message


def test_codes_of_many_columns_are_one_note_whose_fix_can_be_pasted_whole() -> None:
    nothing = [-9.0] * 5
    frame = {f"c{at}": [*nothing, *([-8.0] * 4 if at > 2 else []), *AGE][:100] for at in range(6)}
    frame["debt"] = [float(-at) for at in range(100)]  # -9 and -8 are numbers of this column
    told = _caught(frame)
    python, command = str(told), told.command
    assert python.startswith("-9 in 6 columns, -8 in 3 may stand for no information")
    assert "-9 stands in the same 5 rows of 6 columns: these applicants are one group" in python
    assert python.count("Fix:") == command.count("Fix:") == 1
    fix = re.search(r"option special_codes=(\{.*\}), or", python)
    flag = re.search(r"--binner-option ('.*') \(", command)
    assert fix is not None
    assert flag is not None
    codes = ast.literal_eval(fix[1])
    assert codes == {f"c{at}": [-9, -8] if at > 2 else [-9] for at in range(6)}
    [pasted] = shlex.split(flag[1])
    assert json.loads(pasted.removeprefix("special_codes=")) == codes
    assert _told(frame, special_codes=codes) == []


def test_the_fix_is_a_list_where_all_columns_hold_the_codes_as_codes() -> None:
    frame = {"age": [-9.0] * 5 + AGE, "term": [-9.0] * 2 + [24.0, 36.0, 48.0] * 34 + [12.0], "debt": AGE + [3.0] * 5}
    told = _caught({**frame, "count": [-9.0] * 4 + [float(at % 5) for at in range(101)]})
    assert "-9 of 'age' (5 rows), -9 of 'term' (2 rows), -9 of 'count' (4 rows)" in str(told)
    assert "option special_codes=[-9], or" in str(told)
    assert "--binner-option 'special_codes=[-9]' (" in told.command
    assert "same" not in str(told)
    assert _told(frame, special_codes=[-9]) == []


def test_codes_that_are_known_stay_in_the_fix() -> None:
    frame = {"age": [-9.0] * 5 + AGE, "term": [-7.0] * 5 + AGE, "debt": [-9.0] * 5 + AGE}
    told = str(_caught(frame, special_codes={"term": [-7]}))
    assert "special_codes=[-9, -7]" in told
    assert "'term'" not in told


@pytest.mark.parametrize(
    ("others", "codes"),
    [
        ([-9.0, *AGE], [-9.0]),
        ([-9.0, -1.0, 0.0, 1.0, 2.0], []),
        ([-9.0, 0.0, 1.0], []),  # a column of three values
        ([-9.0, -20.0, *AGE], []),
        ([-9.0] * 9 + [-20.0, *DEBTS, *AGE], []),
        ([-9.0] * 10 + [-20.0, *DEBTS, *AGE], [-9.0]),
        ([999.0, *AGE], [999.0]),
        ([999.0, 900.0, *AGE], []),
    ],
)
def test_a_code_of_two_columns_is_one_in_others_where_it_can_be_no_number(
    others: list[float], codes: list[float]
) -> None:
    column = np.array([-9.0] * 4 + AGE + [999.0] * 4)
    found = codes_by_column({"a": column, "b": column, "c": np.array(others)})
    assert found == {"a": [-9.0, 999.0], "b": [-9.0, 999.0], "c": codes}


@pytest.mark.parametrize(
    ("codes", "others"),
    [
        ([-999], AGE),
        ([-9999], [*AGE, 0, 1e6]),
        ([-9, -8, -7], AGE),
        ([-1, -9], AGE),
        ([-1], [float(17 * i) for i in range(90)]),
        ([-8, -7], [float(17 * i) for i in range(90)]),
        ([999], AGE),
        ([9999, 9998], AGE),
        ([999999], [1000.0 * i for i in range(500)]),
        ([99], [0.0, 1, 2] * 40),
        ([9.99e20], AGE),
        ([9990000], AGE),
        ([-999], [*AGE, *map(float, range(-20, 0))]),
        ([-99999] * 5, [*AGE, *(-3000.0 * i for i in range(30))]),  # not far below a debt, but 20 times as often
    ],
)
def test_sentinels(codes: list[float], others: list[float]) -> None:
    assert suspected_codes(np.array([float(code) for code in codes] * 4 + others)) == sorted({*codes})


@pytest.mark.parametrize(
    "values",
    [
        AGE,
        [*AGE, -999.0],  # once only
        [*AGE, 99.0, 99.0, 99.0, *map(float, range(60, 99))],  # the oldest of many
        [float(i % 30 - 15) for i in range(300)],  # temperatures: -9 is one of many
        [-999.0] * 4 + [-37.0 * i for i in range(26)],  # the largest debt of many
        [9.0] * 9 + [float(i % 9) for i in range(90)],
        [-9.5] * 9 + AGE,
        [-1.0] * 3 + [float(17 * i) for i in range(110)],  # seldom
        [-1.0] * 9 + [float(i % 5) for i in range(90)],  # beside few other numbers
        [-2.0] * 3 + [-1.0] * 5 + [float(i % 25) for i in range(150)],  # a tail
        [-20.0] * 9 + [float(17 * i) for i in range(90)],
        [-9.0] * 9,
        [99.99] * 9 + AGE,
        [1.0, 2.0, 3.0],
        [float("inf")] * 5 + AGE,
        [],
        [0.0, 1.0] * 50,
        [90.0] * 5 + [float(i % 10) for i in range(50)],
    ],
)
def test_ordinary_numbers(values: list[float]) -> None:
    assert suspected_codes(np.array(values, dtype=float)) == []


def test_constants_are_named() -> None:
    age = [float(i % 7) for i in range(60)]
    told = _told({"country": ["US"] * 60, "term": [36.0] * 60, "age": age, "flag": [1.0, None] * 30})
    assert [each.partition(", so")[0] for each in told] == [
        "column 'country': every value is 'US'",
        "column 'term': every value is 36",
    ]


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%Y-%m-%d", "%m.%d.%Y %H:%M", "%d-%b-%Y", "%B %d, %Y", "%d/%m/%y"])
def test_dates_as_categories_are_named(form: str) -> None:
    days = (pd.Timestamp("2019-01-01") + pd.to_timedelta(np.arange(60) % 25, unit="D")).strftime(form)
    [told] = _told({"issued": list(days), "age": [float(i % 7) for i in range(60)]})
    assert told.startswith(f"column 'issued': its values are dates, such as {days[0]!r}")


def test_months_and_numbers_that_are_declared_categories_are_not() -> None:
    months = ["2019-01", "2019-02", "2020-01"] * 20
    assert _told({"version": ["1.2.3", "10-20-30x", "40/50/60"] * 20}) == []
    coded = [99.0] * 5 + [1.0, 2.0] * 27 + [3.0]
    assert _told({"month": months, "branch": coded, "age": AGE[:60]}, categorical=["branch"]) == []


def test_the_code_of_the_simulated_applicants_is_found() -> None:
    data = make_credit(500)
    with pytest.warns(InputWarning, match="column 'bureau_score': -9 in"):
        registry().create("binner", "quantile").fit(data.X, data.y)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([20190731.0, 20190801, 20190930, 20191231, 20200101], "such as 20190731"),
        ([201907.0, 201908, 201912, 202001, 202002], "such as 201907"),
    ],
)
def test_dates_that_are_written_as_numbers_are_told(values: list[float], said: str) -> None:
    [told] = _told({"opened": values * 20, "age": AGE})
    assert told.startswith(f"column 'opened': its values are dates written as numbers, {said}")


@pytest.mark.parametrize(
    "values", [[20190731.0, 20190799, 20191399, 20194412, 20198801], [201907.5 + i for i in range(5)]]
)
def test_numbers_that_are_no_dates_are_not_taken_for_them(values: list[float]) -> None:
    assert _told({"income": values * 20, "age": AGE}) == []
