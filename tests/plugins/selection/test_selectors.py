"""The selectors: what each filter drops, what lists and reasons say, and that no row held out is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_predict

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError, ModelError, PluginError
from scrutable.model import Evidence, FrozenMapping
from scrutable.plugins import Selection, SelectionEntry
from scrutable.plugins.bases import Candidates, Selector

GERMAN = load_german_credit()


def drawn(rows: int = 3_000, noise: int = 12, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Two columns that tell, one that is nearly the first, a copy of the second, and noise."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({"strong": draw.normal(size=rows), "weak": draw.normal(size=rows).round(1)})
    log_odds = 1.2 * frame["strong"] + 0.5 * frame["weak"]
    good = (draw.random(rows) < 1 / (1 + np.exp(-log_odds))).astype(int)
    frame["near"] = frame["strong"] + 0.4 * draw.normal(size=rows)
    frame["copy"] = 10 * frame["weak"]
    for at in range(noise):
        frame[f"noise{at}"] = draw.normal(size=rows)
    return frame, good


def selected(select: Any, X: pd.DataFrame, y: Any, **options: Any) -> Selection:
    learner = create("learner", "scorecard", select=select, explainer=None, **options).fit(X, y)
    chosen = Selection.of(learner.evidence_)
    assert chosen is not None
    assert {feature.name for feature in learner.model_.features} <= {*chosen.kept}
    return chosen


def candidates(X: pd.DataFrame, y: Any, periods: Any = None, binner: Any = None) -> Candidates:
    binner = binner or create("binner", "optimal")
    data = binner.read(X, y)
    tables = binner.bin(data).tables
    rows = data.coded([table.coding for table in tables])
    return Candidates.of(tables, rows, [table.woe for table in tables], data, periods)


def entry(chosen: Selection, feature: str) -> SelectionEntry:
    [only] = [each for each in chosen.log if each.feature == feature]
    return only


def test_standard_keeps_what_tells_and_drops_noise_and_copies() -> None:
    X, y = drawn()
    chosen = selected("standard", X, y)
    assert chosen.selector == "standard"
    assert {"strong", "weak"} <= {*chosen.kept}
    assert len(chosen.kept) <= 4
    assert entry(chosen, "copy").step == "copy"
    assert entry(chosen, "copy").other == "weak"
    of_noise = {each.step for each in chosen.log if each.feature.startswith("noise")}
    assert of_noise <= {"chance", "sign", "adds too little"}
    assert len(chosen.kept) + len(chosen.dropped) == chosen.considered == len(X.columns)
    assert [name for name in X if name in chosen.kept] == [*chosen.kept]


def test_of_a_column_and_its_mirror_one_stays() -> None:
    X, y = drawn()
    chosen = selected("standard", X.assign(copy=-X["weak"]), y)
    assert len({"weak", "copy"} & {*chosen.kept}) == 1


def test_copies_in_other_units_are_named_though_their_attributes_begin_at_other_rows() -> None:
    draw = np.random.default_rng(1)
    euros = draw.lognormal(8, 1, 40_000).round(2)
    y = (draw.random(40_000) < 1 / (1 + np.exp(6.4 - 0.8 * np.log(euros)))).astype(int)
    X = pd.DataFrame({"euros": euros, "cents more": 100 * euros + 37, "logarithm": np.log(euros)})
    chosen = selected("standard", X, y)
    assert len(chosen.kept) == 1
    assert {each.step for each in chosen.log} == {"copy"}


@pytest.mark.filterwarnings("ignore:Leak or knock-out")
@pytest.mark.parametrize("binner", ["optimal", "quantile"])
def test_one_that_tells_the_outcome_for_certain_stays(binner: str) -> None:
    """Coefficients of separated rows have no end, and at the fit the quadratic says that they add nothing."""
    X, y = drawn()
    assert "sure" in selected("standard:copies=false", X.assign(sure=y + 0.0), y, binner=binner).kept


def test_columns_of_noise_alone_leave() -> None:
    kept = []
    for seed in range(5):
        X, y = drawn(noise=40, seed=seed)
        kept.append(len(selected("standard", X.filter(like="noise"), y).kept))
    assert np.mean(kept) <= 2, kept


def test_chance_of_one_keeps_what_tells_anything() -> None:
    X, y = drawn()
    assert not any(each.step == "chance" for each in selected("standard:chance=1", X, y).log)


def test_floor_and_ceiling_say_their_figure_and_threshold() -> None:
    X, y = drawn()
    chosen = selected("iv:floor=0.05,ceiling=1", X, y)
    strong, noise = entry(chosen, "strong"), entry(chosen, "noise0")
    assert (strong.step, strong.threshold, strong.figure is not None and strong.figure > 1) == ("ceiling", 1.0, True)
    assert "may tell the outcome itself" in strong.reason
    assert (noise.step, noise.threshold) == ("floor", 0.05)


def test_of_two_that_are_correlated_the_better_or_the_preferred_stays() -> None:
    X, y = drawn()
    options = "floor=0.02,copies=false,correlation=0.6"
    assert entry(selected(f"iv:{options}", X, y), "near").other == "strong"
    preferring = selected(f"iv:{options},prefer=near", X, y)
    assert entry(preferring, "strong").other == "near"
    assert "near" in preferring.kept
    assert 0.6 < (entry(preferring, "strong").figure or 0) <= 1


def test_a_cluster_is_left_to_its_best() -> None:
    X, y = drawn()
    chosen = selected("iv:copies=false,clusters=0.6", X, y)
    assert entry(chosen, "near").step == "cluster"
    assert entry(chosen, "near").other == "strong"
    assert "stands for its cluster of 2" in entry(chosen, "near").reason


def test_inflated_variance_leaves_until_none_is_above() -> None:
    X, y = drawn()
    chosen = selected("iv:copies=false,vif=2", X, y)
    assert {each.step for each in chosen.log} == {"floor", "vif"}
    assert {"near", "strong"} - {*chosen.kept}


def test_marginal_information_is_beside_what_stays() -> None:
    X, y = drawn()
    chosen = selected("iv:floor=0.02,copies=false,marginal=0.02", X, y)
    [left] = [each for each in chosen.log if each.step == "marginal"]
    assert left.feature in ("weak", "copy")
    assert (left.figure or 0) < 0.01
    assert "strong" in chosen.kept


def test_lists_of_the_business_hold_and_are_told() -> None:
    X, y = drawn()
    chosen = selected(create("selector", "iv", must=["noise0"], never=["strong"], one_of=[["weak", "near"]]), X, y)
    assert "noise0" in chosen.kept
    assert entry(chosen, "noise0").kept
    assert entry(chosen, "noise0").reason.startswith("it must stay, although its information value is")
    assert entry(chosen, "strong").step == "never"
    assert entry(chosen, "weak").other == "near"


def test_a_name_that_a_list_has_twice_counts_once() -> None:
    X, y = drawn(noise=2)
    twice = create("selector", "iv", never=["noise0", "noise0"], one_of=[["weak", "copy", "copy"]])
    chosen = selected(twice, X, y)
    assert entry(chosen, "noise0").step == "never"
    assert entry(chosen, "copy").step == "one of"


def test_many_bins_that_nobody_looked_for_are_charged_each() -> None:
    kept = []
    for seed in range(4):
        draw = np.random.default_rng(seed)
        X, y = pd.DataFrame(draw.normal(size=(2_000, 30))).add_prefix("x"), draw.integers(0, 2, 2_000)
        kept.append(len(selected("standard", X, y, binner=create("binner", "quantile", max_bins=20)).kept))
    assert np.mean(kept) <= 6, kept


def test_options_that_cannot_be_are_refused_in_words() -> None:
    X, y = drawn(noise=0)
    with pytest.raises(InputError, match=r"selector, must: no such characteristic; got 'weeak'.*did you mean 'weak'"):
        selected("iv:must=weeak", X, y)
    with pytest.raises(InputError, match="must stay and never may"):
        create("selector", "iv", must=["a"], never=["a"])
    with pytest.raises(InputError, match="floor"):
        create("selector", "iv", floor=-1)
    with pytest.raises(InputError, match="unknown option; got 'flor'"):
        selected("iv:flor=1", X, y)
    with pytest.raises(PluginError, match="unknown selector"):
        selected("vi", X, y)


def test_none_keeps_all() -> None:
    X, y = drawn()
    learner = create("learner", "scorecard", select=None, explainer=None).fit(X, y)
    assert Selection.of(learner.evidence_) is None
    assert len(learner.model_.features) > 10


def test_the_order_of_rows_and_rows_that_are_repeated_change_nothing() -> None:
    X, y = drawn(rows=900)
    shuffled = np.random.default_rng(1).permutation(len(y))
    weight = np.where(np.arange(len(y)) % 3, 1.0, 2.0)
    repeated = np.repeat(np.arange(len(y)), weight.astype(int))
    learners = [create("learner", "scorecard", binner="quantile") for _ in range(3)]
    learners[0].fit(X, y, sample_weight=weight)
    learners[1].fit(X.iloc[shuffled], y[shuffled], sample_weight=weight[shuffled])
    learners[2].fit(X.iloc[repeated], y[repeated])
    first, second, third = (Selection.of(each.evidence_) for each in learners)
    assert first == second
    assert first is not None
    assert third is not None
    assert first.kept == third.kept


def test_selection_looks_at_no_row_that_is_held_out() -> None:
    """Columns that tell the outcome of held-out rows alone: a selection before the split would keep them."""
    draw = np.random.default_rng(3)
    y = draw.integers(0, 2, 600)
    frame = pd.DataFrame({f"noise{at}": draw.normal(size=600) for at in range(5)})
    part = np.arange(600) // 300
    for fold in range(2):
        frame[f"told{fold}"] = draw.normal(size=600) + np.where(part == fold, 1.5 * y, 0)
    folds = [(np.flatnonzero(part != fold), np.flatnonzero(part == fold)) for fold in range(2)]
    for fold, (learned, _) in enumerate(folds):
        chosen = selected("standard", frame.iloc[learned], y[learned])
        assert f"told{fold}" not in chosen.kept
    predicted = cross_val_predict(
        create("learner", "scorecard", explainer=None), frame, y, cv=folds, method="predict_proba"
    )[:, 1]
    by_hand = np.empty(600)
    for learned, held in folds:
        fitted = create("learner", "scorecard", explainer=None).fit(frame.iloc[learned], y[learned])
        by_hand[held] = fitted.predict_proba(frame.iloc[held])[:, 1]
    assert (predicted == by_hand).all()


def test_the_log_is_in_the_evidence_and_its_audit_trail() -> None:
    learner = create("learner", "scorecard").fit(GERMAN.X, GERMAN.y)
    chosen = Selection.of(learner.evidence_)
    assert chosen is not None
    trail: Any = learner.evidence_.binning["audit"]
    assert [edit["feature"] for edit in trail] == [each.feature for each in chosen.dropped]
    assert {edit["who"] for edit in trail} == {"selector standard"}
    assert Selection.of(Evidence(model_sha256="")) is None
    assert len(chosen.frame()) == len(chosen.log)
    with pytest.raises(InputError, match=r"mine\.json: there is no selection; .*a model whose learner makes one"):
        Selection.read(Evidence(model_sha256=""), "mine.json")
    with pytest.raises(ModelError, match=r"metrics, selection"):
        Selection.of(Evidence(model_sha256="", metrics=FrozenMapping({"selection": FrozenMapping({"kept": 3})})))


def test_a_selector_of_ones_own_needs_only_choose() -> None:
    class First(Selector):
        def choose(self, pool: Any) -> None:
            for name in pool.names[1:]:
                pool.drop(name, step="place", reason="it is not the first")

    chosen = selected(First(), GERMAN.X, GERMAN.y)
    assert chosen.kept == (next(iter(GERMAN.X)),)
    assert chosen.selector == "First"


def test_stability_is_held_over_periods() -> None:
    X, y = drawn(noise=0)
    periods = np.arange(len(y)) * 3 // len(y)
    X["moving"] = X["weak"] + 3.0 * periods
    chosen = create("selector", "iv", copies=False).select(candidates(X, y, periods))
    assert entry(chosen, "moving").step == "stability"
    assert "strong" in chosen.kept


@pytest.mark.filterwarnings("ignore:Leak or knock-out")
def test_what_left_by_standard_adds_less_than_is_asked_for_whatever_the_quadratic_says() -> None:
    draw = np.random.default_rng(3)
    X, good = drawn(noise=0)
    X["flag"] = (draw.random(len(X)) < 0.1).astype(int)
    good[X["flag"] == 1] = 0  # its coefficient is large, and the quadratic at the fit takes it for next to nothing
    chosen = selected("standard", X, good)
    assert "flag" in chosen.kept
    assert not {each.feature for each in chosen.log if each.step != "copy"} & {"strong", "flag"}
