"""What a whole search gives: its result, and the pick and the baseline on rows that it did not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.fairness import Measured
from scrutable.model import Evidence
from scrutable_lifecycle.config import SearchRun
from scrutable_lifecycle.search.ratio import Ratio
from scrutable_lifecycle.search.result import SearchResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What a run gives; `picked` and `baseline` are their measures on the rows held out, None without any.

    So are `picked_ratio` and `baseline_ratio`; None also where no group has rows enough to be compared.
    """

    run: SearchRun
    result: SearchResult
    evidence: Evidence
    picked: Measured | None
    baseline: Measured | None
    picked_ratio: Ratio | None
    baseline_ratio: Ratio | None
    inputs: tuple[str, ...]
    n_held_out: int

    def __repr__(self) -> str:
        reached = "" if self.picked_ratio is None else f", ratio {self.picked_ratio.value:.3f} there"
        return f"Searched({self.run.names}: {self.result}, {self.n_held_out:,} held out{reached})"

    @property
    def held_out(self) -> dict[str, Any]:
        """The measures on the rows held out, as plain values for JSON."""
        return {
            "rows": self.n_held_out,
            "picked": _with_ratio(self.picked, self.picked_ratio),
            "baseline": _with_ratio(self.baseline, self.baseline_ratio),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `result.to_dict()` has every candidate."""
        log = self.result.to_dict()
        return {
            "rows": log["rows"] | {"held_out": self.n_held_out},
            "inputs": list(self.inputs),
            "settings": log["settings"],
            "candidates": len(self.result.candidates),
            "frontier": [candidate.number for candidate in self.result.frontier],
            "requirement_met": self.result.requirement_met,
            "why": log["why"],
            "picked": log["candidates"][self.result.picked.number - 1],
            "baseline": log["candidates"][0],
            "held_out": self.held_out,
        }

    def frame(self) -> Any:
        """A row for each candidate, as `SearchResult.frame`."""
        return self.result.frame()

    def plot(self) -> Figure:
        """The candidates by AUC and ratio, as `SearchResult.plot`."""
        return self.result.plot()


def _with_ratio(measured: Measured | None, ratio: Ratio | None) -> dict[str, Any] | None:
    if measured is None:
        return None
    return measured.to_dict() | {"ratio": None if ratio is None else ratio.to_dict()}
