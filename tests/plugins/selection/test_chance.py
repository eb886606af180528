"""What the page says of chance: what it gains in bins that a binner found, and how its threshold moves by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from scrutable import create
from scrutable.plugins.bases import Candidate, Pool, Selector
from scrutable_selection.chance import freedom, gain, threshold


@pytest.mark.parametrize("bins", [6, 15])
def test_numbers_that_tell_nothing_gain_about_eight_whatever_the_number_of_bins(bins: int) -> None:
    draw = np.random.default_rng(1)
    X = pd.DataFrame(draw.normal(size=(3_000, 60)), columns=[f"x{at}" for at in range(60)])
    good = np.where(draw.random(3_000) < 0.7, "good", "bad")
    tables = create("binner", "optimal", max_bins=bins, favourable="good").fit(X, good).binning_.tables
    each = [Candidate(table=table, woe=np.zeros(len(table.conditions)), levels=256) for table in tables]
    assert {freedom(candidate) for candidate in each} == {8}
    gains = [gain(candidate) for candidate in each]
    assert np.mean(gains) == pytest.approx(8, abs=1)
    assert np.mean(gains > chi2.ppf(0.9, 8)) == pytest.approx(0.1, abs=0.1)


def test_a_cut_that_stumps_found_gains_about_three() -> None:
    seen: list[Candidate] = []

    class Seeing(Selector):
        def choose(self, pool: Pool) -> None:
            seen.extend(pool.there)

    draw = np.random.default_rng(1)
    X, good = pd.DataFrame(draw.normal(size=(10_000, 30))).add_prefix("x"), draw.random(10_000) < 0.7
    create("learner", "lda-xgb1", select=Seeing(), favourable=True, explainer=None).fit(X, good)
    gains, charged = [gain(each) for each in seen], [freedom(each) for each in seen]
    cuts = sum(np.count_nonzero(each.table.counts_seen) - 1 for each in seen)
    assert len(seen) == 30
    assert sum(gains) / cuts == pytest.approx(3, abs=0.5)
    assert np.mean(np.array(gains) > chi2.ppf(0.9, charged)) == pytest.approx(0.1, abs=0.1)


@pytest.mark.parametrize(("columns", "tell", "told"), [(17, 12, 0.3), (200, 20, 0.06)])
def test_the_threshold_is_high_where_most_tell_and_low_among_noise(columns: int, tell: int, told: float) -> None:
    draw = np.random.default_rng(2)
    limits = [threshold(np.append(np.zeros(tell), draw.random(columns - tell)), 0.4) for _ in range(50)]
    assert np.median(limits) == pytest.approx(told, rel=0.15)
