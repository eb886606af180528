"""Exact pricing finds what enumeration finds, proves optimality, and bounds the optimum from below."""

from __future__ import annotations

import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, vstack

from scrutable.errors import InputError
from scrutable_rug.bodies import Body, body_of, covered
from scrutable_rug.bounds import farley_bound, gap
from scrutable_rug.exact import ExactPricing, Priced
from scrutable_rug.literals import literals
from scrutable_rug.pricing import Candidate, PricingOptions, candidate, distinct, offer
from scrutable_rug.rows import Rows
from scrutable_rug.trees import TreeOptions, grow

from .conftest import MakeSample, read


def weight_bound(dual_value: float, reduced_cost: float, total_weight: float) -> float:
    """z̄ + δ W, a lower bound of the optimum over all rules, where an optimum's weights sum to at most W."""
    return dual_value + min(reduced_cost, 0.0) * total_weight


def all_bodies(rows: Rows, longest: int) -> set[Body]:
    """Every conjunction of up to `longest` literals that covers a row."""
    features = rows.table.features
    every = [(at, literal) for at, coded in enumerate(features) for literal in literals(coded)]
    bodies = {body_of(chosen, features) for size in range(1, longest + 1) for chosen in combinations(every, size)}
    return {body for body in bodies if covered(body, rows.table).any()}


def master(
    rows: Rows, rules: list[Candidate], options: PricingOptions, rates: np.ndarray | None = None, slack: float = 0.0
) -> tuple[float, np.ndarray, np.ndarray]:
    """Value, weights and duals of the restricted master problem (3), with rows -slack <= rates v <= slack."""
    n = len(rows.label)
    votes = [
        csr_array((np.where(rows.label == r.label, 1.0, -options.wrong(rows.n_classes)) * r.cover)[None]) for r in rules
    ]
    costs = np.concatenate([[options.penalty * rule.cost for rule in rules], np.ones(n)])
    needed = hstack([vstack(votes).T, eye_array(n)])
    limits = np.zeros((0, n)) if rates is None else np.vstack([rates, -rates])
    bounded = hstack([csr_array((len(limits), len(rules))), csr_array(limits)])
    right = np.concatenate([-np.ones(n), np.full(len(limits), slack)])
    solved = linprog(costs, A_ub=vstack([-needed, bounded]).tocsr(), b_ub=right, method="highs-ds")
    return solved.fun, solved.x[: len(rules)], np.maximum(-solved.ineqlin.marginals[:n], 0.0)


def solve(rows: Rows, longest: int, options: PricingOptions) -> tuple[float, list[float], list[float], Priced]:
    """Column generation to the proven optimum: its value, those on the way, the bounds there, and the last answer."""
    exact, tree = ExactPricing(rows, longest, options), TreeOptions(max_depth=longest)
    ones = np.ones(len(rows.label))
    rules = offer(grow(rows, ones, tree), rows, ones, options, below=np.inf)
    values, bounds = [], []
    while True:
        value, _, dual = master(rows, rules, options)
        new = offer(grow(rows, dual, tree), rows, dual, options)
        if not new:
            answer = exact.price(dual)
            least = options.penalty * (min(1 / len(dual), 1.0) if options.cost == "coverage" else 1.0)
            values.append(value)
            bounds.append(farley_bound(value, answer.reduced_cost, least))
            assert bounds[-1] >= weight_bound(value, answer.reduced_cost, value / least) - 1e-9
            if answer.certified:
                return value, values, bounds, answer
            new = answer.candidates
        rules = [*rules, *new]


@pytest.mark.parametrize(
    ("cost", "loss"),
    [("one", "unit"), ("length", "paper"), ("length", "unit"), ("features", "unit"), ("coverage", "paper")],
)
def test_the_best_rule_is_the_best_of_all_enumerated(make_sample: MakeSample, cost: str, loss: str) -> None:
    rng = np.random.default_rng(0)
    for seed, longest, n_classes in ((0, 2, 3), (1, 2, 2), (2, 3, 3)):
        sample = make_sample(seed, 40, n_classes=n_classes, values=1 if longest == 3 else 3)
        rows = sample.rows
        columns = ["months", "job"] if longest == 3 else list(sample.table)
        if longest == 3:
            frame = pd.DataFrame({name: sample.table.column(name).values for name in columns})
            rows = read(frame, rows.label).rows
        dual = rng.random(len(rows.label)) * (rng.random(len(rows.label)) < 0.6)
        options = PricingOptions(penalty=0.3, cost=cost, loss=loss)
        found = ExactPricing(rows, longest, options).price(dual)
        every = [
            candidate(body, label, rows, dual, options)
            for body in [(), *all_bodies(rows, longest)]
            for label in range(n_classes)
        ]
        least = min(each.reduced_cost for each in every)
        assert found.complete
        assert found.reduced_cost == pytest.approx(least, abs=1e-9)
        assert found.candidates[0].reduced_cost == pytest.approx(least, abs=1e-9)
        known = {(each.body, each.label): each.reduced_cost for each in every}
        for each in found.candidates:
            assert each.reduced_cost == pytest.approx(known[each.body, each.label], abs=1e-9)
            assert each.reduced_cost < -options.tolerance
        some_tree = offer(grow(rows, dual, TreeOptions(max_depth=longest)), rows, dual, options)
        assert all(each.reduced_cost >= found.reduced_cost - 1e-9 for each in some_tree)
        dear = PricingOptions(penalty=1e4, cost=cost, loss=loss)
        assert ExactPricing(rows, longest, dear).price(dual).certified


@pytest.mark.parametrize("cost", ["one", "length"])
def test_column_generation_ends_at_the_optimum_over_all_rules(make_sample: MakeSample, cost: str) -> None:
    rows = make_sample(4, 40, n_classes=3, values=2).rows
    options = PricingOptions(penalty=0.4, cost=cost, loss="unit")
    every = [candidate(b, k, rows, np.zeros(40), options) for b in [(), *all_bodies(rows, 2)] for k in range(3)]
    optimum, _, _ = master(rows, distinct(every), options)
    value, values, bounds, _ = solve(rows, 2, options)
    assert value == pytest.approx(optimum, abs=1e-6)
    assert all(bound <= optimum + 1e-6 for bound in bounds)
    assert all(own >= optimum - 1e-6 for own in values)
    assert gap(value, bounds[-1]) < 1e-4


def test_the_bounds_hold_with_fairness_rows(make_sample: MakeSample) -> None:
    options = PricingOptions(penalty=0.4, cost="length")
    moved = 0
    for seed in range(3):
        rows, rng = make_sample(seed, 40, values=2).rows, np.random.default_rng(seed)
        group = rng.random(40) < 0.4
        rates = np.stack(
            [(rows.label == k) * np.where(group, 1.0, -1.0) * rng.uniform(0.01, 0.1, 2)[group * 1] for k in range(2)]
        )
        every = [candidate(b, k, rows, np.zeros(40), options) for b in all_bodies(rows, 2) for k in range(2)]
        ones = np.ones(40)
        rules = offer(grow(rows, ones, TreeOptions(max_depth=2)), rows, ones, options, below=np.inf)
        for slack in (0.0, 0.05):
            optimum, weights, _ = master(rows, distinct(every), options, rates, slack)
            value, _, dual = master(rows, rules, options, rates, slack)
            moved += value > master(rows, rules, options)[0] + 1e-3
            answer = ExactPricing(rows, 2, options).price(dual)
            assert answer.reduced_cost < -0.1
            assert 0 < farley_bound(value, answer.reduced_cost, 0.4) <= optimum + 1e-9 < value
            assert weight_bound(value, answer.reduced_cost, weights.sum()) <= optimum + 1e-9
    assert moved >= 2


@pytest.mark.parametrize("seed", range(8))
def test_a_search_that_ends_early_bounds_the_reduced_cost_wherever_it_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = {name: rng.integers(0, 4, 30).astype(float) for name in "ab"}
    frame = pd.DataFrame({**numbers, "c": rng.choice(np.array(["x", "y", "z"], object), 30)})
    rows, dual, options = read(frame, rng.integers(0, 2, 30)).rows, rng.random(30), PricingOptions(penalty=0.2)
    every = [candidate(b, k, rows, dual, options) for b in [(), *all_bodies(rows, 3)] for k in range(2)]
    least = min(each.reduced_cost for each in every)
    smallest, max_nodes, complete = -np.inf, 0, False
    while not complete:
        max_nodes += 1
        found = ExactPricing(rows, 3, options, max_nodes=max_nodes).price(dual)
        assert found.visited <= 2 * max_nodes
        assert smallest - 1e-12 <= found.reduced_cost <= least + 1e-9
        assert not found.certified
        assert found.candidates[0].reduced_cost >= least - 1e-9
        smallest, complete = found.reduced_cost, found.complete
    assert smallest == pytest.approx(least, abs=1e-9)
    assert max_nodes > 10


def test_a_search_whose_time_is_over_still_bounds_the_reduced_cost(make_sample: MakeSample) -> None:
    rows = make_sample(6, 120).rows
    dual = np.random.default_rng(0).random(120)
    options = PricingOptions(penalty=0.2)
    exact = ExactPricing(rows, 3, options)
    whole, over = exact.price(dual), exact.price(dual, until=time.monotonic())
    assert (over.complete, over.certified, over.visited) == (False, False, 2)
    assert over.reduced_cost <= whole.reduced_cost + 1e-9
    assert over.candidates[0].reduced_cost < 0


def test_a_search_with_time_to_spare_is_the_same_as_one_without_a_clock(make_sample: MakeSample) -> None:
    """It stops and goes on again and again, and may lose nothing by it."""
    for seed, max_nodes in ((6, 10_000_000), (7, 10_000_000), (6, 40)):
        rows = make_sample(seed, 120).rows
        dual = np.random.default_rng(seed).random(120)
        exact = ExactPricing(rows, 3, PricingOptions(penalty=0.2), max_nodes=max_nodes)
        one, other = exact.price(dual), exact.price(dual, until=time.monotonic() + 3600)
        assert (one.reduced_cost, one.complete, one.visited) == (other.reduced_cost, other.complete, other.visited)
        assert [each.body for each in one.candidates] == [each.body for each in other.candidates]
        assert one.complete == (max_nodes > 40)


@pytest.mark.parametrize(
    ("cost", "penalty", "value", "claimed", "optimum"), [("one", 0.5, 3.0, 2.5, 2.0), ("length", 0.25, 2.5, 2.0, 1.5)]
)
def test_proposition_3_1_does_not_hold_as_printed(
    cost: str, penalty: float, value: float, claimed: float, optimum: float
) -> None:
    """The counter-example of `scrutable_rug.bounds`, with the duals named there."""
    rows = read(pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}), np.array([0, 1, 0, 1])).rows
    options = PricingOptions(penalty=penalty, cost=cost, tolerance=1e-9)
    rules = offer(grow(rows, np.ones(4), TreeOptions(max_depth=1)), rows, np.ones(4), options, below=np.inf)
    restricted, _, _ = master(rows, rules, options)
    assert restricted == pytest.approx(value)
    dual = np.array([penalty, 1.0, 1.0, penalty])
    assert dual.sum() == pytest.approx(value)
    assert all(candidate(r.body, r.label, rows, dual, options).reduced_cost >= 0 for r in rules)
    answer = ExactPricing(rows, 2, options).price(dual)
    assert value + answer.reduced_cost == pytest.approx(claimed)
    every = [candidate(b, k, rows, dual, options) for b in all_bodies(rows, 2) for k in range(2)]
    over_all, weights, _ = master(rows, distinct(every), options)
    assert over_all == pytest.approx(optimum)
    assert claimed > optimum + 0.4
    assert weights.sum() > 3.9
    assert weight_bound(value, answer.reduced_cost, weights.sum()) <= optimum
    assert farley_bound(value, answer.reduced_cost, penalty) == pytest.approx(1.5 if cost == "one" else 5 / 6)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "target", "separator", "header", "penalty"),
    [
        ("wine", 0, ",", None, 1.0),
        ("seeds", -1, "\t", None, 1.0),
        ("transfusion", -1, ",", 0, 10.0),
        ("tictactoe", -1, ",", None, 10.0),
    ],
)
def test_optimality_is_certified_on_real_data(
    data_dir: Path, name: str, target: int, separator: str, header: int | None, penalty: float
) -> None:
    data = pd.read_csv(data_dir / f"{name}.csv.gz", sep=separator, header=header).rename(columns=str)
    label = pd.factorize(data.iloc[:, target], sort=True)[0]
    rows = read(data.drop(columns=data.columns[target]), label).rows
    value, values, bounds, answer = solve(rows, 2, PricingOptions(penalty=penalty, nodes="all"))
    assert answer.certified
    assert (np.diff(values) <= 1e-6).all()
    assert all(bound <= value + 1e-6 for bound in bounds)
    assert gap(value, bounds[-1]) < 1e-5


def test_unusable_options_are_refused(make_sample: MakeSample) -> None:
    rows = make_sample(0).rows
    with pytest.raises(InputError, match="cost: exact pricing cannot search for a cost that is a function"):
        ExactPricing(rows, 2, PricingOptions(cost=lambda _: 1.0))
    with pytest.raises(InputError, match="max_length: expected a number of at least 1; got 0"):
        ExactPricing(rows, 0, PricingOptions())
    with pytest.raises(InputError, match="least_price: a bound needs rules that cost something; got 0"):
        farley_bound(1.0, -1.0, 0.0)


def test_the_rule_without_conditions_is_among_them() -> None:
    """One row of ten is of the other class; to say the same of all costs less than to tell it apart."""
    rows = read(pd.DataFrame({"x": np.arange(10.0)}), np.arange(10) == 4).rows
    value, _, _, answer = solve(rows, 1, PricingOptions(penalty=2.0, cost="length"))
    assert value == pytest.approx(4.0)
    assert answer.certified
