"""Sets of answers against going through all sets."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable_counterfactual.several import Diversity, Joint, several

from .problems import brute_force_several, random_problem, random_term


@pytest.mark.parametrize("block", range(0, 200, 50))
def test_the_cheapest_set_is_found(block: int) -> None:
    reached = 0
    for seed in range(block, block + 50):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, features=(2, 4), cells=(2, 4), most=60)
        term, number = random_term(rng, problem), int(rng.integers(2, 4))
        features, values = bool(rng.integers(2)), bool(rng.integers(2))
        rewards = rng.random(2) * rng.integers(2)
        joint = Joint(term=term, feature_diversity=float(rewards[0]), value_diversity=float(rewards[1]))
        sets = brute_force_several(
            problem,
            term,
            number,
            different_features=features,
            different_values=values,
            feature_diversity=joint.feature_diversity,
            value_diversity=joint.value_diversity,
        )
        expected = next((cost for cost, cells in sets if len(np.unique(cells, axis=0)) == number), None)
        found = several(problem, joint, number, Diversity(features=features, values=values))
        assert found.complete, seed
        assert len(found.costs) == (expected is not None), seed
        if expected is not None:
            reached += 1
            assert found.costs[0] == pytest.approx(expected, abs=1e-8), seed
            assert all(problem.holds(cells) for cells in found.cells), seed
    assert reached > 10
