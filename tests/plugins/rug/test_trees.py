"""Trees split where an exhaustive search does, and share out every row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from scrutable.errors import InputError
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable.model.exactly_one import check_one_applies
from scrutable_rug.bodies import body_of, covered
from scrutable_rug.literals import BELOW, EQUAL, literals
from scrutable_rug.rows import Rows
from scrutable_rug.trees import Tree, TreeOptions, grow

from .conftest import MakeSample, read


def squares(rows: Rows, weight: np.ndarray, inside: np.ndarray) -> float:
    """Squared class weights over the weight of some rows; its sum over the leaves is least where impurity is most."""
    totals = np.bincount(rows.label[inside], weights=weight[inside], minlength=rows.n_classes)
    return float(totals @ totals / totals.sum()) if totals.sum() > 0 else 0.0


def best_gain(rows: Rows, weight: np.ndarray, inside: np.ndarray, least_rows: int) -> float:
    """What the best of all literals adds at a node, 0 for none."""
    best = 0.0
    counted = inside & (weight > 0)
    for at, coded in enumerate(rows.table.features):
        for literal in literals(coded):
            left = inside & covered(body_of([(at, literal)], rows.table.features), rows.table)
            right = inside & ~left
            if min(np.count_nonzero(counted & left), np.count_nonzero(counted & right)) >= least_rows:
                gained = squares(rows, weight, left) + squares(rows, weight, right) - squares(rows, weight, inside)
                best = max(best, gained)
    return best


def node_rows(tree: Tree) -> dict[int, np.ndarray]:
    return {node: covered(body, tree.table) for node, body in tree.bodies().items()}


@pytest.mark.parametrize(("n_classes", "least_rows"), [(2, 1), (3, 1), (3, 12)])
def test_every_split_is_the_best_and_every_leaf_has_none(
    make_sample: MakeSample, n_classes: int, least_rows: int
) -> None:
    rng = np.random.default_rng(0)
    for seed in range(3):
        rows = make_sample(seed, 150, n_classes=n_classes).rows
        weight = rng.random(150) * (rng.random(150) < 0.7)
        tree = grow(rows, weight, TreeOptions(max_depth=3, min_samples_leaf=least_rows))
        inside, depth = node_rows(tree), {0: 0}
        for node, (left, right) in enumerate(tree.nodes.children.tolist()):
            best = best_gain(rows, weight, inside[node], least_rows)
            if left < 0:
                assert depth[node] == 3 or best <= 1e-9
                continue
            depth[left] = depth[right] = depth[node] + 1
            np.testing.assert_array_equal(inside[left] | inside[right], inside[node])
            assert not (inside[left] & inside[right]).any()
            gained = sum(squares(rows, weight, inside[child]) for child in (left, right))
            assert gained - squares(rows, weight, inside[node]) == pytest.approx(best, abs=1e-9)
        for node, rows_inside in inside.items():
            own = np.bincount(rows.label[rows_inside], weights=weight[rows_inside], minlength=n_classes)
            np.testing.assert_allclose(tree.nodes.weight[node], own, atol=1e-12)


def test_rows_reach_the_leaf_that_covers_them(make_sample: MakeSample) -> None:
    sample = make_sample(5)
    tree = grow(sample.rows, np.ones(200), TreeOptions(max_depth=4))
    leaf, inside = tree.leaf_of_rows(), node_rows(tree)
    for own in tree.leaves:
        np.testing.assert_array_equal(leaf == own, inside[own])


def test_the_fallback_takes_in_every_possible_row_once(make_sample: MakeSample) -> None:
    for seed in range(3):
        sample = make_sample(seed, 120, n_classes=3)
        tree = grow(sample.rows, np.ones(120), TreeOptions(max_depth=3))
        features = {feature.name: feature for feature in sample.features}
        check_one_applies([when for when, _ in tree.fallback()], features, "fallback")
        evaluator = ClauseMasks(sample.features, {n: sample.table.column(n) for n in sample.table}, 120)
        predicted = sum(label * evaluator.conjunction(when) for when, label in tree.fallback())
        np.testing.assert_array_equal(predicted, tree.label[tree.leaf_of_rows()])


def test_rows_together_or_apart_give_the_same_tree(make_sample: MakeSample) -> None:
    sample = make_sample(1, 400, values=2)
    once = sample.rows
    twice = read(
        pd.concat([pd.DataFrame({n: sample.table.column(n).values for n in sample.table})] * 4), np.tile(once.label, 4)
    ).rows
    assert twice.cases.of_row is not None
    assert once.cases.of_row is None
    weight = np.random.default_rng(0).integers(0, 3, 400).astype(float)
    first = grow(once, weight, TreeOptions(max_depth=4, min_samples_leaf=5))
    second = grow(twice, np.tile(weight, 4), TreeOptions(max_depth=4, min_samples_leaf=20))
    np.testing.assert_array_equal(first.nodes.split, second.nodes.split)
    np.testing.assert_allclose(4 * first.nodes.weight, second.nodes.weight)


def test_scikit_learn_grows_trees_of_the_same_impurity() -> None:
    rng = np.random.default_rng(4)
    for seed in range(3):
        X = rng.integers(0, 40, (600, 4)) / 8.0
        label = ((X[:, 0] > 2) ^ (X[:, 1] > 3) ^ (rng.random(600) < 0.2)) + (X[:, 2] > 4.5)
        weight = rng.random(600)
        ours = grow(read(pd.DataFrame(X, columns=list("abcd")), label).rows, weight, TreeOptions(max_depth=5))
        theirs = DecisionTreeClassifier(max_depth=5, random_state=seed).fit(X, label, sample_weight=weight)
        purity = sum(w @ w / w.sum() for w in ours.nodes.weight[ours.leaves])
        tree = theirs.tree_
        leaves = tree.children_left < 0
        expected = (tree.weighted_n_node_samples * (1 - tree.impurity))[leaves].sum()
        assert purity == pytest.approx(expected, rel=1e-9)
        ours_right = weight @ (ours.label[ours.leaf_of_rows()] == label)
        assert ours_right == pytest.approx(weight @ (theirs.predict(X) == label), rel=1e-9)


def test_of_equal_splits_the_first_is_taken() -> None:
    frame = pd.DataFrame({"a": [1, 1, 1, 1], "b": [1, 2, 3, 4], "c": [1, 2, 3, 4], "job": ["x", "x", "y", "y"]})
    tree = grow(read(frame, np.array([0, 0, 1, 1])).rows, np.full(4, 0.1), TreeOptions())
    assert tree.nodes.split[0].tolist() == [1, BELOW, 2, 0]
    job_first = grow(read(frame[["job", "b"]], np.array([0, 0, 1, 1])).rows, np.full(4, 0.1), TreeOptions())
    assert job_first.nodes.split[0].tolist() == [0, EQUAL, 0, 0]


def test_nothing_to_gain_leaves_the_root_alone() -> None:
    rows = read(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}), np.array([0, 1, 1, 0])).rows
    assert len(grow(rows, np.ones(4), TreeOptions()).leaves) == 1
    assert len(grow(rows, np.array([1.0, 0, 0, 1]), TreeOptions()).leaves) == 1
    assert len(grow(rows, np.zeros(4), TreeOptions()).leaves) == 1
    assert len(grow(rows, np.array([1.0, 2, 1, 1]), TreeOptions(min_impurity_decrease=0.9)).leaves) == 1


def test_draws_depend_on_the_seed_alone(make_sample: MakeSample) -> None:
    rows = make_sample(2).rows
    options = TreeOptions(max_depth=3, feature_share=0.4, row_share=0.6)
    made = [grow(rows, np.ones(200), options, np.random.default_rng(seed)).nodes.split for seed in (0, 0, 1, 2, 3)]
    np.testing.assert_array_equal(made[0], made[1])
    assert len({split.tobytes() for split in made}) > 2
    assert all(len(np.unique(split[split[:, 0] >= 0, 0])) <= 2 for split in made)
    with pytest.raises(InputError, match="random: a share below 1 needs a generator"):
        grow(rows, np.ones(200), options)


def test_unusable_options_are_refused() -> None:
    with pytest.raises(InputError, match=r"max_depth: unusable number; got 0; allowed: a whole number from 1 to 30"):
        TreeOptions(max_depth=0)
    with pytest.raises(InputError, match=r"row_share"):
        replace(TreeOptions(), row_share=0.0)
