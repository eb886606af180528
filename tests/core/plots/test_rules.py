"""Pictures of rule sets show each rule where it is, in the colour of its class."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from scrutable.errors import InputError
from scrutable.model import Clause, Feature, Interval, Outcome, Rule, RuleSet, Scorecard
from scrutable.model.rulesets import read_rules, rule_hits
from scrutable.plots import plot_coverage, plot_rules, render
from scrutable.plots.rules import MOST
from scrutable.plots.style import PALETTE

CLASSES = ("bad", "fair", "good")
ROWS = {"age": np.r_[np.arange(18.0, 78.0), np.nan, np.nan]}


def rules(n: int, classes: tuple[str, ...] = CLASSES) -> RuleSet:
    """n rules on ages, which overlap, for one class after the other; nothing for missing."""
    made = (
        Rule(
            when=(Clause("age", (Interval(15 + 2 * k, 30 + 3 * k),)),),
            outcome=classes[k % len(classes)],
            weight=1 / (1 + (7 * k) % n),
        )
        for k in range(n)
    )
    fallback = (Rule(when=(), outcome=classes[-1]),)
    features = (Feature(name="age", kind="numeric"),)
    return RuleSet(
        outcome=Outcome(classes=classes, favourable=classes[-1]),
        features=features,
        rules=tuple(made),
        fallback=fallback,
    )


def _bars(axes: Axes) -> list[Rectangle]:
    return [patch for patch in axes.patches if isinstance(patch, Rectangle)]


def test_each_rule_has_a_bar_of_its_weight_in_the_colour_of_its_class() -> None:
    model = rules(9)
    [axes] = plot_rules(model).axes
    heaviest = sorted(read_rules(model), key=lambda each: -each.rule.weight)
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"{r.number}. {r.sentence}" for r in heaviest]
    bars = sorted(_bars(axes), key=lambda bar: bar.get_y())
    assert [bar.get_width() for bar in bars] == pytest.approx([each.rule.weight for each in heaviest])
    assert [bar.get_y() + bar.get_height() / 2 for bar in bars] == pytest.approx(axes.get_yticks().tolist())
    colours = [PALETTE[CLASSES.index(str(each.rule.outcome))].lower() for each in heaviest]
    assert [to_hex(bar.get_facecolor()) for bar in bars] == colours


def test_legends_and_axes_say_what_is_shown() -> None:
    model = rules(9)
    [weights] = plot_rules(model).axes
    upper, lower = plot_coverage(model, ROWS).axes
    for axes in (weights, upper):
        legend = axes.get_legend()
        assert legend is not None
        assert legend.get_title().get_text() == "votes for"
        assert [text.get_text() for text in legend.get_texts()] == list(CLASSES)
    assert weights.get_xlabel() == "weight: votes for the class"
    assert upper.get_xlabel().startswith("coverage: share of the rows")
    assert (upper.get_ylabel(), lower.get_ylabel()) == ("weight of the rule", "share of the rows")


def test_long_sentences_take_two_lines_and_lose_nothing_that_has_room() -> None:
    features = tuple(Feature(name=f"amount_of_the_{place}_payment", kind="numeric") for place in ("first", "last"))
    when = tuple(Clause(feature.name, (Interval(1000.5, 2000.5),)) for feature in features)
    model = RuleSet(
        outcome=Outcome(classes=("declined", "approved"), favourable="approved"),
        features=features,
        rules=(Rule(when=when[:1], outcome="approved"), Rule(when=when, outcome="declined", weight=0.5)),
        fallback=(Rule(when=(), outcome="approved"),),
    )
    [axes] = plot_rules(model).axes
    short, long = (label.get_text() for label in axes.get_yticklabels())
    assert "\n" not in short
    assert long.count("\n") == 1
    assert long.replace("\n", " ") == f"2. {read_rules(model)[1].sentence}"


def test_only_the_heaviest_rules_are_drawn_and_the_picture_says_so() -> None:
    figure = plot_rules(rules(MOST + 11))
    assert len(figure.axes[0].patches) == MOST
    notes = [text.get_text() for text in figure.texts]
    assert any(note.startswith(f"Weight of the {MOST} heaviest of {MOST + 11} rules; the votes of ") for note in notes)
    assert "Where no rule applies: always good" in notes


def test_points_lie_at_coverage_and_weight() -> None:
    model = rules(9)
    upper, lower = plot_coverage(model, ROWS).axes
    assert [axes.get_label() for axes in (upper, lower)] == ["coverage", "rules per row"]
    read = read_rules(model, ROWS)
    for label in CLASSES:
        [points] = [each for each in upper.collections if each.get_label() == label]
        spots = sorted((each.coverage, each.rule.weight) for each in read if each.rule.outcome == label)
        assert sorted(map(tuple, points.get_offsets().tolist())) == spots
    assert {text.get_text() for text in upper.texts} == {str(number) for number in range(1, 10)}
    assert rule_hits(model, ROWS).mean(axis=0).tolist() == [each.coverage for each in read]


def test_bars_count_rules_per_row() -> None:
    model = rules(9)
    _, lower = plot_coverage(model, ROWS).axes
    counts = rule_hits(model, ROWS).sum(axis=1)
    shares = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in _bars(lower)}
    assert shares == pytest.approx({k: np.mean(counts == k) for k in range(counts.max() + 1)})
    assert shares[0] > 0
    assert sum(shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("n", [1, 60])
def test_files_are_valid_and_the_same_every_time(n: int) -> None:
    model = rules(n, ("$\\bad", "<good>"))
    svg = [render(plot_rules(model), "svg"), render(plot_coverage(model, ROWS), "svg")]
    assert [ElementTree.fromstring(each).tag for each in svg] == ["{http://www.w3.org/2000/svg}svg"] * 2
    assert [render(plot_rules(model), "svg"), render(plot_coverage(model, ROWS), "svg")] == svg


def test_rules_that_cover_nobody_can_be_drawn() -> None:
    upper, lower = plot_coverage(rules(2), {"age": [5.0, np.nan]}).axes
    assert upper.get_xlim() == (0.0, 1.0)
    assert [bar.get_height() for bar in _bars(lower)] == [1.0]


def test_what_cannot_be_drawn_is_refused(fitted: Scorecard) -> None:
    empty = RuleSet(
        outcome=Outcome(classes=(0, 1), favourable=1), features=(), rules=(), fallback=(Rule(when=(), outcome=1),)
    )
    with pytest.raises(InputError, match="there is nothing to draw; got 'a rule set without rules'"):
        plot_rules(empty)
    with pytest.raises(InputError, match="only rule sets have rules"):
        plot_rules(fitted)
    with pytest.raises(InputError, match="only rule sets have rules"):
        plot_coverage(fitted, ROWS)
