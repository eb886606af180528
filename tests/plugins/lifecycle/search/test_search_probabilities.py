"""A search over groups that are not known: how rows are drawn, counted and compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import evaluate
from scrutable.data.splits import hold_out
from scrutable.fairness import Groups
from scrutable_lifecycle.search import LDASearch
from scrutable_lifecycle.search.ratio import Compared

INPUTS = ["wealth", "income", "thrift", "age"]


def probable(share: np.ndarray) -> Groups:
    return Groups.from_probabilities({"sex": {"f": share, "m": 1 - share}}, reference={"sex": "m"}, min_group_size=0)


def test_both_parts_have_the_same_share_of_each_level_of_probability() -> None:
    random = np.random.default_rng(0)
    y, share = random.random(2000) < 0.6, random.random(2000) ** 3
    groups = Groups(
        probable(share).attributes + Groups.from_frame({"area": random.choice(["n", "s"], 2000)}).attributes
    )
    _, held = hold_out(y, 0.25, 3, where="", fix="", groups=groups)
    _, blind = hold_out(y, 0.25, 3, where="", fix="")
    area = groups["area"].codes

    def unevenness(rows: np.ndarray) -> float:
        """How far the shares held out of each outcome, area and quarter lie from 1/4 at most."""
        cell = 20 * y + 10 * area + np.rint(4 * share).astype(int)
        counts = np.bincount(cell)
        drawn = np.bincount(cell[rows], minlength=len(counts))
        return float(np.abs(drawn - counts / 4).max())

    assert unevenness(held) < 1.01
    assert unevenness(blind) > 3


def test_certain_probabilities_draw_the_rows_of_labels() -> None:
    random = np.random.default_rng(0)
    y, female = random.random(500) < 0.6, random.random(500) < 0.3
    hard = Groups.from_frame({"sex": np.where(female, "f", "m")})
    found = [hold_out(y, 0.25, 3, where="", fix="", groups=each) for each in (hard, probable(female * 1.0))]
    np.testing.assert_array_equal(found[0][1], found[1][1])


def test_groups_are_large_enough_by_the_sum_of_their_probabilities() -> None:
    share = np.full(100, 0.31)
    assert Compared.of(probable(share)).groups == {"sex": ("f", "m")}
    assert Compared.among(probable(share - 0.02)).small == {"sex": ("f",)}
    thirty = np.full(150, 0.2)
    assert float(thirty @ np.ones(150)) < 30  # as doubles add up
    assert Compared.of(probable(thirty)).groups == {"sex": ("f", "m")}


@pytest.mark.filterwarnings("ignore::scrutable_lifecycle.search.SearchWarning")
def test_ratios_are_of_weighted_approval_rates(leaving_out: Any, people: pd.DataFrame) -> None:
    random = np.random.default_rng(2)
    female = (people["sex"] == people["sex"].iloc[0]).to_numpy()
    share = np.clip(np.where(female, 0.8, 0.2) + random.uniform(-0.2, 0.2, len(people)), 0, 1)
    groups = probable(share)
    search = LDASearch(leaving_out(without=[["wealth"], []]), required_ratio=0.5, n_boot=20)
    search.fit(people[INPUTS], people["paid"], sensitive_features=groups)
    _, held = hold_out(people["paid"].to_numpy(), 0.25, 0, where="", fix="", groups=groups)
    for candidate in search.result_.candidates:
        approved = evaluate(candidate.model, people[INPUTS].iloc[held]).approved
        rates = [np.average(approved, weights=weight[held]) for weight in (share, 1 - share)]
        assert candidate.ratio.value == pytest.approx(min(rates) / max(rates), abs=1e-12)
