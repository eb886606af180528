"""Panels below one another, a legend beside each: rates of everybody and of the groups of one protected attribute."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from scrutable.errors import InputError, did_you_mean
from scrutable.plots.style import BODY, MARGIN, PALETTE, TITLE, fit, header, page, place

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = [
    "EVERYBODY",
    "Line",
    "attribute_drawn",
    "coloured",
    "draw_lines",
    "in_percent",
    "legend_beside",
    "legend_name",
    "panel",
    "panels_page",
]

_LEFT, _WIDTH, _LEGEND = 0.9, 6.0, 2.2
_HEADER, _PANEL, _GAP, _FOOT = 0.8, 1.9, 0.3, 0.6
_PAGE = _LEFT + _WIDTH + _LEGEND
#: How the line of all applicants is named.
EVERYBODY = "everybody"

#: A name, a colour and the heights of a line.
Line = tuple[str, str, Sequence[float]]


def panels_page(title: str, notes: Iterable[str], panels: int) -> Figure:
    """A page with room for so many panels; notes that are empty are left out."""
    figure = page(_PAGE, _HEADER + panels * (_PANEL + _GAP) + _FOOT)
    header(figure, 0.0, fit(title, _PAGE - 2 * MARGIN, TITLE, bold=True), [note for note in notes if note])
    return figure


def panel(figure: Figure, position: int) -> Axes:
    """The panel at a position of such a page, the topmost at 0."""
    axes = place(figure, _LEFT, _HEADER + 0.15 + position * (_PANEL + _GAP), _WIDTH, _PANEL)
    axes.grid(axis="y")
    axes.tick_params(length=0)
    return axes


def coloured(lines: Iterable[tuple[str, Sequence[float]]]) -> list[Line]:
    """Lines by name, each with a colour.

    >>> coloured([("f", [0.5, 0.6]), ("m", [0.4, 0.7])])
    [('f', '#0072B2', [0.5, 0.6]), ('m', '#D55E00', [0.4, 0.7])]
    """
    return [(name, PALETTE[i % len(PALETTE)], heights) for i, (name, heights) in enumerate(lines)]


def draw_lines(axes: Axes, at: Sequence[float] | NDArray[np.intp], lines: Iterable[Line]) -> None:
    """Draw lines with a point at each place; where a height is NaN there is none."""
    for name, colour, heights in lines:
        axes.plot(at, heights, color=colour, linewidth=1.4, marker="o", markersize=3.5, label=legend_name(name))


def legend_name(name: str) -> str:
    """A name as a legend has room for it; matplotlib leaves those that begin with an underscore out."""
    return fit(f" {name}" if name.startswith("_") else name, _LEGEND - 0.7, BODY)


def legend_beside(axes: Axes) -> None:
    """The legend, to the right of a panel."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, borderaxespad=0)


def in_percent(axes: Axes, name: str) -> None:
    """Name the upright axis, with percentages from 0 on."""
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes.set_ylim(bottom=0)
    axes.set_ylabel(name, fontsize=BODY)


def attribute_drawn(measured: Collection[str], asked: str | None) -> str | None:
    """The attribute asked for, or the first one that was measured; None where none was.

    Raises
    ------
    InputError : one that was not measured.

    Examples
    --------
    >>> attribute_drawn(["sex", "race"], None), attribute_drawn([], None)
    ('sex', None)
    """
    if asked is not None and asked not in measured:
        fix = did_you_mean(asked, set(measured))
        raise InputError("no such protected attribute was measured", where="attribute", got=asked, fix=fix)
    return asked or next(iter(measured), None)
