"""Thresholds of a discretisation: where on each feature they lie, what they count for, and how long Q keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import as_table, select
from scrutable.errors import InputError
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    LINE,
    MARGIN,
    SMALL,
    TITLE,
    fit,
    header,
    page,
    place,
    shades,
    styled,
    text_width,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

#: The most rows in one picture.
MOST = 40

_HEADER, _ROW, _FOOT = 1.15, 0.23, 0.6
_NAMES, _STRIP = 2.1, 5.4  # the most room for names, and the room for positions
_COLUMNS = (0.7, 0.8, 1.9)  # to the right of the strip: number of thresholds, importance, the most important one
_BAR, _BANDS = 1.7, 128  # width of the colour bar, and of how many colours it is
_SHORTEST = 0.35  # height of the least important mark, as a share of the row
_BAND = "#f3f5f7"
#: From what only Q = 0 keeps to what every Q keeps.
_SHADES = ("#b9d5ec", ACCENT, "#06213a")
_KINDS = {
    "feature": "categorical",
    "above": "categorical",
    "importance": "numeric",
    "kept_until": "numeric",
    "scaled": "numeric",
}


@styled()
def plot_thresholds(
    thresholds: Any, *, features: Iterable[str] = (), title: str = "Thresholds of the discretisation"
) -> Figure:
    """Draw the thresholds of each feature, the most important feature first, 40 rows at most.

    The colour of a threshold says the largest quantile Q that keeps it, its height what it counts for. Numbers are
    placed between the least and the largest training value; categories, special codes and missing values have a row of
    their own in which they are named, the most important first.

    Parameters
    ----------
    thresholds : frame with a row for each, such as `thresholds_` of the binner: "feature"; "above", what holds
        above it; "importance"; "kept_until", from 0 to 1; "scaled", its position from 0 to 1.
    features : all features that could have one; those without are counted in a note.
    title : above the picture.

    Raises
    ------
    InputError : no thresholds, a missing column, a value out of range, or matplotlib is not installed.

    Examples
    --------
    >>> thresholds = {"feature": ["age", "age", "income"], "above": [">= 25", ">= 61", ">= 1800"],
    ...               "importance": [40, 2, 9], "kept_until": [1.0, 0.0, 0.5], "scaled": [0.1, 0.8, 0.3]}
    >>> figure = plot_thresholds(thresholds, features=["age", "income", "debts"])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['age', 'income']
    """
    table = as_table(thresholds)
    rows = _rows({name: column.values for name, column in select(table, _KINDS.items()).items()})
    drawn = rows[:MOST]
    names = [fit(row.feature, _NAMES, BODY) for row in drawn]
    left = MARGIN + max(text_width(name, BODY) for name in names) + 0.15
    width = left + _STRIP + sum(_COLUMNS) + MARGIN
    figure = page(width, _HEADER + _ROW * len(drawn) + _FOOT)
    header(figure, 0.0, fit(title, width - 2 * MARGIN - _BAR, TITLE, bold=True), _notes(rows, features))
    axes = place(figure, left, _HEADER, _STRIP, _ROW * len(drawn))
    axes.set_label("thresholds")
    _draw(axes, drawn, names)
    _describe(figure, drawn, left + _STRIP, sum(row.total for row in rows))
    _colour_bar(figure, width - MARGIN - _BAR)
    return figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Row:
    """The thresholds of a feature on numbers, or those that are values of it; the most important last."""

    feature: str
    on_numbers: bool
    above: Sequence[str]
    importance: Floats
    kept_until: Floats
    scaled: Floats

    @property
    def total(self) -> float:
        return float(self.importance.sum())


def _rows(columns: dict[str, NDArray[Any]]) -> list[_Row]:
    """The most important first."""
    for name, most in (("importance", np.inf), ("kept_until", 1.0), ("scaled", 1.0)):
        values = columns[name]
        wrong = ~(np.isfinite(values) & (values <= most) & (values >= -1e-9))
        if wrong.any():
            allowed = "numbers from 0 to 1" if most == 1 else "numbers from 0"
            got = float(values[wrong][0])
            raise InputError("value out of range", where=f"thresholds, column {name!r}", got=got, allowed=allowed)
    groups: dict[tuple[str, bool], list[int]] = {}
    for at, (feature, above) in enumerate(zip(columns["feature"], columns["above"], strict=True)):
        groups.setdefault((str(feature), str(above).startswith(">= ")), []).append(at)
    rows = [_row(feature, on_numbers, columns, places) for (feature, on_numbers), places in groups.items()]
    return sorted(rows, key=lambda row: -row.total)


def _row(feature: str, on_numbers: bool, columns: dict[str, NDArray[Any]], places: list[int]) -> _Row:
    order = np.array(places)[np.lexsort((columns["importance"][places], columns["kept_until"][places]))]
    return _Row(
        feature=feature,
        on_numbers=on_numbers,
        above=[str(above) for above in columns["above"][order]],
        importance=np.maximum(columns["importance"][order], 0.0),
        kept_until=columns["kept_until"][order],
        scaled=columns["scaled"][order] if on_numbers else (np.arange(len(order))[::-1] + 0.08) / len(order),
    )


def _notes(rows: Sequence[_Row], features: Iterable[str]) -> list[str]:
    """How many thresholds there are, what is not drawn, and how the picture is read."""
    named = {row.feature for row in rows}
    count = sum(len(row.above) for row in rows)
    what = f"{_counted(count, 'threshold')} of {_counted(len(named), 'feature')}"
    if without := len(set(map(str, features)) - named):
        what += f"; {without} more {'has' if without == 1 else 'have'} none"
    if rest := rows[MOST:]:
        left_out = _counted(sum(len(row.above) for row in rest), "threshold")
        what += f"; below these {MOST} rows {len(rest)} less important ones with {left_out} are left out"
    return [what, "0 is the least training value, 1 the largest; the taller a mark, the more important"]


def _draw(axes: Axes, rows: Sequence[_Row], names: Sequence[str]) -> None:
    largest = max(row.importance.max() for row in rows) or 1.0
    bands = [at for at, row in enumerate(rows) if row.on_numbers]
    axes.barh(bands, 1.0, height=0.86, color=_BAND)
    for at, row in enumerate(rows):
        half = 0.43 * (_SHORTEST + (1 - _SHORTEST) * np.sqrt(row.importance / largest))
        colours = shades(row.kept_until, _SHADES)
        marks = axes.vlines(row.scaled, at - half, at + half, colors=colours, linewidth=2.4)
        marks.set_label(row.feature)
        if not row.on_numbers:
            _name_values(axes, row, at)
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), names, fontsize=BODY)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.tick_params(length=0)
    axes.tick_params(axis="y", labelcolor="black")
    axes.grid(axis="x", color="white", linewidth=1.0)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel("scaled value", fontsize=BODY)


def _name_values(axes: Axes, row: _Row, at: int) -> None:
    """Beside each mark the value it stands for, where there is room."""
    width = _STRIP / 1.02 / len(row.above) - 0.2
    if width >= 0.3:
        for x, above in zip(row.scaled, row.above, strict=True):
            axes.annotate(
                fit(above, width, SMALL), (x, at), (4, 0), textcoords="offset points", va="center", fontsize=SMALL
            )


def _describe(figure: Figure, rows: Sequence[_Row], start: float, total: float) -> None:
    """Beside each row how many thresholds it has, its share of the importance, and its most important one."""
    number, share = start + _COLUMNS[0], start + _COLUMNS[0] + _COLUMNS[1]
    last, top = share + 0.2, _HEADER - 0.05
    write(figure, number, top, "thresholds", SMALL, color=FAINT, ha="right", va="bottom")
    write(figure, share, top, "importance", SMALL, color=FAINT, ha="right", va="bottom")
    write(figure, last, top, "most important", SMALL, color=FAINT, va="bottom")
    for at, row in enumerate(rows):
        middle = _HEADER + _ROW * (at + 0.5)
        most = fit(row.above[int(np.argmax(row.importance))], _COLUMNS[2] - 0.2, BODY)
        write(figure, number, middle, str(len(row.above)), ha="right", va="center_baseline")
        write(figure, share, middle, _percent(row.total, total), ha="right", va="center_baseline")
        write(figure, last, middle, most, va="center_baseline")


def _colour_bar(figure: Figure, left: float) -> None:
    """What the colours say."""
    bar = place(figure, left, 0.45, _BAR, 0.13)
    bar.set_label("quantile")
    starts = np.arange(_BANDS) / _BANDS
    bar.barh([0.0] * _BANDS, 1 - starts, left=starts, height=1.0, color=shades(starts + 0.5 / _BANDS, _SHADES))
    bar.set_xlim(0, 1)
    bar.set_ylim(-0.5, 0.5)
    bar.set_yticks([])
    bar.set_xticks([0, 0.5, 1.0], ["0", "0.5", "1"])
    bar.tick_params(length=2, pad=1, color=LINE)
    bar.spines[["left", "bottom"]].set_visible(False)
    write(figure, left, 0.4, "kept up to the quantile Q", SMALL, color=FAINT, va="bottom")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _percent(part: float, total: float) -> str:
    share = 100 * part / total if total else 0.0
    return "< 0.1 %" if 0 < share < 0.1 else f"{share:.1f} %"
