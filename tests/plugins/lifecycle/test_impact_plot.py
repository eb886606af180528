"""The forest of group ratios: what stands where, what is undefined or small, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.errors import InputError
from scrutable.fairness import Groups, OperatingPoint, fairness_report
from scrutable.plots import render
from scrutable_lifecycle.plots.impact import plot_impact
from scrutable_lifecycle.validation import validate

N = 400
GROUPS = {
    "sex": ["f", "m"] * (N // 2),
    "age": ["young" if row < 150 else "odd" if row < 160 else "old" for row in range(N)],
}


def at(good: Any, score: Any, cutoff: float, **groups: list[str]) -> OperatingPoint:
    return fairness_report(good, score, cutoff, Groups.from_frame(groups, min_group_size=1), n_boot=50).at_cutoff


@pytest.fixture(scope="module")
def point() -> OperatingPoint:
    chance = np.random.default_rng(4)
    score = chance.normal(size=N) + 0.4 * (np.arange(N) % 2)
    score[150:155] = -9  # five of the ten odd ones are declined
    return at(chance.random(N) < 0.6, score, 0.0, **GROUPS)


def drawn(point: OperatingPoint) -> Any:
    return plot_impact(point.groups, point.four_fifths).axes[0]


def test_each_group_has_its_ratio_and_interval_and_the_lines_are_at_1_and_four_fifths(point: OperatingPoint) -> None:
    axes: Any = drawn(point)
    compared = [each for each in point.groups if not each.is_reference]
    expected = [each.adverse_impact_ratio for each in compared]
    dots = {line.get_gid(): line for line in axes.lines if line.get_gid()}
    for each, ratio in zip(compared, expected, strict=True):
        assert dots[f"{each.attribute}: {each.group}"].get_xdata()[0] == pytest.approx(ratio)
    whiskers = {line.get_gid(): line for line in axes.lines if str(line.get_gid()).startswith("interval ")}
    big = [each for each in compared if not each.small]
    assert [list(whiskers[f"interval {each.attribute}: {each.group}"].get_xdata()) for each in big] == [
        list(each.intervals["adverse_impact_ratio"]) for each in big
    ]
    assert "interval age: odd" not in whiskers
    uprights = sorted(
        line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1 and not line.get_gid()
    )
    assert uprights == [0.8, 1.0]
    low, high = axes.get_xlim()
    assert all(low <= ratio <= high for ratio in expected)


def test_words_tell_the_figures_the_reference_and_few_rows(point: OperatingPoint) -> None:
    figure = plot_impact(point.groups, point.four_fifths)
    texts = [text.get_text() for text in (*figure.texts, *figure.axes[0].texts, *figure.axes[0].get_yticklabels())]
    men = next(each for each in point.groups if each.attribute == "sex" and not each.is_reference)
    low, high = men.intervals["adverse_impact_ratio"]
    assert f"{men.adverse_impact_ratio:.3f} [{low:.3f}, {high:.3f}]" in texts
    assert any(text.startswith(f"{men.group} (200)") for text in texts)
    assert any("few rows" in text for text in texts)
    assert "sex (reference: f)" in texts
    [lowest] = [each for each in point.four_fifths if each.attribute == "sex"]
    assert f"lowest / highest: {lowest.lowest} / {lowest.highest}" in texts


def test_a_ratio_that_is_undefined_says_so() -> None:
    point = fairness_report(
        [True] * 80, np.zeros(80), cutoff=1.0, groups=Groups.from_frame({"sex": ["a", "b"] * 40}), n_boot=20
    ).at_cutoff
    texts = [text.get_text() for text in drawn(point).texts]
    assert "undefined" in texts


def test_a_ratio_off_the_scale_is_an_arrow_at_its_end() -> None:
    approved = [(row % 2 == 0 and row != 0) or row % 40 == 1 for row in range(N)]
    groups = Groups.from_frame({"sex": ["f", "m"] * (N // 2)}, reference={"sex": "m"})
    point = fairness_report([True, False] * (N // 2), np.array(approved, dtype=float), 1.0, groups, n_boot=50).at_cutoff
    axes = drawn(point)
    [arrow] = [line for line in axes.lines if line.get_gid() == "sex: f"]
    assert point.groups[0].adverse_impact_ratio > 10
    assert (arrow.get_marker(), arrow.get_xdata()[0], arrow.get_clip_on()) == (">", axes.get_xlim()[1], False)


def test_a_small_reference_says_why_its_ratios_have_no_interval() -> None:
    score = [100.0] * 20 + [0.0] * 380
    groups = Groups.from_frame({"sex": ["c"] * 10 + ["f", "m"] * 195}, reference={"sex": "c"}, min_group_size=1)
    small = fairness_report([True, False] * 200, score, 50, groups, n_boot=20).at_cutoff
    assert drawn(small).get_yticklabels()[0].get_text() == "sex (reference: c, few rows)"


def test_a_name_from_data_draws_as_text() -> None:
    groups = {"$x$ <b>": ["<script>"] * 60 + ["y" * 300] * 60}
    point = fairness_report(
        [True, False] * 60, np.arange(120.0), cutoff=60, groups=Groups.from_frame(groups), n_boot=20
    ).at_cutoff
    svg = render(plot_impact(point.groups, point.four_fifths), "svg").decode()
    assert "<script" not in svg
    assert svg == render(plot_impact(point.groups, point.four_fifths), "svg").decode()


def test_a_validation_draws_it_where_groups_were_compared() -> None:
    credit = make_credit(600, seed=5)
    model = create("learner", "scorecard", binner="quantile", favourable=0).fit(credit.X, credit.y).model_
    with_groups = validate(model, credit.X, credit.y, groups=Groups.from_frame({"sex": ["a", "b"] * 300}))
    assert with_groups.plot("groups").axes[0].lines
    with pytest.raises(InputError, match="no groups were compared"):
        validate(model, credit.X, credit.y).plot("groups")
