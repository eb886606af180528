"""Interactions, drawn: a heat map for each two-way table, with the points in its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scrutable.model import Feature, Interaction, Scorecard
from scrutable.plots.style import (
    ACCENT,
    FAINT,
    HEADING,
    MARGIN,
    PALETTE,
    SMALL,
    amount,
    fit,
    header,
    place,
    readable_on,
    shades,
    text_width,
    wrap,
    write,
)
from scrutable.plots.titles import short_titles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: From the fewest points over none to the most.
COLOURS = (PALETTE[1], "#ffffff", ACCENT)

_HEADER, _TITLE, _AXIS, _LABELS, _GAP = 0.85, 0.3, 0.17, 0.3, 0.25
#: Room for the labels of rows, and sizes of cells and of the whole table.
_ROOM, _CELL, _WIDEST, _ROW = 1.8, 0.5, 1.1, 0.24
_MOST_WIDTH, _MOST_HEIGHT = 14.0, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A two-way table, with its sizes in inches.

    Parameters
    ----------
    title, across, down : of the table, and of the features of its columns and rows.
    room : for the labels of rows.
    cell : width and height of a cell.
    """

    table: Interaction
    title: str
    across: str
    down: str
    room: float
    cell: tuple[float, float]

    @classmethod
    def of(cls, table: Interaction, features: Mapping[str, Feature]) -> HeatMap:
        """The table with cells that have room for their points and labels, as far as the page is large enough."""
        down, across = (features[name].title for name in table.features)
        rows, columns = (short_titles(axis.conditions, axis.titles) for axis in table.axes)
        widest = max(text_width(text, SMALL) for text in (*map(amount, table.cells), *columns))
        width = min(_WIDEST, max(_CELL, widest + 0.12), _MOST_WIDTH / len(columns))
        room = min(_ROOM, max(text_width(text, SMALL) for text in (down, *rows)) + 0.12)
        height = min(_ROW, _MOST_HEIGHT / len(rows))
        title = table.title(features)
        return cls(table=table, title=title, across=across, down=down, room=room, cell=(width, height))

    @property
    def width(self) -> float:
        """Of the labels and all cells."""
        return self.room + self.cell[0] * len(self.table.columns.conditions)

    @property
    def height(self) -> float:
        """Of titles, labels and all cells."""
        return _TITLE + _AXIS + _LABELS + self.cell[1] * len(self.table.rows.conditions) + _GAP

    def draw(self, figure: Figure, left: float, top: float, most: float) -> Axes:
        """Draw it with its top left corner here; `most` points, given or taken, have the full colour."""
        shown = fit(self.title, max(self.width, 3.0), HEADING, bold=True)
        write(figure, left, top, shown, HEADING, weight="bold")
        frame, start = top + _TITLE + _AXIS + _LABELS, left + self.room
        wide = self.width - self.room
        write(figure, start + wide / 2, top + _TITLE, fit(self.across, wide, SMALL), SMALL, ha="center", color=FAINT)
        down = fit(self.down, self.room - 0.06, SMALL)
        write(figure, start - 0.06, frame - 0.04, down, SMALL, ha="right", va="bottom", color=FAINT)
        axes = place(figure, start, frame, wide, frame_height := self.height - (frame - top) - _GAP)
        self._draw_cells(axes, most)
        self._label(axes, frame_height)
        axes.set_label(self.table.name)
        return axes

    def _draw_cells(self, axes: Axes, most: float) -> None:
        from matplotlib.patches import Rectangle

        columns = len(self.table.columns.conditions)
        colours = shades((np.array(self.table.cells) / most + 1) / 2, COLOURS)
        for number, (points, colour) in enumerate(zip(self.table.cells, colours, strict=True)):
            row, column = divmod(number, columns)
            corner = (column - 0.5, row - 0.5)
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8))
            text = amount(points)
            if text_width(text, SMALL) + 0.06 <= self.cell[0] and self.cell[1] >= 0.8 * _ROW:
                ink = readable_on(colour)
                axes.text(column, row, text, ha="center", va="center", fontsize=SMALL, color=ink)

    def _label(self, axes: Axes, height: float) -> None:
        rows, columns = (short_titles(axis.conditions, axis.titles) for axis in self.table.axes)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.xaxis.tick_top()
        across, down = _every(len(columns), self.cell[0], 0.3), _every(len(rows), self.cell[1], 0.15)
        axes.set_xticks(across, ["\n".join(wrap(columns[i], self._label_width(across), SMALL)) for i in across])
        axes.set_yticks(down, [fit(rows[i], self.room - 0.1, SMALL) for i in down])
        axes.tick_params(length=0, pad=3)
        for spine in axes.spines.values():
            spine.set_visible(False)

    def _label_width(self, across: Sequence[int]) -> float:
        step = across[1] - across[0] if len(across) > 1 else 1
        return self.cell[0] * step - 0.08


def drawn_tables(model: Scorecard, features: Collection[str] | None) -> list[Interaction]:
    """The interactions of a scorecard that one of these features has a part in; all of them if None."""
    tables = model.interactions
    return [each for each in tables if features is None or not set(features).isdisjoint(each.features)]


def heat_maps(tables: Sequence[Interaction], features: Mapping[str, Feature]) -> list[HeatMap]:
    """Heat maps of these tables, to be drawn one below the other."""
    return [HeatMap.of(table, features) for table in tables]


def size_of(maps: Sequence[HeatMap]) -> tuple[float, float]:
    """Width and height that all of them take, with their heading; nothing where there are none."""
    if not maps:
        return 0.0, 0.0
    return 2 * MARGIN + max(each.width for each in maps), _HEADER + sum(each.height for each in maps)


def draw_tables(figure: Figure, maps: Sequence[HeatMap], top: float) -> None:
    """Draw heat maps one below the other, with one scale of colours."""
    if not maps:
        return
    header(figure, top, "Interactions", ["Points of two attributes together: blue adds points, orange takes them away"])
    top += _HEADER
    most = max(abs(points) for each in maps for points in each.table.cells) or 1.0
    for each in maps:
        each.draw(figure, MARGIN, top, most)
        top += each.height


def _every(count: int, size: float, needed: float) -> list[int]:
    """Places that are labelled: all, or every second and so on where cells are smaller than a label needs."""
    return list(range(0, count, max(1, round(needed / size + 0.49))))
