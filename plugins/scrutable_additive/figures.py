"""What the figures of a card are called: how well it tells the target of the training rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: Name in the evidence, title, and how it is written. Of those of a card the first is higher where the card is better.
_FIGURES = {"auc": ("AUC", ".4f"), "log_loss": ("log-loss", ".4f"), "r2": ("R²", ".4f"), "rmse": ("RMSE", ".5g")}


def figures_of(entry: Mapping[str, Any]) -> dict[str, float]:
    """The figures in the entry of a card, the first one being higher where the card is better.

    >>> figures_of({"steps": 9, "rmse": 2.0, "r2": 0.5})
    {'r2': 0.5, 'rmse': 2.0}
    """
    return {name: entry[name] for name in _FIGURES if name in entry}


def titles(names: Iterable[str]) -> list[str]:
    """What people call figures.

    >>> titles(["auc", "log_loss"])
    ['AUC', 'log-loss']
    """
    return [_FIGURES[name][0] for name in names]


def shown(name: str, figure: float) -> str:
    """A figure as people read it.

    >>> shown("rmse", 12345.678), shown("auc", 0.75)
    ('12346', '0.7500')
    """
    return format(figure, _FIGURES[name][1])
