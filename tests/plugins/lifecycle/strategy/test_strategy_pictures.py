"""Pictures of strategies show the figures that they are of."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.plots import render
from scrutable_lifecycle.plots.strategy import plot_cutoffs, plot_score_bands, plot_swap_set
from scrutable_lifecycle.strategy import Profit, choose_cutoff, score_bands, swap_set

from .test_swap import GOOD, SEX, X, card

SCORE, PAID = [1, 2, 3, 4, 5, 6], [False, True, False, True, True, True]
GROUPS = Groups.from_frame({"sex": list("fmfmfm"), "_age": list("ooyyyy")}, min_group_size=0)
HOSTILE = Groups.from_frame({"$x_": ["<b>", "\x1b[31m", "_", "$\\frac{", "收入", " "]}, min_group_size=0)


def heights(axes: Axes) -> dict[str, list[float]]:
    return {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines}


def test_bands_are_bars_with_the_groups_and_bad_rates_as_lines() -> None:
    found = score_bands(SCORE, PAID, edges=[3, 5], groups=GROUPS)
    upper, lower = plot_score_bands(found).axes
    assert [bar.get_height() for bar in upper.patches] == [band.part.counts.share for band in found.bands]
    assert heights(upper)["f"] == [band.part.groups[0].counts.share for band in found.bands]
    assert heights(lower)["everybody"] == [band.part.counts.bad_rate for band in found.bands]
    assert [label.get_text() for label in lower.get_xticklabels()] == ["below 3", "3 to 5", "from 5"]
    other = plot_score_bands(found, attribute="_age").axes[0]
    assert set(heights(other)) == {"o", "y"}


def test_cutoffs_are_steps_with_the_chosen_one_marked() -> None:
    profit = Profit(approved_good=1, approved_bad=-3)
    found = choose_cutoff(SCORE, PAID, profit=profit, groups=GROUPS)
    approval, bad, money = plot_cutoffs(found.curve, cutoff=found.cutoff).axes
    assert heights(approval)["everybody"] == found.curve.approval_rate.tolist()
    assert heights(approval)["m"] == found.curve.groups[1].approval_rate.tolist()
    assert heights(bad)["everybody"][:-1] == found.curve.bad_rate.tolist()[:-1]
    assert found.curve.profit is not None
    assert heights(money)["profit"] == found.curve.profit.tolist()
    for axes in (approval, bad, money):
        assert [found.cutoff] * 2 in [list(line.get_xdata()) for line in axes.lines]
        assert axes.lines[0].get_drawstyle() == "steps-pre"
    assert len(plot_cutoffs(choose_cutoff(SCORE, PAID, approval_rate=0.5).curve).axes) == 2


def test_the_swap_set_tells_four_fifths_ratios_of_groups_large_enough_and_weights() -> None:
    many, groups = {name: values * 20 for name, values in X.items()}, Groups.from_frame({"sex": list("fmfmfmff") * 20})
    found = swap_set(card("a"), card("b"), many, groups=groups, at="approval rate", sample_weight=[2.0] * 160)
    texts = [text.get_text() for text in plot_swap_set(found).texts]
    assert "four-fifths ratio of sex: 0.60 to 0.90" in texts
    assert "Applicants and rates are weighted; 160 rows" in texts
    assert "The champion approves 50.0%, the challenger 62.5%, the attainable rate closest to it" in texts


def test_the_swap_set_is_four_tiles_with_their_figures() -> None:
    figure = plot_swap_set(swap_set(card("a"), card("b"), X, GOOD, groups=SEX))
    texts = [text.get_text() for text in (*figure.axes[0].texts, *figure.texts)]
    assert [text for text in texts if text in ("both approve", "swapped in", "swapped out", "both decline")] == [
        "both approve",
        "swapped out",
        "swapped in",
        "both decline",
    ]
    assert "3 applicants, 37.5%" in texts
    assert "outcome of 2 unknown" in texts
    assert "no outcome known" in texts
    assert "sex f: 40.0% to 60.0% approved, AIR 0.60 to 0.90" in texts
    shades = {patch.get_alpha() for patch in figure.axes[0].patches}
    assert len(shades) == 3  # two tiles hold as many


def test_the_same_bytes_and_safe_from_whatever_groups_are_called() -> None:
    found = choose_cutoff(SCORE, PAID, approval_rate=0.5, groups=HOSTILE)
    first = [render(plot_cutoffs(found.curve), "svg") for _ in range(2)]
    assert first[0] == first[1]
    ElementTree.fromstring(first[0])
    ElementTree.fromstring(render(plot_score_bands(score_bands(SCORE, PAID, edges=[3], groups=HOSTILE)), "svg"))
    assert render(plot_swap_set(swap_set(card("a"), card("b"), X)), "png").startswith(b"\x89PNG")


def test_an_attribute_that_was_not_measured_is_refused() -> None:
    with pytest.raises(InputError, match="no such protected attribute was measured"):
        plot_score_bands(score_bands(SCORE, PAID, edges=[3], groups=GROUPS), attribute="race")
