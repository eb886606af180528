"""One card of a path, and what another one has together or apart."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrutable.errors import ModelError
from scrutable.model.conditions import AttributeCondition

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
    auc, log_loss : on the training rows; None where they were not measured.
    joined : what is put together on this card and was not on the one before; on the first one what already is.
    """

    steps: int
    characteristics: int
    kept: float
    auc: float | None = None
    log_loss: float | None = None
    joined: tuple[Joined, ...] = ()

    def __post_init__(self) -> None:
        limits = {"steps": _MOST, "characteristics": _MOST, "kept": 1, "auc": 1, "log_loss": _MOST}
        for name, most in limits.items():
            value = getattr(self, name)
            if value is not None and not 0 <= value <= most:
                raise ModelError("no figure of a card", where=name, got=value, allowed=f"from 0 to {most:,}")

    @property
    def figures(self) -> dict[str, Any]:
        """All but what is put together."""
        return {name: value for name, value in asdict(self).items() if name != "joined"}


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
    near : the card nearest to the other one whose AUC is known, where the other's is not.
    """

    model: PathCard
    other: PathCard
    merges: tuple[Merge, ...]
    without: tuple[str, ...]
    near: PathCard | None = None

    @property
    def auc_lost(self) -> float | None:
        """By how much the other card's AUC on the training rows is lower; None where it was not measured."""
        return _lost(self.model.auc, self.other.auc)

    @property
    def log_loss_gained(self) -> float | None:
        """By how much the other card's log-loss on the training rows is higher; None where it was not measured."""
        return _lost(self.other.log_loss, self.model.log_loss)

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
        if self.auc_lost is not None:
            return f"{size} {_costs(self.auc_lost, one)}, and {kept}"
        beside = ""
        if self.near is not None and (lost := _lost(self.model.auc, self.near.auc)) is not None:
            beside = f"; the card of {self.near.steps:,} {_costs(lost, 's')}"
        return f"{size} {kept}{beside}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "model": self.model.figures,
            "other": self.other.figures,
            "merges": [asdict(each) | {"parts": list(each.parts)} for each in self.merges],
            "without": list(self.without),
            "auc_lost": self.auc_lost,
            "log_loss_gained": self.log_loss_gained,
            "said": self.describe(),
        }


def _costs(lost: float, one: str) -> str:
    return f"{'cost' if lost >= 0 else 'gain'}{one} {abs(lost):.4f} of the AUC on the training rows"


def _lost(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else before - after
