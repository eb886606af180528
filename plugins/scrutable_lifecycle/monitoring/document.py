"""A monitoring as JSON and as a page of HTML."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.data import MIN_GROUP_SIZE, MIN_OUTCOMES
from scrutable.writing import document_templates, in_digits, json_text
from scrutable_lifecycle.monitoring.charts import SERIES, Series, distribution, index_bars, over_time, share_bars
from scrutable_lifecycle.monitoring.checks import Check, check_index, p_words
from scrutable_lifecycle.monitoring.disparity import GroupPeriod
from scrutable_lifecycle.monitoring.figures import MonitoringFigures
from scrutable_lifecycle.monitoring.model_drift import ModelDrift
from scrutable_lifecycle.monitoring.performance import Period
from scrutable_lifecycle.monitoring.svg import Picture
from scrutable_lifecycle.search.ratio_words import RATIO_TITLES

if TYPE_CHECKING:
    import jinja2


def to_json(monitoring: MonitoringFigures) -> str:
    """JSON text; the same monitoring gives the same bytes."""
    return json_text(monitoring.to_dict())


def to_html(monitoring: MonitoringFigures) -> str:
    """A page that stands alone: no script, no font or picture from elsewhere; all that comes from data is escaped."""
    shown = (monitoring.baseline, *(monitoring.periods or (monitoring.new,)))
    return _template().render(
        monitoring=monitoring,
        periods=(monitoring.baseline, monitoring.new, *monitoring.periods),
        csi_rows=_csi_rows(monitoring),
        judged=RATIO_TITLES[monitoring.thresholds.ratio],
        least=MIN_GROUP_SIZE,
        fewest=MIN_OUTCOMES,
        part_pictures=[tuple(_of_part(part, monitoring)) for part in monitoring.parts],
        pictures=tuple(_of_time(shown, monitoring)) if monitoring.periods else (),
        group_pictures=tuple(_of_groups(shown, monitoring)) if monitoring.periods else (),
    )


def percent(value: float | None) -> str:
    """A share.

    >>> percent(0.1234), percent(float("nan"))
    ('12.3%', '–')
    """
    return "–" if value is None or math.isnan(value) else f"{value:.1%}"


def decimals(value: float | None, places: int = 3) -> str:
    """A number with so many decimals.

    >>> decimals(0.12345), decimals(-0.00001), decimals(None)
    ('0.123', '0.000', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def span(ends: Sequence[float]) -> str:
    """An interval.

    >>> span((0.5, 0.75)), span((float("nan"), float("nan")))
    ('0.500 to 0.750', '–')
    """
    return "–" if any(map(math.isnan, ends)) else f"{ends[0]:.3f} to {ends[1]:.3f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A characteristic's index in each period, with what its thresholds say of it; None where it was not measured."""

    name: str
    cells: tuple[Check | None, ...]


def _csi_rows(monitoring: MonitoringFigures) -> list[_Row]:
    by_period = [{each.name: each for each in period.csi} for period in monitoring.periods]
    names = dict.fromkeys(name for by_name in by_period for name in by_name)
    return [
        _Row(
            name=name,
            cells=tuple(
                check_index("csi", by_name[name], monitoring.thresholds) if name in by_name else None
                for by_name in by_period
            ),
        )
        for name in names
    ]


def _of_part(part: ModelDrift, monitoring: MonitoringFigures) -> Iterator[Picture]:
    limits = monitoring.thresholds
    if part.score is not None:
        yield share_bars(part.score, "Share of the applicants in each band of the score")
    if part.histogram is not None:
        yield distribution(part.histogram, part.cutoff, "Distribution of the score, without those declined anyway")
    for indices, what in ((part.characteristics, "characteristic"), (part.rules, "rule")):
        if indices:
            caption = f"Index of each {what}, with the warning and the alert"
            yield index_bars(indices, limits.csi_warn, limits.csi_alert, caption)


def _of_time(periods: Sequence[Period], monitoring: MonitoringFigures) -> Iterator[Picture]:
    names = [period.name for period in periods]
    limits = monitoring.thresholds
    approved = Series(name="approval rate", values=tuple(each.approval_rate for each in periods))
    yield over_time(names, [approved], "Approval rate", percent=True)
    if any(each.psi is not None for each in periods):
        psi = tuple(math.nan if each.psi is None else each.psi.index for each in periods)
        levels = [("warning", limits.psi_warn), ("alert", limits.psi_alert)]
        caption = f"PSI of the {monitoring.ranked_by}"
        yield over_time(names, [Series(name=caption, values=psi)], caption, limits=levels)
    if any(each.performance is not None for each in monitoring.periods):
        yield _areas(periods, names, monitoring)
    if monitoring.new.outcomes:
        rates = [Series(name="observed bad rate", values=tuple(each.bad_rate for each in periods))]
        if any(each.calibrated is not None for each in periods):
            expected = (math.nan if each.calibrated is None else each.calibrated.expected for each in periods)
            rates.append(Series(name="expected bad rate", values=tuple(expected)))
        yield over_time(names, rates, "Bad rate of the applicants whose outcome is known", percent=True)


def _areas(periods: Sequence[Period], names: Sequence[str], monitoring: MonitoringFigures) -> Picture:
    undefined = (math.nan, math.nan)
    measured = [each.performance for each in periods]
    auc = Series(
        name="AUC",
        values=tuple(math.nan if each is None else each.auc for each in measured),
        intervals=tuple(undefined if each is None else each.auc_interval for each in measured),
    )
    before = monitoring.baseline.performance
    least = [] if before is None else [("alert below", before.auc - monitoring.thresholds.auc_drop)]
    return over_time(names, [auc], f"AUC, with {monitoring.thresholds.confidence:.0%} intervals", limits=least)


def _of_groups(periods: Sequence[Period], monitoring: MonitoringFigures) -> Iterator[Picture]:
    """Ratios by period; a line marks the threshold of those that are judged."""
    names, limits = [period.name for period in periods], monitoring.thresholds
    marks = {
        kind: [(f"{limits.impact_ratio:.2f}", limits.impact_ratio)] if kind == limits.ratio else []
        for kind in RATIO_TITLES
    }
    ratios = monitoring.new.four_fifths
    for start in range(0, len(ratios), SERIES):
        lines = [_ratios(each.attribute, periods) for each in ratios[start : start + SERIES]]
        yield over_time(names, lines, "Four-fifths ratio of each attribute", limits=marks["four-fifths"])
    for attribute in dict.fromkeys(group.attribute for group in monitoring.new.groups):
        members = [group for group in monitoring.new.groups if group.attribute == attribute]
        compared = [group for group in members if group.judged]
        for start in range(0, len(compared), SERIES):
            lines = [_line(group, periods) for group in compared[start : start + SERIES]]
            caption = f"{attribute}: adverse impact ratio, reference {members[0].reference}"
            yield over_time(names, lines, caption, limits=marks["adverse-impact"])


def _ratios(attribute: str, periods: Sequence[Period]) -> Series:
    """The four-fifths ratio of an attribute in each period."""
    ratios = [next((each for each in period.four_fifths if each.attribute == attribute), None) for period in periods]
    return _series(attribute, [None if each is None else (each.ratio, each.interval) for each in ratios])


def _line(group: GroupPeriod, periods: Sequence[Period]) -> Series:
    """The adverse impact ratio of a group in each period; none where it has too few applicants to judge."""
    figures = [
        next((each for each in period.groups if (each.attribute, each.group) == (group.attribute, group.group)), None)
        for period in periods
    ]
    return _series(
        group.group,
        [None if each is None or each.small else (each.impact_ratio, each.impact_ratio_interval) for each in figures],
    )


def _series(name: str, figures: Sequence[tuple[float, tuple[float, float]] | None]) -> Series:
    undefined = (math.nan, math.nan)
    return Series(
        name=name,
        values=tuple(math.nan if each is None else each[0] for each in figures),
        intervals=tuple(undefined if each is None else each[1] for each in figures),
    )


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    filters = {"percent": percent, "decimals": decimals, "span": span, "p": p_words, "digits": in_digits}
    templates = document_templates(jinja2.PackageLoader("scrutable_lifecycle.monitoring"), filters=filters)
    return templates.get_template("monitoring.html.jinja")
