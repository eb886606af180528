"""Score bands: counted by hand, and again by going through the rows."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups
from scrutable_lifecycle.strategy import score_bands

from .rows import Drawn, drawn

#: Six applicants; the last one is knocked out, the outcome of the fifth is not known.
SCORE = [480, 490, 500, 505, 520, 530]
GOOD = [False, True, True, False, None, True]
OUT = [False, False, False, False, False, True]
SEX = Groups.from_frame({"sex": ["f", "m", "f", "m", "f", "m"]}, reference={"sex": "m"}, min_group_size=0)


def test_bands_counted_by_hand() -> None:
    found = score_bands(SCORE, GOOD, edges=[500, 510], groups=SEX, knocked_out=OUT)
    assert [band.title for band in found.bands] == ["below 500", "500 to 510", "from 510"]
    low, middle, high = found.bands
    assert (low.part.counts.good, low.part.counts.bad, low.part.counts.unknown) == (1, 1, 0)
    assert (low.part.counts.share, low.part.counts.bad_rate, low.part.counts.odds) == (2 / 6, 0.5, 1.0)
    assert (high.part.counts.applicants, high.part.counts.unknown) == (1, 1)
    assert math.isnan(high.part.counts.bad_rate)
    assert math.isnan(high.part.counts.odds)
    assert (found.knocked_out.counts.applicants, found.everybody.counts.applicants) == (1, 6)
    # From 500 on: three of six, of whom one is good, one bad, one unknown.
    assert (middle.from_here.approval_rate, middle.from_here.bad_rate) == (0.5, 0.5)
    female, male = middle.from_here.groups
    assert (female.approval_rate, male.approval_rate) == (2 / 3, 1 / 3)
    assert (female.adverse_impact_ratio, male.adverse_impact_ratio) == (2.0, 1.0)
    assert (female.bad_rate, male.bad_rate) == (0.0, 1.0)
    assert [each.counts.share for each in middle.part.groups] == [1 / 3, 1 / 3]


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
@pytest.mark.parametrize("given", [list, tuple, pd.Series])
def test_an_unknown_outcome_may_be_none_or_nan(given: Any, missing: Any) -> None:
    found = score_bands([1, 2, 3], given([True, missing, False]), edges=[2]).everybody.counts
    assert (found.good, found.bad, found.unknown) == (1, 1, 1)


def test_nobody_is_approved_who_is_knocked_out() -> None:
    found = score_bands(SCORE, GOOD, edges=[525], knocked_out=OUT)
    assert found.bands[0].from_here.approval_rate == 5 / 6
    assert found.bands[1].from_here.approval_rate == 0.0
    assert math.isnan(found.bands[1].from_here.bad_rate)


def test_equal_shares_never_put_equal_scores_apart() -> None:
    found = score_bands([1, 2, 2, 2, 3, 4, 5, 6], bands=4)
    assert [(band.lower, band.part.counts.applicants) for band in found.bands] == [
        (-math.inf, 4),
        (3.0, 2),
        (5.0, 2),
    ]
    everybody_alike = score_bands([7, 7, 7], bands=10)
    assert [band.part.counts.applicants for band in everybody_alike.bands] == [3]


def test_ten_bands_of_equal_shares_by_default() -> None:
    found = score_bands(np.arange(1000.0))
    assert [band.part.counts.applicants for band in found.bands] == [100] * 10


def test_bands_of_a_width_begin_at_its_multiples() -> None:
    found = score_bands([483, 519.9, 560], width=20)
    assert [band.lower for band in found.bands] == [480, 500, 520, 540, 560]
    assert found.bands[-1].upper == 580
    assert [band.part.counts.applicants for band in found.bands] == [1, 1, 0, 0, 1]


def test_ends_of_a_width_are_the_shortest_decimals() -> None:
    found = score_bands([0.1, 0.2, 0.3, 0.7], width=0.1)
    assert [band.lower for band in found.bands] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert [band.part.counts.applicants for band in found.bands] == [1, 1, 1, 0, 0, 0, 1]
    assert found.bands[-1].upper == 0.8


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.integers(-5000, 5000), min_size=1, max_size=6), st.sampled_from([0.001, 0.1, 0.3, 0.7, 2.5, 20]))
def test_every_score_is_in_the_band_of_its_width(tenths: list[int], width: float) -> None:
    score = [each * width for each in range(-3, 4)] + [each / 10 * min(width, 1) for each in tenths]
    found = score_bands(score, width=width)
    assert found.bands[0].lower <= min(score) < found.bands[0].upper
    assert found.bands[-1].lower <= max(score) < found.bands[-1].upper
    for band in found.bands:
        assert band.part.counts.applicants == sum(band.lower <= each < band.upper for each in score)
        assert len(repr(band.lower)) <= 9


def test_titles_hold_every_digit() -> None:
    found = score_bands([1, 2_000_000], edges=[0.1 + 0.2, 1_000_000.3])
    assert [band.title for band in found.bands] == [
        "below 0.30000000000000004",
        "0.30000000000000004 to 1000000.3",
        "from 1000000.3",
    ]
    assert [band.title for band in score_bands([7, 7, 7]).bands] == ["every score"]


@settings(deadline=None, derandomize=True, database=None)
@given(drawn(), st.lists(st.integers(0, 6), min_size=1, max_size=3, unique=True))
def test_counts_are_those_of_going_through_the_rows(rows: Drawn, cuts: list[int]) -> None:
    edges = sorted(cuts)
    found = score_bands(
        rows.score, rows.good, edges=edges, groups=rows.groups, sample_weight=rows.weight, knocked_out=rows.knocked_out
    )
    total = rows.weight.sum()
    for band in found.bands:
        inside = (rows.score >= band.lower) & (rows.score < band.upper) & ~rows.knocked_out
        assert band.part.counts.share == pytest.approx(rows.weight[inside].sum() / total)
        for outcome, name in ((True, "good"), (False, "bad"), (None, "unknown")):
            its = inside & np.array([each is outcome for each in rows.good])
            assert getattr(band.part.counts, name) == rows.weight[its].sum()
            [of_a] = [each.counts for each in band.part.groups if each.group == "a"]
            assert getattr(of_a, name) == (rows.weight * rows.membership)[its].sum()
        approved = (rows.score >= band.lower) & ~rows.knocked_out
        assert band.from_here.approval_rate == pytest.approx(rows.weight[approved].sum() / total)


@settings(deadline=None, derandomize=True, database=None)
@given(drawn())
def test_a_weight_of_two_is_a_row_given_twice(rows: Drawn) -> None:
    weighted = score_bands(
        rows.score, rows.good, groups=rows.groups, sample_weight=rows.weight, knocked_out=rows.knocked_out
    )
    twice = np.repeat(np.arange(rows.score.size), rows.weight.astype(int))
    repeated = score_bands(
        rows.score[twice],
        [rows.good[i] for i in twice],
        groups=rows.groups.subset(twice),
        knocked_out=rows.knocked_out[twice],
    )
    assert weighted.to_dict() == repeated.to_dict()


def test_json_holds_none_for_open_ends_and_what_is_undefined() -> None:
    said = score_bands(SCORE, edges=[500]).to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    first = said["bands"][0]
    assert (first["lower"], first["upper"], first["bad_rate"], first["unknown"]) == (None, 500.0, None, 2.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bands": 4, "width": 20}, "give one of the three"),
        ({"bands": 1}, "bands: unusable number"),
        ({"width": 0}, "width: unusable number"),
        ({"width": 1e-9}, "too many score bands"),
        ({"edges": [510, 500]}, "must increase"),
        ({"edges": []}, "unusable ends"),
        ({"edges": [math.nan]}, "unusable ends"),
        ({"edges": ["low"]}, "edges: unusable ends"),
        ({"edges": [[500], [510, 520]]}, "edges: unusable ends"),
        ({"knocked_out": [True] * 6}, "no applicant that the score decides about"),
        ({"sample_weight": [1, 2]}, "the number of rows differs"),
        ({"groups": SEX.subset([0, 1])}, "number of rows differs"),
        ({"groups": {"sex": ["f"] * 6}}, "expected groups"),
    ],
)
def test_what_cannot_be_used_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        score_bands(SCORE, GOOD, **options)


def test_numbers_are_no_outcomes() -> None:
    with pytest.raises(KindError, match="expected booleans"):
        score_bands(SCORE, [0, 1, 1, 0, math.nan, 1])
