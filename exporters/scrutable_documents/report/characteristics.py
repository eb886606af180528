"""The section on the characteristics of scorecards: attributes with their counts, rates, WoE and points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrutable.binning import information_by_attribute
from scrutable.measures.numerics import strength
from scrutable.model import (
    Attribute,
    Characteristic,
    Evidence,
    Feature,
    Interaction,
    MeanStatistics,
    PointIntervals,
    RegressionScorecard,
    Scorecard,
    Sides,
    Statistics,
)
from scrutable.plugins import LEFT_OUT
from scrutable_documents.common.figures import count, decimals, largest, percent, plain, points
from scrutable_documents.common.part import ModelPart, told_by_part
from scrutable_documents.common.sections import Block, Cell, Gap, Heading, Paragraph, Section, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.asked_trends import FREE, UNKNOWN, asked_trends
from scrutable_documents.report.options import NO_EVIDENCE
from scrutable_documents.report.subject import Subject

_OUTCOME = ("Applicants", "Share", "Favourable", "Unfavourable", "Event rate", "WoE")
_QUANTITY = ("Applicants", "Share", "Mean")


def characteristics(subject: Subject) -> Section | None:
    """A table a characteristic, and what was decided about the bins; None where no part is a scorecard."""
    parts = [part for part in subject.parts if isinstance(part.model, Scorecard | RegressionScorecard)]
    if not parts:
        return None
    binning: Mapping[str, Any] = {} if subject.evidence is None else subject.evidence.binning
    blocks = told_by_part(parts, lambda part: _tables(part, binning.get("tables", {}), subject.evidence))
    asked = any(asked_trends(part.model.provenance, binning.get("tables", {})) for part in parts)
    return Section(
        "characteristics", "Characteristics and their attributes", [*blocks, *_audit(subject, binning, asked)]
    )


def _tables(part: ModelPart, known: Mapping[str, Any], evidence: Evidence | None) -> Iterator[Block]:
    assert isinstance(part.model, Scorecard | RegressionScorecard)
    features = {feature.name: feature for feature in part.model.features}
    every = [points for summand in part.model.summands for points in summand]
    scale = (min(0.0, *every), max(0.0, *every)) if every else (0.0, 0.0)
    sure = None if evidence is None else PointIntervals.of(evidence, part.model)
    yield _overview(part.model.characteristics, features, asked_trends(part.model.provenance, known))
    for characteristic in part.model.characteristics:
        yield _table(characteristic, features[characteristic.feature], scale, sure)
    for interaction in part.model.interactions:
        yield _two_way(interaction, features, largest(scale))


def _two_way(interaction: Interaction, features: Mapping[str, Feature], scale: float) -> Table:
    """The points of two features: one down, one across."""
    rows, columns = interaction.axes
    told = [
        [title, *(points(cell, interaction.cells, scale) for cell in row)]
        for title, row in zip(rows.titles, interaction.points, strict=True)
    ]
    caption = f"Points by {features[rows.feature].title} (down) and {features[columns.feature].title} (across)"
    headers = (features[rows.feature].title, *columns.titles)
    return Table(caption=caption, headers=headers, rows=told, numbers=frozenset(range(1, len(headers))))


def _overview(
    characteristics: Sequence[Characteristic], features: Mapping[str, Feature], asked: Mapping[str, str] | None
) -> Table:
    rows, every = [], [end for each in characteristics for end in each.points_range]
    for each in characteristics:
        iv = _iv(each)
        low, high = each.points_range
        trend = UNKNOWN if asked is None else asked.get(each.feature, FREE)
        told = ["", ""] if iv is None else [decimals(iv), strength(iv)]
        ends = [points(low, every), points(high, every)]
        rows.append([features[each.feature].title, *told, trend, each.trend_in_words, *ends])
    headers = (
        "Characteristic",
        "IV",
        "Strength",
        "Trend asked for",
        "Points as it rises",
        "Fewest points",
        "Most points",
    )
    return Table(caption="Characteristics", headers=headers, rows=rows, numbers=frozenset({1, 5, 6}))


def _table(
    characteristic: Characteristic, feature: Feature, scale: tuple[float, float], sure: PointIntervals | None
) -> Table:
    kinds = {type(attribute.statistics) for attribute in characteristic.attributes}
    every = [attribute.points for attribute in characteristic.attributes]
    titles = _OUTCOME if Statistics in kinds else _QUANTITY if MeanStatistics in kinds else ()
    sides = None if sure is None else sure.sides(characteristic.feature)
    rows = [
        [
            title,
            *_seen(attribute, len(titles)),
            points(attribute.points, every, largest(scale)),
            *([] if sides is None else [_interval(side)]),
            pictures.bar(attribute.points, *scale, side),
        ]
        for attribute, title, side in zip(
            characteristic.attributes, characteristic.titles, sides or [None] * len(every), strict=True
        )
    ]
    iv = _iv(characteristic)
    caption = feature.title if iv is None else f"{feature.title} (IV {decimals(iv)})"
    level = [] if sure is None or sides is None else [f"{100 * sure.confidence:g} % interval"]
    headers = ("Attribute", *titles, "Points", *level, "Points as a bar")
    numbers = frozenset(range(1, len(headers) - 1))
    return Table(caption=caption, headers=headers, rows=rows, numbers=numbers, bars=frozenset({len(headers) - 1}))


def _seen(attribute: Attribute, cells: int) -> list[Cell]:
    statistics = attribute.statistics
    if isinstance(statistics, Statistics):
        rates = [percent(statistics.bad_rate) if statistics.count else "", decimals(statistics.woe)]
        return [
            count(statistics.count),
            percent(statistics.share),
            count(statistics.good),
            count(statistics.bad),
            *rates,
        ]
    if isinstance(statistics, MeanStatistics):
        return [count(statistics.count), percent(statistics.share), plain(statistics.mean)]
    return [""] * cells


def _interval(side: Sides) -> str:
    return "" if side is None else " to ".join(points(end, side) for end in side)


def _iv(characteristic: Characteristic) -> float | None:
    """The information value in training, None where the model does not say."""
    known = [each.statistics for each in characteristic.attributes if isinstance(each.statistics, Statistics)]
    outcomes = any(each.good for each in known) and any(each.bad for each in known)
    if len(known) < len(characteristic.attributes) or not outcomes:
        return None
    return float(information_by_attribute(known).sum())


def _audit(subject: Subject, binning: Mapping[str, Any], asked: bool) -> Iterator[Block]:
    """What was set by hand; `asked` says whether trends were asked for, which the table of characteristics has."""
    yield Heading("Decisions about the bins")
    if subject.evidence is None:
        yield Gap(NO_EVIDENCE)
        return
    audit = [edit for edit in binning.get("audit", ()) if edit.get("action") != LEFT_OUT]
    if not audit:
        trends = "The trends that were asked for stand in the table of characteristics. " if asked else ""
        what = "no cuts or merges" if asked else "no cuts, merges or trends"
        yield Paragraph(f"{trends}The evidence records {what} that were set by hand.")
        return
    told = (str(key) for edit in audit for key, value in edit.items() if value not in ("", {}))
    headers = tuple(dict.fromkeys(told))
    rows = [[_entry(edit.get(key)) for key in headers] for edit in audit]
    yield Table(caption="Cuts, merges and trends that were set by hand", headers=headers, rows=rows)


def _entry(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_entry(entry) or 'without bound'}" for key, entry in value.items())
    return "" if value is None else plain(value) if isinstance(value, float) else str(value)
