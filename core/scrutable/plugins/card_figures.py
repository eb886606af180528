"""How good a card of a path is on the training rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFigure:
    """A figure of how good a card is.

    Parameters
    ----------
    name : in the evidence.
    title : for people.
    higher : whether a higher one is better.
    limits : the least and the most that it can be.
    digits : how it is written, as a format.

    Examples
    --------
    >>> rmse = CardFigure(name="rmse", title="RMSE", higher=False, limits=(0, 1e9), digits=".5g")
    >>> rmse.shown(12345.678), rmse.lost(before=2.0, after=2.5)
    ('12346', 0.5)
    """

    name: str
    title: str
    higher: bool
    limits: tuple[float, float]
    digits: str

    def shown(self, value: float) -> str:
        """A value as people read it."""
        return format(value, self.digits)

    def lost(self, before: float, after: float) -> float:
        """By how much another card is worse."""
        return before - after if self.higher else after - before


_LARGEST = 1e100

#: All there are; of those that a card has the first is the one by which cards are compared, and higher is better.
CARD_FIGURES = (
    CardFigure(name="auc", title="AUC", higher=True, limits=(0, 1), digits=".4f"),
    CardFigure(name="log_loss", title="log-loss", higher=False, limits=(0, _LARGEST), digits=".4f"),
    CardFigure(name="r2", title="R²", higher=True, limits=(-_LARGEST, 1), digits=".4f"),
    CardFigure(name="rmse", title="RMSE", higher=False, limits=(0, _LARGEST), digits=".5g"),
)
