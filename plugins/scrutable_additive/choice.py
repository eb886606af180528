"""Which card of the path is the model."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.errors import InputError
from scrutable.plugins import no_card_of
from scrutable_additive.elimination import Card
from scrutable_additive.metric import Metric
from scrutable_additive.path import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked of the card.

    Parameters
    ----------
    keep : share of the variance of the dense fit's scores that it keeps.
    max_steps, max_characteristics : most of either; they go before.
    steps : those of the card itself; it goes before all others.
    """

    keep: float
    max_steps: int | None = None
    max_characteristics: int | None = None
    steps: int | None = None

    def loss(self, metric: Metric) -> float:
        """The distance from the dense fit that it may have."""
        return (1 - self.keep) * metric.total

    def card(self, path: Path) -> Card:
        """The card of fewest steps that keeps enough, or the one of most steps where limits allow none of these.

        Where trends go so much against the rows that no card keeps enough, enough is counted from the nearest card on.

        Raises
        ------
        InputError : all cards are larger than the limits, or none has so many steps.
        """
        if self.steps is not None:
            return self._by_hand(path, self.steps)
        allowed = [card for card in path.cards if self._within(card)]
        if not allowed:
            smallest = path.cards[-1]
            raise InputError(
                "no card is so small",
                where="max_steps, max_characteristics",
                got=(self.max_steps, self.max_characteristics),
                allowed=f"from {smallest.steps} steps and {smallest.characteristics} characteristics on",
                fix="raise the limit, or name fewer features in must, cuts or merges",
            )
        loss = self.loss(path.metric)
        nearest = min(card.distance for card in path.cards)
        far = loss if nearest <= loss else nearest + loss
        near = [card for card in allowed if card.distance <= far]
        return near[-1] if near else allowed[0]

    @staticmethod
    def _by_hand(path: Path, steps: int) -> Card:
        for card in path.cards:
            if card.steps == steps:
                return card
        every = [card.steps for card in path.cards]
        longer = "; a keep nearer to 1 may make a longer path" if steps > every[0] else ""
        fix = f"choose one of these, or max_steps={steps} for the best card of at most so many{longer}"
        raise no_card_of(every, steps, where="steps", fix=fix)

    def _within(self, card: Card) -> bool:
        few_steps = self.max_steps is None or card.steps <= self.max_steps
        return few_steps and (self.max_characteristics is None or card.characteristics <= self.max_characteristics)
