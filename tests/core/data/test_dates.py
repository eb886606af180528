"""Dates of a column: every form, in order, with its year, quarter and month, and what is no date."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.data.dates import DAY, TIME, ZONED, CalendarDate, read_date

EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))


@pytest.mark.parametrize("form", CalendarDate.FORMS)
def test_the_name_of_a_form_is_an_example_of_it(form: str) -> None:
    found = read_date(form)
    assert found is not None
    assert (found.form, found.year) == (form, 2019)
    assert (found.month is not None, found.quarter is not None) == (
        form in CalendarDate.WITH_MONTH,
        form in CalendarDate.WITH_QUARTER,
    )
    assert found.month in (None, 7)
    assert found.quarter in (None, 3)


@pytest.mark.parametrize(
    ("value", "form", "key"),
    [
        ("2026/03/31", DAY, "2026-03-31"),
        ("2026-3-1", DAY, "2026-03-01"),
        (" 2026/3 ", "2019-07", "2026-03"),
        ("2026-03-31T12:00:00Z", ZONED, "2026-03-31 12:00:00"),
        ("2026-3-31 12:00:00 UTC", ZONED, "2026-03-31 12:00:00"),
        ("2026-04-01T01:30+0530", ZONED, "2026-03-31 20:00:00"),
        ("2026-03-31 12:00:00.123456789000-01", ZONED, "2026-03-31 13:00:00.123456789"),
        ("2026-03-31 12:00:00.000", TIME, "2026-03-31 12:00:00"),
        (datetime.datetime(2026, 4, 1, 1, 30, tzinfo=EAST), ZONED, "2026-03-31 20:00:00"),
        (pd.Timestamp("2026-03-31 12:00:00.5"), TIME, "2026-03-31 12:00:00.5"),
        (np.datetime64("2026-03-31T12"), TIME, "2026-03-31 12:00:00"),
        (np.datetime64("2026-03"), "2019-07", "2026-03"),
        (np.datetime64("2026"), "2019", "2026"),
        (datetime.date(2026, 3, 31), DAY, "2026-03-31"),
        (pd.Period("2026Q1"), "2019Q3", "2026Q1"),
        (202603.0, "201907", "202603"),
        ("2026W53", "2019W05", "2026W53"),
    ],
)
def test_forms_and_their_keys(value: Any, form: str, key: str) -> None:
    found = read_date(value)
    assert found is not None
    assert (found.form, found.key) == (form, key)


@pytest.mark.parametrize(
    "value",
    [
        "", "2026-03-31T99:99 junk", "2026-03-31 12", "2026-03-31 24:00", "2026-03-31 12:00.5",
        "2026-03-31T12:00+05:99", "2026-03-31T12:00 junk", "2026-3/1", "2026-13", "2026-0-1", "2026-02-29",
        "2026/2/30", "20260229", "202613", "2027W53", "2026W00", "2026Q5", "2026H3", "0000", "0000-07",
        "0001-01-01T00:00+10:00", "26-03-31", "31.12.2026", "3/31/2026", "\uff12\uff10\uff12\uff16",
        20260, 2026.5, True, b"2026", [2026], pd.NaT, np.datetime64("20000-01-01"),
        datetime.datetime(1, 1, 1, tzinfo=EAST),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_date(value: Any) -> None:
    assert read_date(value) is None


@given(st.lists(st.datetimes(), min_size=2, max_size=2), st.sampled_from([datetime.UTC, EAST, None]))
def test_keys_are_in_the_order_of_time(moments: list[datetime.datetime], zone: datetime.timezone | None) -> None:
    earlier, later = sorted(moment.replace(year=max(moment.year, 2), tzinfo=zone) for moment in moments)
    found = [read_date(each) for each in (earlier, earlier.isoformat(), later, later.isoformat(" "))]
    first, of_text, second, of_other = [each.key for each in found if each is not None]
    assert first == of_text <= second == of_other
    assert (first == second) == (earlier == later)
