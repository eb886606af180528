"""The page: nothing of the data becomes markup, and the pictures show what was measured."""

from __future__ import annotations

import json
import re
from html import unescape
from xml.etree import ElementTree

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scrutable.fairness import Groups
from scrutable.measures.population_stability import Stability, stability
from scrutable.model import Scorecard
from scrutable.writing.visible_text import visible
from scrutable_lifecycle.monitoring import monitor
from scrutable_lifecycle.monitoring.charts import Series, index_bars, over_time, share_bars
from scrutable_lifecycle.monitoring.document import to_json

ROWS = {"age": [20.0, 30.0, None, -9.0] * 20, "housing": ["own", "rent", None, "boat"] * 20}
NASTY = "</style><script>alert('x')</script><img src=x onerror=\"y\">&amp;{{ 7 * 7 }}\x1b[31m"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(NASTY)
@given(st.text(min_size=1, max_size=30))
def test_texts_of_the_data_are_escaped(card: Scorecard, text: str) -> None:
    group, period = f"group {text}", f"period {text}"
    groups = Groups.from_frame({f"sex {text}": [group, "other"] * 40}, reference={f"sex {text}": "other"})
    found = monitor(card, ROWS, ROWS, dates=[period] * 80, period="values", groups=groups, n_boot=5)
    page = found.html()
    body = page.partition("</style>")[2]
    assert found.periods[0].name == period
    assert "<script" not in page
    assert "<img" not in page
    assert {tag.lower() for tag in re.findall(r"<([a-zA-Z]+)", body)} <= _TAGS
    assert visible(body, keep="\t\n\r") == body
    assert visible(period, keep="\t\n\r") in unescape(body)
    page.encode()
    assert json.loads(to_json(found))["periods"][0]["name"] == period
    for picture in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(picture)


def test_the_page_stands_alone(card: Scorecard) -> None:
    page = monitor(card, ROWS, ROWS, y=["good", "bad"] * 40, y_baseline=["good", "bad"] * 40, n_boot=5).html()
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://", page)
    assert page.count("<svg") == 3  # shares, distribution, characteristics


def test_cells_of_a_table_keep_their_words(card: Scorecard) -> None:
    """On a small screen tables scroll: cells have a least width, and none may be broken at any letter."""
    page = monitor(card, ROWS, ROWS, n_boot=5).html()
    style, _, body = page.partition("</style>")
    cells = re.findall(r"^(?:th|td)[^{]*\{[^}]*\}", style, re.M)
    assert "overflow-wrap: anywhere" not in " ".join(cells)
    assert any("min-width: 5rem" in each for each in cells)
    assert body.count("<table>") == body.count('<div class="scroll">')


def test_every_section_that_can_be_measured_is_there(card: Scorecard) -> None:
    groups = Groups.from_frame({"sex": ["f", "m"] * 40}, reference={"sex": "m"})
    y, dates = ["good", "bad"] * 40, ["2026-01-05", "2026-02-05"] * 40
    more = {"groups": groups, "groups_baseline": groups, "y": y, "y_baseline": y, "dates": dates}
    page = monitor(card, ROWS, ROWS, **more, n_boot=5).html()
    for text in (
        "Approval rate",
        "PSI of the score",
        "Bad rate of the applicants whose",
        "reference m",
        "Four-fifths ratio of each",
        "Reasons of",
    ):
        assert text in page
    assert "Not measured" not in page
    assert page.count("<svg") == 3 + 3 + 2  # no AUC in months with one outcome


def test_bars_are_as_long_as_the_shares() -> None:
    import numpy as np

    found = stability("age", ["young", "old"], np.array([1.0, 3.0]), np.array([2.0, 2.0]))
    bars = {bar.title: bar.width for bar in share_bars(found, "x").rectangles if bar.title}
    assert bars["old: 75.0%"] == 3 * bars["young: 25.0%"]
    assert bars["young: 50.0%"] == 2 * bars["young: 25.0%"]


def test_bars_are_coloured_by_the_thresholds() -> None:
    found = [_index(name, value) for name, value in {"a": 0.0, "b": 0.1, "c": 0.25}.items()]
    assert [bar.look for bar in index_bars(found, 0.1, 0.25, "x").rectangles] == ["s0", "warn", "alert"]


def test_lines_have_gaps_where_nothing_is_known() -> None:
    series = Series(name="AUC", values=(0.5, 0.6, float("nan"), 0.7), intervals=())
    picture = over_time(["1", "2", "3", "4"], [series], "x", limits=[("least", 0.55)])
    assert [len(line.points) for line in picture.lines if line.look == "s0"] == [2]
    assert len(picture.dots) == 3
    assert picture.dots[0].y > picture.dots[1].y > picture.dots[2].y
    [limit] = [line for line in picture.lines if line.look == "limit-line"]
    assert picture.dots[0].y > limit.points[0][1] > picture.dots[1].y


def _index(name: str, value: float) -> Stability:
    return Stability(name=name, index=value, expected_index=0.0, p_value=1.0, bands=())


_TAGS = {
    *("head", "body", "h", "p", "span", "table", "tr", "th", "td", "code", "div", "details", "summary", "ul", "li"),
    *("figure", "figcaption", "svg", "rect", "title", "polyline", "circle", "text", "br"),
}
