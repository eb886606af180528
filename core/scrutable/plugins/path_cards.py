"""One card of a path, and what another one has together or apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from scrutable.data.values import FrozenMapping
from scrutable.errors import ModelError
from scrutable.model.conditions import AttributeCondition
from scrutable.plugins.card_figures import CARD_FIGURES

#: More than any card has of anything.
_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Two attributes that have the same points from a card on, by their places among the finest ones of a feature."""

    feature: str
    first: int
    second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCard:
    """One card of a path.

    Parameters
    ----------
    steps : number of different points, of all characteristics together.
    characteristics : number of these.
    kept : share of the variance of the scores by the learner's finest fit that it keeps.
    figures : how good it is on the training rows, by the names of `CARD_FIGURES`; none where that was not measured.
    joined : what is put together on this card and was not on the one before; on the first one what already is.
    """

    steps: int
    characteristics: int
    kept: float
    figures: FrozenMapping[float] = field(default_factory=FrozenMapping)
    joined: tuple[Joined, ...] = ()

    def __post_init__(self) -> None:
        limits = {"steps": (0, _MOST), "characteristics": (0, _MOST), "kept": (0, 1)}
        for name, (least, most) in limits.items():
            _check(name, getattr(self, name), least, most)
        known = {each.name: each.limits for each in CARD_FIGURES}
        for name, value in self.figures.items():
            if name not in known:
                raise ModelError("no figure of a card", where="figures", got=name, allowed=", ".join(known))
            _check(name, value, *known[name])

    @property
    def merit(self) -> float | None:
        """The figure by which cards are compared, the higher the better; None where it was not measured."""
        return next((self.figures[each.name] for each in CARD_FIGURES if each.name in self.figures), None)

    def to_dict(self) -> dict[str, Any]:
        """All but what is put together, as JSON."""
        sizes = {"steps": self.steps, "characteristics": self.characteristics, "kept": self.kept}
        return sizes | dict(self.figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinestAttributes:
    """The attributes of a feature on the first card; attributes that nobody had are left out."""

    feature: str
    conditions: tuple[AttributeCondition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Attributes of a characteristic that become one, in words.

    Parameters
    ----------
    parts : on the larger card.
    whole : on the smaller one.
    """

    feature: str
    parts: tuple[str, ...]
    whole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChange:
    """What another card has together that the model has apart, or the other way round.

    Parameters
    ----------
    model, other : the two cards.
    merges : what is apart on the larger of them and together on the smaller, in the order of the features.
    without : characteristics that only the larger one has.
    near : the card nearest to the other one that was measured, where the other was not.
    """

    model: PathCard
    other: PathCard
    merges: tuple[Merge, ...]
    without: tuple[str, ...]
    near: PathCard | None = None

    @property
    def lost(self) -> dict[str, float]:
        """By how much the other card is worse on the training rows, by the names of figures that both have."""
        return _lost(self.model, self.other)

    def describe(self) -> str:
        """A sentence without its full stop.

        >>> small, large = PathCard(steps=4, characteristics=1, kept=0.9), PathCard(steps=9, characteristics=2, kept=1)
        >>> CardChange(model=large, other=small, merges=(), without=("age",)).describe()
        '5 fewer steps keep 90.00% of the variance instead of 100.00%'
        """
        steps = self.other.steps - self.model.steps
        one = "s" if abs(steps) == 1 else ""
        size = f"{abs(steps):,} {'fewer' if steps < 0 else 'more'} step{'' if one else 's'}"
        kept = f"keep{one} {self.other.kept:.2%} of the variance instead of {self.model.kept:.2%}"
        if self.lost:
            return f"{size} {_costs(self.lost, one)}, and {kept}"
        beside = ""
        if self.near is not None and (lost := _lost(self.model, self.near)):
            beside = f"; the card of {self.near.steps:,} {_costs(lost, 's')}"
        return f"{size} {kept}{beside}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "model": self.model.to_dict(),
            "other": self.other.to_dict(),
            "merges": [asdict(each) | {"parts": list(each.parts)} for each in self.merges],
            "without": list(self.without),
            "lost": self.lost,
            "said": self.describe(),
        }


def _costs(lost: Mapping[str, float], one: str) -> str:
    """What the first of the figures loses."""
    first = next(each for each in CARD_FIGURES if each.name in lost)
    by = lost[first.name]
    return f"{'cost' if by >= 0 else 'gain'}{one} {abs(by):.4f} of the {first.title} on the training rows"


def _lost(before: PathCard, after: PathCard) -> dict[str, float]:
    return {
        each.name: each.lost(before.figures[each.name], after.figures[each.name])
        for each in CARD_FIGURES
        if each.name in before.figures and each.name in after.figures
    }


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ModelError("no figure of a card", where=name, got=value, allowed=f"from {least:,} to {most:,}")
