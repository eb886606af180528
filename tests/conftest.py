"""Fixtures for every test."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from small_models import every_kind, rule_set, scorecard, segmented, trees  # noqa: F401  # fixtures

from scrutable.data.masking import show_values

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

# A machine with other work takes longer for an example than a deadline of Hypothesis allows.
settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")

#: What begins the name of a count that a test tells of.
_TRIED = "tried: "


@pytest.fixture
def tried(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Tell how many of a kind a test tried, for the sums at the end of the run."""
    return lambda what, count: record_property(f"{_TRIED}{what}", count)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The sums of what tests say they tried."""
    sums: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", ()):
        sums.update({what: count for what, count in report.user_properties if what.startswith(_TRIED)})
    if sums:
        told = ", ".join(f"{count:,} {what.removeprefix(_TRIED)}" for what, count in sorted(sums.items()))
        terminalreporter.section("tried")
        terminalreporter.line(told)


@pytest.fixture
def everybody_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of few rows are told of, so that examples can be small enough to compute by hand."""
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")


@pytest.fixture
def values_shown() -> Iterator[None]:
    """Errors show values as under `scrutable --debug`; how they hide them is tested beside the commands."""
    show_values(True)
    yield
    show_values(False)


@pytest.fixture
def check_texts_apart(monkeypatch: pytest.MonkeyPatch) -> Callable[[Figure], None]:
    """Refuse a picture in which two texts overlap, or one leaves the page."""

    def check(figure: Figure) -> None:
        width, height = figure.bbox.width, figure.bbox.height
        boxes = _boxes(figure, monkeypatch)
        assert len(boxes) > 10
        for text, (x0, y0, x1, y1) in boxes.items():
            assert min(x0, y0) >= 0 and x1 <= width and y1 <= height, text.get_text()  # noqa: PT018
        for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (one.get_text(), other.get_text())

    return check


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data files that the environment variable SCRUTABLE_DATA names."""
    folder = os.environ.get("SCRUTABLE_DATA")
    if not folder:
        pytest.skip("real data needs the environment variable SCRUTABLE_DATA")
    return Path(folder)


def _boxes(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> dict[Text, tuple[float, float, float, float]]:
    """The texts that are drawn, and where, in pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from scrutable.plots.style import styled

    boxes = {}

    def recording(text: Text, renderer: Any) -> None:
        if text.get_visible() and text.get_text().strip():
            box = text.get_window_extent(renderer)
            boxes[text] = (box.x0 + 0.5, box.y0 + 0.5, box.x1 - 0.5, box.y1 - 0.5)

    with styled(), monkeypatch.context() as patched:
        patched.setattr(Text, "draw", recording)
        FigureCanvasAgg(figure).draw()
    return boxes
