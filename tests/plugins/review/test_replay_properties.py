"""Whatever sequence of edits a person makes, the figures add up, and undoing all of them gives back the beginning."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.binning.edits import BinEdit
from scrutable.data.attribute import ProtectedAttribute
from scrutable.fairness import Groups
from scrutable.measures.numerics.counts import information_value, weight_of_evidence
from scrutable_review import Review, ReviewTable

N = 240
CODE = -9.0


def data(seed: int) -> tuple[dict[str, Any], np.ndarray[Any, Any], Groups, np.ndarray[Any, Any]]:
    """Numbers with codes and gaps, categories, outcomes, uncertain groups, and weights."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, N).astype(float)
    x[rng.random(N) < 0.1], x[rng.random(N) < 0.1] = CODE, np.nan
    home: Any = rng.choice(["a", "b", "c", "d", None], N)
    y = rng.integers(0, 2, N)
    share = rng.random(N)
    groups = Groups((ProtectedAttribute("race", ("p", "r"), "r", np.column_stack([share, 1 - share])),))
    return {"x": x, "home": home}, y, groups, rng.integers(0, 3, N).astype(float)


def started(seed: int) -> Review:
    X, y, groups, weight = data(seed)
    binner = create("binner", "quantile", max_bins=5, special_codes={"x": [CODE]})
    return Review(X, y, binner=binner, sensitive_features=groups, sample_weight=weight)


@st.composite
def decisions(draw: st.DrawFn, review: Review) -> dict[str, Any]:
    """An edit that fits the present bins."""
    if draw(st.booleans()):
        cuts = [row.lower for row in review.table("x").rows if row.lower is not None]
        free = [at / 2 for at in range(-2, 28) if at / 2 not in cuts]
        policy = draw(st.sampled_from(["own", "neutral", "worst", "with"]))
        bin = draw(st.integers(0, 12)) if policy == "with" else None
        choices: list[dict[str, Any]] = [
            {"action": "cut", "at": draw(st.sampled_from(free))},
            {"action": "cuts", "cuts": sorted(draw(st.sets(st.sampled_from(free), max_size=4)))},
            {"action": "trend", "trend": draw(st.sampled_from(["ascending", "descending", "none"]))},
            {"action": draw(st.sampled_from(["missing", "special"])), "policy": policy, "bin": bin},
        ]
        if cuts:
            at = draw(st.sampled_from(cuts))
            choices.append({"action": "merge", "at": at})
            near = [to for to in free if not any(min(at, to) < cut < max(at, to) for cut in cuts)]
            choices.append({"action": "move", "at": at, "to": draw(st.sampled_from(near))} if near else choices[0])
        return {"feature": "x", **draw(st.sampled_from(choices))}
    groups = [row.values for row in review.table("home").rows if row.kind == "categories"]
    values = sorted(value for group in groups for value in group)
    picked = draw(st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True))
    if len(groups) > 1 and draw(st.booleans()):
        one, two = draw(st.lists(st.sampled_from(groups), min_size=2, max_size=2, unique=True))
        return {"feature": "home", "action": "merge", "values": [one[0], two[-1]]}
    if any(set(group) == set(picked) for group in groups):
        return {"feature": "home", "action": "merges", "groups": [picked]}
    return {"feature": "home", "action": "split", "values": picked}


def snapshot(review: Review) -> dict[str, ReviewTable]:
    return {name: review.table(name) for name in review.features}


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(0, 20))
def test_any_sequence_undone_is_the_beginning_and_redone_the_end(given_data: st.DataObject, seed: int) -> None:
    review = started(seed)
    beginning = snapshot(review)
    count = given_data.draw(st.integers(1, 6))
    for _ in range(count):
        review.apply(given_data.draw(decisions(review)) | {"why": "a test"})
    end, audit = snapshot(review), review.audit
    chain_holds(beginning, end, review)
    undone = [review.undo() for _ in range(count)]
    assert snapshot(review) == beginning
    assert (review.audit, review.can_undo) == ((), False)
    assert [review.redo() for _ in undone] == undone[::-1]
    assert snapshot(review) == end
    assert review.audit == audit
    replayed(review, end, seed)


def chain_holds(beginning: dict[str, ReviewTable], end: dict[str, ReviewTable], review: Review) -> None:
    """What one entry of a feature ends with, the next begins with."""
    for name in review.features:
        own = [entry for entry in review.audit if entry.feature == name]
        ivs = [beginning[name].iv_used, *itertools.chain(*((e.iv_before, e.iv_after) for e in own)), end[name].iv_used]
        assert ivs[::2] == ivs[1::2]
        fivs = [beginning[name].fiv, *itertools.chain(*((e.fiv_before, e.fiv_after) for e in own)), end[name].fiv]
        assert fivs[::2] == fivs[1::2]


def replayed(review: Review, end: dict[str, ReviewTable], seed: int) -> None:
    """The binner that a review gives ends with the same tables."""
    X, y, groups, weight = data(seed)
    binning = review.binner().fit(X, y, sensitive_features=groups, sample_weight=weight).binning_
    for name, table in end.items():
        assert [c.describe() for c in binning[name].conditions] == [row.condition for row in table.rows]
        assert binning[name].woe.tolist() == [row.woe_used for row in table.rows]
        assert binning[name].trend == table.trend


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(0, 20))
def test_merging_never_raises_an_information_value(given_data: st.DataObject, seed: int) -> None:
    """IV and FIV are convex in the shares. (IV leaves out bins without good or without bad rows, which is not.)"""
    review = started(seed)
    for feature in ("x", "home"):
        while True:
            before = review.table(feature)
            cuts = [row.lower for row in before.rows if row.lower is not None]
            groups = [row.values for row in before.rows if row.kind == "categories"]
            if feature == "x" and cuts:
                table = review.merge("x", given_data.draw(st.sampled_from(cuts)), why="a test")
            elif len(groups) > 1:
                one, two = given_data.draw(st.permutations(groups))[:2]
                table = review.merge("home", [one[0], two[0]], why="a test")
            else:
                break
            assert table.fiv["race: p / r"] <= before.fiv["race: p / r"] + 1e-12
            if all((row.good > 0) == (row.bad > 0) for row in before.rows):
                assert table.iv <= before.iv + 1e-12


@settings(deadline=None, max_examples=40)
@given(st.data(), st.integers(0, 20))
def test_figures_equal_those_of_a_count_over_the_rows(given_data: st.DataObject, seed: int) -> None:
    review = started(seed)
    for _ in range(given_data.draw(st.integers(0, 4))):
        review.apply(given_data.draw(decisions(review)) | {"why": "a test"})
    X, y, groups, weight = data(seed)
    member = groups["race"].membership
    for name in review.features:
        table = review.table(name)
        place = np.array([_place(value, table) for value in X[name]])
        good = np.array([weight[(place == at) & (y == 1)].sum() for at in range(len(table.rows))])
        bad = np.array([weight[(place == at) & (y == 0)].sum() for at in range(len(table.rows))])
        assert [row.good for row in table.rows] == good.tolist()
        assert [row.bad for row in table.rows] == bad.tolist()
        assert table.iv == pytest.approx(information_value(good, bad))
        assert [row.woe for row in table.rows] == pytest.approx(weight_of_evidence(np.stack([bad, good], axis=1)))
        merged = np.array([_counted_with(at, table) for at in range(len(table.rows))])[place]
        sides = [[(weight * member[:, side])[merged == at].sum() for at in range(len(table.rows))] for side in range(2)]
        expected = information_value(*sides, zero="inf")
        assert table.fiv["race: p / r"] == pytest.approx(expected)


def _place(value: Any, table: ReviewTable) -> int:
    """Position of the row that holds a value, by what the row says."""
    kinds = [row.kind for row in table.rows]
    if value is None or value != value:
        return kinds.index("missing")
    for at, row in enumerate(table.rows):
        if row.kind in ("special", "categories") and value in row.values:
            return at
    low = -math.inf
    for at, row in enumerate(table.rows):
        if row.kind == "interval":
            low = -math.inf if row.lower is None else row.lower
            if low <= value and (row.upper is None or value < row.upper):
                return at
    return kinds.index("otherwise")


def _counted_with(at: int, table: ReviewTable) -> int:
    other = table.rows[at].counted_with
    return at if other is None else [row.condition for row in table.rows].index(other)


@pytest.mark.filterwarnings("ignore:column 'x'. -9 in")
def test_the_same_edits_give_the_same_audit_trail_as_options() -> None:
    X, y, groups, weight = data(5)
    given_as = {"sensitive_features": groups, "sample_weight": weight}
    option = create("binner", "quantile", cuts={"x": [3, 6]}, merges={"home": [["a", "b"]]}).fit(X, y, **given_as)
    edits = [
        BinEdit(feature="x", action="cuts", cuts=(3, 6)),
        BinEdit(feature="home", action="merges", groups=(("a", "b"),)),
    ]
    edited = create("binner", "quantile", edits=edits).fit(X, y, **given_as)
    assert option.binning_ == edited.binning_
    assert [entry.action for entry in edited.binning_.audit] == ["cuts", "merges"]
