"""The frontier plot shows each candidate where it is, and says which one was picked."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

from scrutable.errors import InputError
from scrutable.plots import render
from scrutable_lifecycle.plots.frontier import FrontierPoint, plot_frontier

POINTS = [
    FrontierPoint(name="plain", method="none", ratio=0.60, auc=0.81, on_frontier=True, baseline=True, bad_rate=0.09),
    FrontierPoint(name="a", method="sweep", ratio=0.70, auc=0.78, bad_rate=0.1),
    FrontierPoint(name="b", method="sweep", ratio=0.90, auc=0.77, on_frontier=True, bad_rate=0.12),
    FrontierPoint(
        name="c",
        method="penalty",
        ratio=0.82,
        auc=0.80,
        ratio_interval=(0.78, 0.86),
        auc_interval=(0.79, 0.81),
        on_frontier=True,
        picked=True,
        bad_rate=0.11,
    ),
]


def test_every_candidate_is_drawn_once_with_the_looks_of_its_method() -> None:
    upper, lower = plot_frontier(POINTS).axes
    drawn = [p for p in POINTS if p.method == "sweep"]
    assert _spots(upper, "sweep") == {(p.ratio, p.auc) for p in drawn}
    assert _spots(lower, "sweep") == {(p.ratio, p.bad_rate) for p in drawn}
    colours = {
        method: {tuple(c.get_facecolor()[0][:3]) for c in _collections(upper, method)}
        for method in ("none", "sweep", "penalty")
    }
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == 3


def test_methods_differ_in_colour_or_marker() -> None:
    points = [FrontierPoint(name="", method=str(i), ratio=i, auc=0.5) for i in range(49)]
    [axes] = plot_frontier(points).axes
    legend = axes.get_legend()
    assert legend is not None
    looks = {(str(line.get_color()), str(line.get_marker())) for line in legend.get_lines()}
    assert len(looks) == 49


def test_the_step_line_is_the_best_accuracy_at_a_ratio_or_a_higher_one() -> None:
    axes = plot_frontier(POINTS).axes[0]
    [line] = [line for line in axes.lines if line.get_label() == "frontier"]
    assert line.get_drawstyle() == "steps-pre"
    ratios, heights = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    for ratio in np.linspace(0.61, 0.9, 30):
        best = max(p.auc for p in POINTS if p.ratio >= ratio)
        assert heights[np.searchsorted(ratios, ratio)] == best  # what steps-pre shows at this ratio


def test_intervals_and_the_required_ratio_are_drawn() -> None:
    axes = plot_frontier(POINTS, required_ratio=0.8).axes[0]
    lines = {(tuple(line.get_xdata()), tuple(line.get_ydata())) for line in axes.lines}
    assert {((0.78, 0.86), (0.80, 0.80)), ((0.82, 0.82), (0.79, 0.81)), ((0.8, 0.8), (0, 1))} <= lines


def test_picked_and_baseline_points_are_ringed_and_named() -> None:
    axes = plot_frontier(POINTS).axes[0]
    assert {text.get_text() for text in axes.texts} == {"picked: c", "baseline: plain"}
    rings = {tuple(map(float, c.get_offsets()[0])) for c in axes.collections if not c.get_facecolor().size}
    assert rings == {(0.82, 0.80), (0.60, 0.81)}


def test_what_approves_more_is_hollow_and_said_to() -> None:
    points = [dataclasses.replace(POINTS[1], comparable=False), POINTS[0]]
    axes = plot_frontier(points).axes[0]
    [hollow] = _collections(axes, "sweep")
    assert not hollow.get_facecolor().size
    legend = axes.get_legend()
    assert legend is not None
    assert "not compared" in {text.get_text() for text in legend.get_texts()}
    legend = plot_frontier(POINTS).axes[0].get_legend()
    assert legend is not None
    assert "not compared" not in {text.get_text() for text in legend.get_texts()}


def test_a_baseline_of_that_name_is_named_once() -> None:
    axes = plot_frontier([dataclasses.replace(POINTS[0], name="baseline")]).axes[0]
    assert [text.get_text() for text in axes.texts] == ["baseline"]


def test_the_bad_rate_is_drawn_if_every_point_has_one() -> None:
    assert len(plot_frontier(POINTS).axes) == 2
    assert len(plot_frontier([dataclasses.replace(POINTS[0], bad_rate=None), *POINTS[1:]]).axes) == 1


@pytest.mark.parametrize("count", [1, 2, 300])
def test_any_number_of_points_even_in_one_place(count: int) -> None:
    points = [FrontierPoint(name="$x_", method="<m>\x07", ratio=1, auc=0.5, baseline=i < 9) for i in range(count)]
    figure = plot_frontier(points, required_ratio=0.0, title="$\\frac{", subtitle="x" * 999)
    svg = render(figure, "svg")
    assert render(plot_frontier(points, required_ratio=0.0, title="$\\frac{", subtitle="x" * 999), "svg") == svg
    ElementTree.fromstring(svg)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"ratio": float("nan")}, "point 'a': ratio: expected a finite number; got nan"),
        ({"auc": float("inf")}, "point 'a': auc: expected a finite number; got inf"),
        ({"bad_rate": float("nan")}, "point 'a': bad_rate: expected a finite number"),
        ({"ratio_interval": (0.9, 0.8)}, "point 'a': ratio_interval: expected a low and a high end; got"),
        ({"auc_interval": (0.1, float("nan"))}, "point 'a': auc_interval: expected a low and a high end"),
    ],
)
def test_points_that_cannot_be_drawn_are_refused(values: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        FrontierPoint(**{"name": "a", "method": "m", "ratio": 1.0, "auc": 0.5} | values)


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(InputError, match="there is nothing to draw"):
        plot_frontier([])
    with pytest.raises(InputError, match="required_ratio: expected a finite number"):
        plot_frontier(POINTS, required_ratio=float("nan"))


def _collections(axes: Axes, method: str) -> list[Any]:
    return [each for each in axes.collections if each.get_label() == method and len(each.get_offsets())]


def _spots(axes: Axes, method: str) -> set[tuple[float, float]]:
    return {(float(x), float(y)) for each in _collections(axes, method) for x, y in each.get_offsets()}
