"""The learner `fcca-tree`: the model decides as the tree does, everywhere, and says what is known of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.errors import InputError, PluginError
from scrutable.model import TreeEnsemble
from scrutable.model.evaluator import differences, evaluate
from scrutable.model.trees import leaves, splits
from scrutable.plugins.registry import registry
from scrutable.proof.edges import edge_rows
from scrutable_fcca.changes import Changes
from scrutable_fcca.counterfactuals.problem import Costs
from scrutable_fcca.learner import FCCATreeClassifier
from scrutable_fcca.training import TargetOptions

DATA = make_credit(1500, seed=5)
CODES = {"bureau_score": [-9.0]}


def learner(**options: Any) -> FCCATreeClassifier:
    return FCCATreeClassifier(**{"special_codes": CODES, "favourable": DATA.favourable, **options})


def model_of(fitted: FCCATreeClassifier) -> TreeEnsemble:
    assert isinstance(fitted.model_, TreeEnsemble)
    return fitted.model_


@pytest.fixture(scope="module")
def fitted() -> FCCATreeClassifier:
    """With its defaults."""
    return learner().fit(DATA.X, DATA.y)


def test_the_model_decides_as_its_evidence_says(fitted: FCCATreeClassifier) -> None:
    said = fitted.evidence_.metrics
    assert np.mean(fitted.predict(DATA.X) == DATA.y) == pytest.approx(said["accuracy"])
    [tree] = model_of(fitted).trees
    n_leaves = len(list(leaves(tree)))
    assert said["objective"] == pytest.approx(1 - said["accuracy"] + 10 / len(DATA.y) * n_leaves)
    assert (said["proven"], said["gap"]) == (True, 0.0)
    assert said["thresholds"] == said["thresholds_kept"] == len(fitted.thresholds_)
    assert said["agreement"] > 0.9


def test_scores_are_log_odds_of_the_leaves(fitted: FCCATreeClassifier) -> None:
    score = evaluate(model_of(fitted), DATA.X).score
    good = np.asarray(DATA.y) == DATA.favourable
    for value in np.unique(score):
        its = good[score == value]
        assert value == pytest.approx(np.log((its.sum() + 0.5) / ((~its).sum() + 0.5)), abs=1e-8)
        assert (value >= 0) == (its.mean() > 0.5)


def test_splits_are_thresholds_that_were_kept() -> None:
    coarse = learner(quantile=0.3).fit(DATA.X, DATA.y)
    kept = coarse.thresholds_[coarse.thresholds_["kept_until"] >= 0.3]
    [tree] = model_of(coarse).trees
    said = {(split.when.feature, split.when.any_of[0].describe()) for split in splits(tree)}
    assert said
    assert said <= set(zip(kept["feature"], kept["above"], strict=True))


@pytest.mark.parametrize("wish", ["opportunity", "demographic-parity"])
def test_a_bound_is_kept_on_the_rows_learned_from(wish: str) -> None:
    groups = DATA.sensitive_features[["sex"]]
    tight = learner(constraints=create("constraint", wish, slack=0.002)).fit(DATA.X, DATA.y, sensitive_features=groups)
    [measured] = tight.evidence_.metrics["constraints"]
    approved = pd.Series(tight.predict(DATA.X) == DATA.favourable)
    among = np.asarray(DATA.y) == DATA.favourable if wish == "opportunity" else np.ones(len(DATA.y), bool)
    rates = approved[among].groupby(groups["sex"].to_numpy()[among]).mean()
    assert measured["kept"] is True
    assert abs(rates["female"] - rates["male"]) == pytest.approx(abs(measured["gap"]))
    assert abs(measured["gap"]) <= 0.002
    assert tight.evidence_.metrics["proven"] is True


def test_several_bounds_are_refused() -> None:
    wish = create("constraint", "opportunity")
    with pytest.raises(InputError, match=r"a tree can be grown under one bound; got '3 bounds'"):
        learner(constraints=wish).fit(DATA.X, DATA.y, sensitive_features=DATA.sensitive_features)


def test_alternatives_keep_ever_fewer_thresholds() -> None:
    found = list(learner().alternatives(DATA.X, DATA.y))
    assert found[0].method == "baseline"
    assert found[0].model.trees == model_of(learner().fit(DATA.X, DATA.y)).trees
    kept = [each.evidence.metrics["thresholds_kept"] for each in found]
    assert kept == sorted(kept, reverse=True)
    assert 3 < len(set(kept)) == len(kept) <= 13
    groups, wish = DATA.sensitive_features[["sex"]], create("constraint", "opportunity", slack=0.01)
    bounded = list(learner(constraints=wish).alternatives(DATA.X, DATA.y, sensitive_features=groups))
    assert bounded[0].evidence.metrics["constraints"] == ()
    assert all(each.evidence.metrics["constraints"][0]["kept"] for each in bounded[1:])


@pytest.mark.parametrize("target", ["forest", "linear", TargetOptions(max_depth=2, n_estimators=20)])
def test_every_target_gives_a_tree(target: Any) -> None:
    few = DATA.X[["income", "debt_ratio", "housing", "bureau_score"]][:300]
    own = learner(target=target, quantile=0.3).fit(few, DATA.y[:300])
    assert own.evidence_.metrics["accuracy"] >= max(np.mean(DATA.y[:300]), 1 - np.mean(DATA.y[:300])) - 1e-12


@pytest.mark.filterwarnings("ignore:column '.*'. every value")
def test_bad_input_is_told() -> None:
    X, y = DATA.X, np.asarray(DATA.y)
    with pytest.raises(InputError, match="no column tells applicants apart"):
        FCCATreeClassifier().fit(pd.DataFrame({"one": np.ones(100)}), y[:100])
    with pytest.raises(InputError, match="class"):
        learner().fit(X, np.zeros(len(X)))
    for options, said in (
        ({"probability": (0.9999999, 1.0)}, "classifies no row correctly with such a probability"),
        ({"max_depth": -1}, "max_depth"),
        ({"leaf_penalty": 2.0}, "leaf_penalty"),
        ({"quantile": 1.5}, "quantile"),
    ):
        own = learner(**options)
        with pytest.raises(InputError, match=said):
            own.fit(X, y)
        assert not hasattr(own, "model_")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["python", "r"])
def test_a_tree_decides_alike_where_it_is_exported(name: str, fitted: FCCATreeClassifier) -> None:
    model, exporter = model_of(fitted), registry().create("exporter", name)
    try:
        exporter.engine()
    except PluginError as error:
        pytest.skip(str(error))
    for rows in (DATA.X, edge_rows(model, n_random=200)):
        assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_rows_without_weight_count_for_nothing() -> None:
    weight = np.arange(len(DATA.y)) % 2.0
    some = learner().fit(DATA.X, DATA.y, sample_weight=weight)
    alone = learner().fit(DATA.X[weight > 0], DATA.y[weight > 0])
    assert dict(some.evidence_.metrics) == dict(alone.evidence_.metrics)
    assert some.evidence_.metrics["compression"] == some.compression_.compression[0]


def test_the_unit_of_weights_does_not_matter_to_a_linear_target() -> None:
    few, y = DATA.X[["income", "debt_ratio"]][:200], DATA.y[:200]
    own = learner(target="linear", special_codes=None)
    found = [own.fit(few, y, sample_weight=np.full(200, unit)).thresholds_ for unit in (1.0, 64.0)]
    pd.testing.assert_frame_equal(found[0].drop(columns="importance"), found[1].drop(columns="importance"))


def test_options_may_be_mappings() -> None:
    named = learner(
        target={"kind": "boosting", "n_estimators": 20}, costs={"changed": 0.5}, changes={"immutable": ["income"]}
    )
    made = learner(
        target=TargetOptions(n_estimators=20), costs=Costs(changed=0.5), changes=Changes(immutable=["income"])
    )
    assert model_of(named.fit(DATA.X, DATA.y)).trees == model_of(made.fit(DATA.X, DATA.y)).trees
    for options, said in (
        ({"costs": {"change": 1}}, "did you mean 'changed'"),
        ({"changes": 3}, "changes: expected options"),
        ({"changes": {"ranges": {"income": 5}}}, "unusable range"),
        ({"time_limit": 3.0, "constraints": create("constraint", "opportunity")}, "no limit of time"),
    ):
        with pytest.raises(InputError, match=said):
            learner(**options).fit(DATA.X, DATA.y, sensitive_features=DATA.sensitive_features[["sex"]])
