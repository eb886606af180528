"""What a quantile of thresholds costs: how far a discretisation joins applicants, and how right models on it can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from scrutable.errors import InputError
from scrutable.plots.style import BODY, FAINT, MARGIN, PALETTE, TITLE, fit, header, page, place, styled
from scrutable_fcca.plots.tradeoff import HEIGHT, LEGEND, WIDTH, Against, Curve, Models, draw_trade_off, percent
from scrutable_fcca.target import Doubles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scrutable_fcca.discretising.compression import CompressionPath

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_HEADER, _FOOT, _GAP, _BETWEEN = 0.95, 0.65, 0.2, 0.9
_LEFT, _PANEL_WIDTH, _PANEL_HEIGHT = 0.95, 3.2, (HEIGHT - 2 * _GAP) / 3
_HOW = "stepped lines on the right: 1 − inconsistency, the most that a model can get right of the training rows"


@styled()
def plot_compression(
    paths: CompressionPath | Mapping[str, CompressionPath],
    *,
    accuracy: Mapping[str, Mapping[float, float]] | None = None,
    against: Against = "compression",
    title: str = "Accuracy and compression",
) -> Figure:
    """Draw compression, inconsistency and the number of thresholds by Q, and accuracy against compression beside it.

    The stepped line of the trade-off is one less the inconsistency: no model on these thresholds is right more often on
    the rows that they were found on. Accuracies are marks; on other rows they can lie above the line.

    Parameters
    ----------
    paths : for all Q, such as `compression_` of the binner; several by name are compared.
    accuracy : for each name the accuracy of models, from 0 to 1, by Q. A name that is no path's is a model on the only
        path.
    against : what the trade-off is drawn against: "compression", or the number of "thresholds".
    title : above the picture.

    Raises
    ------
    InputError : no path, one without selections, an unknown name, a Q or an accuracy out of range, or matplotlib is
        not installed.

    Examples
    --------
    >>> from scrutable_fcca.discretising.compression import CompressionPath
    >>> path = CompressionPath(quantile=np.array([0.0, 0.5, 1.0]), n_thresholds=np.array([9, 4, 1]),
    ...     compression=np.array([0.6, 0.9, 0.99]), inconsistency=np.array([0.01, 0.1, 0.2]))
    >>> figure = plot_compression(path, accuracy={"optimal tree": {0.0: 0.9, 0.7: 0.82}})
    >>> [axes.get_label() for axes in figure.axes]
    ['compression', 'inconsistency', 'thresholds', 'trade-off']
    """
    if against not in ("compression", "thresholds"):
        raise InputError("unknown axis", where="against", got=against, allowed="'compression' or 'thresholds'")
    lines = _lines(paths)
    models = _models(lines, accuracy or {})
    figure = page(_LEFT + _PANEL_WIDTH + _BETWEEN + WIDTH + LEGEND + MARGIN, _HEADER + HEIGHT + _FOOT)
    width = float(figure.get_size_inches()[0]) - 2 * MARGIN
    header(figure, 0.0, fit(title, width, TITLE, bold=True), [_note(lines), _HOW])
    _draw_by_quantile(figure, lines)
    axes = place(figure, _LEFT + _PANEL_WIDTH + _BETWEEN, _HEADER, WIDTH, HEIGHT)
    axes.set_label("trade-off")
    draw_trade_off(axes, lines, models, against)
    figure.align_ylabels()
    return figure


def _lines(paths: CompressionPath | Mapping[str, CompressionPath]) -> list[Curve]:
    named = paths if isinstance(paths, Mapping) else {"": paths}
    if not named or not all(len(path.quantile) for path in named.values()):
        raise InputError("there is nothing to draw", where="paths", fix="give at least one, with thresholds")
    several = len(named) > 1
    return [
        Curve(name=str(name), path=path, colour=PALETTE[at % len(PALETTE)] if several else FAINT)
        for at, (name, path) in enumerate(named.items())
    ]


def _models(lines: list[Curve], accuracy: Mapping[str, Mapping[float, float]]) -> list[Models]:
    by_name = {line.name: line for line in lines}
    models = []
    for at, (name, values) in enumerate(accuracy.items()):
        line = by_name.get(name, lines[0] if len(lines) == 1 else None)
        if line is None:
            raise InputError("no path has this name", where="accuracy", got=name, allowed=", ".join(map(repr, by_name)))
        for quantile, value in values.items():
            if not (0 <= quantile <= 1 and 0 <= value <= 1):
                allowed = "numbers from 0 to 1"
                raise InputError("out of range", where=f"accuracy of {name!r}", got=(quantile, value), allowed=allowed)
        if not values:
            continue
        colour = line.colour if len(lines) > 1 else PALETTE[at % len(PALETTE)]
        marker = _MARKERS[at % len(_MARKERS)]
        models.append(Models(name=name, line=line, colour=colour, marker=marker, accuracy=dict(sorted(values.items()))))
    return models


def _note(lines: list[Curve]) -> str:
    ends = [
        f"{line.name + ': ' if line.name else ''}{line.path.n_thresholds[0]} thresholds at Q = 0, "
        f"{line.path.n_thresholds[-1]} at Q = 1"
        for line in lines
    ]
    return "; ".join(ends)


def _draw_by_quantile(figure: Figure, lines: list[Curve]) -> None:
    """Three panels on one axis."""
    panels: dict[str, Callable[[CompressionPath], Doubles]] = {
        "compression": lambda path: path.compression,
        "inconsistency": lambda path: path.inconsistency,
        "thresholds": lambda path: path.n_thresholds.astype(np.float64),
    }
    for at, (label, values) in enumerate(panels.items()):
        axes = place(figure, _LEFT, _HEADER + at * (_PANEL_HEIGHT + _GAP), _PANEL_WIDTH, _PANEL_HEIGHT)
        axes.set_label(label)
        for line in lines:
            quantiles, heights = np.r_[0.0, line.path.quantile], values(line.path)
            axes.plot(quantiles, np.r_[heights[0], heights], drawstyle="steps-pre", color=line.colour, linewidth=1.4)
        axes.set_ylabel(label, fontsize=BODY)
        axes.set_xlim(-0.01, 1.01)
        axes.set_ylim(0, None)
        axes.margins(y=0.1)
        axes.grid()
        axes.tick_params(length=0, labelbottom=label == "thresholds")
        if label != "thresholds":
            axes.yaxis.set_major_formatter(lambda value, _: percent(value))
    axes.set_xlabel("quantile Q", fontsize=BODY)
