"""Pairs of features: found where they tell something, kept only where they pay, and worth what the fit says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from scrutable.errors import InputError
from scrutable.model import dumps
from scrutable.model.evaluator import evaluate
from scrutable_additive.learner import AdditiveClassifier


def drawn(seed: int, n: int, crossed: float) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows of a few features of all kinds; `crossed` is what high a and high b tell together, and code and job."""
    chance = np.random.default_rng(seed)
    frame = pd.DataFrame(chance.normal(size=(n, 5)).round(2), columns=list("abcde"))
    frame["code"] = chance.integers(0, 4, n).astype(float)
    frame["job"] = pd.Series(chance.choice(["cook", "clerk", "smith"], n), dtype=object)
    log_odds = 0.5 * frame[["a", "b", "c", "d"]].sum(axis=1) + 0.5 * (frame["job"] == "cook") + 0.2 * frame["code"]
    log_odds += crossed * ((frame["a"] > 0) & (frame["b"] > 0))
    log_odds -= crossed * ((frame["code"] > 2) & (frame["job"] == "cook"))
    good = (chance.random(n) < 1 / (1 + np.exp(-log_odds))).astype(int)
    frame.loc[chance.random(n) < 0.1, "a"] = np.nan
    frame.loc[chance.random(n) < 0.1, "code"] = -9
    return frame, good.to_numpy()


def learned(frame: pd.DataFrame, good: np.ndarray, weight: Any = None, **options: Any) -> AdditiveClassifier:
    """Fitted to rows."""
    options = {"special_codes": {"code": [-9]}, "favourable": 1, "explainer": None} | options
    return AdditiveClassifier(**options).fit(frame, good, sample_weight=weight)


def told(learner: AdditiveClassifier) -> Any:
    """What the evidence tells."""
    return learner.evidence_.metrics["additive"]


CROSSED = drawn(1, 4000, 1.5)
FOUND = learned(*CROSSED, pairs=3)


def test_pairs_that_tell_something_are_found_and_gain_on_rows_held_out() -> None:
    held, outcome = drawn(2, 4000, 1.5)
    assert [{*each.features} for each in FOUND.model_.interactions] == [{"code", "job"}, {"a", "b"}]
    gained = [roc_auc_score(outcome, each.predict_proba(held)[:, 1]) for each in (FOUND, learned(*CROSSED))]
    assert gained[0] > gained[1] + 0.005
    pairs = told(FOUND)["pairs"]
    assert pairs["looked_at"] == 21  # of seven features
    for pair in pairs["told"].values():
        assert pair["fitted"] == pair["on_card"] == (pair["gain"] > pairs["price"])
        assert pair["auc"] > pair["auc_without"] - 0.001
    assert told(FOUND)["chosen"]["auc"] > pairs["without"]["auc"] + 0.005
    assert told(learned(*CROSSED))["chosen"] == pairs["without"]


def test_of_a_corner_the_table_is_a_corner() -> None:
    chance = np.random.default_rng(6)
    frame = pd.DataFrame(chance.normal(size=(6000, 3)), columns=list("abc"))
    log_odds = 0.5 * frame.sum(axis=1) + 2 * ((frame["a"] > 0) & (frame["b"] > 0.3))
    good = (chance.random(6000) < 1 / (1 + np.exp(-log_odds))).astype(int).to_numpy()
    [table] = AdditiveClassifier(pairs=3, explainer=None).fit(frame, good).model_.interactions
    sizes = [len(axis.conditions) for axis in table.axes]
    assert max(sizes) <= 5  # with missing values
    cuts = {axis.feature: [each.lower for each in axis.conditions[1:-1]] for axis in table.axes}
    assert min(abs(cut) for cut in cuts["a"]) < 0.1
    assert min(abs(cut - 0.3) for cut in cuts["b"]) < 0.1


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_found_where_nothing_is(seed: int) -> None:
    frame, good = drawn(seed, 1500, 0.0)
    alone, nothing = learned(frame, good), learned(frame, good, pairs=5)
    assert not nothing.model_.interactions
    assert nothing.model_.characteristics == alone.model_.characteristics
    assert not any(pair["fitted"] for pair in told(nothing)["pairs"]["told"].values())
    said = "\n".join(nothing.about_learning(nothing.evidence_))
    assert "No pair of features is on the card" in said


@pytest.mark.parametrize("weighted", [False, True])
def test_the_model_scores_rows_as_they_were_fitted(weighted: bool) -> None:
    frame, good = CROSSED
    weight = np.round(np.random.default_rng(3).uniform(0.5, 2, len(good)), 2) if weighted else np.ones(len(good))
    learner = learned(frame, good, weight, pairs=3)
    assert learner.model_.interactions
    chosen, p = told(learner)["chosen"], learner.predict_proba(frame)[:, 1]
    assert log_loss(good, p, sample_weight=weight) == pytest.approx(chosen["log_loss"], abs=1e-8)
    assert roc_auc_score(good, p.round(9), sample_weight=weight) == pytest.approx(chosen["auc"], abs=1e-6)
    assert told(learner)["dense"]["kkt_residual"] <= 1e-8


def test_neither_the_order_of_rows_nor_of_columns_changes_a_byte() -> None:
    frame, good = CROSSED
    order = np.random.default_rng(3).permutation(len(good))
    again = learned(frame.iloc[order], good[order], pairs=3)
    other = learned(frame[list(frame)[::-1]], good, pairs=3)
    nowhere = [replace(each.model_.provenance, data_fingerprint="") for each in (FOUND, again)]
    assert dumps(replace(FOUND.model_, provenance=nowhere[0])) == dumps(replace(again.model_, provenance=nowhere[1]))
    assert other.model_.interactions == FOUND.model_.interactions
    assert told(other) == told(FOUND)


def test_cells_of_few_rows_have_no_points_of_their_own() -> None:
    frame, good = drawn(4, 2000, 1.5)
    frame["b"] = np.where(frame["a"] > 1.5, np.minimum(frame["b"], -1 + 2 * (np.arange(2000) % 40 == 0)), frame["b"])
    learner = learned(frame, good, pairs=[("a", "b")], must=["a x b"], min_count=0, keep=1.0)
    features = tuple(each for each in learner.model_.features if each.name in "ab")
    by_pair_alone = replace(learner.model_, characteristics=(), features=features)
    assert by_pair_alone.interactions
    cells = pd.Series(evaluate(by_pair_alone, frame).score)
    assert cells.value_counts().min() >= 5
    assert "statistics" not in str(told(learner)["pairs"])


def test_named_pairs_stay_only_where_they_pay_unless_they_must() -> None:
    learner = learned(*CROSSED, pairs=[("b", "a"), ("c", "d")])
    assert [each.name for each in learner.model_.interactions] == ["b x a"]
    assert told(learner)["pairs"]["looked_at"] == 2
    assert not told(learner)["pairs"]["told"]["c x d"]["fitted"]
    held = learned(*CROSSED, pairs=[("b", "a"), ("c", "d")], must=["c x d"])
    assert {each.name for each in held.model_.interactions} == {"b x a", "c x d"}


def test_a_pair_may_be_called_by_its_name_as_the_card_prints_it() -> None:
    [card] = learned(*CROSSED, pairs=1).model_.interactions
    by_name, by_both = (learned(*CROSSED, pairs=[pair]) for pair in (card.name, tuple(card.features)))
    assert by_name.model_.interactions == by_both.model_.interactions == (card,)
    frame, good = CROSSED
    spaced = frame.rename(columns={"a": "a x 1"})
    assert [each.name for each in learned(spaced, good, pairs=["b x a x 1"]).model_.interactions] == ["b x a x 1"]
    both = spaced.assign(**{"b x a": frame["c"], "1": frame["d"]})
    with pytest.raises(InputError, match="pairs: a pair is of two columns; got 'b x a x 1'"):
        learned(both, good, pairs=["b x a x 1"])


def test_two_features_that_tell_nothing_alone_may_be_named() -> None:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.normal(size=(3000, 3)), columns=list("abc"))
    log_odds = 0.5 * frame["c"] + np.sign(frame["a"] * frame["b"])
    good = (chance.random(3000) < 1 / (1 + np.exp(-log_odds))).astype(int).to_numpy()
    learner = AdditiveClassifier(pairs=[("a", "b")], explainer=None).fit(frame, good)
    assert roc_auc_score(good, learner.predict_proba(frame)[:, 1]) > 0.72
    assert not {"a", "b"} & {*told(learner)["left_out"]}


def test_a_feature_with_a_trend_is_in_no_pair() -> None:
    follows = learned(*CROSSED, pairs=3, trends={"a": "ascending"})
    assert not any("a" in each.features for each in follows.model_.interactions)
    with pytest.raises(InputError, match=r"pairs, 'a x b': a feature with a trend is in no pair.*got 'b'"):
        learned(*CROSSED, pairs=[("a", "b")], trends={"b": "ascending"})


def test_no_pair_has_the_name_of_a_column_or_of_another_pair() -> None:
    frame, good = CROSSED
    [name] = [each.name for each in learned(frame, good, pairs=1).model_.interactions]
    taken = frame.assign(**{name: frame["a"] + np.random.default_rng(2).normal(size=len(frame)).round(1)})
    learner = learned(taken, good, pairs=1)
    assert name not in told(learner)["pairs"]["told"]
    with pytest.raises(InputError, match=f"pairs: a column or another pair has the pair's name; got '{name}'.*Fix"):
        learned(taken, good, pairs=[tuple(name.split(" x "))])
    both = frame.rename(columns={"a": "a x b"}).assign(**{"a": frame["a"], "b x b": frame["b"]})
    with pytest.raises(InputError, match="got 'a x b x b'"):
        learned(both, good, pairs=[("a x b", "b"), ("a", "b x b")])


def test_shapes_say_where_a_pair_breaks_them() -> None:
    chance = np.random.default_rng(5)
    frame = pd.DataFrame(chance.normal(size=(4000, 2)), columns=list("ab"))
    log_odds = 0.6 * frame["a"] + 0.6 * frame["b"] - 1.5 * (frame["a"] > 0) * np.sign(frame["b"])
    good = (chance.random(4000) < 1 / (1 + np.exp(-log_odds))).astype(int).to_numpy()
    learner = AdditiveClassifier(pairs=1, explainer=None).fit(frame, good)
    [pair] = learner.model_.interactions
    shape = told(learner)["shapes"]["a"]
    assert shape["trend"] is None
    assert list(shape["broken_by"]) == [pair.name]
    words = f"gains and loses points as it rises, by '{pair.name}'"
    assert f"'a' {words}" in learner.about_learning(learner.evidence_)
    assert learner.about_characteristics(learner.evidence_)["a"] == words


@pytest.mark.parametrize("options", [{"max_points": 10}, {"scaling": {"decimals": 0}}])
def test_points_of_cells_are_whole_where_points_are(options: dict[str, Any]) -> None:
    learner = learned(*CROSSED, pairs=2, **options)
    cells = np.array([points for each in learner.model_.interactions for points in each.cells])
    assert len(cells)
    assert (cells == np.rint(cells)).all()
    rounding, p = told(learner)["rounding"], learner.predict_proba(CROSSED[0])[:, 1]
    assert log_loss(CROSSED[1], p) == pytest.approx(rounding["log_loss"], abs=1e-9)
    if "max_points" in options:
        assert cells.min() == 0
        assert cells.max() <= 10


def test_sentences_say_pairs() -> None:
    said = "\n".join(FOUND.about_learning(FOUND.evidence_))
    assert "characteristics and 2 pairs with" in said
    assert f"21 looked at, the price is {told(FOUND)['pairs']['price']:.1f}" in said


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([("a", "z")], "pairs, 'a x z': unknown column; got 'z'"),
        ([("a", "a")], "pairs, 'a x a': a pair is of two columns, and named once; got 'one column twice'"),
        ([("a", "b"), ("b", "a")], "pairs, 'b x a': a pair is of two columns, and named once; got 'the pair twice'"),
        (-1, "pairs: unusable"),
        ("ab", "pairs: unusable"),
        ([("a", "b", "c")], r"pairs: a pair is of two columns; got \('a', 'b', 'c'\)"),
        (["ab"], "pairs: a pair is of two columns; got 'ab'"),
        (["a x z"], "pairs, 'a x z': unknown column; got 'z'"),
        (["a x b x c"], "pairs: a pair is of two columns; got 'a x b x c'"),
        (["a x b", ("a", "b")], "pairs, 'a x b': a pair is of two columns, and named once; got 'the pair twice'"),
    ],
)
def test_pairs_that_cannot_be_are_refused(pairs: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        learned(*CROSSED, pairs=pairs)


def test_rows_without_weight_are_no_rows() -> None:
    frame, good = CROSSED
    weight = np.where(frame["code"] == -9, 0.0, 1.0)
    weight[:50] = 0.0
    there = weight > 0
    options: dict[str, Any] = {"pairs": [("code", "job"), ("a", "b")], "must": ["code x job"]}
    some, fewer = learned(frame, good, weight, **options), learned(frame[there], good[there], **options)
    assert some.model_.interactions
    assert some.predict_proba(frame[there]) == pytest.approx(fewer.predict_proba(frame[there]), abs=1e-9)


def test_another_card_of_a_path_with_pairs_can_be_chosen_by_its_steps() -> None:
    fewer = told(FOUND)["path"][-3]
    chosen = learned(*CROSSED, pairs=3, steps=fewer["steps"])
    assert told(chosen)["chosen"] == fewer
    none = learned(*drawn(3, 1500, 0.0), pairs=3)
    assert (
        told(learned(*drawn(3, 1500, 0.0), pairs=3, steps=told(none)["path"][0]["steps"]))["chosen"]
        == told(none)["path"][0]
    )
    assert "card_path" in none.evidence_.metrics
    assert "card_path" not in FOUND.evidence_.metrics  # whose attributes cells are none of


def test_a_pair_of_must_that_tells_nothing_is_told() -> None:
    drawn = np.random.default_rng(2)
    rows = pd.DataFrame({name: drawn.normal(size=400) for name in ("a", "b", "noise")})
    good = (drawn.random(400) < 1 / (1 + np.exp(-rows["a"]))).astype(int)
    learner = AdditiveClassifier(favourable=1, must=["a x noise"], pairs=[("a", "noise")])
    evidence = learner.fit(rows, good).evidence_
    assert learner.model_.interactions == ()
    assert evidence.metrics["additive"]["left_out"]["a x noise"]["why"] == "nothing"
    assert any("tell nothing on these rows" in line for line in learner.about_learning(evidence))
