"""Pictures of rule sets: what each rule weighs, and on given rows how many it covers and how many apply to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.model import RuleSet
from scrutable.model.rulesets import deciding_sentence, fallback_sentences, read_rules, rule_hits, rule_set_figures
from scrutable.model.rulesets.reading import RuleReading
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
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable.data.outcome import ClassLabel
    from scrutable.model import Model

Looks = dict["ClassLabel", tuple[str, str]]

#: The most rules that are drawn as sentences, and that have their numbers beside points.
MOST, _NUMBERED = 40, 10
_COUNTS = 20  # most numbers below the bars

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_HEADER, _ROW, _LINE, _FOOT = 1.05, 0.25, 0.13, 0.6
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
    sentences = [wrap(f"{each.number}. {each.sentence}", _SENTENCE - 0.15) for each in drawn]
    heights = [_ROW + _LINE * (len(lines) - 1) for lines in sentences]
    figure = page(2 * MARGIN + _SENTENCE + _BARS + _LEGEND, _HEADER + sum(heights) + _FOOT)
    which = f"the {MOST} heaviest of {len(readings)} rules" if len(readings) > MOST else f"{len(readings)} rules"
    last = fallback_sentences(model)
    otherwise = last[0] if len(last) == 1 else f"one of {len(last)} rules that share out all applicants"
    header(
        figure,
        0.0,
        "Rules",
        [
            f"Weight of {which}; the votes of those that apply add up: {deciding_sentence(model)}",
            f"Where no rule applies: {otherwise}",
        ],
    )
    axes = place(figure, MARGIN + _SENTENCE, _HEADER, _BARS, sum(heights))
    axes.set_label("rules")
    _draw_weights(axes, drawn, np.cumsum(heights) - np.array(heights) / 2, _looks(model))
    axes.set_yticks(axes.get_yticks(), ["\n".join(lines) for lines in sentences], fontsize=BODY)
    axes.set_ylim(sum(heights), 0)
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
    counted = rule_set_figures(model, table)
    on = f"Rules apply to {_percent(counted.covered)} of {table.n_rows:,} rows, on average {counted.rules_per_row:.2f}"
    numbered = "" if counted.rules <= _NUMBERED else f"; the {_NUMBERED} heaviest with their numbers"
    about = f"{counted.rules} rules of {counted.average_length:.2f} conditions on average{numbered}"
    header(figure, 0.0, "Coverage", [on, about])
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


def _draw_weights(axes: Axes, readings: Sequence[RuleReading], middles: NDArray[np.float64], looks: Looks) -> None:
    for label, (colour, _) in looks.items():
        places = [place for place, each in enumerate(readings) if each.rule.outcome == label]
        if places:
            weights = [readings[place].rule.weight for place in places]
            axes.barh(middles[places], weights, height=0.62 * _ROW, color=colour, label=str(label))
    for each, middle in zip(readings, middles, strict=True):
        text, spot = amount(float(f"{each.rule.weight:.3g}")), (each.rule.weight, middle)
        axes.annotate(text, spot, (4, 0), textcoords="offset points", va="center", fontsize=SMALL)
    axes.set_yticks(middles)
    axes.set_xlim(0, 1.25 * max(each.rule.weight for each in readings))
    axes.set_xticks([])
    axes.set_xlabel("weight: votes for the class", fontsize=BODY)
    axes.tick_params(axis="y", length=0, labelcolor="black")
    axes.spines["bottom"].set_visible(False)
    _legend(axes)


def _draw_points(axes: Axes, readings: Sequence[RuleReading], looks: Looks) -> None:
    axes.set_label("coverage")
    axes.grid()
    axes.tick_params(length=0)
    for label, (colour, marker) in looks.items():
        own = [each for each in readings if each.rule.outcome == label]
        if own:
            shares, weights = [each.coverage or 0.0 for each in own], [each.rule.weight for each in own]
            axes.scatter(shares, weights, s=30, color=colour, marker=marker, label=str(label), linewidth=0, zorder=3)
    axes.set_xlim(0, 1.08 * max(each.coverage or 0.0 for each in readings) or 1.0)
    axes.set_ylim(0, 1.12 * max(each.rule.weight for each in readings))
    axes.xaxis.set_major_formatter(lambda value, _: _percent(value))
    axes.set_xlabel("coverage: share of the rows that a rule applies to", fontsize=BODY)
    axes.set_ylabel("weight of the rule", fontsize=BODY)
    _legend(axes)
    _number(axes, readings)


def _legend(axes: Axes) -> None:
    """Classes by colour, to the right of the axes."""
    handles, names = axes.get_legend_handles_labels()
    axes.legend(
        handles,
        [fit(name, _LEGEND - 0.6, BODY) for name in names],
        title="votes for",
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        frameon=False,
        borderaxespad=0,
        alignment="left",
        scatterpoints=1,
        handlelength=1.2,
    )


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
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )


def _draw_counts(axes: Axes, shares: NDArray[np.float64]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_label("rules per row")
    axes.grid(axis="y")
    axes.tick_params(length=0)
    colours = [FAINT, *[PALETTE[0]] * (len(shares) - 1)]
    axes.bar(range(len(shares)), shares, width=0.7, color=colours)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=_COUNTS, integer=True))
    axes.set_xlim(-0.6, max(len(shares) - 0.4, 1.6))
    axes.yaxis.set_major_formatter(lambda value, _: _percent(value))
    axes.set_xlabel("number of rules that apply to a row; at 0 (grey) the fallback decides", fontsize=BODY)
    axes.set_ylabel("share of the rows", fontsize=BODY)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.3g} %"


def _looks(model: RuleSet) -> Looks:
    """Colour and marker of each class; 49 differ in one of the two."""
    return {
        label: (PALETTE[place % 7], _MARKERS[(place + place // 7) % 7])
        for place, label in enumerate(model.outcome.classes)
    }
