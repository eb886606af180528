"""What learners may be given to learn."""

from __future__ import annotations

import numpy as np

from scrutable.data.training import read_training


def test_more_than_two_classes_are_read_where_a_learner_welcomes_them() -> None:
    y = np.array(["a", "c", "b"] * 4)
    data = read_training({"x": np.arange(12.0)}, y, favourable="b", multi_class=True)
    assert data.outcome.classes == ("a", "b", "c")
    assert data.label.tolist() == [0, 2, 1] * 4
    assert data.good.tolist() == [False, False, True] * 4
