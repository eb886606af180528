"""The picture of attributes: what was seen of them beside what they are worth."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from scrutable.errors import InputError
from scrutable.model import Interval, Missing, Scorecard
from scrutable.plots import picture_of, plot_attributes
from scrutable.plots.effects import main_effects

FIGURES = {"share": "share", "event rate": "event_rate", "WoE": "woe", "points": "points"}


def test_bars_are_the_figures_of_the_attributes(fitted: Scorecard) -> None:
    figure = plot_attributes(fitted)
    drawn = {axes.get_label(): axes for axes in figure.axes}
    for name, effect in main_effects(fitted).items():
        for title, field in FIGURES.items():
            wanted = [getattr(step, field) for step in effect.steps if getattr(step, field) is not None]
            axes = drawn[f"{name}: {title}"]
            assert [bar.get_width() for bar in axes.patches] == wanted
            assert len(axes.texts) == len(wanted)


def test_every_figure_has_one_scale_and_its_texts_have_room(fitted: Scorecard) -> None:
    figure = plot_attributes(fitted)
    FigureCanvasAgg(figure).draw()  # texts have places only then
    for title in FIGURES:
        axes = [each for each in figure.axes if each.get_label().endswith(f": {title}")]
        assert len({each.get_xlim() for each in axes}) == 1
        for each in axes:
            frame = each.get_window_extent()
            boxes = [text.get_window_extent() for text in each.texts]
            assert min(box.x0 for box in boxes) >= frame.x0 - 2
            assert max(box.x1 for box in boxes) <= frame.x1 + 2


def test_attributes_of_named_characteristics(fitted: Scorecard) -> None:
    first = fitted.characteristics[0].feature
    picture = picture_of(fitted, what="attributes", features=[first])
    assert {axes.get_label().partition(": ")[0] for axes in picture.plot().axes} == {first}
    assert list(picture.to_dict()) == ["effects"]
    assert list(picture.to_dict()["effects"]) == [first]


def test_large_limits_are_short_here_and_exact_in_the_card(fitted: Scorecard) -> None:
    amounts = next(each for each in fitted.characteristics if isinstance(each.conditions[0], Interval))
    ends = [-math.inf, 5.5, 2_255_000.0, math.inf]
    intervals = [Interval(*pair) for pair in itertools.pairwise(ends)]
    filled = amounts.attributes[0]
    parts = (*(replace(filled, condition=each) for each in intervals), replace(filled, condition=Missing()))
    large = replace(amounts, attributes=parts)
    every = tuple(large if each is amounts else each for each in fitted.characteristics)
    card = replace(fitted, characteristics=every, reasons=None)
    told = {text.get_text() for text in plot_attributes(card).findobj(Text)}
    assert {"< 5.5", "[5.5, 2.255 M)", ">= 2.255 M", "missing"} <= told
    assert large.titles[2] == ">= 2255000"
    assert picture_of(card, what="attributes").to_dict()["effects"][amounts.feature][2]["title"] == ">= 2255000"


def test_a_model_that_does_not_say_what_was_seen_is_refused(fitted: Scorecard) -> None:
    bare = tuple(
        replace(each, attributes=tuple(replace(attribute, statistics=None) for attribute in each.attributes))
        for each in fitted.characteristics
    )
    with pytest.raises(InputError, match=r"does not say what was seen.*attributes with statistics"):
        plot_attributes(replace(fitted, characteristics=bare))
