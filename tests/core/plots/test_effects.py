"""Main effects and importance are what the evaluator says of the training rows, and pictures show just that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import StepPatch

from scrutable import create, evaluate
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError
from scrutable.model import Attribute, Calibration, Categories, Leaf, Missing, Outcome, Scorecard, Special, TreeEnsemble
from scrutable.plots import plot_model
from scrutable.plots.effects import importance, main_effects
from scrutable.plots.figures import plot_importance, plot_main_effects


@pytest.fixture(scope="module")
def panels(fitted: Scorecard) -> dict[str, Axes]:
    return {axes.get_label(): axes for axes in plot_main_effects(fitted).axes}


def test_importance_is_the_variance_of_the_points_on_the_training_rows(fitted: Scorecard, data: Dataset) -> None:
    found = importance(fitted)
    points = evaluate(fitted, data.X).points
    assert set(found) == set(data.X)
    assert found == pytest.approx({name: float(np.var(each)) for name, each in points.items()}, rel=1e-9)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_importance_counts_applicants_by_their_weight(data: Dataset) -> None:
    weight = np.random.default_rng(0).uniform(0.1, 5, len(data.y))
    learner = create("learner", "scorecard", favourable=0, binner="quantile")
    model = learner.fit(data.X, data.y, sample_weight=weight).model_
    for name, points in evaluate(model, data.X).points.items():
        mean = np.average(points, weights=weight)
        assert importance(model)[name] == pytest.approx(np.average((points - mean) ** 2, weights=weight), rel=1e-9)


def test_effects_hold_each_attribute_in_points_and_log_odds(fitted: Scorecard) -> None:
    effects = main_effects(fitted)
    assert list(effects) == [characteristic.feature for characteristic in fitted.characteristics]
    for characteristic in fitted.characteristics:
        for step, attribute in zip(effects[characteristic.feature].steps, characteristic.attributes, strict=True):
            assert (step.condition, step.points) == (attribute.condition, attribute.points)
            assert step.log_odds == attribute.points * fitted.calibration.slope
            assert attribute.statistics is not None
            assert step.share == attribute.statistics.share


def test_no_log_odds_where_points_are_no_logit(fitted: Scorecard) -> None:
    model = replace(fitted, calibration=Calibration(slope=0.001, link="identity"))
    assert {step.log_odds for effect in main_effects(model).values() for step in effect.steps} == {None}


def test_the_step_function_drawn_gives_every_row_its_points(
    fitted: Scorecard, data: Dataset, panels: dict[str, Axes]
) -> None:
    points = evaluate(fitted, data.X).points
    numeric = [feature for feature in fitted.features if feature.kind == "numeric"]
    assert len(numeric) == 7
    for feature in numeric:
        [steps] = [artist for artist in panels[feature.name].patches if isinstance(artist, StepPatch)]
        heights, edges, _ = steps.get_data()
        values = data.X[feature.name].to_numpy(float)
        inside = ~np.isnan(values) & ~np.isin(values, feature.special_codes)
        drawn = heights[np.searchsorted(edges[1:-1], values[inside], side="right")]
        assert np.array_equal(drawn, points[feature.name][inside])


def test_missing_values_and_special_codes_are_labelled_diamonds(fitted: Scorecard, panels: dict[str, Axes]) -> None:
    for characteristic in fitted.characteristics:
        rest = [a for a in characteristic.attributes if isinstance(a.condition, Missing | Special)]
        expected = {_name(a): a.points for a in rest if a.statistics is None or a.statistics.count or a.points}
        axes = panels[characteristic.feature]
        diamonds = [line for line in axes.lines if line.get_marker() == "D"]
        if diamonds:
            assert {line.get_label(): line.get_ydata()[0] for line in diamonds} == expected
            ticks = dict(zip(axes.get_xticks(), [text.get_text() for text in axes.get_xticklabels()], strict=True))
            assert all(ticks[line.get_xdata()[0]] == line.get_label() for line in diamonds)
            [steps] = [artist for artist in axes.patches if isinstance(artist, StepPatch)]
            assert all(line.get_xdata()[0] > steps.get_data().edges[-1] for line in diamonds)
    assert {line.get_label() for line in panels["bureau_score"].lines} >= {"-9"}


def test_bars_are_the_points_of_the_categories(fitted: Scorecard, panels: dict[str, Axes]) -> None:
    [housing] = [c for c in fitted.characteristics if c.feature == "housing"]
    expected = {a.condition.values[0]: a.points for a in housing.attributes if isinstance(a.condition, Categories)} | {
        "missing": next(a.points for a in housing.attributes if isinstance(a.condition, Missing))
    }
    labels = [text.get_text() for text in panels["housing"].get_yticklabels()]
    [bars] = panels["housing"].containers
    assert dict(zip(labels, [bar.get_width() for bar in bars], strict=True)) == expected
    named = list(expected.values())[:-1]
    assert [bar.get_width() for bar in bars][:-1] == sorted(named, reverse=True)


def test_every_panel_has_the_same_scale_of_points(panels: dict[str, Axes], fitted: Scorecard) -> None:
    kinds = {feature.name: feature.kind for feature in fitted.features}
    limits = {axes.get_ylim() if kinds[name] == "numeric" else axes.get_xlim() for name, axes in panels.items()}
    assert len(limits) == 1


def test_panels_and_bars_come_in_order_of_importance(fitted: Scorecard, panels: dict[str, Axes]) -> None:
    found = importance(fitted)
    assert list(panels) == list(found)
    [axes] = plot_importance(fitted).axes
    [bars] = axes.containers
    assert [bar.get_width() for bar in bars] == list(found.values())
    titles = {feature.name: feature.title for feature in fitted.features}
    assert [text.get_text() for text in axes.get_yticklabels()] == [titles[name] for name in found]


def test_some_features_only(fitted: Scorecard) -> None:
    figure = plot_model(fitted, features=["region", "income", "region"])
    assert [axes.get_label() for axes in figure.axes] == ["importance", "income", "region"]
    with pytest.raises(InputError, match=r"no such characteristic; got 'incmoe'; allowed: did you mean 'income'\?"):
        plot_main_effects(fitted, features=["incmoe"])
    with pytest.raises(InputError, match="got 0; allowed: 1 to 300 characteristics"):
        plot_main_effects(fitted, features=[])


def test_without_statistics_effects_are_drawn_and_importance_is_refused(fitted: Scorecard) -> None:
    bare = replace(
        fitted,
        characteristics=tuple(
            replace(c, attributes=tuple(Attribute(condition=a.condition, points=a.points) for a in c.attributes))
            for c in fitted.characteristics
        ),
    )
    ranges = {c.feature: c.points_range[1] - c.points_range[0] for c in bare.characteristics}
    names = [axes.get_label() for axes in plot_main_effects(bare).axes]
    assert [ranges[name] for name in names] == sorted(ranges.values(), reverse=True)
    for refused in (importance, plot_importance, plot_model):
        with pytest.raises(InputError, match="does not say how many applicants its attributes had"):
            refused(bare)


def test_only_scorecards_are_drawn() -> None:
    trees = TreeEnsemble(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(),
        trees=(Leaf(1.0),),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )
    anything: Any = trees
    for refused in (main_effects, importance, plot_importance, plot_main_effects, plot_model):
        with pytest.raises(InputError, match=r"only scorecards .*; got 'tree-ensemble'; allowed: a scorecard"):
            refused(anything)


def _name(attribute: Attribute) -> str:
    return "missing" if isinstance(attribute.condition, Missing) else "-9"
