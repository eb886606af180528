"""The picture of compression shows what each quantile makes of the thresholds, and accuracies where they belong."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.plots import render
from scrutable_fcca.discretising.compression import CompressionPath
from scrutable_fcca.plots import plot_compression
from scrutable_fcca.plots.tradeoff import Against

FINE = CompressionPath(
    quantile=np.array([0.1, 0.6, 1.0]),
    n_thresholds=np.array([20, 9, 2]),
    compression=np.array([0.5, 0.8, 0.95]),
    inconsistency=np.array([0.02, 0.05, 0.2]),
)
COARSE = replace(FINE, compression=np.array([0.7, 0.9, 0.99]), n_thresholds=np.array([7, 4, 1]))


def path_of(count: int) -> CompressionPath:
    """Selections of thresholds, as many as there are thresholds."""
    return CompressionPath(
        quantile=np.linspace(0, 1, count) if count > 1 else np.ones(count),
        n_thresholds=np.arange(count, 0, -1),
        compression=np.linspace(0, 1, count),
        inconsistency=np.linspace(0, 0.5, count),
    )


def stepped_at(line: Any, x: float) -> float:
    """The height that steps-pre shows."""
    assert line.get_drawstyle() == "steps-pre"
    return float(line.get_ydata()[np.searchsorted(line.get_xdata(), x)])


def marks(axes: Axes, marker: str) -> set[tuple[float, float]]:
    """Spots of the models with this marker."""
    lines = [line for line in axes.lines if line.get_marker() == marker and line.get_markersize() == 5]
    return {(float(x), float(y)) for line in lines for x, y in np.asarray(line.get_xydata())}


def named(axes: Axes) -> list[str]:
    """Entries of the legend."""
    legend = axes.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize(("quantile", "selection"), [(0, 0), (0.1, 0), (0.11, 1), (0.6, 1), (0.7, 2), (1, 2)])
def test_for_each_quantile_the_panels_show_the_selection_that_it_makes(quantile: float, selection: int) -> None:
    panels = plot_compression(FINE).axes[:3]
    shown = [stepped_at(axes.lines[0], quantile) for axes in panels]
    values = (FINE.compression, FINE.inconsistency, FINE.n_thresholds)
    assert shown == [each[selection] for each in values]


def test_the_stepped_line_is_the_most_accurate_at_a_compression_or_a_higher_one() -> None:
    axes = plot_compression(FINE).axes[3]
    for compression in np.linspace(0.5, 0.95, 20):
        best = max(1 - FINE.inconsistency[FINE.compression >= compression])
        assert stepped_at(axes.lines[0], compression) == best


@pytest.mark.parametrize(("against", "across"), [("compression", FINE.compression), ("thresholds", FINE.n_thresholds)])
def test_accuracies_stand_at_the_selection_of_their_quantile(against: Against, across: NDArray[Any]) -> None:
    accuracy = {"tree": {0.7: 0.79, 0.0: 0.93, 0.5: 0.9}, "other": {1.0: 0.5}}
    axes = plot_compression(FINE, accuracy=accuracy, against=against).axes[3]
    assert marks(axes, "o") == {(across[0], 0.93), (across[1], 0.9), (across[2], 0.79)}
    assert marks(axes, "s") == {(across[2], 0.5)}
    assert named(axes) == ["upper bound", "tree", "other"]
    assert {text.get_text() for text in axes.texts} == {"Q = 0", "Q = 0.5", "Q = 1"}  # 0.7 and 1 select the same


def test_several_paths_have_a_colour_each_which_their_models_share() -> None:
    accuracy = {"gain": {0.0: 0.9}, "counterfactuals": {0.0: 0.91}}
    figure = plot_compression({"counterfactuals": FINE, "gain": COARSE}, accuracy=accuracy, against="thresholds")
    axes = figure.axes[3]
    assert named(axes) == ["counterfactuals", "gain"]
    paths = [line.get_color() for line in axes.lines if line.get_drawstyle() == "steps-pre"]
    assert len(set(paths)) == 2
    its = {line.get_color(): np.asarray(line.get_ydata()).tolist() for line in axes.lines if line.get_markersize() == 5}
    assert [its[colour] for colour in paths] == [[0.91], [0.9]]
    assert marks(axes, "o") | marks(axes, "s") == {(20, 0.91), (7, 0.9)}
    assert all([line.get_color() for line in panel.lines] == paths for panel in figure.axes[:3])


@pytest.mark.parametrize("count", [1, 2, 400])
def test_any_number_of_selections_and_any_names(count: int) -> None:
    path = path_of(count)
    accuracy: dict[str, dict[float, float]] = {"_$x_{": dict.fromkeys(np.linspace(0, 1, 11), 0.5), "<b>\x07": {}}
    figures = [plot_compression(path, accuracy=accuracy, title="x$_" * 99) for _ in range(2)]
    one, other = (render(figure, "svg") for figure in figures)
    assert one == other
    ElementTree.fromstring(one)
    assert named(figures[0].axes[3]) == ["upper bound", "_$x_{"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"paths": {}}, "paths: there is nothing to draw"),
        (
            {"paths": path_of(0)},
            "paths: there is nothing to draw",
        ),
        ({"paths": FINE, "against": "speed"}, "against: unknown axis; got 'speed'; allowed: 'compression' or 'thresh"),
        ({"paths": FINE, "accuracy": {"tree": {0.5: 82.0}}}, "accuracy of 'tree': out of range; got .*82.0"),
        ({"paths": FINE, "accuracy": {"tree": {50: 0.8}}}, "accuracy of 'tree': out of range; got .50, 0.8"),
        (
            {"paths": {"a": FINE, "b": COARSE}, "accuracy": {"c": {0.0: 0.5}}},
            "accuracy: no path has this name; got 'c'; allowed: 'a', 'b'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        plot_compression(**options)
