"""The picture of thresholds shows each where it is, in the colour of the quantile up to which it is kept."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from scrutable.errors import InputError
from scrutable.plots import render
from scrutable_fcca.plots import plot_thresholds
from scrutable_fcca.plots.thresholds import MOST

FOUND = pd.DataFrame(
    {
        "feature": ["age", "age", "home", "income", "income", "home", "income"],
        "above": [">= 25", ">= 61", "'own'", ">= 1800", ">= 950.5", "'rent'", "missing"],
        "importance": [40.0, 2.0, 1.0, 9.0, 16.0, 4.0, 3.0],
        "kept_until": [1.0, 0.2, 0.0, 0.7, 0.9, 0.5, 0.3],
        "scaled": [0.1, 0.8, 0.0, 0.3, 0.2, 0.0, 0.0],
    }
)


def marks(axes: Axes) -> list[tuple[str, float, float, float, str]]:
    """Label of the row, position, height, middle and colour of each mark."""
    labels = [label.get_text() for label in axes.get_yticklabels()]
    found = []
    for each in axes.collections:
        for segment, colour in zip(each.get_segments(), each.get_colors(), strict=True):
            (x, low), (_, high) = segment
            middle = (low + high) / 2
            found.append((labels[round(middle)], x, high - low, middle, colour))
    return found


def texts(figure: Figure) -> list[str]:
    """All that is written."""
    return [text.get_text() for text in figure.findobj(Text)]


def test_each_threshold_of_a_number_is_marked_where_it_lies_in_the_row_of_its_feature() -> None:
    axes = plot_thresholds(FOUND).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["age", "income", "home", "income"]
    drawn = [(label, x) for label, x, _, middle, _ in marks(axes) if middle < 1.5]
    assert sorted(drawn) == [("age", 0.1), ("age", 0.8), ("income", 0.2), ("income", 0.3)]


def test_values_have_a_row_of_their_own_in_which_they_are_named_by_importance() -> None:
    axes = plot_thresholds(FOUND).axes[0]
    named = {(round(text.xy[1]), text.get_text()): text.xy[0] for text in axes.texts}
    assert set(named) == {(2, "'own'"), (2, "'rent'"), (3, "missing")}
    assert named[2, "'rent'"] < named[2, "'own'"]
    assert len(axes.patches) == 2  # only numbers have an axis


def test_the_longer_kept_the_darker_and_the_more_important_the_taller() -> None:
    drawn = [mark for mark in marks(plot_thresholds(FOUND).axes[0]) if mark[3] < 1.5]
    by_place = {x: (height, tuple(to_rgb(colour))) for _, x, height, _, colour in drawn}
    table = FOUND[FOUND["above"].str.startswith(">=")]
    heights = [by_place[x][0] for x in table.sort_values("importance")["scaled"]]
    assert heights == sorted(set(heights))
    lightness = [np.dot([0.21, 0.72, 0.07], by_place[x][1]) for x in table.sort_values("kept_until")["scaled"]]
    assert lightness == sorted(set(lightness), reverse=True)
    hues = [float(rgb_to_hsv(shade)[0]) for _, shade in by_place.values()]
    assert max(hues) - min(hues) < 0.06


def test_colours_are_explained_from_0_to_1() -> None:
    bar = plot_thresholds(FOUND).axes[1]
    assert [label.get_text() for label in bar.get_xticklabels()] == ["0", "0.5", "1"]
    lightness = [sum(to_rgb(patch.get_facecolor())) for patch in sorted(bar.patches, key=lambda p: p.get_x())]
    assert lightness == sorted(lightness, reverse=True)


def test_each_row_says_its_number_its_share_and_its_most_important_threshold() -> None:
    written = texts(plot_thresholds(FOUND))
    assert {"56.0 %", "33.3 %", "6.7 %", "4.0 %", ">= 25", ">= 950.5", "'rent'"} <= set(written)


def test_features_without_thresholds_are_counted() -> None:
    assert "7 thresholds of 3 features" in texts(plot_thresholds(FOUND))
    with_one = plot_thresholds(FOUND, features=["age", "debts", "home", "income"])
    assert "7 thresholds of 3 features; 1 more has none" in texts(with_one)
    assert "1 threshold of 1 feature; 2 more have none" in texts(plot_thresholds(FOUND[:1], features=["a", "b", "age"]))


def test_of_many_features_the_most_important_are_drawn_and_the_rest_counted() -> None:
    random = np.random.default_rng(0)
    importance = random.permutation(400) + 1.0
    many = pd.DataFrame(
        {
            "feature": [f"feature {at // 2}" for at in range(400)],
            "above": ">= 1",
            "importance": importance,
            "kept_until": random.random(400),
            "scaled": random.random(400),
        }
    )
    figure = plot_thresholds(many)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    totals = many.groupby("feature")["importance"].sum()
    assert sorted(totals[labels], reverse=True) == sorted(totals, reverse=True)[:MOST]
    note = (
        "400 thresholds of 200 features; below these 40 rows 160 less important ones with 320 thresholds are left out"
    )
    assert note in texts(figure)


def test_names_and_values_of_any_kind_are_texts_that_fit() -> None:
    names = ["$\\frac{", "<b>&amp;</b>", "\x1b[31mred\x07", "_" * 300, "收入", ""]
    hostile = pd.DataFrame(
        {
            "feature": names * 2,
            "above": [f"'{name}'" for name in names] + [">= 1e300"] * len(names),
            "importance": 0.0,
            "kept_until": 0.5,
            "scaled": 0.0,
        }
    )
    figure = plot_thresholds(hostile, features=names, title="$x_{\x07")
    svg = render(figure, "svg")
    assert svg == render(plot_thresholds(hostile, features=names, title="$x_{\x07"), "svg")
    ElementTree.fromstring(svg)
    written = texts(figure)
    assert {"$\\frac{", "<b>&amp;</b>", "\\x1b[31mred\\x07", "$x_{\\x07"} <= set(written)
    assert all(len(each) < 120 for each in written)


def test_any_frame_will_do() -> None:
    assert render(plot_thresholds(FOUND.to_dict("list")), "svg") == render(plot_thresholds(FOUND), "svg")


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (FOUND[:0], "give at least one row"),
        (FOUND.assign(scaled=2.0), "thresholds, column 'scaled': value out of range; got 2.0; allowed: .* from 0 to 1"),
        (FOUND.assign(kept_until=np.nan), "thresholds, column 'kept_until': value out of range; got nan"),
        (FOUND.assign(importance=-1.0), "thresholds, column 'importance': value out of range; .* allowed: .* from 0"),
        (FOUND.drop(columns="above"), "'above'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(table: pd.DataFrame, text: str) -> None:
    with pytest.raises(InputError, match=text):
        plot_thresholds(table)
