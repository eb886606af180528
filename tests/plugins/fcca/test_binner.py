"""The binner `fcca`: cuts that counterfactuals cross, their quantile, the rankings beside it, and what goes wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable.model import Categories, Interval, Missing, Special
from scrutable_fcca.binner import FCCABinner
from scrutable_fcca.changes import Changes
from scrutable_fcca.counterfactuals.problem import Costs
from scrutable_fcca.training import TargetOptions

DATA = make_credit(1500, seed=5)
FEATURES = ["income", "debt_ratio", "bureau_score", "late_payments"]
CODES = {"bureau_score": [-9.0]}


def cuts(binner: FCCABinner) -> dict[str, list[float]]:
    return {
        table.feature.name: [c.lower for c in table.conditions if isinstance(c, Interval)][1:]
        for table in binner.binning_.tables
    }


def fitted(**options: Any) -> FCCABinner:
    return FCCABinner(special_codes=CODES, **options).fit(DATA.X[FEATURES], DATA.y)


@pytest.fixture(scope="module")
def free() -> FCCABinner:
    """The binner with its defaults."""
    return fitted()


def test_cuts_are_the_thresholds_that_the_quantile_keeps(free: FCCABinner) -> None:
    table = free.thresholds_
    assert sum(map(len, cuts(free).values())) == len(table) == free.compression_.n_thresholds[0]
    for quantile in (0.5, 0.9, 1.0):
        coarse = fitted(quantile=quantile)
        pd.testing.assert_frame_equal(coarse.thresholds_, table)
        kept = table[table["importance"] >= np.quantile(table["importance"], quantile)]
        named = {f">= {cut:g}" for its in cuts(coarse).values() for cut in its}
        assert len(named) == len(kept)
        assert {f">= {float(above.split()[1]):g}" for above in kept["above"]} == named


def test_changes_shape_the_cuts(free: FCCABinner) -> None:
    held = fitted(changes=Changes(immutable=["income"]))
    assert cuts(free)["income"]
    assert cuts(held)["income"] == []
    assert [type(c) for c in held.binning_["income"].conditions] == [Interval, Missing]
    narrow = fitted(changes=Changes(ranges={"debt_ratio": (0, 40)}))
    assert max(cuts(narrow)["debt_ratio"]) <= 40 < max(cuts(free)["debt_ratio"])


def test_costs_and_probabilities_reach_the_search(free: FCCABinner) -> None:
    few, near = fitted(costs=Costs(changed=3.0)), fitted(probability=(0.5, 0.6))
    assert few.thresholds_["importance"].sum() < free.thresholds_["importance"].sum()
    assert near.thresholds_["importance"].sum() < free.thresholds_["importance"].sum()


def test_missing_and_special_values_stay_attributes_of_their_own(free: FCCABinner) -> None:
    conditions = free.binning_["bureau_score"].conditions
    assert Special((-9.0,)) in conditions
    assert Missing() in conditions


def test_categories_that_are_crossed_stand_alone() -> None:
    rng = np.random.default_rng(0)
    kind = rng.choice(["a", "b", "c", "d", "e"], 600)
    y = (rng.random(600) < np.select([kind == "a", kind == "b"], [0.97, 0.03], 0.5)).astype(int)
    X = pd.DataFrame({"kind": kind, "x": np.round(rng.random(600), 2)})
    binner = FCCABinner(costs=Costs(changed=0.1, distance=0.01)).fit(X, y)
    groups = [set(c.values) for c in binner.binning_["kind"].conditions if isinstance(c, Categories)]
    assert {"a"} in groups
    assert {"b"} in groups
    assert set().union(*groups) == set("abcde")
    assert sum(map(len, groups)) == 5
    held = FCCABinner(changes=Changes(immutable=["kind"])).fit(X, y)
    assert [c for c in held.binning_["kind"].conditions if isinstance(c, Categories)] == [Categories(tuple("abcde"))]


@pytest.mark.parametrize("ranking", ["gain", "refitted"])
def test_the_simple_rankings_bin_too(ranking: Any) -> None:
    target = TargetOptions(n_estimators=25)
    binner = fitted(ranking=ranking, target=target)
    everything = fitted(ranking="gain", target=target).thresholds_
    assert 0 < len(binner.thresholds_) <= len(everything)
    assert set(binner.thresholds_["above"]) <= set(everything["above"])
    assert (binner.thresholds_["importance"] > 0).all()


def test_trends_pool_the_cuts(free: FCCABinner) -> None:
    """Class 1 falls as the income rises, so nothing is left of cuts that should rise with it."""
    pooled = fitted(trends={"income": "ascending"})
    assert len(cuts(free)["income"]) > 1
    assert cuts(pooled) == cuts(free) | {"income": []}
    [edit] = pooled.binning_.audit
    assert (edit.action, edit.iv_before) == ("trend", free.binning_["income"].iv)


def test_it_serves_a_scorecard_and_another_binner(german: Dataset) -> None:
    card = create("learner", "scorecard", binner=FCCABinner(quantile=0.5)).fit(german.X, german.y)
    assert card.score(german.X, german.y) > 0.7
    merged = create("binner", "fiv-bounded", binner=FCCABinner()).fit(german.X, german.y)
    assert len(merged.binning_["duration_months"].ordered) > 1


def test_progress_is_told_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    fitted()
    assert capsys.readouterr().err == ""
    fitted(verbose=500)
    assert "counterfactuals: 500 of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"quantile": 1.5}, "quantile: unusable number; got 1.5; allowed: 0 to 1"),
        ({"ranking": "gini"}, "ranking: unknown ranking; got 'gini'; allowed: 'counterfactuals', 'gain' or 'refitted'"),
        ({"target": "tree"}, "target: unknown target; got 'tree'"),
        ({"rare_share": 1.0}, "rare_share: unusable number; got 1.0"),
        ({"random_state": -1}, "random_state: unusable number; got -1"),
        ({"verbose": 0.5}, "verbose: unusable number; got 0.5"),
        ({"probability": (0.7, 0.6)}, "probability: unusable number; got 0.6"),
        ({"probability": (1.0, 1.0)}, "probability: the target model classifies no row correctly"),
        (
            {"changes": Changes(immutable=["incme"])},
            "immutable: unknown column; got 'incme'. Fix: did you mean 'income'",
        ),
        ({"changes": Changes(immutable=FEATURES)}, "no counterfactual crosses a threshold, so none is left"),
        ({"target": "linear", "ranking": "gain"}, "ranking: a linear target model has no splits"),
    ],
)
def test_what_cannot_be_used(options: dict[str, Any], match: str) -> None:
    binner = FCCABinner(special_codes=CODES, **options)
    with pytest.raises(InputError, match=match):
        binner.fit(DATA.X[FEATURES], DATA.y)
    assert not hasattr(binner, "thresholds_")


def test_weights_count_like_repeated_rows() -> None:
    weight = np.random.default_rng(0).integers(0, 3, 300)
    X, y, target = DATA.X[FEATURES][:300], DATA.y[:300], TargetOptions(n_estimators=60)
    weighted = FCCABinner(special_codes=CODES, target=target).fit(X, y, sample_weight=weight)
    rows = X.index.repeat(weight)
    repeated = FCCABinner(special_codes=CODES, target=target).fit(X.loc[rows], y.loc[rows])
    assert cuts(weighted) == cuts(repeated)
    pd.testing.assert_frame_equal(weighted.thresholds_, repeated.thresholds_)


@pytest.mark.filterwarnings("ignore:column 'same'. every value")
def test_features_that_never_differ() -> None:
    with pytest.raises(InputError, match="X: no column tells applicants apart"):
        FCCABinner().fit(pd.DataFrame({"same": np.ones(100)}), np.arange(100) % 2)
