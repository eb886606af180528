"""Tables of `scrutable calibrate` and `scrutable validate`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from scrutable.cli import table
from scrutable.writing import in_digits
from scrutable_lifecycle.commands.wording import UNDEFINED, between, percent, with_interval

if TYPE_CHECKING:
    from scrutable.fairness import FourFifths
    from scrutable_lifecycle.calibration import Calibrated, Reliability, ReliabilityCurve
    from scrutable_lifecycle.validation import Disparity, Drift, Validation


def calibration_table(calibrated: Calibrated) -> Table:
    """What the old and the new calibration say, beside what happened."""
    sides = [calibrated.before.overall, calibrated.after.overall]
    rows = [[name, *(cells(side) for side in sides)] for name, cells in _FIGURES.items()]
    return table(("", "before", "after"), rows, right=(1, 2))


def bins_table(curve: ReliabilityCurve, title: str) -> Table:
    """A line for each bin of the PD."""
    rows = [
        [
            _range(each.lower, each.upper),
            in_digits(each.size),
            percent(each.mean_pd, 2),
            f"{percent(each.bad_rate, 2)} {between(each.interval, '.2%')}",
        ]
        for each in curve.bins
    ]
    return table(("PD", "applicants", "mean PD", "observed"), rows, title=title, right=(1, 2, 3))


def groups_table(reliability: Reliability) -> Table:
    """Expected beside observed, by group."""
    rows = [
        [
            each.attribute,
            each.group + (" (small)" if each.curve.small else ""),
            in_digits(each.curve.size),
            percent(each.curve.mean_pd, 2),
            f"{percent(each.curve.bad_rate, 2)} {between(each.curve.bad_rate_interval, '.2%')}",
            with_interval(each.curve.expected_over_observed, each.curve.expected_over_observed_interval),
        ]
        for each in reliability.groups
    ]
    headers = ("attribute", "group", "applicants", "mean PD", "observed", "expected / observed")
    return table(headers, rows, title="Calibration by group", right=(2, 3, 4, 5))


def validation_tables(validation: Validation) -> Iterator[Table]:
    """Separation, decisions, calibration, disparity and stability."""
    separation = validation.discrimination
    measures = {
        "AUC": (separation.auc, separation.auc_interval),
        "Gini": (separation.gini, separation.gini_interval),
        "KS": (separation.ks, separation.ks_interval),
    }
    few = " (few rows)" if separation.small else ""
    rows = [[name, with_interval(*figure) + few] for name, figure in measures.items()]
    for point in validation.decisions:
        threshold = "" if point.threshold != point.threshold else f" (threshold {in_digits(point.threshold)})"
        at = f"approved at {_BASIS.get(point.basis, point.basis)}{threshold}"
        bad = percent(point.bad_rate_among_approved, 2)
        rows.append([at, f"{percent(point.approval_rate, 2)}, bad rate among them {bad}"])
    rows += [[name, cells(validation.calibration.overall)] for name, cells in _FIGURES.items()]
    yield table(("", "figure"), rows, title="Separation, decisions and calibration", right=(1,))
    if validation.calibration.groups:
        yield groups_table(validation.calibration)
    if validation.disparity:
        yield disparity_table(validation.disparity)
        yield four_fifths_table(validation.four_fifths)
    if validation.drift:
        yield drift_table(validation.drift)


def disparity_table(disparity: Sequence[Disparity]) -> Table:
    """A line for each group at the model's own decisions."""
    rows = []
    for each in disparity:
        metrics, test, difference = each.metrics, each.test, each.difference
        rows.append(
            [
                f"{metrics.attribute}: {metrics.group}" + (" (small)" if each.small else ""),
                in_digits(each.size),
                percent(metrics.approval_rate, 2),
                "reference"
                if test is None
                else with_interval(metrics.adverse_impact_ratio, metrics.intervals["adverse_impact_ratio"]),
                "" if test is None else _p_values(test.p_value, test.fisher_p),
                "" if difference is None else with_interval(difference.smd, difference.interval),
            ]
        )
    headers = ("group", "applicants", "approved", "adverse impact ratio", "p (Fisher)", "mean difference")
    return table(headers, rows, title="Disparity at the model's decisions", right=(1, 2, 3, 4, 5))


def four_fifths_table(ratios: Sequence[FourFifths]) -> Table:
    """A line for each attribute: its lowest approval rate divided by its highest."""
    rows = [
        [each.title, with_interval(each.ratio, each.interval), str(len(each.groups)), ", ".join(each.too_small)]
        for each in ratios
    ]
    headers = ("lowest / highest", "four-fifths ratio", "groups", "too small")
    return table(headers, rows, title="Four-fifths ratios of these approval rates", right=(1, 2))


def drift_table(drift: Sequence[Drift]) -> Table:
    """A line for the score and each characteristic."""
    rows = [
        [
            each.name if each.segment is None else f"{each.segment}: {each.name}",
            with_interval(each.index, each.interval),
            f"{each.expected_index:.3f}",
            each.reading,
        ]
        for each in drift
    ]
    headers = ("", "PSI", "without drift", "reading")
    return table(headers, rows, title="Stability against the development sample", right=(1, 2))


def _p_values(p: float, fisher: float | None) -> str:
    if p != p:
        return UNDEFINED
    return _small(p) if fisher is None else f"{_small(p)} ({_small(fisher)})"


def _small(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def _range(lower: float, upper: float) -> str:
    if lower == float("-inf"):
        return "all" if upper == float("inf") else f"below {in_digits(upper, 4)}"
    return f"from {in_digits(lower, 4)}" if upper == float("inf") else f"{in_digits(lower, 4)} to {in_digits(upper, 4)}"


def _test(curve: ReliabilityCurve) -> str:
    if curve.hosmer_lemeshow != curve.hosmer_lemeshow:
        return UNDEFINED
    return f"{curve.hosmer_lemeshow:.2f}, p {_small(curve.hosmer_lemeshow_p)}{_ties(curve)}"


def _ties(curve: ReliabilityCurve) -> str:
    """What equal PDs, which are never put apart, make of the bins that a test is of; nothing where they are even.

    >>> import numpy as np
    >>> from scrutable.measures import reliability
    >>> good = np.arange(200) % 3 > 0
    >>> _ties(reliability(np.arange(200) / 300, good).overall), _ties(reliability(good * 0.2, good).overall)
    ('', ', of 2 bins, since equal PDs share one: the largest has 66%')
    """
    count, largest = len(curve.bins), max(each.size for each in curve.bins) / curve.size
    if count == _BINS and largest <= _UNEVEN / count:
        return ""
    return f", of {count} bins, since equal PDs share one: the largest has {percent(largest, 0)}"


#: Bins where every row has a PD of its own, and how many times its share the largest of even ones has at most.
_BINS, _UNEVEN = 10, 1.5
#: Where a threshold comes from, in words.
_BASIS = {"cutoff": "the model's cutoff", "approval rate": "a fixed approval rate"}
_FIGURES: dict[str, Callable[[ReliabilityCurve], str]] = {
    "mean PD": lambda curve: percent(curve.mean_pd, 2),
    "observed default rate": lambda curve: f"{percent(curve.bad_rate, 2)} {between(curve.bad_rate_interval, '.2%')}",
    "expected / observed": lambda curve: with_interval(
        curve.expected_over_observed, curve.expected_over_observed_interval
    ),
    "calibration slope": lambda curve: with_interval(curve.slope, curve.slope_interval),
    "calibration intercept": lambda curve: with_interval(curve.intercept, curve.intercept_interval),
    "Brier score": lambda curve: f"{curve.brier.score:.4f}",
    "Hosmer-Lemeshow": _test,
}
