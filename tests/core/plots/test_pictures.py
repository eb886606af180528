"""Pictures as files: valid, the same every time, readable, and safe from whatever the data say."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.text import Text

from scrutable.errors import InputError, PluginError
from scrutable.model import Scorecard
from scrutable.plots import plot_model, render
from scrutable.plots.figures import plot_main_effects
from scrutable.plots.labels import find_places
from scrutable.plots.panels import Scale
from scrutable.plots.style import Format, fit, styled, text_width
from scrutable.writing.visible_text import visible
from scrutable_lifecycle.plots.frontier import FrontierPoint, plot_frontier


def test_the_same_model_gives_the_same_bytes(fitted: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    forms: tuple[Format, ...] = ("svg", "png")
    figure = plot_model(fitted)
    first = [render(figure, form) for form in forms]
    assert [render(figure, form) for form in forms] == first
    monkeypatch.setitem(rcParams, "font.size", 30.0)
    monkeypatch.setitem(rcParams, "text.parse_math", False)
    again = plot_model(fitted)
    assert [render(again, form) for form in forms] == first
    assert rcParams["font.size"] == 30.0


def test_files_are_valid_and_hold_neither_date_nor_program(fitted: Scorecard) -> None:
    figure = plot_model(fitted)
    png, svg = render(figure, "png"), render(figure, "svg")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert png.endswith(b"IEND\xaeB`\x82")
    assert b"tEXt" not in png
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert b"date" not in svg
    assert b"Matplotlib v" not in svg
    with pytest.raises(InputError, match="unknown format of a picture; got 'pdf'; allowed: 'svg' or 'png'"):
        render(figure, "pdf")


def test_no_text_of_a_model_breaks_a_picture(hostile: Scorecard) -> None:
    svg = render(plot_model(hostile), "svg")
    root = ElementTree.fromstring(svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "metadata", "RDF", "Work", "type", "format", "Agent", "creator", "title"),
        *("defs", "style", "g", "path", "use", "clipPath", "rect", "text", "tspan"),
    }
    assert "收入 of" in svg.decode()  # matplotlib's font lacks it: text, not outlines
    assert render(plot_model(hostile), "png").startswith(b"\x89PNG")


def test_control_characters_are_shown_and_dollars_are_no_mathematics(hostile: Scorecard) -> None:
    texts = {text.get_text(): text for text in plot_main_effects(hostile).findobj(Text)}
    assert {"$\\frac{", "$\\frac{ of", "<b>&amp;</b>", "\\x1b[31mred\\x07", "two\\nlines"} <= set(texts)
    assert [shown for shown, text in texts.items() if "$" in shown and text.get_parse_math()] == []


def test_letters_of_the_font_are_outlines(fitted: Scorecard) -> None:
    root = ElementTree.fromstring(render(plot_model(fitted), "svg"))
    assert root.findall(".//{http://www.w3.org/2000/svg}text") == []


def test_no_two_texts_overlap_and_none_leaves_the_page(
    fitted: Scorecard, hostile: Scorecard, check_texts_apart: Callable[[Figure], None]
) -> None:
    points = [
        FrontierPoint(name="x" * 90, method=f"method {i % 9}", ratio=0.6 + i / 50, auc=0.8 - i / 99, baseline=i < 3)
        for i in range(20)
    ]
    figures = [plot_model(fitted), plot_model(hostile), plot_main_effects(fitted, ["housing"])]
    figures += [
        plot_main_effects(hostile, [f"number {i}" for i in range(5)]),
        plot_frontier(points, required_ratio=0.8),
    ]
    for figure in figures:
        check_texts_apart(figure)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), st.floats(0.2, 3.0))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_a_fitted_text_fits_and_can_be_shown(text: str, width: float) -> None:
    with styled():
        shown = fit(text, width)
        assert text_width(shown) <= width
        assert visible(shown) == shown
        if "…" not in shown and text.isprintable():
            assert shown == text


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    with styled():
        names = [fit(f"skilled manual worker in the industry group {i}", 1.5) for i in range(9)]
    assert len(set(names)) == 9
    assert all(name.startswith("skilled manual") for name in names)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8, unique=True).map(sorted))
@settings(deadline=None, derandomize=True, max_examples=300)
def test_every_scale_keeps_the_cuts_in_order_between_its_ends(cuts: list[float]) -> None:
    scale = Scale.of(cuts)
    places = [scale.low, *scale.cuts, scale.high]
    assert all(low < high for low, high in itertools.pairwise(places))
    assert all(map(math.isfinite, [*places, scale.at(2.0), sum(places)]))
    assert [scale.at(scale.part(place)) for place in places] == pytest.approx(
        places, rel=1e-6, abs=1e-6 * (scale.high - scale.low)
    )


def test_places_of_texts_keep_apart_within_the_frame() -> None:
    anchors = [(3.0, 2.0), (3.1, 2.0), (5.9, 3.9), (0.05, 0.05), (5.9, 0.1)]
    widths = [1.5, 2.5, 1.0, 2.0, 0.5]
    spots = find_places(anchors, widths, anchors, (6.0, 4.0))
    for (x, y), width in zip(spots, widths, strict=True):
        assert x >= 0
        assert x + width <= 6
        assert 0 <= y <= 4
        assert not any(x <= a <= x + width and abs(b - y) < 0.085 for a, b in anchors)
    for (a, wide), (b, other) in itertools.combinations(zip(spots, widths, strict=True), 2):
        assert a[0] + wide < b[0] or b[0] + other < a[0] or abs(a[1] - b[1]) >= 0.17


def test_a_missing_matplotlib_is_named_with_its_extra(fitted: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = r"pictures: a library it needs is not installed; got 'matplotlib'. Fix: pip install 'scrutable\[plots\]'."
    point = FrontierPoint(name="a", method="b", ratio=1, auc=0.5)
    for draw in (
        lambda: plot_model(fitted),
        lambda: plot_frontier([point]),
        lambda: render(Figure(), "png"),
    ):
        with pytest.raises(PluginError, match=text):
            draw()


def test_effects_and_the_command_line_need_no_matplotlib() -> None:
    code = "import sys, scrutable.plots, scrutable.cli.app; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
