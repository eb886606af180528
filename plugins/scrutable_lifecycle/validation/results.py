"""What a validation returns: plain, frozen values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Literal, get_args

from scrutable.data.frames import PANDAS, FrameKind
from scrutable.errors import InputError
from scrutable.errors.checks import check_choice
from scrutable.fairness import FourFifths, GroupMetrics, OperatingPoint, Performance
from scrutable.measures import Reliability, SeparationCurve
from scrutable.writing import NotebookTable, ShownInNotebooks, in_digits, plain
from scrutable_lifecycle.figures import (
    Figure,
    calibration_figures,
    decision_figures,
    frame_of,
    group_figures,
    separation_figures,
)
from scrutable_lifecycle.validation.significance import ImpactTest
from scrutable_lifecycle.validation.smd import MeanDifference
from scrutable_lifecycle.validation.stability import Drift

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

#: The decisions that disparity is measured at.
_OWN = "decisions"
#: Samples of which there are curves.
MEASURED, DEVELOPMENT = "measured", "development"

PictureKind = Literal["reliability", "roc", "cap", "gains", "ks", "groups"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disparity:
    """A group, or an intersection of groups, beside its reference; the decisions are the model's own.

    Parameters
    ----------
    size : rows, weights or expected rows of the group.
    small : whether its effective rows are below the minimum; its figures are shown, and say little.
    metrics : approval rates, gaps and the adverse impact ratio with intervals.
    test : of equal approval rates; None for the reference itself, and so is `difference`, of the mean scores.
    """

    size: float
    small: bool
    metrics: GroupMetrics
    test: ImpactTest | None
    difference: MeanDifference | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "attribute": self.metrics.attribute,
            "group": self.metrics.group,
            "reference": self.metrics.reference,
            "size": self.size,
            "small": self.small,
            "metrics": self.metrics.to_dict(),
            "test": None if self.test is None else self.test.to_dict(),
            "mean_difference": None if self.difference is None else self.difference.to_dict(),
        }

    def figures(self) -> Iterator[Figure]:
        """Rates and their ratio, the test of it, and the standardised mean difference of the score."""
        yield from group_figures(self.metrics, _OWN)
        of = (_OWN, self.metrics.attribute, self.metrics.group)
        if self.test is not None:
            yield Figure("p_value", self.test.p_value, nan, nan, *of)
        if self.difference is not None:
            yield Figure("standardised_mean_difference", self.difference.smd, *self.difference.interval, *of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation(ShownInNotebooks):
    """A model on rows that it did not learn from.

    Parameters
    ----------
    rows : all of them, and `known` those with an outcome; the others count in the stability and in
        `approval_rate_unknown`, the share of them that the model approves (NaN where there are none).
    discrimination : AUC, Gini and KS with intervals.
    calibration : PD beside the bad rate, overall and by group.
    decisions : approval rate and bad rate among the approved, at the model's own decisions and at a fixed approval
        rate.
    disparity : a line for each group, at the model's own decisions; empty without groups.
    four_fifths : the four-fifths ratio of each attribute and intersection, at the same decisions.
    drift : stability against the development rows; empty without them.
    curves : ROC, CAP, gains and KS of what ranks applicants: of the rows "measured", and of the "development" rows
        where their outcomes are known.
    min_group_size : smaller groups are flagged.
    kind : the kind of frame that went in.
    """

    rows: int
    known: int
    approval_rate_unknown: float
    discrimination: Performance
    calibration: Reliability
    decisions: tuple[OperatingPoint, ...]
    disparity: tuple[Disparity, ...]
    four_fifths: tuple[FourFifths, ...]
    drift: tuple[Drift, ...]
    curves: Mapping[str, SeparationCurve] = field(compare=False)
    min_group_size: float
    seed: int
    kind: FrameKind = field(default=PANDAS, repr=False)

    def __repr__(self) -> str:
        auc, ratio = self.discrimination.auc, self.calibration.overall.expected_over_observed
        measured = f"AUC {auc:.3f}, expected / observed defaults {ratio:.3f}"
        groups = f", {len(self.disparity)} groups" if self.disparity else ""
        return f"Validation({self.known:,} of {self.rows:,} rows with an outcome, {measured}{groups})"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """Every figure with its interval, as `frame` has them: those of everybody, then those of groups."""
        every = list(self._figures())
        for caption, of_groups in (("everybody", False), ("by group", True)):
            rows = [
                [
                    each.measure.replace("_", " "),
                    *((each.attribute, each.group) if of_groups else ()),
                    each.basis,
                    in_digits(each.value, 4),
                    "" if isnan(each.low) else f"{in_digits(each.low, 4)} to {in_digits(each.high, 4)}",
                ]
                for each in every
                if bool(each.attribute) is of_groups
            ]
            headers = ("measure", *(("attribute", "group") if of_groups else ()), "at", "value", "interval")
            numbers = frozenset({len(headers) - 2, len(headers) - 1})
            if rows:
                yield NotebookTable(caption=caption, headers=headers, rows=rows, numbers=numbers)

    @property
    def small_groups(self) -> tuple[str, ...]:
        """Groups under the minimum size, as "attribute: group"."""
        return tuple(f"{each.metrics.attribute}: {each.metrics.group}" for each in self.disparity if each.small)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "rows": self.rows,
            "known": self.known,
            "approval_rate_unknown": plain(self.approval_rate_unknown),
            "discrimination": self.discrimination.to_dict(),
            "calibration": self.calibration.to_dict(),
            "decisions": [each.to_dict() for each in self.decisions],
            "disparity": [each.to_dict() for each in self.disparity],
            "four_fifths": [each.to_dict() for each in self.four_fifths],
            "small_groups": list(self.small_groups),
            "min_group_size": self.min_group_size,
            "drift": [each.to_dict() for each in self.drift],
            "curves": {name: curve.to_dict() for name, curve in self.curves.items()},
            "seed": self.seed,
        }

    def frame(self) -> Any:
        """A row for each figure with its interval; of the kind of frame that went in."""
        return frame_of(self._figures(), self.kind)

    def plot(self, kind: PictureKind = "reliability") -> Picture:
        """A picture for the model's file.

        Parameters
        ----------
        kind : "reliability", predicted beside observed default rates, of everybody and by group; or "roc", "cap",
            "gains" or "ks", how well the score separates, of all samples in `curves`; or "groups", ratios of approval
            rates between groups with their intervals, at the model's own decisions.

        Raises
        ------
        InputError : another kind; no groups to draw.
        PluginError : matplotlib is not installed.
        """
        check_choice(kind, get_args(PictureKind), "kind")
        if kind == "reliability":
            from scrutable_lifecycle.plots.reliability import plot_reliability

            return plot_reliability(self.calibration)
        if kind == "groups":
            if not self.disparity:
                fix = "validate with groups, or with protected attributes in the config"
                raise InputError("no groups were compared", where="kind", got=kind, fix=fix)
            from scrutable_lifecycle.plots.impact import plot_impact

            return plot_impact([each.metrics for each in self.disparity], self.four_fifths)
        from scrutable_lifecycle.plots.separation import plot_separation

        return plot_separation(kind, self.curves)

    def _figures(self) -> Iterator[Figure]:
        yield from separation_figures(self.discrimination)
        for point in self.decisions:
            yield from decision_figures(point)
        yield from calibration_figures(self.calibration)
        for each in self.disparity:
            yield from each.figures()
        for ratio in self.four_fifths:
            yield Figure("four_fifths_ratio", ratio.ratio, *ratio.interval, _OWN, ratio.attribute)
        for drift in self.drift:
            name = drift.name if drift.segment is None else f"{drift.segment}: {drift.name}"
            yield Figure(f"psi of {name}", drift.index, *drift.interval)
