"""Interactions as heat maps: both axes' attributes, the points in the cells, and colours that texts can be read on."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from scrutable.model import Axis, Categories, Feature, Interaction, Interval, Missing, Otherwise, Scorecard, Special
from scrutable.plots import picture_of, plot_importance, plot_main_effects, plot_model, render
from scrutable.plots.style import readable_on, shades, styled
from scrutable.plots.tables import COLOURS, HeatMap

from .conftest import HOSTILE

HALVES = (Interval(upper=1), Interval(lower=1), Missing())


def with_table(card: Scorecard, table: Interaction) -> Scorecard:
    return replace(card, interactions=(table,), reasons=None)


@pytest.fixture(scope="module")
def table(fitted: Scorecard) -> Interaction:
    kinds = (Categories(("south",)), Otherwise(), Missing())
    rows = Axis(feature="region", conditions=kinds, labels=("the south", "elsewhere", "not told"))
    columns = Axis(feature="late_payments", conditions=HALVES)
    return Interaction(rows=rows, columns=columns, points=((-400, 12.5, 0), (1234, 0, 0), (700, -7, 3)))


@pytest.fixture(scope="module")
def card(fitted: Scorecard, table: Interaction) -> Scorecard:
    return with_table(fitted, table)


def texts_of(figure: Figure) -> set[str]:
    return {text.get_text() for text in figure.findobj(Text)}


def test_points_stand_in_the_cells_beside_the_attributes_of_both_axes(card: Scorecard, table: Interaction) -> None:
    figure = plot_main_effects(card)
    [axes] = [each for each in figure.axes if each.get_label() == table.name]
    cells = {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in axes.texts}
    told = [["−400", "12.5", "0"], ["1,234", "0", "0"], ["700", "−7", "3"]]
    assert cells == {(i, j): told[i][j] for i, j in itertools.product(range(3), range(3))}
    assert [label.get_text() for label in axes.get_yticklabels()] == ["the south", "elsewhere", "not told"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["< 1", ">= 1", "missing"]
    assert axes.get_ylim() == (2.5, -0.5)  # the first row is above
    titles = {feature.name: feature.title for feature in card.features}
    assert {titles["region"], titles["late_payments"], table.title({f.name: f for f in card.features})} <= texts_of(
        figure
    )


def test_large_limits_are_short(card: Scorecard, table: Interaction) -> None:
    large = Axis(feature="late_payments", conditions=(Interval(upper=2_255_000), Interval(2_255_000), Missing()))
    figure = plot_main_effects(with_table(card, replace(table, columns=large)))
    [axes] = [each for each in figure.axes if each.get_label() == table.name]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["< 2.255 M", ">= 2.255 M", "missing"]


def test_what_adds_is_blue_and_what_takes_away_is_orange(card: Scorecard, table: Interaction) -> None:
    [axes] = [each for each in plot_main_effects(card).axes if each.get_label() == table.name]
    colours = [patch.get_facecolor()[:3] for patch in axes.patches]
    for points, (red, _, blue) in zip(table.cells, colours, strict=True):
        assert np.sign(points) * (blue - red) > (0.1 if abs(points) > 100 else -0.02)
        assert points or min(red, blue) > 0.98  # no points are white
    assert colours[3] == pytest.approx(to_rgb(COLOURS[2]), abs=0.01)  # the most points have the full colour


def test_texts_can_be_read_on_every_colour() -> None:
    def luminance(colour: tuple[float, ...]) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
        return float(np.dot((0.2126, 0.7152, 0.0722), parts))

    with styled():
        for colour in shades(np.linspace(0, 1, 201), COLOURS):
            low, high = sorted((luminance(colour), luminance(to_rgb(readable_on(colour)))))
            assert (high + 0.05) / (low + 0.05) > 3.8


def test_tables_of_the_features_that_are_named_are_drawn(card: Scorecard, table: Interaction) -> None:
    def drawn(features: list[str] | None) -> bool:
        return table.name in {axes.get_label() for axes in plot_main_effects(card, features).axes}

    assert drawn(None)
    assert drawn(["region"])
    assert drawn(["housing", "late_payments"])
    assert not drawn(["housing"])
    assert table.name in {axes.get_label() for axes in plot_model(card).axes}


def test_importance_says_that_it_is_without_interactions(
    card: Scorecard, fitted: Scorecard, table: Interaction
) -> None:
    assert any(f"Not measured: the interactions {table.name}" in text for text in texts_of(plot_importance(card)))
    assert not any("Not measured" in text for text in texts_of(plot_importance(fitted)))


@pytest.mark.parametrize("places", [2, 12, 40])
def test_texts_keep_apart_whatever_the_table(
    hostile: Scorecard, check_texts_apart: Callable[[Figure], None], places: int
) -> None:
    words = [f"{HOSTILE[i % len(HOSTILE)]} {i}" for i in range(places)]
    code = Special((f"{HOSTILE[0]}!",))
    kinds = (*(Categories((word,)) for word in words), code, Otherwise(), Missing())
    cuts = (-np.inf, *(1e-6 * 3.0**i for i in range(places)), np.inf)
    numbers = (*(Interval(low, high) for low, high in itertools.pairwise(cuts)), Missing())
    cells = np.arange(len(kinds) * len(numbers), dtype=float).reshape(len(kinds), -1) * 97.3 - 1e5
    table = Interaction(
        rows=Axis(feature=f"{HOSTILE[0]} of", conditions=kinds),
        columns=Axis(feature="number 0", conditions=numbers),
        points=tuple(map(tuple, cells.tolist())),
        name="<script>",
    )
    turned = replace(table, rows=table.columns, columns=table.rows, points=tuple(zip(*table.points, strict=True)))
    for drawn in (table, turned):
        figure = plot_main_effects(with_table(hostile, drawn), ["number 0"])
        check_texts_apart(figure)
    assert b"<script" not in render(figure, "svg")


def test_a_large_table_keeps_its_page_in_bounds(fitted: Scorecard) -> None:
    cuts = (-np.inf, *map(float, range(200)), np.inf)
    axis = (*(Interval(low, high) for low, high in itertools.pairwise(cuts)), Missing())
    table = Interaction(
        rows=Axis(feature="late_payments", conditions=axis),
        columns=Axis(feature="income", conditions=HALVES),
        points=((1.0, 2.0, 3.0),) * len(axis),
    )
    with styled():
        features = {name: Feature(name=name, kind="numeric") for name in table.features}
        assert HeatMap.of(table, features).height < 22
        assert (
            HeatMap.of(
                replace(table, rows=table.columns, columns=table.rows, points=((1.0,) * len(axis),) * 3), features
            ).width
            < 17
        )


def test_what_is_drawn_is_told(card: Scorecard, fitted: Scorecard, table: Interaction) -> None:
    told = picture_of(card, what="effects").to_dict()["interactions"][table.name]
    assert told == {
        "rows": {"feature": "region", "attributes": ["the south", "elsewhere", "not told"]},
        "columns": {"feature": "late_payments", "attributes": ["< 1", ">= 1", "missing"]},
        "points": [[-400, 12.5, 0], [1234, 0, 0], [700, -7, 3]],
    }
    assert "interactions" not in picture_of(fitted).to_dict()
    assert "interactions" not in picture_of(card, features=["housing"]).to_dict()
    frame = picture_of(card).frame()
    own = frame[frame["feature"] == table.name]
    assert own["points"].tolist() == list(table.cells)
    assert own["attribute"].iloc[0] == "the south; < 1"
