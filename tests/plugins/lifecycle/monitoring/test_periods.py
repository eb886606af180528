"""Dates as periods."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scrutable.errors import InputError
from scrutable_lifecycle.monitoring import periods_of

TEXTS = ["2026-03-31", "2025-12-01", "2026-01-05"]


def _rows(dates: Any, period: Any) -> dict[str, list[int]]:
    return {name: np.flatnonzero(rows).tolist() for name, rows in periods_of(dates, period, len(dates))}


@pytest.mark.parametrize(
    "dates",
    [
        TEXTS,
        [text.replace("-", "/") for text in TEXTS],
        [text.replace("-", "") for text in TEXTS],
        [int(text[:7].replace("-", "")) for text in TEXTS],
        [f"{text}T10:30:00" for text in TEXTS],
        [date.fromisoformat(text) for text in TEXTS],
        [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in TEXTS],
        np.array(TEXTS, dtype="datetime64[D]"),
        pd.Series(TEXTS),
        pd.Series(pd.to_datetime(TEXTS)),
        pd.to_datetime(TEXTS),
        pl.Series(TEXTS).str.to_date(),
        pa.chunked_array([TEXTS]),
    ],
    ids=lambda dates: type(dates).__name__,
)
def test_every_kind_of_date(dates: Any) -> None:
    assert _rows(dates, "month") == {"2025-12": [1], "2026-01": [2], "2026-03": [0]}
    assert _rows(dates, "quarter") == {"2025 Q4": [1], "2026 Q1": [0, 2]}
    assert _rows(dates, "year") == {"2025": [1], "2026": [0, 2]}
    assert list(_rows(dates, "quarter")) == ["2025 Q4", "2026 Q1"]


def test_dates_that_are_longer_than_a_day() -> None:
    dates = ["2026Q1", "2026-Q2", "2026-03", "2026/4/1"]
    assert _rows(dates, "quarter") == {"2026 Q1": [0, 2], "2026 Q2": [1, 3]}
    assert _rows([*dates, "2025", "2026H2", "2026W05"], "year") == {"2025": [4], "2026": [0, 1, 2, 3, 5, 6]}


def test_a_moment_is_in_the_period_that_its_own_zone_writes() -> None:
    dates = ["2026-04-01T00:30+05:00", "2026-03-31T12:00:00Z", datetime.fromisoformat("2026-04-01T00:30+05:00")]
    assert _rows(dates, "month") == {"2026-03": [1], "2026-04": [0, 2]}


def test_values_in_their_order() -> None:
    assert list(_rows([10, 9, 10.0], "values").items()) == [("9", [1]), ("10", [0, 2])]
    assert list(_rows(["wave 2", "wave 1"], "values")) == ["wave 1", "wave 2"]
    assert list(_rows(["b", 1], "values")) == ["1", "b"]
    assert list(_rows(["1", "10", "11", "2", "-3.5"], "values")) == ["-3.5", "1", "2", "10", "11"]
    assert list(_rows(["1", "10", "2", "x"], "values")) == ["1", "10", "2", "x"]


@pytest.mark.parametrize(
    ("dates", "period", "message"),
    [
        (["2026-01-01", "31.12.2026"], "month", r"dates, row 1: not a date; got '31.12.2026'.*period 'values'"),
        (["2026-13-01"], "month", r"row 0: not a date"),
        (["2026-01-32"], "year", r"row 0: not a date"),
        (["2024-02-29", "2025-02-29"], "month", r"row 1: not a date; got '2025-02-29'"),
        (["2026-03-31T99:99 junk"], "month", r"row 0: not a date; got '2026-03-31T99:99 junk'"),
        (["2026-03", "2026Q1"], "month", r"row 1: .* which month it is in; got '2026Q1'.*period 'quarter' or 'year'"),
        ([2026], "month", r"row 0: .* which month it is in; got 2026.*2019-07, .*201907.*period 'year'; or"),
        (
            ["2026H1"],
            "quarter",
            r"which quarter it is in; got '2026H1'; allowed: .*2019Q3.*period 'year'; or.*'values'",
        ),
        (["2026W05"], "quarter", r"row 0: the date does not say which quarter it is in; got '2026W05'"),
        (["20250231"], "month", r"row 0: not a date; got '20250231'"),
        (pd.Series(["2026-01", pd.NA], dtype="string"), "month", r"dates, row 1: a date is missing"),
        ([pd.NA, 1], "values", r"dates, row 0: a date is missing"),
        ([np.datetime64("2026-01-01"), np.datetime64("NaT")], "year", r"dates, row 1: a date is missing"),
        (["2026-01", None], "month", r"dates, row 1: a date is missing"),
        (pd.Series(pd.to_datetime(["2026-01-01", None])), "month", r"dates, row 1: a date is missing"),
        ([1.0, float("nan")], "values", r"dates, row 1: a date is missing"),
        (["2026-01"], "week", r"unknown period; got 'week'"),
        ([1, date(2026, 1, 1)], "values", r"dates: values of several kinds have no order"),
    ],
)
def test_what_is_no_date_is_told(dates: Any, period: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        periods_of(dates, period, len(dates))


def test_another_number_of_rows_is_told() -> None:
    with pytest.raises(InputError, match=r"dates: expected a date for each row; got 5"):
        periods_of(5, "month", 2)
    with pytest.raises(InputError, match=r"dates: the number of dates differs.*got 1; allowed: 2 dates"):
        periods_of(["2026-01"], "month", 2)
