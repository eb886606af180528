"""One cut has one spelling: short where the rows allow it, and read back as the same cut wherever it is printed."""

from __future__ import annotations

import math
import re
import tomllib
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.binning.cuts import shortened, shortest_between
from scrutable.binning.edits import BinEdit
from scrutable.binning.tables import intervals
from scrutable.data.frames import read_file
from scrutable.model import Feature, Interval
from scrutable.plugins.bases.binner import Binner, Sample
from scrutable.plugins.registry import registry
from scrutable_review import Review, dump_review

FINITE = st.floats(allow_nan=False, allow_infinity=False)
USUAL = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)


def _digits(value: float) -> int:
    return len(Decimal(repr(value)).normalize().as_tuple().digits)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(ends=st.tuples(FINITE, FINITE).filter(lambda ends: ends[0] != ends[1]), share=st.floats(0, 1))
def test_what_is_short_lies_between(ends: tuple[float, float], share: float) -> None:
    low, high = sorted(ends)
    near = high if share == 1 else min(max(low + share * (high / 2 - low / 2), math.nextafter(low, math.inf)), high)
    found = shortest_between(low, high, near)
    assert low < found <= high
    assert _digits(found) <= _digits(near)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(low=USUAL, gap=st.floats(1e-6, 1e3), other=st.integers(-(10**6), 10**6), places=st.integers(0, 6))
def test_no_decimal_in_between_has_fewer_digits(low: float, gap: float, other: int, places: int) -> None:
    high = low + gap
    found = shortest_between(low, high, high)
    rival = float(Decimal(other).scaleb(-places))
    if low < rival <= high:
        assert _digits(found) <= _digits(rival)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(values=st.lists(USUAL, min_size=2, max_size=30, unique=True), data=st.data())
def test_short_cuts_part_the_rows_alike(values: list[float], data: st.DataObject) -> None:
    levels = np.sort(values)
    at = data.draw(st.lists(st.integers(1, len(levels) - 1), min_size=1, unique=True).map(sorted))
    middle = [math.nextafter(float(levels[i - 1]), math.inf) for i in at]
    short = shortened(middle, np.append(levels, np.nan), np.append(levels, np.nan))
    assert np.searchsorted(short, levels, side="right").tolist() == np.searchsorted(middle, levels, "right").tolist()
    assert sorted(set(short)) == short
    assert shortened(short, levels, levels) == short or max(map(_digits, short)) > 12


def _read(words: str) -> tuple[float, float]:
    """The ends that the words of a scorecard's interval say."""
    if match := re.fullmatch(r"\[(\S+), (\S+)\)", words):
        return float(match[1]), float(match[2])
    sign, _, limit = words.partition(" ")
    return (-math.inf, float(limit)) if sign == "<" else (float(limit), math.inf)


class NextDoubles(Binner):
    """Cuts at the double above every eighth value, as `x <= t` gives them."""

    def find_cuts(self, sample: Sample) -> list[float]:
        return [math.nextafter(float(value), math.inf) for value in np.unique(sample.values)[7:-1:8]]

    def find_groups(self, sample: Sample) -> list[tuple[str, ...]]:
        return [(value,) for value in np.unique(sample.values)]


@pytest.fixture(scope="module")
def review() -> Review:
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"ratio": rng.random(300).round(5), "long": rng.random(300), "whole": rng.integers(0, 90, 300)})
    return Review(X, rng.random(300) < X["ratio"], binner=NextDoubles(), who="ana")


@pytest.mark.parametrize("name", ["ratio", "long", "whole"])
def test_table_file_and_trail_print_one_cut_in_one_way(review: Review, name: str, tmp_path: Path) -> None:
    rows = [row for row in review.table(name).rows if row.kind == "interval"]
    cuts = [row.lower for row in rows[1:]]
    assert [_read(row.condition) for row in rows] == list(zip([-math.inf, *cuts], [*cuts, math.inf], strict=True))
    assert {row.condition[0] + row.condition[-1] for row in rows[1:-1]} == {"[)"}
    printed = rows[1].condition.strip("[)").split(", ")[0]
    review.merge(name, float(printed), why="few rows")
    assert review.audit[-1].detail == f"cut at {printed} dropped"
    text = dump_review(review.edits)
    assert f"at = {printed}\n" in text
    [edit] = tomllib.loads(text)["edit"]
    assert BinEdit.of(edit) == review.edits[0]
    review.save(tmp_path / "review.toml")
    assert printed in (tmp_path / "review.toml").read_text()
    review.undo()


BY_HAND = [
    ([0.2, 0.7904800000000001], "0.2, 0.7904800000000001 (just above 0.79048)"),
    ([0.3, 0.1 * 3, 1.5], "0.3, 0.30000000000000004 (just above 0.3), 1.5"),
    ([0.1 * 3], "0.30000000000000004 (just above 0.3)"),
]


@pytest.mark.filterwarnings("ignore::scrutable.plugins.useless_models.DoubtfulModelWarning")  # a cut in the wrong place
@pytest.mark.parametrize(("cuts", "said"), BY_HAND)
def test_cuts_by_hand_are_spelled_alike_in_table_trail_file_model_and_sql(cuts: list[float], said: str) -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"ratio": rng.random(300) * 2, "other": rng.random(300)})
    y = rng.random(300) < X["ratio"] / 2
    edit = BinEdit(feature="ratio", action="cuts", cuts=tuple(cuts), who="ana", why="policy")
    review = Review(X, y, binner="quantile", edits=[edit])
    told = [row.condition for row in review.table("ratio").rows if row.kind == "interval"]
    alone = len(cuts) == 1
    ends = list(zip([-math.inf, *cuts], [*cuts, math.inf], strict=True))
    assert told == ["<= 0.3", "> 0.3"] if alone else [_read(each) for each in told] == ends
    assert review.audit[-1].detail == f"cuts at {said}"
    assert BinEdit.of(tomllib.loads(dump_review(review.edits))["edit"][0]) == edit
    assert f"is just above {0.3 if 0.1 * 3 in cuts else 0.79048}\n" in dump_review(review.edits)
    binner = create("binner", "quantile", edits=[edit])
    model = create("learner", "scorecard", binner=binner, explainer=None).fit(X, y).model_
    [item] = [each for each in model.characteristics if each.feature == "ratio"]
    assert list(item.titles[: len(told)]) == told
    sql = "".join(create("exporter", "sql").export(model).files.values())
    for words, (_, cut) in zip(told, ends[:-1], strict=False):
        assert f"{cut!r}" in sql or (cut == 0.1 * 3 and "<= 0.3" in sql)  # which numbers up to 0.3 are, exactly
        assert words in sql


@settings(max_examples=300, deadline=None, derandomize=True)
@given(cuts=st.lists(FINITE, min_size=1, max_size=6, unique=True).map(sorted))
def test_what_is_printed_of_any_cut_reads_back_as_it(cuts: list[float]) -> None:
    edit = BinEdit(feature="x", action="cuts", cuts=tuple(cuts))
    [read] = tomllib.loads(dump_review([edit]))["edit"]
    assert BinEdit.of(read) == edit
    said = re.sub(r" \(just above \S+\)", "", edit.detail).removeprefix("cuts at ").split(", ")
    assert [float(each) for each in said] == [cut + 0.0 for cut in cuts]
    parts = [each for each in intervals(cuts, Feature(name="x", kind="numeric")) if isinstance(each, Interval)]
    assert [_read(each.exactly()) for each in parts[1:]] == [(each.lower, each.upper) for each in parts[1:]]


@pytest.mark.real_data
@pytest.mark.parametrize("binner", ["optimal", "quantile", "xgb1"])
def test_cuts_of_real_data_are_short(data_dir: Path, binner: str) -> None:
    frame = read_file(data_dir / "simucredit.csv.gz")[:3000]
    X, y = frame[["Utilization", "Balance"]], frame["Approved"]
    found = registry().create("binner", binner).fit(X, y).binning_
    for table in found.tables:
        cuts = [c.lower for c in table.conditions if isinstance(c, Interval)][1:]
        assert cuts
        assert max(map(_digits, cuts)) <= 12
        assert {c.describe()[0] for c in table.conditions[1 : len(cuts)]} <= {"["}
