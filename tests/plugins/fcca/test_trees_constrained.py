"""Optimal trees within a bound, against all trees there are."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.fairness.bounds import RateBound
from scrutable.fairness.contrast import Contrast
from scrutable_fcca.trees import enumerated
from scrutable_fcca.trees.constrained import grow_constrained
from scrutable_fcca.trees.exact import grow

BOUNDS = {
    "demographic parity": {"rate": "approval", "slack": 0.03},
    "opportunity": {"rate": "approval", "given": True, "slack": 0.05},
    "no gap": {"rate": "approval", "slack": 0.0},
    "errors": {"rate": "error", "slack": 0.02},
    "four fifths": {"rate": "approval", "ratio": 0.8},
}


@functools.cache
def all_trees(n_features: int, depth: int) -> dict[int, int]:
    """For each set of cells (a bit each of 2^F) that a tree predicts to be good, the fewest leaves."""
    full = (1 << 2**n_features) - 1
    if depth == 0:
        return {0: 1, full: 1}
    below = all_trees(n_features, depth - 1)
    found = dict(below)
    for feature in range(n_features):
        having = sum(1 << cell for cell in range(2**n_features) if cell >> feature & 1)
        sides = []
        for side in (having, full & ~having):
            fewest: dict[int, int] = {}
            for cells, leaves in below.items():
                fewest[cells & side] = min(leaves, fewest.get(cells & side, leaves))
            sides.append(fewest)
        for one, leaves in sides[0].items():
            for other, more in sides[1].items():
                found[one | other] = min(leaves + more, found.get(one | other, leaves + more))
    return found


class Sample:
    """Rows of two groups, of which one is good less often."""

    def __init__(self, seed: int, n: int, n_features: int) -> None:
        rng = np.random.default_rng(seed)
        self.features = rng.random((n, n_features)) < rng.uniform(0.2, 0.8, n_features)
        self.member = (self.features[:, 0] ^ (rng.random(n) < 0.25)) | (np.arange(n) == 0)
        self.member[1] = False
        self.good = (self.features @ rng.normal(size=n_features) - self.member + rng.normal(size=n) > -0.5) | (
            np.arange(n) < 2
        )
        self.weight = (np.ones(n), rng.integers(1, 4, n).astype(float), rng.uniform(0.5, 2, n))[seed % 3]
        self.leaf_penalty = (0.0, 0.01, 1.5 / n)[seed // 3 % 3]

    def contrast(self, kind: str) -> Contrast:
        groups = Groups.from_frame({"sex": np.where(self.member, "f", "m")}, min_group_size=0)
        bound = RateBound(attribute="sex", group="f", reference="m", **BOUNDS[kind])
        return bound.contrast(self.good, groups, sample_weight=self.weight)

    def gap(self, predicted: np.ndarray, kind: str) -> float:
        """How far the tree is beyond the bound, from the rates of the groups; 0 if it is not."""
        bound = BOUNDS[kind]
        event = predicted if bound["rate"] == "approval" else predicted != self.good
        counted = self.good if "given" in bound else np.ones(len(self.good), bool)
        one, other = (
            np.average(event[here], weights=self.weight[here])
            for here in (counted & self.member, counted & ~self.member)
        )
        if "ratio" in bound:
            return max(0.0, bound["ratio"] * other - one)
        return max(0.0, abs(one - other) - bound["slack"])

    def lowest(self, kind: str, depth: int) -> float:
        """The lowest objective of any tree within the bound; infinite if there is none."""
        n_features = self.features.shape[1]
        cell = self.features @ (1 << np.arange(n_features))
        lowest = np.inf
        for cells, leaves in all_trees(n_features, depth).items():
            predicted = (cells >> cell & 1).astype(bool)
            wrong = self.weight[predicted != self.good].sum() / self.weight.sum()
            if wrong + self.leaf_penalty * leaves < lowest and self.gap(predicted, kind) <= 1e-9:
                lowest = wrong + self.leaf_penalty * leaves
        return lowest


@pytest.mark.parametrize("kind", BOUNDS)
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_no_tree_within_the_bound_is_better(kind: str, depth: int) -> None:
    binding = 0
    for seed in range(9):
        sample = Sample(seed, n=int(20 + 17 * seed), n_features=3)
        lowest = sample.lowest(kind, depth)
        options = {"max_depth": depth, "leaf_penalty": sample.leaf_penalty}
        if np.isinf(lowest):
            with pytest.raises(InputError, match="there is no tree within the bound"):
                grow_constrained(sample.features, sample.good, sample.weight, sample.contrast(kind), **options)
            continue
        tree = grow_constrained(sample.features, sample.good, sample.weight, sample.contrast(kind), **options)
        assert tree.objective == pytest.approx(lowest, abs=1e-9), seed
        assert sample.gap(tree.predict(sample.features), kind) <= 2e-9
        assert tree.proven
        assert tree.depth <= depth
        binding += tree.objective > grow(sample.features, sample.good, sample.weight, **options).objective + 1e-9
    assert binding or depth == 0


@pytest.mark.parametrize("kind", ["demographic parity", "opportunity"])
def test_the_tree_is_as_good_as_that_of_streed_or_better(kind: str) -> None:
    pystreed = pytest.importorskip("pystreed")
    tasks = {"demographic parity": "group-fairness", "opportunity": "equality-of-opportunity"}
    sample = Sample(0, n=400, n_features=12)
    sample.weight = np.ones(400)
    columns = np.column_stack([sample.member, sample.features]).astype(np.int32)
    for depth in (2, 3):
        tree = grow_constrained(
            sample.features, sample.good, sample.weight, sample.contrast(kind), max_depth=depth, leaf_penalty=0.0
        )
        peer = pystreed.STreeDGroupFairnessClassifier(
            tasks[kind], discrimination_limit=BOUNDS[kind]["slack"] + 1e-9, max_depth=depth
        ).fit(columns, sample.good.astype(np.int32))
        predicted = peer.predict(columns).astype(bool)
        assert sample.gap(predicted, kind) <= 2e-9
        assert sample.gap(tree.predict(sample.features), kind) <= 2e-9
        assert tree.errors <= (predicted != sample.good).mean() + 1e-12
        assert tree.errors > grow(sample.features, sample.good, sample.weight, max_depth=depth, leaf_penalty=0.0).errors


def test_without_features_there_are_only_leaves() -> None:
    sample = Sample(1, n=40, n_features=3)
    tree = grow_constrained(
        np.zeros((40, 0), bool), sample.good, sample.weight, sample.contrast("no gap"), max_depth=3, leaf_penalty=0.01
    )
    assert tree.plan() is True
    assert tree.proven


def test_too_many_trees_leave_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    unproven = 0
    for seed in range(6):
        sample = Sample(seed, n=200, n_features=4)
        rows = sample.features, sample.good, sample.weight, sample.contrast("no gap")
        whole = grow_constrained(*rows, max_depth=3, leaf_penalty=0.0)
        with monkeypatch.context() as patch:
            patch.setattr(enumerated, "_ROOM", 2)
            cut = grow_constrained(*rows, max_depth=3, leaf_penalty=0.0)
        assert whole.proven
        assert cut.bound <= whole.objective + 1e-9
        assert whole.objective <= cut.objective + 1e-9
        assert sample.gap(cut.predict(sample.features), "no gap") <= 2e-9
        unproven += not cut.proven
    assert unproven > 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"max_depth": 4}, "max_depth with a bound: unusable number; got 4; allowed: a whole number from 0 to 3"),
        ({"leaf_penalty": -0.1}, "leaf_penalty: unusable number"),
        ({"contrast": Contrast(event="approval", weights=np.ones(3), low=0.0, high=1.0)}, "one weight for each row"),
        ({"contrast": Contrast(event="approval", weights=np.ones(2), low=2.5, high=3.0)}, "no tree within the bound"),
        ({"contrast": Contrast(event="approval", weights=np.zeros(2), low=1.0, high=3.0)}, "no tree within the bound"),
    ],
)
def test_unusable_input_is_refused(changed: dict[str, object], message: str) -> None:
    usable = {
        "features": np.eye(2, dtype=bool),
        "good": np.array([True, False]),
        "weight": np.ones(2),
        "contrast": Contrast(event="approval", weights=np.array([1.0, -1.0]), low=-0.1, high=0.1),
        "max_depth": 2,
        "leaf_penalty": 0.01,
    }
    with pytest.raises(InputError, match=message):
        grow_constrained(**{**usable, **changed})
