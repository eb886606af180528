"""What a search gives: every candidate, the frontier, the pick and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from scrutable.data.frames import PANDAS, FrameKind, like
from scrutable.measures import Interval
from scrutable.model import Evidence, FrozenMapping, Json, freeze
from scrutable.writing import NotebookTable, ShownInNotebooks, plain
from scrutable_lifecycle.search.candidate import Candidate, Repeat
from scrutable_lifecycle.search.ratio_words import RATIO_TITLES
from scrutable_lifecycle.search.settings import CONFIDENCE, Settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(ShownInNotebooks):
    """Every candidate, the one picked, and the record of how that came about.

    Parameters
    ----------
    candidates : the different models, in the order in which they were tried; the baseline first.
    repeats : alternatives that turned out to be one of them.
    picked : the most accurate candidate that meets the requirement, or the closest to it if none does.
    requirement_met : whether it does.
    settings : what the search was told, with the approval rate that it used.
    about : data and learner, as `to_dict` states them.
    kind : the kind of frame that went in.
    """

    candidates: tuple[Candidate, ...]
    repeats: tuple[Repeat, ...]
    picked: Candidate
    requirement_met: bool
    settings: Settings
    about: FrozenMapping[Json]
    kind: FrameKind = field(default=PANDAS, repr=False)

    def __repr__(self) -> str:
        met = "met" if self.requirement_met else "not met"
        counts = f"{len(self.candidates)} candidates"
        picked = f"picked {self.picked.number}, {self.picked.name!r}"
        if not self.settings.by_groups:
            return f"SearchResult({counts}, {picked})"
        counts += f", {len(self.frontier)} on the frontier"
        return f"SearchResult({counts}, {picked}, required ratio {self.settings.required_ratio:g} {met})"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The pick, the baseline and the other candidates on the frontier, by falling AUC; without groups, all."""
        by_groups = self.settings.by_groups
        others = self.frontier if by_groups else self.candidates
        shown = {each.number: each for each in (self.picked, self.baseline, *others)}
        rows = [
            [
                str(each.number),
                each.name,
                ", ".join(name for name, marked in self._marks(each).items() if marked),
                f"{each.auc:.4f}",
                *([f"{each.ratio.value:.4f}"] if by_groups else []),
                "" if isnan(each.bad_rate) else f"{each.bad_rate:.2%}",
                each.why,
            ]
            for each in sorted(shown.values(), key=lambda each: (-each.auc, each.number))
        ]
        headers = ("", "candidate", "", "AUC", *([self._title] if by_groups else []), "bad rate", "why")
        yield NotebookTable(headers=headers, rows=rows, numbers=frozenset({0, *range(3, len(headers) - 1)}))

    @property
    def baseline(self) -> Candidate:
        """The unconstrained model."""
        return self.candidates[0]

    @property
    def frontier(self) -> tuple[Candidate, ...]:
        """The comparable candidates that no other beats in ratio and AUC, by falling AUC."""
        front = [candidate for candidate in self.candidates if candidate.on_frontier]
        return tuple(sorted(front, key=lambda each: (-each.auc, each.number)))

    def frame(self) -> Any:
        """A row for each candidate: what it is, and what it does on the validation rows; of the kind that went in."""
        import pandas as pd

        return like(pd.DataFrame([self._row(candidate) for candidate in self.candidates]), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """Settings, rows, every alternative tried with its measures, and why it was picked or not; JSON values."""
        log: dict[str, Any] = plain(
            {
                **self.about,
                "settings": self.settings.to_json(),
                "candidates": [candidate.to_dict() | self._marks(candidate) for candidate in self.candidates],
                "repeats": [repeat.to_dict() for repeat in self.repeats],
                "baseline": self.baseline.number,
                "picked": self.picked.number,
                "requirement_met": self.requirement_met,
                "why": self.picked.why,
            }
        )
        return log

    def evidence(self) -> Evidence:
        """Evidence of the model picked, with its measures on the validation rows and the log of the search."""
        known = self.picked.alternative.evidence
        metrics = {**known.metrics, "validation": freeze(self.picked.judgement.to_dict())}
        return replace(known, metrics=FrozenMapping(metrics), search_log=(freeze(self.to_dict()),))

    def plot(self) -> Figure:
        """The candidates by AUC and ratio, with their intervals, the frontier and the pick; without groups their ROC.

        Raises
        ------
        InputError : matplotlib is not installed.
        """
        if not self.settings.by_groups:
            from scrutable_lifecycle.plots.separation import plot_separation

            curves = ((each.name, each.beside) for each in self.candidates)
            return plot_separation("roc", {name: beside.curve for name, beside in curves if beside and beside.curve})
        from scrutable_lifecycle.plots.frontier import FrontierPoint, plot_frontier

        approving = 100 * (self.settings.approval_rate or 0.0)
        undefined = any(candidate.bad_rate != candidate.bad_rate for candidate in self.candidates)
        points = [
            FrontierPoint(
                name=candidate.name,
                method=candidate.learner if candidate.among else candidate.alternative.method,
                ratio=candidate.ratio.value,
                auc=candidate.auc,
                ratio_interval=_ends(candidate.ratio.interval),
                auc_interval=_ends(candidate.auc_interval),
                bad_rate=None if undefined else candidate.bad_rate,
                comparable=candidate.comparable,
                on_frontier=candidate.on_frontier,
                **self._marks(candidate),
            )
            for candidate in self.candidates
        ]
        return plot_frontier(
            points,
            required_ratio=self.settings.required_ratio,
            subtitle=f"validation rows; {CONFIDENCE:.0%} bootstrap intervals",
            ratio_label=f"smallest {self._title} of the attributes, approving {approving:.3g}%",
        )

    @property
    def _title(self) -> str:
        kinds = {candidate.ratio.kind for candidate in self.candidates}
        return RATIO_TITLES[kinds.pop()] if len(kinds) == 1 else "ratio of approval rates"

    def _marks(self, candidate: Candidate) -> dict[str, bool]:
        return {"picked": candidate.number == self.picked.number, "baseline": candidate is self.baseline}

    def _row(self, candidate: Candidate) -> dict[str, Any]:
        performance, ratio, by_groups = candidate.judgement.performance, candidate.ratio, self.settings.by_groups
        of_ratio = {
            **_interval("ratio", ratio.value, ratio.interval),
            "ratio_attribute": ratio.attribute,
            "ratio_group": ratio.group,
            "ratio_against": ratio.against,
            "ratio_kind": ratio.kind,
        }
        row = {
            "number": candidate.number,
            "name": candidate.name,
            "learner": candidate.learner,
            "method": candidate.alternative.method,
            "parameters": json.dumps(plain(candidate.alternative.parameters), ensure_ascii=False),
            "characteristics": candidate.characteristics,
            "attributes": candidate.attributes,
            **{f"iv_{name}": count for name, count in candidate.strengths.items()},
            **_interval("auc", performance.auc, performance.auc_interval),
            **_interval("ks", performance.ks, performance.ks_interval),
            **({} if candidate.beside is None else candidate.beside.figures()),
            **(of_ratio if by_groups else {}),
            "approval_rate": candidate.approval_rate,
            "approval_rate_learned": candidate.judgement.approval_rate_learned,
            "bad_rate": candidate.bad_rate,
        }
        for rate, reading in candidate.judgement.at_rates.items():
            value, ends = (nan, (nan, nan)) if reading is None else (reading.ratio.value, reading.ratio.interval)
            if by_groups:
                row |= _interval(f"ratio_at_{rate:g}", value, ends)
            row[f"bad_rate_at_{rate:g}"] = nan if reading is None else reading.point.bad_rate_among_approved
        front = {"on_frontier": candidate.on_frontier} if by_groups else {}
        marks = {"comparable": candidate.comparable, **front, **self._marks(candidate)}
        return row | marks | {"also_found_as": "; ".join(candidate.also), "why": candidate.why}


def _ends(ends: Interval) -> Interval | None:
    return None if isnan(ends[0]) else ends


def _interval(name: str, value: float, ends: Sequence[float]) -> dict[str, float]:
    return {name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
