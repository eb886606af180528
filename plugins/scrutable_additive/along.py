"""The cards along the path of a learned model, as its evidence tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scrutable.data.frames import PANDAS, rows_like
from scrutable.errors import InputError
from scrutable.model import Evidence
from scrutable_additive.figures import figures_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCard:
    """One card of the path.

    Parameters
    ----------
    steps : number of different points, of all characteristics together.
    characteristics : number of these.
    kept : share of the variance of the fine fit's scores that it keeps.
    figures : how good it is on the training rows: "auc" and "log_loss", or for a quantity "r2" and "rmse". The first
        one is higher where the card is better.
    """

    steps: int
    characteristics: int
    kept: float
    figures: Mapping[str, float]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Self:
        """The card of an entry of the evidence."""
        return cls(
            steps=entry["steps"],
            characteristics=entry["characteristics"],
            kept=entry["kept"],
            figures=figures_of(entry),
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        size = {"steps": self.steps, "characteristics": self.characteristics, "kept": self.kept}
        return size | dict(self.figures)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CardPath:
    """Cards from many steps to none, and which one is the model.

    Parameters
    ----------
    cards : from many steps to few.
    chosen : the place of the model's card among them.
    """

    cards: tuple[PathCard, ...]
    chosen: int

    @classmethod
    def of(cls, evidence: Evidence, where: str = "evidence") -> CardPath:
        """The path that evidence tells of.

        Raises
        ------
        InputError : the evidence is of a model of another learner.

        Examples
        --------
        >>> from scrutable import create
        >>> from scrutable.data.datasets import load_german_credit
        >>> german = load_german_credit()
        >>> learner = create("learner", "additive").fit(german.X, german.y)
        >>> CardPath.of(learner.evidence_)
        CardPath(11 cards: 52 steps in 13 characteristics chosen)
        """
        story: Any = evidence.metrics.get("additive")
        if story is None:
            raise InputError(
                "there is no path of cards",
                where=where,
                got=", ".join(sorted(evidence.metrics)) or "no figures",
                allowed="the evidence of a model of the learner 'additive' or 'additive-regressor'",
                fix="fit with --learner additive and --evidence evidence.json",
            )
        cards = tuple(PathCard.of(each) for each in story["path"])
        return cls(cards=cards, chosen=cards.index(PathCard.of(story["chosen"])))

    @property
    def names(self) -> tuple[str, ...]:
        """The figures of the cards, by name."""
        return tuple(self.cards[self.chosen].figures)

    def __repr__(self) -> str:
        card = self.cards[self.chosen]
        return f"CardPath({len(self.cards)} cards: {card.steps} steps in {card.characteristics} characteristics chosen)"

    def frame(self) -> Any:
        """A row for each card, from many steps to few."""
        return rows_like(self.to_dict()["cards"], PANDAS)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"cards": [card.to_dict() | {"chosen": at == self.chosen} for at, card in enumerate(self.cards)]}
