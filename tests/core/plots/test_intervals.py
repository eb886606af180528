"""Intervals of points in pictures: where evidence has them, of the points that the model has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

from scrutable.errors import InputError
from scrutable.model import POINT_INTERVALS, Evidence, FrozenMapping, Interval, PointIntervals, Scorecard
from scrutable.plots import picture_of
from scrutable.plots.effects import main_effects
from scrutable.plots.figures import plot_main_effects


@pytest.fixture(scope="module")
def known(fitted: Scorecard) -> PointIntervals:
    """Intervals whose ends lie unequally far, and differ from attribute to attribute; none of what nobody had."""
    sides = {}
    for characteristic in fitted.characteristics:
        places = enumerate(characteristic.attributes, 1)
        ends = [(a.points - place / 8, a.points + place / 4) if a.statistics.count else None for place, a in places]
        sides[characteristic.feature] = ends
    return PointIntervals.about(fitted, sides, confidence=0.9)


@pytest.fixture(scope="module")
def evidence(known: PointIntervals) -> Evidence:
    return Evidence(model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: known.to_json()}))


def extents(axes: Axes) -> list[tuple[float, float]]:
    """Lower and upper end of each band over numbers."""
    bands = [each for each in axes.collections if not isinstance(each, LineCollection)]
    ends = [each.get_paths()[0].vertices[:, 1] for each in bands]
    return [(float(each.min()), float(each.max())) for each in ends]


def whiskers(axes: Axes, across: int) -> list[tuple[float, float]]:
    """Ends of each whisker, in the coordinate that points are on."""
    lines = [each for each in axes.collections if isinstance(each, LineCollection)]
    return [(float(line[0][across]), float(line[1][across])) for each in lines for line in each.get_segments()]


def test_bands_and_whiskers_are_the_intervals(fitted: Scorecard, known: PointIntervals) -> None:
    panels = {axes.get_label(): axes for axes in plot_main_effects(fitted, intervals=known).axes}
    drawn = 0
    for characteristic in fitted.characteristics:
        sides, axes = known.sides(characteristic.feature), panels[characteristic.feature]
        assert sides is not None
        numbers = [isinstance(each.condition, Interval) for each in characteristic.attributes]
        over = [side for side, number in zip(sides, numbers, strict=True) if side is not None and number]
        rest = [side for side, number in zip(sides, numbers, strict=True) if side is not None and not number]
        np.testing.assert_allclose(extents(axes), over)
        np.testing.assert_allclose(sorted(whiskers(axes, 1 if any(numbers) else 0)), sorted(rest))
        drawn += len(rest) > 0
    assert drawn > 1


def test_without_intervals_there_are_none(fitted: Scorecard) -> None:
    for axes in plot_main_effects(fitted).axes:
        assert extents(axes) == []
        assert whiskers(axes, 0) == []


def test_a_note_says_how_sure(
    fitted: Scorecard, known: PointIntervals, check_texts_apart: Callable[[Figure], None]
) -> None:
    figure = plot_main_effects(fitted, intervals=known)
    notes = [text.get_text() for text in figure.texts]
    assert "Bands and whiskers: intervals of the points at 90 %, the attributes being given" in notes
    assert not [text for text in plot_main_effects(fitted).texts if "whiskers" in text.get_text()]
    check_texts_apart(figure)


def test_what_lies_far_outside_of_all_points_is_cut_off(fitted: Scorecard) -> None:
    low, high = plot_main_effects(fitted).axes[0].get_ylim()
    [first, *_] = fitted.characteristics
    endless = PointIntervals.about(fitted, {first.feature: [(-1e6, 1e6)] * len(first.attributes)})
    axes = next(axes for axes in plot_main_effects(fitted, intervals=endless).axes)
    below, above = axes.get_ylim()
    assert (below < low, above > high) == (True, True)
    assert above - below < 3 * (high - low)
    [steps] = [artist for artist in axes.patches if isinstance(artist, StepPatch)]
    assert below < min(steps.get_data().values) <= max(steps.get_data().values) < above


def test_a_picture_says_what_it_shows(fitted: Scorecard, known: PointIntervals, evidence: Evidence) -> None:
    picture = picture_of(fitted, evidence=evidence)
    told = picture.to_dict()["effects"]
    frame = picture.frame().set_index("feature")
    for name, effect in main_effects(fitted, intervals=known).items():
        assert [each["interval"] for each in told[name]] == [
            None if side is None else list(side) for side in known.sides(name) or ()
        ]
        ends = [step.interval or (np.nan, np.nan) for step in effect.steps]
        np.testing.assert_array_equal(frame.loc[name, ["low", "high"]].to_numpy(float), ends)
        for step, own in zip(effect.steps, told[name], strict=True):
            assert (own["woe"], own["event_rate"]) == (step.woe, step.event_rate)


@pytest.mark.parametrize(
    "given",
    [
        lambda evidence: Evidence(model_sha256=""),
        lambda evidence: evidence,
    ],
    ids=["none", "other points"],
)
def test_evidence_of_other_points_is_refused(
    fitted: Scorecard, evidence: Evidence, given: Callable[[Evidence], Any]
) -> None:
    moved = fitted.with_points(lambda points: 2 * points)
    with pytest.raises(InputError, match="evidence: the evidence has no intervals of the model's points"):
        picture_of(moved, evidence=given(evidence))
