"""A picture of what rules do: approval, groups and bad payers, rule by rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scrutable.plots.group_panels import (
    EVERYBODY,
    Line,
    attribute_drawn,
    coloured,
    draw_lines,
    in_percent,
    legend_beside,
    panel,
    panels_page,
)
from scrutable.plots.style import ACCENT, BODY, INK, SMALL, fit, styled
from scrutable_policy.rates import GroupRates, Rates

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BEFORE = "score alone"
#: The guideline's four fifths, marked among ratios.
_FOUR_FIFTHS = 0.8


class Step(Protocol):
    """What is drawn of a rule."""

    @property
    def code(self) -> str: ...
    @property
    def after(self) -> Rates: ...


class Tried(Protocol):
    """What is drawn of the effect of a policy, which draws itself."""

    @property
    def rows(self) -> int: ...
    @property
    def least(self) -> int: ...
    @property
    def before(self) -> Rates: ...
    @property
    def rules(self) -> Sequence[Step]: ...


@styled()
def plot_effect(effect: Tried, *, attribute: str | None = None, title: str = "What the rules do") -> Figure:
    """Draw the approval rate after each rule, and where they were measured the bad rate and the ratios of groups.

    What is kept back is not drawn: a line goes on at the next step that is told.

    Parameters
    ----------
    attribute : whose groups are drawn; the first one by default.

    Raises
    ------
    InputError : an attribute that was not measured, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_policy import policy_effect
    >>> rows = {"age": [30.0] * 20, "income": [-1.0] * 8 + [10.0] * 12}
    >>> figure = plot_effect(policy_effect(models_named()["stumps"], rows))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['approval rate']
    """
    steps = [effect.before, *(rule.after for rule in effect.rules)]
    measured = dict.fromkeys(group.attribute for group in effect.before.groups)
    named = attribute_drawn(measured, attribute)
    panels = _panels(steps, named)
    groups = "" if named is None else f"; groups of {named}"
    notes = [f"{effect.rows:,} applicants; each step has the rule and all before it{groups}"]
    notes.append(f"Steps that differ by the decisions about fewer than {effect.least} are left out")
    figure = panels_page(title, notes, len(panels))
    labels = [_BEFORE, *(rule.code for rule in effect.rules)]
    for position, (name, lines) in enumerate(panels):
        _draw(panel(figure, position), name, lines, labels, last=position == len(panels) - 1)
    return figure


def _panels(steps: Sequence[Rates], attribute: str | None) -> list[tuple[str, list[Line]]]:
    """What is drawn below one another: the axis's name and lines."""
    approval: Line = (EVERYBODY, INK, [_height(each.approval_rate) for each in steps])
    bad: Line = (EVERYBODY, INK, [_height(each.bad_rate) for each in steps])
    panels = [("approval rate", [approval, *_of_groups(steps, attribute, lambda each: each.approval_rate)])]
    if attribute is not None:
        panels.append(("adverse\nimpact ratio", _of_groups(steps, attribute, lambda each: each.adverse_impact_ratio)))
    if not all(map(math.isnan, bad[2])):
        panels.append(
            ("bad rate among\nthe approved", [bad, *_of_groups(steps, attribute, lambda each: each.bad_rate)])
        )
    return panels


def _of_groups(
    steps: Sequence[Rates], attribute: str | None, figure: Callable[[GroupRates], float | None]
) -> list[Line]:
    """A line for each group of an attribute."""
    by_step = [[group for group in each.groups if group.attribute == attribute] for each in steps]
    names = [group.group for group in by_step[0]]
    return coloured((name, [_height(figure(groups[at])) for groups in by_step]) for at, name in enumerate(names))


def _draw(axes: Axes, name: str, lines: Sequence[Line], labels: Sequence[str], *, last: bool) -> None:
    for label, colour, heights in lines:
        told = [(at, height) for at, height in enumerate(heights) if not math.isnan(height)]
        draw_lines(axes, [at for at, _ in told], [(label, colour, [height for _, height in told])])
    highest = max((height for _, _, heights in lines for height in heights if not math.isnan(height)), default=1.0)
    if name.endswith("ratio"):
        axes.axhline(_FOUR_FIFTHS, color=ACCENT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1.5)
        axes.set_ylim(0, 1.08 * max(highest, _FOUR_FIFTHS))
        axes.set_ylabel(name, fontsize=BODY)
    else:
        in_percent(axes, name)
        axes.set_ylim(0, 1.08 * max(highest, 0.01))
    axes.set_xlim(-0.4, len(labels) - 0.6)
    turned = 30 if len(labels) > 6 else 0
    shown = [fit(label, 1.2, SMALL) for label in labels] if last else [""] * len(labels)
    axes.set_xticks(range(len(labels)), shown, rotation=turned, ha="right" if turned else "center", fontsize=SMALL)
    legend_beside(axes)


def _height(value: float | None) -> float:
    return math.nan if value is None else value
