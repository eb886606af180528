"""Counterfactuals of many applicants, summed up: what would have to change, and whether that differs between groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import is_small
from scrutable.errors import InputError, warn_caller
from scrutable.fairness import Groups, SmallGroupWarning, size_of
from scrutable_counterfactual.arrays import Floats
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.figures import FeatureFigures, Figures, GroupFigures

if TYPE_CHECKING:
    import pandas as pd

#: Figures that are compared between groups.
_COMPARED = ("with_answer", "changes", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What `summarise` found.

    Parameters
    ----------
    wanted : in words.
    met : applicants who have what is wanted; nothing else here is about them.
    proven : applicants with an answer that is proven to be best.
    figures : of all applicants who do not have what is wanted.
    features : those that change in some answer, most often first.
    groups : of each protected attribute.
    """

    wanted: str
    met: int
    proven: int
    figures: Figures
    features: tuple[FeatureFigures, ...]
    groups: tuple[GroupFigures, ...] = ()

    def describe(self) -> str:
        """The figures of all applicants in sentences."""
        figures, everyone = self.figures, self.figures.applicants
        text = f"Wanted is {self.wanted}: {self.met:,} applicants have it, {everyone:,.0f} have not."
        if not everyone:
            return text
        reach, never, unproven = (
            round(share * everyone) for share in (figures.with_answer, figures.without_answer, figures.unproven)
        )
        text += f" For {reach:,} of these the limits leave an answer ({self.proven:,} proven to be best)"
        text += f", for {never:,} it is proven that they leave none, and for {unproven:,} it is not known."
        if not reach:
            return text
        cost = "" if math.isnan(figures.cost) else f", and costs {figures.cost:.3g}"
        return f"{text} An answer has {figures.changes:.2f} changes on average{cost}."

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "wanted": self.wanted,
            "met": self.met,
            "proven": self.proven,
            **self.figures.to_dict(),
            "features": [feature.to_dict() for feature in self.features],
            "groups": [group.to_dict() for group in self.groups],
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """By title: a row for each feature that changes, and if there are groups, a row for each of them.

        "share" is of the applicants with an answer, "without" the applicants of a group who lack what is wanted,
        "answered" the share of these that has an answer; gaps are the group's
        figure minus the reference's.
        """
        import pandas as pd

        columns = ["feature", "share", "points gained"]
        rows = [(each.title, each.share, each.points_gained) for each in self.features]
        tables = {"What has to change": pd.DataFrame(rows, columns=columns)}
        if self.groups:
            tables["By group"] = pd.DataFrame([_row(group) for group in self.groups])
        return tables


def summarise(explanations: Sequence[Counterfactuals], groups: Any = None, *, min_group_size: int = 30) -> Summary:
    """Sum up the counterfactuals of n applicants, everyone who lacks what is wanted counting the same.

    The figures by group are a probe, not a verdict. They say how far the model's cutoff is for those it declined, in
    the terms of the objective; who is declined, and whether rightly, is not in them. Means of changes and costs are
    over applicants with an answer, and so of different shares of the groups.

    Parameters
    ----------
    groups : `Groups`, or a frame with a column for each protected attribute, of the same n rows.
    min_group_size : groups with fewer applicants to sum up bring one `SmallGroupWarning`.

    Raises
    ------
    InputError : there are no applicants, or as in `Groups.from_frame`.
    """
    if not explanations:
        raise InputError("there are no applicants", where="summary", fix="give at least one explanation")
    asked = np.array([each.status != "met" for each in explanations])
    rows = _Rows([each for each in explanations if each.status != "met"])
    return Summary(
        wanted=explanations[0].wanted,
        met=int((~asked).sum()),
        proven=sum(each.status == "optimal" for each in explanations),
        figures=rows.figures(np.ones(len(rows.explanations))),
        features=rows.features(),
        groups=() if groups is None else _by_group(rows, groups, asked, min_group_size),
    )


class _Rows:
    """n applicants who do not have what is wanted, as arrays."""

    def __init__(self, explanations: Sequence[Counterfactuals]) -> None:
        self.explanations = explanations
        self.answered = np.array([bool(each.answers) for each in explanations], dtype=bool)
        self.proven_not = np.array([each.status == "infeasible" for each in explanations], dtype=bool)
        changes = [_mean(len(answer.changes) for answer in each.answers) for each in explanations]
        costs = [
            math.nan if each.cost is None or not each.answers else each.cost / len(each.answers)
            for each in explanations
        ]
        self.changes, self.cost = np.array(changes), np.array(costs)

    def figures(self, weight: Floats) -> Figures:
        """Of these applicants, (n,) weighted."""
        answered = weight * self.answered
        return Figures(
            applicants=float(weight.sum()),
            with_answer=_average(self.answered.astype(np.float64), weight),
            without_answer=_average(self.proven_not.astype(np.float64), weight),
            unproven=_average((~self.answered & ~self.proven_not).astype(np.float64), weight),
            changes=_average(self.changes, answered),
            cost=_average(self.cost, answered * np.isfinite(self.cost)),
        )

    def features(self) -> tuple[FeatureFigures, ...]:
        """Every feature that changes, most often first."""
        titles: dict[str, str] = {}
        weights: dict[str, list[float]] = {}
        gains: dict[str, list[float]] = {}
        for explanation in self.explanations:
            for answer in explanation.answers:
                for change in answer.changes:
                    titles[change.feature] = change.title
                    weights.setdefault(change.feature, []).append(1 / len(explanation.answers))
                    gains.setdefault(change.feature, []).append(change.points_gained)
        made = (
            FeatureFigures(
                feature=name,
                title=title,
                share=math.fsum(weights[name]) / int(self.answered.sum()),
                points_gained=_average(np.array(gains[name]), np.array(weights[name])),
            )
            for name, title in titles.items()
        )
        return tuple(sorted(made, key=lambda each: (-each.share, each.feature)))


def _by_group(rows: _Rows, groups: Any, asked: NDArray[np.bool_], min_group_size: int) -> tuple[GroupFigures, ...]:
    known = Groups.from_frame(groups, min_group_size=0, expected_rows=len(asked))
    made, small = [], []
    for attribute in known.attributes:
        weights = dict(zip(attribute.labels, attribute.membership[asked].T, strict=True))
        figures = {label: rows.figures(weight) for label, weight in weights.items()}
        base = figures[attribute.reference]
        for label, own in figures.items():
            gaps = {name: getattr(own, name) - getattr(base, name) for name in _COMPARED}
            made.append(
                GroupFigures(
                    attribute=attribute.name, group=label, reference=attribute.reference, figures=own, gaps=gaps
                )
            )
            if is_small(own.applicants, min_group_size):
                small.append(size_of(attribute.name, label, own.applicants))
    if small:
        told = "; ".join(dict.fromkeys(small))
        advice = "Fix: merge them with others, or read their figures with care"
        warn_caller(f"groups smaller than {min_group_size}: {told}. {advice}.", SmallGroupWarning)
    return tuple(made)


def _row(group: GroupFigures) -> dict[str, Any]:
    """A group as a row of a table."""
    figures, gaps = group.figures, group.gaps
    return {
        "attribute": group.attribute,
        "group": f"{group.group} (reference)" if group.is_reference else group.group,
        "without": figures.applicants,
        "answered": figures.with_answer,
        "answered gap": gaps["with_answer"],
        "changes": figures.changes,
        "changes gap": gaps["changes"],
        "cost": figures.cost,
        "cost gap": gaps["cost"],
    }


def _average(values: Floats, weight: Floats) -> float:
    """Mean of the values that have a weight; NaN where none has."""
    counted = weight > 0
    return float(np.average(values[counted], weights=weight[counted])) if counted.any() else math.nan


def _mean(values: Iterable[int]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else math.nan
