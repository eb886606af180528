"""Splits by time: forms of dates, whole dates on one side, and what cannot be put in order."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable_lifecycle.validation import out_of_time


@pytest.mark.parametrize(
    ("dates", "since", "held_out"),
    [
        (["2019-07-01", "2019-06-30", "2019-12-01"], "2019-07-01", [0, 2]),
        (["2019-07-01", "2019-06-30", "2019-12-01"], "2019-07", [0, 2]),
        (["2019-07-01", "2018-06-30", "2020-12-01"], "2020", [2]),
        (["2019Q3", "2019Q1", "2019Q4"], "2019Q3", [0, 2]),
        ([201907, 201906, 201912], 201907, [0, 2]),
        ([201907.0, 201906.0, 201912.0], "201907", [0, 2]),
        (["20190701", "20190630", "20191201"], "20190701", [0, 2]),
        (["2019-07-01T10:00", "2019-07-01 09:59", "2019-07-02 00:00"], "2019-07-01 10:00", [0, 2]),
        (["2019/07/01", "2019-6-30", "2019/12/1"], "2019/7/1", [0, 2]),
        (["2019/7", "2019-06", "2019/12"], "2019/07", [0, 2]),
        (["2019-07-01T10:00Z", "2019-07-01 11:59+02:00", "2019-06-30 20:00:00-0900"], "2019-07-01 10:00", [0]),
        (["2019H1", "2019H2", "2018H2"], "2019H1", [0, 1]),
        (["2019W05", "2019W06", "2018W52"], "2019W05", [0, 1]),
        (pd.to_datetime(["2019-07-01", "2019-06-30", "2019-12-01"]), "2019-07", [0, 2]),
        (pd.Series(pd.to_datetime(["2019-07-01", "2019-06-30"])), datetime.date(2019, 7, 1), [0]),
        (pl.Series([datetime.date(2019, 7, 1), datetime.date(2019, 6, 30)]), datetime.date(2019, 7, 1), [0]),
        (np.array(["2019-07-01", "2019-06-30"], dtype="datetime64[D]"), "2019-07", [0]),
    ],
)
def test_forms(dates: Any, since: Any, held_out: list[int]) -> None:
    found = out_of_time(dates, since=since)
    assert found.held_out.tolist() == held_out
    assert sorted([*found.learn, *found.held_out]) == list(range(len(dates)))


def test_a_share_never_divides_a_day() -> None:
    texts = ["2019-07-01 09:30", "2019-07-01 10:00", "2019-07-02 08:00", "2019-07-02 09:00", "2019-07-02 10:00"]
    for dates in (texts, pd.to_datetime(texts)):
        found = out_of_time(dates, share=0.2)
        assert (found.since, found.held_out.tolist()) == ("2019-07-02", [2, 3, 4])
    with pytest.raises(InputError, match="all rows are of one date"):
        out_of_time(texts[:2], share=0.5)


@pytest.mark.parametrize("since", ["2019-07-01 09:30", "2019-07-01 09:30:00", "2019-07-01 09:30:00.000"])
def test_one_moment_may_be_written_in_several_ways(since: str) -> None:
    dates = ["2019-07-01 09:30", "2019-07-01 09:30:00", "2019-07-01T09:30:00.0", "2019-07-01 09:29:59.999"]
    assert out_of_time(dates, since=since).held_out.tolist() == [0, 1, 2]
    moments = pd.to_datetime(["2019-07-01 09:30:00.000", "2019-07-01 09:29:59.999"])
    assert out_of_time(moments, since=since).held_out.tolist() == [0]


def test_zones_are_compared_as_moments() -> None:
    east, west = (datetime.timezone(datetime.timedelta(hours=hours)) for hours in (9, -9))
    moments = [datetime.datetime(2019, 7, 1, 5, tzinfo=east), datetime.datetime(2019, 6, 30, 20, tzinfo=west)]
    assert out_of_time(moments, since="2019-07-01").held_out.tolist() == [1]


@settings(deadline=None)
@given(st.lists(st.integers(1, 12), min_size=2, max_size=60), st.floats(0.05, 0.95))
def test_no_date_is_on_both_sides_and_the_share_is_as_near_as_dates_allow(months: list[int], share: float) -> None:
    dates = [f"2019-{month:02d}" for month in months]
    if len(set(dates)) == 1:
        with pytest.raises(InputError, match="all rows are of one date"):
            out_of_time(dates, share=share)
        return
    found = out_of_time(dates, share=share)
    assert max(dates[row] for row in found.learn) < min(dates[row] for row in found.held_out) == found.since
    possible = [sum(each >= date for each in dates) / len(dates) for date in sorted(set(dates))[1:]]
    off = abs(len(found.held_out) / len(dates) - share)
    assert off == pytest.approx(min(abs(each - share) for each in possible))


@pytest.mark.parametrize(
    ("dates", "options", "message"),
    [
        (
            ["2019-07", "31.12.2019"],
            {"since": "2019-07"},
            r"dates, row 1: not a date; got '31\.12\.2019'; allowed: .*2019-07-31 09:30, .*2019W05",
        ),
        (["2019-07", "2019-13"], {"since": "2019-07"}, "row 1: not a date"),
        (["2019-07", "2019-07-01"], {"since": "2019-07"}, r"row 1: dates of two forms .*the form of row 0, '2019-07'"),
        (["2019-07", None], {"since": "2019-07"}, "row 1: a date is missing"),
        ([pd.NaT], {"since": "2019-07"}, "row 0: a date is missing"),
        (["2019-07", "2019-08"], {"since": "2019-07"}, "no rows to learn from"),
        (
            ["2019-07", "2019-08"],
            {"since": "2020-07"},
            r"no rows to hold out; got '2020-07'; allowed: after 2019-07, up",
        ),
        (["2019Q3", "2019Q4"], {"since": "2019-07"}, r"not of the form that the rows have; .*like 2019Q3"),
        (["2019-07", "2019-08"], {"since": "2019-07", "share": 0.3}, "give one of the two"),
        (["2019-07", "2019-08"], {"share": 3}, "expected a share"),
        ([], {"share": 0.3}, "no rows"),
        (
            ["2019-02-28", "2019-02-31"],
            {"since": "2019"},
            "row 1: not a date; got '2019-02-31'",
        ),
        (["20190228", "20190229"], {"since": "20190228"}, "row 1: not a date"),
        (["2019-02-28 10:00", "2019-02-29 10:00"], {"since": "2019"}, "row 1: not a date"),
        (["2020W53", "2019W53"], {"since": "2020W01"}, "row 1: not a date"),
        (["2019-07", pd.NA], {"since": "2019-07"}, "row 1: a date is missing"),
        (["2019-07-01", "2019-07-03"], {"since": "2019-02-31"}, "since: not a date; got '2019-02-31'"),
        (["2019-07-01 10:00", "2019-07-01T10:00Z"], {"since": "2019"}, "row 1: dates of two forms .*got '2019-.*Z'"),
        (
            [datetime.datetime(2019, 7, 1), datetime.datetime(2019, 7, 2, tzinfo=datetime.UTC)],
            {"since": "2019"},
            "row 1: dates of two forms",
        ),
        (["2019-07-01", "2019-07-03"], {"since": "2019-07-02T10:00Z"}, "since: the date is not of the form"),
        (5, {"since": "2019"}, "dates: expected a date for each row"),
        (pd.Series(["2019-07", None], dtype="string"), {"since": "2019-07"}, "row 1: a date is missing"),
        (pd.Series(["2019-07", None], dtype="category"), {"since": "2019-07"}, "row 1: a date is missing"),
    ],
)
def test_what_is_refused(dates: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        out_of_time(dates, **options)
