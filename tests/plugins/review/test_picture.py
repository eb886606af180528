"""The picture of a binning table shows its figures, whatever the names are, and always with the same bytes."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.plots import render
from scrutable_review import Review, ReviewTable
from scrutable_review.picture import plot_binning

HOSTILE = [r"$\frac{", "<b>&amp;</b>", "]]> -- <!--", "W" * 500, "收入", "two\nlines", " "]


@pytest.fixture(scope="module")
def table() -> ReviewTable:
    german = load_german_credit()
    groups = german.sensitive_features[["sex"]]
    binner = create("binner", "quantile", max_bins=4, special_codes={"duration_months": [12]})
    review = Review(german.X, german.y, binner=binner, sensitive_features=groups)
    return review.special("duration_months", "worst", why="a test")


def drawn(axes: Any, label: str) -> list[float]:
    """Heights of the marks of a line."""
    [line] = [line for line in axes.get_lines() if line.get_label() == label]
    return [float(height) for height in line.get_ydata()]


def test_bars_lines_and_rings_are_the_figures_of_the_table(table: ReviewTable) -> None:
    rows = [row for row in table.rows if row.count]
    assert len(rows) < len(table.rows), "nobody is missing, so that attribute is left out"
    shares, rates, woe = plot_binning(table).axes
    assert [bar.get_height() for bar in shares.patches] == [row.share for row in rows]
    assert drawn(rates, "all") == [row.bad_rate for row in rows]
    for sex in ("female", "male"):
        assert drawn(rates, f"sex: {sex}") == [row.groups["sex"][sex].bad_rate for row in rows]
    assert drawn(woe, "WoE") == [row.woe for row in rows]
    assert drawn(woe, "WoE used") == [row.woe_used for row in rows if row.policy == "worst"]
    legend = rates.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["all", "sex: female", "sex: male"]


def test_only_intervals_are_joined(table: ReviewTable) -> None:
    _, _, woe = plot_binning(table).axes
    [joined] = [line for line in woe.get_lines() if line.get_label() == "_joined"]
    intervals = [row for row in table.rows if row.kind == "interval" and row.count]
    assert list(joined.get_ydata()) == [row.woe for row in intervals]


def test_an_information_value_without_bound_is_told_as_the_tables_tell_it() -> None:
    x, sex = ["a", "b"] * 60, ["f", "f"] * 20 + ["m", "f"] * 40
    review = Review({"x": x}, [0, 1, 1, 0] * 30, binner="manual", sensitive_features={"sex": sex})
    assert np.isinf(review.table("x").fiv["sex: m / f"])
    told = [text.get_text() for text in plot_binning(review.table("x")).texts]
    assert "FIV sex: m / f no bound" in told


def test_hostile_names_are_drawn_and_the_bytes_are_the_same() -> None:
    values = np.array(HOSTILE * 20, dtype=object)
    y = np.arange(len(values)) % 3 > 0
    groups = {r"$\group{ <i>": np.where(np.arange(len(values)) % 2, *HOSTILE[:2])}
    review = Review({HOSTILE[0]: values}, y.astype(int), binner="manual", sensitive_features=groups)
    content = render(plot_binning(review.table(HOSTILE[0])), "svg")
    ElementTree.fromstring(content)
    assert content == render(plot_binning(review.table(HOSTILE[0])), "svg")
