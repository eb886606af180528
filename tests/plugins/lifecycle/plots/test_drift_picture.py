"""The picture of a monitoring has a bar for each index of all new applicants."""

from __future__ import annotations

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.plots import render
from scrutable_lifecycle.monitoring import monitor


def test_each_index_has_its_bar() -> None:
    german = load_german_credit()
    model = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    drifted = monitor(model, german.X, german.X.head(40).assign(age_years=75.0), n_boot=10)
    figure = drifted.plot()
    [axes] = figure.axes
    indices = [check for check in drifted.checks if check.figure in ("psi", "csi")]
    assert [bar.get_width() for bar in axes.patches] == [check.value for check in indices]
    assert [label.get_text() for label in axes.get_yticklabels()] == [check.subject for check in indices]
    assert len({bar.get_facecolor() for bar in axes.patches}) > 1  # the age is beyond its threshold
    assert render(figure, "svg") == render(drifted.plot(), "svg")
