"""What a card that is fitted again has, beside the one before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RefitChange:
    """What differs between two cards of one learner, on the same rows.

    Parameters
    ----------
    came : characteristics that are on the second card alone.
    left : those on the first card alone, each with why it left.
    moved : by characteristic of both, the points between its worst and best attribute before and after, where they
        differ; those that differ most come first.
    size : number of characteristics before and after.
    auc : before and after.

    Examples
    --------
    >>> change = RefitChange(came=("age",), left={"job": "it is on the list of those that never may"}, moved={},
    ...                      size=(12, 12), auc=(0.8, 0.81))
    >>> change.describe()
    'age comes onto the card; job leaves; 12 characteristics as before; AUC on these rows 0.810 instead of 0.800'
    """

    came: tuple[str, ...]
    left: Mapping[str, str]
    moved: Mapping[str, tuple[float, float]]
    size: tuple[int, int]
    auc: tuple[float, float]

    def describe(self) -> str:
        """The change in words, without a full stop."""
        sets = [f"{', '.join(self.came)} {_verb(len(self.came), 'come')} onto the card"] if self.came else []
        sets += [f"{', '.join(self.left)} {_verb(len(self.left), 'leave')}"] if self.left else []
        if not sets:
            sets = ["no characteristic comes or leaves"]
        old, new = self.size
        plural = "characteristic" if new == 1 else "characteristics"
        size = f"{new:,} {plural} as before" if old == new else f"{new:,} {plural} instead of {old:,}"
        figure = f"AUC on these rows {self.auc[1]:.3f} instead of {self.auc[0]:.3f}"
        return "; ".join([*sets, size, figure])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "said": self.describe()}


def _verb(number: int, plural: str) -> str:
    return f"{plural}s" if number == 1 else plural
