"""Counts of a table become statistics where each attribute has the people of one row, and nothing where not."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.model import Scorecard
from scrutable_points_table.tables import ImportedCard, read_points_table

R_CARD = {
    "variable": ["age", "age", "age"],
    "bin": ["missing%,%[-Inf,10)", "[10,20)", "[20,Inf)"],
    "points": [-10, 5, 20],
    "neg": [300, 400, 500],
    "pos": [80, 40, 20],
}
AGES = {
    "characteristic": ["age"] * 4,
    "attribute": ["interval", "interval", "interval", "missing"],
    "lower": [18, 26, 36, None],
    "upper": [25, 35, 99, None],
    "points": [10, 20, 30, 0],
    "good": [60, 80, 90, 1],
    "bad": [40, 20, 10, 4],
}


def counts(model: Scorecard) -> list[Any]:
    its = [attribute.statistics for attribute in model.characteristics[0].attributes]
    return [None if each is None else (each.good, each.bad) for each in its]


def listed(*rows: tuple[str, float, float]) -> dict[str, list[Any]]:
    """Rows of categories with equal points, their good and bad rows, and rows for others and missing values."""
    further = [("other", None, 5, 6), ("missing", None, 7, 8)]
    its = [("values", *row) for row in rows] + further
    words, values, good, bad = zip(*its, strict=True)
    return {
        "characteristic": ["job"] * len(its),
        "attribute": list(words),
        "values": list(values),
        "points": [3] * len(rows) + [1, 2],
        "good": list(good),
        "bad": list(bad),
    }


def told(found: ImportedCard) -> list[tuple[int, ...]]:
    return [each.rows for each in found.report.of("note") if "statistics are left out" in each.what]


def test_a_row_of_an_interval_and_missing_values_cannot_be_divided() -> None:
    found = read_points_table(R_CARD, cutoff=0)
    assert counts(found.model) == [None] * 4
    assert told(found) == [(1,)]


def test_a_row_that_nobody_is_in_can_be_divided() -> None:
    found = read_points_table(R_CARD | {"neg": [0, 400, 500], "pos": [0, 40, 20]}, cutoff=0)
    assert counts(found.model) == [(0, 0), (400, 40), (500, 20), (0, 0)]
    assert told(found) == []


def test_an_interval_that_is_extended_keeps_its_counts() -> None:
    found = read_points_table(AGES, gaps="extend", closed="both", cutoff=15)
    assert counts(found.model) == [(60, 40), (80, 20), (90, 10), (1, 4)]
    first = found.model.characteristics[0].attributes[0].statistics
    assert first is not None
    assert first.share == 100 / 305
    assert first.woe == pytest.approx(math.log(60 / 231) - math.log(40 / 74))
    assert told(found) == []


def test_a_category_in_two_rows_leaves_no_counts_to_either() -> None:
    found = read_points_table(listed(("a|b", 10, 2), ("b|c", 20, 3)), cutoff=1)
    assert counts(found.model) == [None] * 4
    assert told(found) == [(2,)]


def test_the_same_row_twice_counts_once_and_not_at_all_if_its_counts_differ() -> None:
    found = read_points_table(listed(("a|b", 10, 2), ("a|b", 10, 2)), cutoff=1)
    assert counts(found.model) == [(10, 2), (5, 6), (7, 8)]
    assert told(found) == []
    found = read_points_table(listed(("a|b", 10, 2), ("a|b", 9, 2)), cutoff=1)
    assert counts(found.model) == [None] * 3
    assert told(found) == [(2,)]


def test_people_of_special_codes_that_there_are_not_leave_no_statistics() -> None:
    table = {
        "Variable": ["x"] * 4,
        "Bin": ["(-inf, 1.00)", "[1.00, inf)", "Special", "Missing"],
        "Points": [1, 2, 0, 0],
        "Non-event": [10, 20, 5, 0],
        "Event": [5, 6, 7, 0],
    }
    found = read_points_table(table, special_codes=(), cutoff=1, orientation="more-is-better")
    assert counts(found.model) == [None] * 3
    assert told(found) == [(3,)]
    found = read_points_table(table, special_codes=-9, cutoff=1, orientation="more-is-better")
    assert counts(found.model) == [(10, 5), (20, 6), (5, 7), (0, 0)]


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcde"), min_size=1), st.integers(0, 9), st.integers(0, 9))))
def test_statistics_sum_to_the_table_or_there_are_none(rows: list[tuple[set[str], int, int]]) -> None:
    """Whatever overlaps: no counts, or those of each different row once."""
    texts = [("|".join(sorted(values)), good, bad) for values, good, bad in rows]
    found = read_points_table(listed(*texts), cutoff=1)
    its = [each for each in counts(found.model) if each is not None]
    if told(found):
        assert not its
    else:
        assert len(its) == len(found.model.characteristics[0].attributes)
        assert sum(map(sum, its)) == sum(good + bad for _, good, bad in set(texts)) + 26
