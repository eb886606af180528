"""How far rows are from the other decision, on random models of every kind, policies and segments among them."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import KINDS, drawn

from scrutable.model import RegressionScorecard, SegmentedModel
from scrutable.model.evaluator import evaluate, margins
from scrutable.proof.edges import edge_rows


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "regression scorecards"])
def test_margins_tell_the_predicted_class_and_the_points_from_the_cutoff(kind: str) -> None:
    for model in drawn(kind, 30):
        assert not isinstance(model, RegressionScorecard)
        evaluation = evaluate(model, edge_rows(model))
        margin = margins(model, evaluation)
        if evaluation.score is None:
            assert np.array_equal(margin.argmax(axis=1), evaluation.predicted)
            continue
        assert np.array_equal(margin > 0, evaluation.predicted == 1)
        if isinstance(model, SegmentedModel):
            continue
        over = evaluation.score - (model.cutoff or 0.0)
        by_score = ((over >= 0) == evaluation.approved) & ~evaluation.knocked_out & ~evaluation.let_in
        towards = margin if model.outcome.favourable_index == 1 else -margin
        assert np.allclose(towards[by_score], over[by_score], rtol=0, atol=2.0**-31)
        assert (np.abs(margin[~by_score]) == 2.0**24).all()
