"""Reduced costs, covers and clauses of candidates are those of the rules themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable_rug.costs import RuleCost, RuleFacts
from scrutable_rug.pricing import Candidate, PricingOptions, candidate, distinct, offer
from scrutable_rug.rows import Rows
from scrutable_rug.trees import TreeOptions, grow

from .conftest import MakeSample


def reduced(each: Candidate, label: int, rows: Rows, dual: np.ndarray, options: PricingOptions) -> float:
    """λ c − Σ β â, a row after the other."""
    total = options.penalty * each.cost
    for i in np.flatnonzero(each.cover):
        total -= dual[i] if rows.label[i] == label else -dual[i] * options.wrong(rows.n_classes)
    return total


@pytest.mark.parametrize("loss", ["paper", "unit"])
@pytest.mark.parametrize("nodes", ["leaves", "all"])
@pytest.mark.parametrize("cost", ["one", "length", "features", "coverage", lambda facts: 3 * facts.coverage])
def test_candidates_have_the_least_reduced_cost_of_any_class(
    make_sample: MakeSample, loss: str, nodes: str, cost: RuleCost
) -> None:
    sample = make_sample(7, 300, n_classes=3)
    rows, rng = sample.rows, np.random.default_rng(1)
    dual = rng.random(300) * (rng.random(300) < 0.6)
    options = PricingOptions(penalty=0.5, cost=cost, loss=loss, nodes=nodes)
    tree = grow(rows, dual, TreeOptions(max_depth=4))
    found = offer(tree, rows, dual, options)
    evaluator = ClauseMasks(sample.features, {n: sample.table.column(n) for n in sample.table}, 300)
    assert len(found) > (8 if nodes == "all" else 4)
    assert [each.reduced_cost for each in found] == sorted(each.reduced_cost for each in found)
    for each in found:
        np.testing.assert_array_equal(each.cover, evaluator.conjunction(each.when))
        of_class = [reduced(each, label, rows, dual, options) for label in range(3)]
        assert each.reduced_cost == pytest.approx(min(of_class), abs=1e-10)
        assert of_class[each.label] == pytest.approx(min(of_class), abs=1e-10)
        assert each.reduced_cost < -options.tolerance
        again = candidate(each.body, each.label, rows, dual, options)
        assert (again.when, again.cost, again.length) == (each.when, each.cost, each.length)
        assert again.reduced_cost == pytest.approx(each.reduced_cost, abs=1e-10)
    every = offer(tree, rows, dual, options, below=np.inf)
    covers = np.sum([each.cover for each in every], axis=0)
    assert (covers == 1).all() if nodes == "leaves" else (covers > 1).any()
    left_out = {each.body for each in every} - {each.body for each in found}
    assert all(each.reduced_cost >= -options.tolerance for each in every if each.body in left_out)


def test_costs_are_those_of_the_conditions_that_are_read(make_sample: MakeSample) -> None:
    rows = make_sample(3, 300).rows
    tree = grow(rows, np.ones(300), TreeOptions(max_depth=5))
    seen: list[RuleFacts] = []

    def noted(facts: RuleFacts) -> float:
        seen.append(facts)
        return 1.0

    found = {each.body: each for each in offer(tree, rows, np.ones(300), PricingOptions(cost=noted), below=np.inf)}
    by_length = offer(tree, rows, np.ones(300), PricingOptions(cost="length"), below=np.inf)
    assert len(seen) == len(tree.leaves)
    assert {each.body: each.cost for each in by_length} == {each.body: each.length for each in found.values()}
    assert any(each.length < 5 for each in found.values())
    for facts in seen:
        own = next(each for each in found.values() if each.when == facts.when)
        assert facts.n_features == len(facts.when) <= facts.length == own.length <= 5
        assert facts.coverage == own.cover.mean()


def test_ties_go_to_the_lowest_class(make_sample: MakeSample) -> None:
    rows = make_sample(0, 300, n_classes=3).rows
    found = offer(grow(rows, np.ones(300), TreeOptions()), rows, np.zeros(300), PricingOptions(), below=np.inf)
    assert {each.label for each in found} == {0}


def test_of_one_cover_and_class_the_cheapest_stays(make_sample: MakeSample) -> None:
    rows = make_sample(0).rows
    found = offer(grow(rows, np.ones(200), TreeOptions()), rows, np.ones(200), PricingOptions(), below=np.inf)
    dearer = [replace(each, reduced_cost=each.reduced_cost + 1, cost=9.0) for each in found]
    other = [replace(each, label=1 - each.label, reduced_cost=50.0) for each in found]
    kept = distinct([*dearer, *found, *other])
    assert [id(each) for each in kept[: len(found)]] == [id(each) for each in found]
    assert len(kept) == 2 * len(found)


def test_unusable_options_are_refused(make_sample: MakeSample) -> None:
    with pytest.raises(InputError, match=r"cost: unknown rule cost; got 'lenght'.*did you mean 'length'"):
        PricingOptions(cost="lenght")
    with pytest.raises(InputError, match=r"loss: unknown loss"):
        PricingOptions(loss="hinge")
    with pytest.raises(InputError, match=r"nodes: unknown choice of nodes"):
        PricingOptions(nodes="some")
    with pytest.raises(InputError, match=r"penalty: unusable number; got -1"):
        PricingOptions(penalty=-1)
    rows = make_sample(0).rows
    with pytest.raises(InputError, match=r"cost of the rule 'if .*a rule cost must be a finite number.*got nan"):
        offer(grow(rows, np.ones(200), TreeOptions()), rows, np.ones(200), PricingOptions(cost=lambda _: float("nan")))
