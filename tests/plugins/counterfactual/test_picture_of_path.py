"""The path of a score: each bar starts where the last one ended, and nothing of it lies outside of the picture."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

from scrutable.errors import InputError
from scrutable.plots import render
from scrutable_counterfactual.plots import PathStep, plot_path

STEPS = [PathStep(label="Savings", points=30.0), PathStep(label="Job", points=-5.0), PathStep(label="Age", points=0.0)]


def bars(axes: Axes) -> list[tuple[float, float]]:
    """Where each bar begins and ends, from top to bottom."""
    found = [bar for container in axes.containers for bar in container if isinstance(bar, Rectangle)]
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in found]


def test_bars_lead_from_the_score_to_the_last_one() -> None:
    [axes] = plot_path(STEPS, start=571.2, cutoff=590.0, low=590.0).axes
    assert bars(axes) == [(571.2, 601.2), (601.2, 596.2), (596.2, 596.2)]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["571.2", "596.2", "+30", "-5", "0", "cutoff 590"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["now", "Savings", "Job", "Age", "then"]
    colours = {tuple(bar.get_facecolor()) for container in axes.containers[:2] for bar in container}
    assert len(colours) == 2  # a gain and a loss


def test_the_cutoff_is_a_line_and_what_is_wanted_is_shaded() -> None:
    [axes] = plot_path(STEPS, start=571.2, cutoff=590.0, low=590.0, high=598.0).axes
    lines = [np.asarray(line.get_xdata()).tolist() for line in axes.lines if line.get_linestyle() == "--"]
    assert lines == [[590.0, 590.0]]
    [shade] = [patch for patch in axes.patches if patch.get_zorder() == 0]
    assert isinstance(shade, Rectangle)
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == (590.0, 598.0)
    [plain] = plot_path(STEPS, start=0.2).axes
    assert [patch for patch in plain.patches if patch.get_zorder() == 0] == []
    assert [text.get_text() for text in plain.texts if "cutoff" in text.get_text()] == []


@pytest.mark.parametrize("seed", range(8))
def test_everything_lies_in_the_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.integers(-6, 7)
    points = rng.choice([0.0, 1.0], p=[0.2, 0.8], size=seed + 1) * rng.normal(size=seed + 1) * size
    cutoff = None if seed % 3 == 0 else float(rng.normal() * size)
    low = -math.inf if seed % 2 else float(rng.normal() * size)
    steps = [PathStep(label="x" * 300, points=each) for each in points.tolist()]
    start = float(rng.normal() * size)
    figure = plot_path(steps, start=start, cutoff=cutoff, low=low, title="t" * 300, subtitle="s" * 300)
    [axes] = figure.axes
    left, right = axes.get_xlim()
    ends = [end for bar in bars(axes) for end in bar] + ([] if cutoff is None else [cutoff])
    assert all(left < end < right for end in ends)
    renderer = FigureCanvasAgg(figure).get_renderer()
    page = figure.bbox
    for text in [*axes.texts, *axes.get_yticklabels(), *figure.texts]:
        box = text.get_window_extent(renderer)
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text.get_text()
        assert page.y0 <= box.y0 <= box.y1 <= page.y1, text.get_text()


def test_texts_are_no_mathematics_and_no_commands() -> None:
    figure = plot_path([PathStep(label="$\\frac{ \x1b[31m\n<b>", points=1.0)], start=0.0, title="$x", subtitle="\x07")
    svg = render(figure, "svg").decode()
    assert "\x1b" not in svg
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[1] == "$\\frac{ \\x1b[31m\\n<b>"


def test_the_same_path_gives_the_same_bytes() -> None:
    first, again = (render(plot_path(STEPS, start=571.2, cutoff=600.0), "svg") for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("steps", "start", "cutoff", "expected"),
    [
        ([], 1.0, None, "there is nothing to draw"),
        (STEPS, math.nan, None, "expected a finite number"),
        (STEPS, 1.0, math.inf, "expected a finite number"),
        ([PathStep(label="a", points=math.inf)], 1.0, None, "expected a finite number"),
    ],
)
def test_what_is_refused(steps: list[PathStep], start: float, cutoff: float | None, expected: str) -> None:
    with pytest.raises(InputError, match=re.escape(expected)):
        plot_path(steps, start=start, cutoff=cutoff)
