"""Pictures of rule sets: what each rule weighs, and on given rows how many it covers and how many apply to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.frames import as_table
from scrutable.model import RuleSet
from scrutable.plots.labels import find_places
from scrutable.plots.style import (
    BODY,
    FAINT,
    LINE,
    MARGIN,
    PALETTE,
    SMALL,
    amount,
    fit,
    header,
    page,
    place,
    styled,
    text_width,
)
from scrutable.rulesets import RuleReading, fallback_sentences, read_rules, rule_hits, rule_set_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable.model import Model
    from scrutable.model.outcome import ClassLabel

Looks = dict["ClassLabel", tuple[str, str]]

#: The most rules that are drawn as sentences, and that have their numbers beside points.
MOST, _NUMBERED = 40, 10

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_HEADER, _ROW, _FOOT = 1.05, 0.25, 0.6
_SENTENCE, _BARS = 6.4, 2.2
_LEFT, _WIDTH, _LEGEND, _HEIGHT, _SECOND_HEIGHT, _GAP = 0.9, 6.0, 2.0, 3.6, 1.6, 0.85


@styled()
def plot_rules(model: Model) -> Figure:
    """Draw the weight of each rule beside the rule in words, the 40 heaviest at most; colours are classes.

    Raises
    ------
    InputError : the model is no rule set, it has no rules, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.model import Clause, Feature, Interval, Outcome, Rule
    >>> rule = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome="bad")
    >>> model = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"), rules=(rule,),
    ...     features=(Feature(name="age", kind="numeric"),), fallback=(Rule(when=(), outcome="good"),))
    >>> [axes] = plot_rules(model).axes
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['1. if Age < 21 then bad']
    """
    readings = _readings(model)
    assert isinstance(model, RuleSet)
    drawn = sorted(readings, key=lambda each: -each.rule.weight)[:MOST]
    width = 2 * MARGIN + _SENTENCE + _BARS
    figure = page(width, _HEADER + _ROW * len(drawn) + 0.15)
    which = f"the {MOST} heaviest of {len(readings)} rules" if len(readings) > MOST else f"{len(readings)} rules"
    last = fallback_sentences(model)
    otherwise = last[0] if len(last) == 1 else f"one of {len(last)} rules that share out all applicants"
    header(
        figure, 0.0, "Rules", [f"Weight of {which}; votes for a class add up", f"Where no rule applies: {otherwise}"]
    )
    axes = place(figure, MARGIN + _SENTENCE, _HEADER, _BARS, _ROW * len(drawn))
    axes.set_label("rules")
    looks = _looks(model)
    weights = [each.rule.weight for each in drawn]
    axes.barh(range(len(drawn)), weights, height=0.62, color=[looks[each.rule.outcome][0] for each in drawn])
    for position, weight in enumerate(weights):
        text = amount(float(f"{weight:.3g}"))
        axes.annotate(text, (weight, position), (4, 0), textcoords="offset points", va="center", fontsize=SMALL)
    sentences = [fit(f"{each.number}. {each.sentence}", _SENTENCE - 0.1, BODY) for each in drawn]
    axes.set_yticks(range(len(drawn)), sentences, fontsize=BODY)
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlim(0, 1.25 * max(weights))
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0, labelcolor="black")
    axes.spines["bottom"].set_visible(False)
    return figure


@styled()
def plot_coverage(model: Model, X: Any) -> Figure:
    """Draw the weight of each rule against the share of the rows that it covers, and how many rules rows have.

    The fallback decides the rows that no rule applies to, the first bar. Numbers are the places of the 10 heaviest
    rules in the model.

    Parameters
    ----------
    X : rows to count on, as `evaluate` takes them.

    Raises
    ------
    InputError : the model is no rule set, it has no rules, there are no rows, a column is not there, or matplotlib is
        not installed.
    KindError : a column is of another kind than the model reads.
    """
    table = as_table(X)
    readings = _readings(model, table)
    assert isinstance(model, RuleSet)
    if not table.n_rows:
        raise InputError("there are no rows to count on", where="X", fix="give at least one")
    figure = page(_LEFT + _WIDTH + _LEGEND, _HEADER + _HEIGHT + _GAP + _SECOND_HEIGHT + _FOOT)
    found = rule_set_figures(model, table)
    on = f"{found.covered:.1%} of {table.n_rows:,} rows have a rule, {found.rules_per_row:.2f} rules on average"
    header(figure, 0.0, "Coverage", [on, f"{found.rules} rules of {found.average_length:.2f} conditions on average"])
    upper = place(figure, _LEFT, _HEADER, _WIDTH, _HEIGHT)
    _draw_points(upper, readings, _looks(model))
    lower = place(figure, _LEFT, _HEADER + _HEIGHT + _GAP, _WIDTH, _SECOND_HEIGHT)
    _draw_counts(lower, np.bincount(rule_hits(model, table).sum(axis=1)) / table.n_rows)
    figure.align_ylabels()
    return figure


def _readings(model: Model, X: Any = None) -> tuple[RuleReading, ...]:
    readings = read_rules(model, X)
    if not readings:
        raise InputError("there is nothing to draw", where="model", got="a rule set without rules")
    return readings


def _draw_points(axes: Axes, readings: Sequence[RuleReading], looks: Looks) -> None:
    axes.set_label("coverage")
    axes.grid()
    axes.tick_params(length=0)
    for label, (colour, marker) in looks.items():
        its = [each for each in readings if each.rule.outcome == label]
        if its:
            shares, weights = [each.coverage or 0.0 for each in its], [each.rule.weight for each in its]
            axes.scatter(shares, weights, s=30, color=colour, marker=marker, label=str(label), linewidth=0, zorder=3)
    axes.set_xlim(0, 1.08 * max(each.coverage or 0.0 for each in readings) or 1.0)
    axes.set_ylim(0, 1.12 * max(each.rule.weight for each in readings))
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes.set_xlabel("share of the rows that a rule covers", fontsize=BODY)
    axes.set_ylabel("weight", fontsize=BODY)
    handles, names = axes.get_legend_handles_labels()
    axes.legend(
        handles,
        [fit(name, _LEGEND - 0.6, BODY) for name in names],
        title="votes for",
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        frameon=False,
        borderaxespad=0,
    )
    _number(axes, readings)


def _number(axes: Axes, readings: Sequence[RuleReading]) -> None:
    """The numbers of the heaviest rules, where they cover the fewest points."""
    across, up = axes.get_xlim()[1], axes.get_ylim()[1]
    spots = [((each.coverage or 0.0) / across * _WIDTH, each.rule.weight / up * _HEIGHT) for each in readings]
    heaviest = sorted(range(len(readings)), key=lambda place: -readings[place].rule.weight)[:_NUMBERED]
    texts, anchors = [str(readings[place].number) for place in heaviest], [spots[place] for place in heaviest]
    places = find_places(anchors, [text_width(text, SMALL) for text in texts], spots, (_WIDTH, _HEIGHT))
    for text, (x, y), (left, middle) in zip(texts, anchors, places, strict=True):
        axes.annotate(
            text,
            (x / _WIDTH, y / _HEIGHT),
            xycoords="axes fraction",
            xytext=(left / _WIDTH, middle / _HEIGHT),
            textcoords="axes fraction",
            arrowprops={"arrowstyle": "-", "color": LINE, "linewidth": 0.6, "shrinkB": 4},
            va="center",
            fontsize=SMALL,
        )


def _draw_counts(axes: Axes, shares: NDArray[np.float64]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_label("rules per row")
    axes.grid(axis="y")
    axes.tick_params(length=0)
    colours = [FAINT, *[PALETTE[0]] * (len(shares) - 1)]
    axes.bar(range(len(shares)), shares, width=0.7, color=colours)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(-0.6, max(len(shares) - 0.4, 1.6))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes.set_xlabel("rules that apply to a row; at 0 the fallback decides", fontsize=BODY)
    axes.set_ylabel("share of the rows", fontsize=BODY)


def _looks(model: RuleSet) -> Looks:
    """Colour and marker of each class; 49 differ in one of the two."""
    return {
        label: (PALETTE[place % 7], _MARKERS[(place + place // 7) % 7])
        for place, label in enumerate(model.outcome.classes)
    }
