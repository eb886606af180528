"""Inputs that are protected, or that tell the group: refused where the value gives it away, and only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import as_table
from scrutable.data.protected import ROWS_PER_VALUE, TOLD, balanced_accuracy, refuse_protected
from scrutable.errors import InputError
from scrutable.fairness import Groups

ROWS = 1000
SEX = np.array(["f", "m"] * (ROWS // 2), dtype=object)
FEMALE = SEX == "f"
UNIQUE = np.random.default_rng(0).permutation(ROWS).astype(float)


def flipped(count: int) -> np.ndarray:
    copy = SEX.copy()
    copy[:count] = np.where(FEMALE[:count], "m", "f")
    return copy


def check(values: Any, labels: Any = SEX, allowed: Any = (), name: str = "column") -> None:
    groups = Groups.from_frame({"sex": labels}, min_group_size=0)
    refuse_protected(as_table({name: values}), groups, allowed)


@pytest.mark.parametrize(
    "values",
    [
        np.where(FEMALE, "wife", np.where(UNIQUE < 500, "husband", "bachelor")),
        np.where(FEMALE, "f", None),
        np.where(FEMALE, np.nan, 1.0),
        np.where(FEMALE, np.nan, UNIQUE),
        np.where(FEMALE & (UNIQUE[0] != UNIQUE), np.nan, UNIQUE),
        np.where(FEMALE, None, UNIQUE.astype(str).astype(object)),
        flipped(1),
        flipped(10),
        UNIQUE + np.where(FEMALE, 0, 2 * ROWS),
        -UNIQUE - np.where(FEMALE, 0, 2 * ROWS),
        np.where(FEMALE & (UNIQUE < 300), np.nan, UNIQUE + np.where(FEMALE, 2 * ROWS, 0)),
        np.where(FEMALE & (UNIQUE < 300), np.nan, UNIQUE - np.where(FEMALE, 2 * ROWS, 0)),
        np.where(UNIQUE[0] == UNIQUE, 5 * ROWS, UNIQUE + np.where(FEMALE, 0, 2 * ROWS)),
    ],
    ids=[
        "a value of each group's own",
        "text that only women have",
        "a number that only men have",
        "numbers that recur never, and only men have",
        "the same but for one woman",
        "names that only men have",
        "one row of a copy flipped",
        "one row in a hundred flipped",
        "numbers that recur never, larger for men",
        "numbers that recur never, smaller for men",
        "larger or missing for women",
        "smaller or missing for women",
        "larger for men, but for one woman",
    ],
)
def test_what_tells_the_group_is_refused(values: Any) -> None:
    told = r"column 'column': an input tells the protected attribute 'sex'; .* detects copies, and is no protection "
    with pytest.raises(InputError, match=told + r"against proxies\. Fix: leave"):
        check(values)


@pytest.mark.parametrize(
    "values",
    [
        np.where(np.arange(ROWS) < 10, np.where(FEMALE, "wife", "husband"), None),
        flipped(11),
        UNIQUE,
        UNIQUE.astype(str).astype(object),
        UNIQUE + np.where(FEMALE, 0, ROWS // 2),
        np.where(FEMALE, np.nan, np.where(np.arange(ROWS) < 50, np.nan, 1.0)),
        np.ones(ROWS),
        np.full(ROWS, np.nan),
    ],
    ids=[
        "two values of five rows, each of one group",
        "more than one row in a hundred flipped",
        "numbers that recur never",
        "names that recur never",
        "numbers that overlap",
        "missing for every woman, and for one man in twenty",
        "a constant",
        "nothing but missing",
    ],
)
def test_what_does_not_tell_the_group_is_accepted(values: Any) -> None:
    check(values)


def test_of_several_groups_one_that_is_told_is_enough() -> None:
    race = np.array(["a", "b", "c", "c"] * (ROWS // 4), dtype=object)
    with pytest.raises(InputError, match="tells the protected attribute 'sex'"):
        check(np.where(race == "a", "yes", "no"), labels=race)
    check(np.where((race == "a") & (UNIQUE > 100), "yes", "no"), labels=race)


def test_rows_of_unknown_membership_do_not_hide_what_is_told() -> None:
    unknown = SEX.copy()
    unknown[:200] = None
    with pytest.raises(InputError, match="tells the protected attribute 'sex'"):
        check(SEX, labels=unknown)
    check(np.where(np.arange(ROWS) < 200, "yes", "no"), labels=unknown)


def test_a_handful_of_rows_is_told_by_chance_only() -> None:
    labels = np.where(np.arange(ROWS) < ROWS_PER_VALUE - 1, "x", "y")
    check(labels, labels=labels)
    labels = np.where(np.arange(ROWS) < ROWS_PER_VALUE, "x", "y")
    with pytest.raises(InputError, match="tells the protected attribute 'sex'"):
        check(labels, labels=labels)


def test_a_small_group_is_not_told_by_many_values_that_recur_seldom() -> None:
    generator = np.random.default_rng(1)
    check(
        generator.integers(0, 4_000, 40_000).astype(float), labels=np.where(generator.random(40_000) < 5e-4, "x", "y")
    )


def test_one_of_several_attributes_that_is_told_is_named() -> None:
    age = np.where(UNIQUE < 400, "young", "old")
    groups = Groups.from_frame({"sex": SEX, "age_group": age}, min_group_size=0)
    with pytest.raises(InputError, match="column 'years': an input tells the protected attribute 'age_group'"):
        refuse_protected(as_table({"years": UNIQUE}), groups, ())


def test_a_protected_attribute_is_refused_by_its_name_whatever_it_holds() -> None:
    with pytest.raises(InputError, match=r"column 'sex': an input is a protected attribute\. Fix: .*\['sex'\]"):
        check(UNIQUE, name="sex")


@pytest.mark.parametrize("allowed", ["column", ["column"], ("column",), pd.Index(["column"])])
def test_a_column_passes_by_its_whole_name(allowed: Any) -> None:
    check(SEX, allowed=allowed)


@pytest.mark.parametrize("allowed", ["columns", ["column", "columns"], ["colum"]])
def test_a_name_that_no_column_has_is_an_error(allowed: Any) -> None:
    with pytest.raises(
        InputError, match=r"allow_protected: unknown column; got 'colum\w*'; allowed: did you mean 'column'"
    ):
        check(UNIQUE, allowed=allowed)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=4, max_size=40))
@settings(deadline=None, derandomize=True, max_examples=200)
def test_the_balanced_accuracy_is_that_of_guessing_each_row_from_the_others(rows: list[tuple[int, bool]]) -> None:
    values, inside = (np.array(column) for column in zip(*rows, strict=True))
    sizes = {side: int((inside == side).sum()) for side in (True, False)}
    if min(sizes.values()) < 2:
        return
    hits = {True: 0, False: 0}
    for i, side in enumerate(inside):
        others = np.arange(len(values)) != i
        same = others & (values == values[i])
        share = {each: (same & (inside == each)).sum() / (others & (inside == each)).sum() for each in (True, False)}
        hits[side] += bool(share[side] > share[not side])
    expected = (hits[True] / sizes[True] + hits[False] / sizes[False]) / 2
    counts: Callable[[bool], np.ndarray] = lambda side: np.bincount(values[inside == side], minlength=4)  # noqa: E731
    assert balanced_accuracy(counts(True), counts(False)) == pytest.approx(expected)
    assert 0 < TOLD <= 1
