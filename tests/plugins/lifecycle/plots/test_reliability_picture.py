"""The reliability plot shows each bin where it is, with its interval, and each group in its panel."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable.fairness import Groups
from scrutable.plots import render
from scrutable_lifecycle.calibration import Reliability, reliability
from scrutable_lifecycle.plots.reliability import plot_reliability


@pytest.fixture(scope="module")
def found() -> Reliability:
    generator = np.random.default_rng(0)
    pd = generator.beta(1, 8, 900)
    groups = Groups.from_frame(
        {"sex": generator.choice(["f", "m"], 900), "<b>&$\\frac{": generator.choice(list("abcdefghi"), 900)}
    )
    return reliability(pd, generator.random(900) > pd, groups=groups)


def test_every_bin_is_where_its_rates_are(found: Reliability) -> None:
    axes = plot_reliability(found).axes[0]
    [spots] = [line for line in axes.lines if line.get_marker() == "o"]
    assert spots.get_xydata().tolist() == [[each.mean_pd, each.bad_rate] for each in found.overall.bins]
    [bars] = axes.containers
    [segments] = [each.get_segments() for each in bars[2]]
    assert [segment[:, 1].tolist() for segment in segments] == [
        pytest.approx([max(0.0, each.interval[0]), each.interval[1]]) for each in found.overall.bins
    ]


def test_each_attribute_has_a_panel_of_at_most_seven_groups(found: Reliability) -> None:
    figure = plot_reliability(found)
    assert len(figure.axes) == 6  # two an attribute, and two of everybody
    assert [len(axes.containers) for axes in figure.axes[::2]] == [1, 2, 7]
    headings = [each.get_text() for each in figure.texts]
    assert "sex" in headings
    assert [each for each in headings if each.endswith(": the first 7 of 9 groups")]
    legend = figure.axes[2].get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text().startswith("f (n = ")


def test_the_same_figure_gives_the_same_bytes(found: Reliability) -> None:
    first, second = (render(plot_reliability(found), "svg") for _ in range(2))
    assert first == second
    assert render(plot_reliability(found), "png").startswith(b"\x89PNG")


def test_one_bin_and_an_empty_group_are_drawn() -> None:
    groups = Groups.from_frame({"sex": ["f", "m", "m", "m"]}, min_group_size=0).subset([1, 2, 3])
    found = reliability([0.2, 0.2, 0.2], [True, True, False], groups=groups)
    assert render(plot_reliability(found), "svg")


def test_a_group_whose_name_begins_with_an_underscore_is_in_the_legend() -> None:
    groups = Groups.from_frame({"sex": ["_x", "m", "m", "_x"]}, min_group_size=0)
    found = reliability([0.2, 0.3, 0.2, 0.3], [True, True, False, False], groups=groups)
    legend = plot_reliability(found).axes[2].get_legend()
    assert legend is not None
    assert [each.get_text().strip() for each in legend.get_texts()] == ["_x (n = 2)", "m (n = 2)"]
