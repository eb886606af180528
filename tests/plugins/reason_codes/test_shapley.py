"""Effects of leaves against Shapley's definition: every coalition, every row of the population."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import UnsupportedModel
from scrutable.model import Calibration, Clause, Feature, Interval, Leaf, Outcome, Split, TreeEnsemble
from scrutable.model.evaluator import evaluate, shortfalls_by_feature
from scrutable.model.trees import Node
from scrutable.proof.edges import edge_rows
from scrutable.testing.plain import without_extras
from scrutable.testing.strategies import tree_ensembles
from scrutable_reason_codes.explainer import ReasonCodes


def with_policy(model: TreeEnsemble, reference: Any, weight: Any = None) -> TreeEnsemble:
    return replace(model, reasons=ReasonCodes(method="shapley").policy(model, reference, weight=weight))


def score(model: TreeEnsemble, frame: pd.DataFrame) -> Any:
    found = evaluate(model, frame, reasons=False).score
    assert found is not None
    return found


def by_definition(
    model: TreeEnsemble, names: list[str], row: pd.DataFrame, reference: pd.DataFrame, weight: Any
) -> Any:
    """Shapley values of the average score when features outside of a coalition are taken from the population."""

    def worth(coalition: tuple[str, ...]) -> float:
        mixed = reference.copy()
        for name in coalition:
            mixed[name] = pd.Series([row[name].iloc[0]] * len(mixed), index=mixed.index, dtype=mixed[name].dtype)
        return float(np.average(score(model, mixed), weights=weight))

    values = {}
    for name in names:
        others = [other for other in names if other != name]
        values[name] = math.fsum(
            (worth((*some, name)) - worth(some))
            * math.factorial(len(some))
            * math.factorial(len(names) - len(some) - 1)
            / math.factorial(len(names))
            for size in range(len(names))
            for some in combinations(others, size)
        )
    return values


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(model=tree_ensembles(plain_names=True, max_features=3), seed=st.integers(0, 1000))
def test_shortfalls_are_shapley_values(model: TreeEnsemble, seed: int) -> None:
    model = without_extras(replace(model, reasons=None))  # points of adjustments are theirs, and no feature's
    rows = edge_rows(model, n_random=30)
    rng = np.random.default_rng(seed)
    reference = rows.iloc[rng.permutation(len(rows))[:12]].reset_index(drop=True)
    weight = rng.integers(1, 4, len(reference)).astype(float)
    explained = with_policy(model, reference, weight)
    assert explained.reasons is not None
    names = sorted(explained.reasons.codes)
    some = rows.iloc[rng.permutation(len(rows))[:4]]
    short = shortfalls_by_feature(explained, some)
    scale = 1 + sum(abs(value) for value in score(model, reference))
    for position in range(len(some)):
        expected = by_definition(model, names, some.iloc[[position]], reference, weight)
        for name in names:
            assert -short[name][position] == pytest.approx(expected[name], abs=1e-9 * scale + 1e-7)
    total = -np.sum([short[name] for name in names], axis=0) if names else np.zeros(len(some))
    gained = score(model, some) - np.average(score(model, reference), weights=weight)
    assert total == pytest.approx(gained, abs=1e-9 * scale + 1e-6)


def chain(n: int) -> TreeEnsemble:
    """One tree with n features on its longest path."""
    node: Node = Leaf(1.0)
    for i in range(n):
        node = Split(Clause(f"x{i}", (Interval(upper=0.0),)), node, Leaf(float(i)))
    return TreeEnsemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=tuple(Feature(name=f"x{i}", kind="numeric") for i in range(n)),
        trees=(node,),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )


def test_trees_too_deep_are_refused() -> None:
    assert ReasonCodes().policy(chain(6), {f"x{i}": [0.0, -1.0] for i in range(6)}).method == "shapley"
    with pytest.raises(UnsupportedModel, match=r"too deep, or too many.*got '7 features on a path.*at most 6 features"):
        ReasonCodes().policy(chain(7), {f"x{i}": [0.0, -1.0] for i in range(7)})


def test_the_order_of_the_population_does_not_matter() -> None:
    model = chain(3)
    rng = np.random.default_rng(0)
    reference = pd.DataFrame({f"x{i}": rng.normal(size=200) for i in range(3)})
    weight = rng.uniform(0.1, 3, 200)
    order = rng.permutation(200)
    one = with_policy(model, reference, weight)
    assert with_policy(model, reference.iloc[order], weight[order]) == one
