"""Counterfactuals of rows of which each may change in its own way."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.counterfactuals.search import search, solver_of
from scrutable_fcca.training import TargetKind, TargetOptions, train_target


@pytest.mark.parametrize("kind", ["boosting", "forest", "linear"])
def test_what_rows_hold_is_held_as_if_each_was_alone_with_its_problem(kind: TargetKind) -> None:
    draw = np.random.default_rng(2)
    points, fixed = draw.random((60, 4)).round(2), draw.random((60, 4)) < 0.3
    points[:, 3] = np.round(points[:, 3])
    label = points[:, 0] + points[:, 1] + 0.5 * points[:, 3] > 1.2
    trained = train_target(points, label, np.ones(60), TargetOptions(kind=kind))
    plausible = Plausibility.free(4)
    margin = {"linear": 1.0}.get(kind, 1e-4)
    problem = Problem(plausible=plausible, costs=Costs(), margin=margin)
    searched = search(trained, points, label, plausible, fixed)
    values = searched.counterfactuals.values
    assert len({row.tobytes() for row in fixed[searched.rows]}) > 5
    for i, row in enumerate(searched.rows):
        alone = solver_of(trained)(trained.target, points[[row]], ~label[[row]], problem.holding(fixed[row]), None)
        assert values[i].tobytes() == alone.values[0].tobytes()
        assert searched.counterfactuals.cost[i] == alone.cost[0]
        assert not (values[i] != points[row])[fixed[row]].any()
    assert (values != points[searched.rows]).any()


def test_what_is_common_to_all_rows_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3)
    points, fixed = draw.random((200, 8)), draw.random((200, 8)) < 0.2
    label = points.sum(axis=1) > 4
    trained = train_target(points, label, np.ones(200), TargetOptions())
    made, original = [], Cells.of
    monkeypatch.setattr(Cells, "of", lambda *given: made.append(1) or original(*given))
    search(trained, points, label, Plausibility.free(8), fixed)
    assert len(made) == 1
