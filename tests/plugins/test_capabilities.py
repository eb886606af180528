"""What descriptors say of components is what the components do."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.component import Component
from scrutable.registry import registry
from scrutable.training import read_training


def test_learners_keep_the_bounds_that_their_descriptors_accept() -> None:
    for listing in registry().listings("learner"):
        component: Component = listing.component
        loaded: Any = component.load()
        assert loaded.accepts_bounds == component.accepts
        assert set(loaded.accepts_bounds) <= set(component.enforces)


def test_more_than_two_classes_are_read_where_a_learner_welcomes_them() -> None:
    y = np.array(["a", "c", "b"] * 4)
    data = read_training({"x": np.arange(12.0)}, y, favourable="b", multi_class=True)
    assert data.outcome.classes == ("a", "b", "c")
    assert data.label.tolist() == [0, 2, 1] * 4
    assert data.good.tolist() == [False, False, True] * 4
