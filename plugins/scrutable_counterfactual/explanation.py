"""What the explainer says of one applicant, in every form that people and programs read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable_counterfactual import wording
from scrutable_counterfactual.answers import Answers

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactuals(Answers):
    """The explanation of one applicant's decision: answers as a text, as JSON values and as a picture."""

    def to_dict(self) -> dict[str, Any]:
        """JSON values; infinities are None."""
        return wording.to_dict(self)

    def plot(self, answer: int = 0) -> Figure:
        """The path of one answer from the applicant's score over the cutoff."""
        from scrutable_counterfactual.plots import plot_counterfactual

        return plot_counterfactual(self, answer)

    def describe(self) -> str:
        """A few sentences."""
        return wording.describe(self)
