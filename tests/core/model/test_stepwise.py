"""A scorecard of stumps says the same as the stumps, bit for bit, in every row."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drawn import drawn
from hypothesis import assume, given, settings
from numpy.typing import NDArray

from scrutable.data.frames import Column, as_table
from scrutable.errors import InputError
from scrutable.model import (
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Outcome,
    Policy,
    ReasonPolicy,
    Scorecard,
    Special,
    TreeEnsemble,
)
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import differences, evaluate, read_inputs
from scrutable.model.evaluator.assign import ClauseMasks, assign
from scrutable.model.evaluator.paths import satisfied
from scrutable.model.evaluator.shortfalls import shortfalls_by_feature
from scrutable.model.stepwise import reasoned_trees, scorecard_of, step_functions
from scrutable.model.trees import Leaf, Node, Split, leaves, paths, splits
from scrutable.proof.edges import edge_rows
from scrutable.testing.plain import without_extras
from scrutable.testing.strategies import tree_ensembles

AGE = Feature(name="age", kind="numeric", special_codes=(-9, 30))
JOB = Feature(name="job", kind="categorical", special_codes=("refused",))
REGION = Feature(name="region", kind="numeric")


def stump(when: Clause, then: float, otherwise: float) -> Split:
    return Split(when, Leaf(then), Leaf(otherwise))


def model(
    *trees: Node, features: tuple[Feature, ...] = (AGE, JOB, REGION), policy: Policy | None = None
) -> TreeEnsemble:
    used = {split.when.feature for tree in trees for split in splits(tree)}
    return TreeEnsemble(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=tuple(f for f in features if f.name in used | (policy.features if policy else set())),
        trees=trees,
        base_score=0.5,
        cutoff=0.25,
        calibration=Calibration(slope=1.5, intercept=-0.25),
        policy=policy or Policy(),
    )


def stumps_of(forest: TreeEnsemble) -> TreeEnsemble:
    """Each tree cut down to its first split, without reasons."""
    trees = tuple(
        replace(tree, then=next(leaves(tree.then)), otherwise=next(leaves(tree.otherwise)))
        for tree in forest.trees
        if isinstance(tree, Split)
    )
    used = {tree.when.feature for tree in trees} | forest.policy.features
    features = tuple(f for f in forest.features if f.name in used)
    return replace(forest, trees=trees, features=features, reasons=None)


def forests() -> list[TreeEnsemble]:
    """Random tree ensembles, as all tests have them."""
    return [forest for forest in drawn("tree ensembles") if isinstance(forest, TreeEnsemble)]


def attributes(card: Scorecard) -> list[tuple[str, float]]:
    (characteristic,) = card.characteristics
    return [
        (title, attribute.points)
        for attribute, title in zip(characteristic.attributes, characteristic.titles, strict=True)
    ]


def asks_of_infinity(forest: TreeEnsemble) -> bool:
    """Whether a split may tell infinity from the largest double."""
    found = [condition for tree in forest.trees for split in splits(tree) for condition in split.when.any_of]
    ends = [end for c in found if isinstance(c, Interval) for end in (c.lower, c.upper)]
    ends += [value for c in found if isinstance(c, Categories) for value in c.values]
    return sys.float_info.max in ends or any(isinstance(c, Interval) and c.lower == math.inf for c in found)


def check_same(forest: TreeEnsemble, seed: int = 0) -> None:
    """Score, decision, probability and knock-out, on both sides of every cut."""
    if forest.features:
        rows = edge_rows(forest, seed=seed)
        assert differences(evaluate(forest, rows).frame(), evaluate(scorecard_of(forest), rows).frame(), ulp=0) == {}


def test_random_stumps_are_the_scorecard() -> None:
    for forest in forests():
        if not asks_of_infinity(forest):
            check_same(stumps_of(forest))


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(tree_ensembles(max_features=1))
def test_trees_of_one_feature_are_the_scorecard_at_any_depth(forest: TreeEnsemble) -> None:
    assume(not asks_of_infinity(forest))
    check_same(replace(forest, reasons=None))


def test_steps_add_up_and_equal_neighbours_are_one() -> None:
    below = Clause("age", (Interval(upper=20, closed="right"), Special((30,)), Missing()))
    card = scorecard_of(
        model(
            stump(below, -1, 1),
            stump(Clause("age", (Interval(upper=20, closed="right"),)), 0.5, 0.25),
            stump(Clause("age", (Interval(upper=40),)), 2, 2),
            stump(Clause("age", (Interval(lower=60, closed="neither"), Special((-9,)))), 0.125, 0),
            Leaf(0.75),
        )
    )
    assert attributes(card) == [
        ("<= 20", 1.5),
        ("(20, 60]", 3.25),
        ("> 60", 3.375),
        ("special code -9", 3.375),
        ("special code 30", 1.25),
        ("missing", 1.25),
    ]
    assert card.base_points == 1.25
    assert (card.cutoff, card.calibration) == (0.25, Calibration(slope=1.5, intercept=-0.25))


def test_categories_of_equal_points_are_one_and_those_like_others_unnamed() -> None:
    card = scorecard_of(
        model(
            stump(Clause("job", (Categories(("cook", "clerk", "judge")),)), 1, 0),
            stump(Clause("job", (Categories(("judge", "smith"), negated=True), Missing())), 1, 0),
            stump(Clause("job", (Special(("refused",)),)), 4, 0),
        )
    )
    assert attributes(card) == [
        ("'smith'", 0.0),
        ("'clerk' or 'cook'", 2.0),
        ("any other value", 1.0),
        ("special code 'refused'", 4.0),
        ("missing", 1.0),
    ]
    assert "'judge'" not in repr(card)


def test_numbers_that_are_categories_are_named_unless_others_ask_for_intervals() -> None:
    of_codes = stump(Clause("region", (Categories((10.0, 2.0)),)), 1, 0)
    assert attributes(scorecard_of(model(of_codes))) == [("2 or 10", 1.0), ("any other value", 0.0), ("missing", 0.0)]
    both = model(of_codes, stump(Clause("region", (Interval(upper=5),)), 0.5, 0))
    titles = [title for title, _ in attributes(scorecard_of(both))]
    assert titles[1:3] == ["[2, 2.0000000000000004)", "[2.0000000000000004, 5)"]
    check_same(both)


def test_a_special_code_between_two_cuts_is_no_interval() -> None:
    """No ordinary number lies in [30, 30], so what stumps say of it changes nothing but the special code's points."""
    at = Interval(30, 30, "both")
    forest = model(stump(Clause("age", (at, Special((30,)))), 1, 0), stump(Clause("age", (Missing(),)), 3, 0))
    assert attributes(scorecard_of(forest))[0] == ("any number", 0.0)
    check_same(forest)


def test_a_feature_without_effect_is_left_out_unless_the_policy_reads_it() -> None:
    nothing = stump(Clause("age", (Interval(upper=20),)), 1, 1)
    job = stump(Clause("job", (Missing(),)), 1, 0)
    card = scorecard_of(model(nothing, job))
    assert [feature.name for feature in card.features] == ["job"]
    assert card.base_points == 1.5
    minor = Policy(
        knock_outs=(KnockOut(when=(Clause("age", (Interval(upper=18),)),), code="minor", reason="below 18"),)
    )
    forest = model(nothing, job, policy=minor)
    assert [feature.name for feature in scorecard_of(forest).features] == ["age", "job"]
    check_same(forest)
    assert scorecard_of(model(Leaf(2.0))).base_points == 2.5


def test_what_is_no_scorecard_is_refused() -> None:
    inner = stump(Clause("job", (Missing(),)), 1, 0)
    with pytest.raises(InputError, match=r"tree 1: the tree asks for several features; got \['age', 'job'\]"):
        scorecard_of(model(inner, Split(Clause("age", (Missing(),)), inner, Leaf(0))))
    beyond = Clause("region", (Interval(upper=sys.float_info.max, closed="right"),))
    with pytest.raises(InputError, match="feature 'region': a split sets infinity apart from the largest double"):
        scorecard_of(model(stump(beyond, 1, 0)))
    lowest = model(stump(Clause("region", (Interval(upper=-math.inf),)), 1, 0))
    check_same(lowest)
    assert evaluate(scorecard_of(lowest), as_table({"region": [-math.inf, -1e308]})).score.tolist() == [1.5, 0.5]


def test_steps_and_the_trees_left_are_the_ensemble() -> None:
    """The score, from characteristics on the one hand and the trees that are left on the other."""
    for forest in forests():
        if forest.features:
            check_steps_and_the_trees_left_are_the_ensemble(forest)


def check_steps_and_the_trees_left_are_the_ensemble(forest: TreeEnsemble) -> None:
    found = step_functions(forest)
    rows = edge_rows(forest, n_random=10)
    used = {split.when.feature for tree in found.trees for split in splits(tree)}
    features = tuple(f for f in forest.features if f.name in used)
    left = replace(
        forest, trees=found.trees, base_score=found.base_score, policy=Policy(), features=features, reasons=None
    )
    score = evaluate(left, rows).score
    columns, _ = read_inputs(forest, rows)
    for characteristic in found.characteristics:
        score = score + points_of(characteristic, forest, columns)
    assert (score == evaluate(without_extras(forest), rows).score).all()


def points_of(characteristic: Characteristic, forest: TreeEnsemble, columns: Mapping[str, Column]) -> NDArray[Any]:
    (feature,) = (f for f in forest.features if f.name == characteristic.feature)
    conditions = [attribute.condition for attribute in characteristic.attributes]
    points = np.array([attribute.points for attribute in characteristic.attributes])
    found: NDArray[Any] = points[assign(conditions, feature, columns[feature.name])]
    return found


def test_shortfalls_of_steps_and_trees_are_those_of_the_reason_policy() -> None:
    """Against the evaluator, which asks every tree."""
    for forest in forests():
        if forest.reasons is not None and forest.features:
            check_shortfalls_of_steps_and_trees_are_those_of_the_reason_policy(forest)


def check_shortfalls_of_steps_and_trees_are_those_of_the_reason_policy(forest: TreeEnsemble) -> None:
    assert forest.reasons is not None
    found = step_functions(forest)
    rows = edge_rows(forest, n_random=10)
    columns, n_rows = read_inputs(forest, rows)
    masks = ClauseMasks(forest.features, columns, n_rows)
    reasoned = reasoned_trees(forest.reasons, found)
    short = {name: np.full(n_rows, start) for name, start in reasoned.starts.items()}
    for characteristic in found.characteristics:
        short[characteristic.feature] -= points_of(characteristic, forest, columns)
    for tree, effects in zip(found.trees, reasoned.effects, strict=True):
        for its, (_, path) in zip(effects, paths(tree), strict=True):
            added = np.array(its.values)[satisfied(path, its.features, masks, n_rows)]
            for position, name in enumerate(its.features):
                short[name] -= added[:, position]
    wanted = shortfalls_by_feature(forest, rows)
    assert list(short) == list(wanted)
    assert all((short[name] == wanted[name]).all() for name in wanted)


def test_shortfalls_of_a_feature_without_effect_and_of_infinity() -> None:
    nothing = stump(Clause("age", (Interval(upper=20),)), 1, 1)
    beyond = stump(Clause("region", (Interval(upper=sys.float_info.max, closed="right"),)), 2, 3)
    policy = ReasonPolicy(
        method="fixed",
        population="everybody",
        cutoff=0,
        baselines=FrozenMapping({"age": 1.5, "region": 4.0}),
        codes=FrozenMapping({"age": "A", "region": "R"}),
        texts=FrozenMapping({"A": "age", "R": "region"}),
        order=("A", "R"),
    )
    forest = replace(model(nothing, beyond), reasons=policy)
    reasoned = reasoned_trees(policy, step_functions(forest))
    assert reasoned.starts == {"age": 0.5, "region": 4.0}
    of_region = (LeafEffects(("region",), ((0.0,), (2.0,))), LeafEffects(("region",), ((0.0,), (3.0,))))
    assert reasoned.effects == (of_region,)
    rows = as_table({"age": [1.0, 30.0], "region": [math.inf, math.nan]})
    assert evaluate(forest, rows).frame()["short_1"].tolist() == [1.0, 1.0]


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(ensemble=tree_ensembles(plain_names=True, max_features=1))
def test_the_scorecard_of_stumps_has_their_reasons(ensemble: TreeEnsemble) -> None:
    found = step_functions(ensemble)
    if found.trees or ensemble.reasons is None:
        return
    starts = reasoned_trees(ensemble.reasons, found).starts
    if any(starts[name] > 0 for name in found.constants):
        with pytest.raises(InputError, match="falls short for everybody"):
            scorecard_of(ensemble)
        return
    rows = edge_rows(ensemble, n_random=20)
    ours, theirs = evaluate(ensemble, rows).frame(), evaluate(scorecard_of(ensemble), rows).frame()
    assert differences(ours, theirs) == {}
