"""Optimal trees against a recursion over all trees, and against STreeD."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable_fcca.target import LEAF
from scrutable_fcca.trees.exact import grow
from scrutable_fcca.trees.grown import BinaryTree


def best_of_all(
    features: np.ndarray, good: np.ndarray, weight: np.ndarray, depth: int, penalty: float
) -> tuple[float, int, int]:
    """Lowest cost of any tree (misclassified weight plus penalties), its fewest leaves, its first possible root."""

    @functools.cache
    def best(rows: tuple[int, ...], depth: int) -> tuple[float, int, int]:
        here = np.array(rows, dtype=int)
        found = (min(weight[here][good[here]].sum(), weight[here][~good[here]].sum()) + penalty, 1, -1)
        for feature in range(features.shape[1] if depth else 0):
            has = features[here, feature]
            if has.any() and not has.all():
                one, other = best(tuple(here[has]), depth - 1), best(tuple(here[~has]), depth - 1)
                found = min(found, (one[0] + other[0], one[1] + other[1], feature))
        return found

    return best(tuple(range(len(good))), depth)


def draw(seed: int, *, most_rows: int = 60, most_features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    n, n_features = int(rng.integers(1, most_rows)), int(rng.integers(1, most_features + 1))
    return rng.random((n, n_features)) < rng.uniform(0.1, 0.9, n_features), rng.random(n) < rng.uniform(0.2, 0.8)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_whole_weights_give_the_lowest_cost_the_fewest_leaves_and_the_first_root(depth: int) -> None:
    for seed in range(60 if depth < 4 else 25):
        features, good = draw(seed)
        rng = np.random.default_rng(seed + 1000)
        weight = rng.integers(0, 4, len(good)) + (np.arange(len(good)) == 0.0)
        penalty = int(rng.integers(0, 4))
        leaf_penalty = min(1.0, penalty / weight.sum())
        tree = grow(features, good, weight, max_depth=depth, leaf_penalty=leaf_penalty)
        cost, leaves, root = best_of_all(features, good, weight, depth, leaf_penalty * weight.sum())
        assert tree.objective * weight.sum() == pytest.approx(cost, abs=1e-9)
        assert (tree.n_leaves, tree.feature[0]) == (leaves, root), seed
        assert tree.proven
        assert tree.depth <= depth


@pytest.mark.parametrize("depth", [2, 3])
def test_any_weights_give_the_lowest_objective(depth: int) -> None:
    for seed in range(60):
        features, good = draw(seed, most_rows=150)
        rng = np.random.default_rng(seed)
        weight, leaf_penalty = rng.exponential(size=len(good)), float(rng.choice([0.0, 0.003, 0.02, 0.3]))
        tree = grow(features, good, weight, max_depth=depth, leaf_penalty=leaf_penalty)
        cost, _, _ = best_of_all(features, good, weight, depth, leaf_penalty * weight.sum())
        assert tree.objective == pytest.approx(cost / weight.sum(), abs=1e-11)


@pytest.mark.parametrize("kind", ["independent", "thresholds", "noise"])
def test_the_objective_is_that_of_streed(kind: str) -> None:
    pystreed = pytest.importorskip("pystreed")
    rng = np.random.default_rng(7)
    columns = rng.normal(size=(600, 5)) @ rng.normal(size=(5, 5))
    good = columns[:, 0] + np.sin(2 * columns[:, 1]) + rng.normal(size=600) > 0
    cuts = np.quantile(columns, np.linspace(0.1, 0.9, 7), axis=0)
    features = (columns[:, :, None] <= cuts.T).reshape(600, -1)
    if kind != "thresholds":
        features = rng.random((600, 30)) < rng.uniform(0.2, 0.8, 30)
        good = rng.random(600) < np.where(kind == "noise", 0.5, 0.2 + 0.3 * features[:, 3] + 0.4 * features[:, 8])
    for depth, penalty in ((2, 0.004), (3, 0.0), (3, 0.01), (4, 0.005)):
        tree = grow(features, good, np.ones(600), max_depth=depth, leaf_penalty=penalty)
        peer = pystreed.STreeDClassifier(
            "cost-complex-accuracy",
            max_depth=depth,
            cost_complexity=penalty,
            use_lower_bound=False,  # with its bounds it misses the optimum of one data set in fifty
        ).fit(features.astype(np.int32), good.astype(np.int32))
        wrong = (peer.predict(features.astype(np.int32)) != good).mean()
        assert tree.objective == pytest.approx(wrong + penalty * peer.get_n_leaves(), abs=1e-12)


@pytest.fixture
def grown() -> tuple[np.ndarray, np.ndarray, np.ndarray, BinaryTree]:
    rng = np.random.default_rng(3)
    features, weight = rng.random((400, 12)) < 0.4, rng.uniform(0.1, 2, 400)
    good = rng.random(400) < 0.15 + 0.4 * (features[:, 2] ^ features[:, 5]) + 0.3 * features[:, 9]
    return features, good, weight, grow(features, good, weight, max_depth=3, leaf_penalty=0.004)


def test_predictions_and_weights_of_nodes_are_those_of_the_rows(
    grown: tuple[np.ndarray, np.ndarray, np.ndarray, BinaryTree],
) -> None:
    features, good, weight, tree = grown
    predicted, leaf = tree.predict(features), tree.leaf_of(features)
    assert tree.n_leaves > 4
    assert tree.errors == pytest.approx(weight[predicted != good].sum() / weight.sum(), abs=1e-12)
    for node in np.flatnonzero(tree.feature == LEAF):
        here = leaf == node
        assert tree.weight[node].tolist() == pytest.approx([weight[here & ~good].sum(), weight[here & good].sum()])
        assert tree.good[node] == (tree.weight[node, 1] > tree.weight[node, 0])
    for node in np.flatnonzero(tree.feature != LEAF):
        below = tree.weight[tree.absent[node]] + tree.weight[tree.present[node]]
        assert tree.weight[node].tolist() == pytest.approx(below.tolist())


def test_the_order_and_the_repetition_of_rows_make_no_difference(
    grown: tuple[np.ndarray, np.ndarray, np.ndarray, BinaryTree],
) -> None:
    features, good, weight, tree = grown
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(400), 2))
    again = grow(features[order], good[order], weight[order], max_depth=3, leaf_penalty=0.004)
    assert again.plan() == tree.plan()
    whole = np.random.default_rng(1).integers(1, 5, 400)
    rows = np.repeat(np.arange(400), whole)
    one = grow(features, good, whole.astype(float), max_depth=3, leaf_penalty=0.01)
    other = grow(features[rows], good[rows], np.ones(len(rows)), max_depth=3, leaf_penalty=0.01)
    assert one.plan() == other.plan()
    assert one.errors == pytest.approx(other.errors, abs=1e-12)


def test_of_equal_features_the_first_is_chosen_and_opposite_ones_are_the_same() -> None:
    a = np.array([True, True, False, False, True])
    features = np.stack([np.ones(5, bool), ~a, a, a], axis=1)
    tree = grow(features, a, np.ones(5), max_depth=3, leaf_penalty=0.1)
    assert tree.plan() == (1, True, False)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5])
def test_a_leaf_is_all_there_is_for_rows_that_no_feature_tells_apart(depth: int) -> None:
    cases = {
        "no features": (np.zeros((4, 0), bool), [True, True, True, False], True),
        "constant features": (np.ones((4, 3), bool), [False, True, False, True], False),
        "one class": (np.eye(4, dtype=bool), [True] * 4, True),
        "one row": (np.array([[True, False]]), [False], False),
        "equal rows": (np.array([[True, False], [False, True]] * 2), [True, False, False, True], False),
    }
    for name, (features, good, expected) in cases.items():
        tree = grow(features, np.array(good), np.ones(len(good)), max_depth=depth, leaf_penalty=0.0)
        assert tree.plan() is expected, name
        assert tree.proven
        assert tree.depth == 0
        assert tree.predict(features).tolist() == [expected] * len(good)


def test_a_search_that_ran_out_of_time_says_how_much_better_another_tree_may_be() -> None:
    rng = np.random.default_rng(5)
    features = rng.random((300, 9)) < 0.5
    good = np.bitwise_xor.reduce(features[:, :4], axis=1)
    weight = np.ones(300)
    cut = grow(features, good, weight, max_depth=4, leaf_penalty=0.001, time_limit=0.0)
    whole = grow(features, good, weight, max_depth=4, leaf_penalty=0.001, time_limit=1e6)
    assert whole.proven
    assert whole.bound == whole.objective == pytest.approx(0.016)
    assert not cut.proven
    assert cut.bound <= whole.objective < cut.objective


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"features": np.zeros((0, 2), bool), "good": np.zeros(0, bool), "weight": np.zeros(0)}, "there are no rows"),
        ({"good": np.array([True])}, "good: expected one value for each row"),
        ({"weight": np.ones(3)}, "weight: expected one value for each row"),
        ({"weight": np.array([1.0, -1.0])}, "unusable weights"),
        ({"weight": np.array([1.0, np.nan])}, "unusable weights"),
        ({"weight": np.zeros(2)}, "unusable weights"),
        ({"max_depth": 9}, "max_depth: unusable number; got 9; allowed: a whole number from 0 to 8"),
        ({"leaf_penalty": 1.5}, "leaf_penalty: unusable number; got 1.5"),
        ({"time_limit": -1}, "time_limit: unusable number"),
    ],
)
def test_unusable_input_is_refused(changed: dict[str, object], message: str) -> None:
    usable = {
        "features": np.eye(2, dtype=bool),
        "good": np.array([True, False]),
        "weight": np.ones(2),
        "max_depth": 2,
        "leaf_penalty": 0.01,
    }
    with pytest.raises(InputError, match=message):
        grow(**{**usable, **changed})
