"""Special codes that one characteristic has a row for and another has not, where they are values like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scrutable.model import Characteristic, Feature, Otherwise, Special, Value, describe_alike, holds
from scrutable.plugins.bases import Finding
from scrutable.writing import number
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.line import PointsLine


def told_codes(
    pairs: Sequence[tuple[Feature, Characteristic]], lines: Mapping[str, Sequence[PointsLine]], layout: Layout
) -> Iterator[Finding]:
    """What is told of each code that has a row in some characteristics, and counts as an ordinary value in others.

    Parameters
    ----------
    pairs : features and their attributes.
    lines : the table's, by characteristic.
    """
    owners: dict[Value, list[Feature]] = {}
    for feature, _ in pairs:
        for code in feature.special_codes:
            owners.setdefault(code, []).append(feature)
    for code, features in owners.items():
        kind = features[0].kind
        others = [(feature, _reached(feature, item, code)) for feature, item in pairs if feature.kind == kind]
        counts = {feature.name: reached for feature, reached in others if reached is not None}
        if not counts:
            continue
        told = repr(code) if isinstance(code, str) else number(code)
        where = " and ".join(repr(feature.name) for feature in features)
        counted = ", ".join(f"in {name!r} it counts as {words}" for name, words in counts.items())
        what = f"code {told} has a row in {where}; {counted}; if it is a code there too, {_fix(counts, lines, layout)}"
        yield Finding(kind="assumption", where="special codes", what=what)


def _reached(feature: Feature, item: Characteristic, code: Value) -> str | None:
    """The attribute, in words, that a value falls in without being listed; None where a row lists it."""
    told = list(zip(item.conditions, describe_alike(item.conditions), strict=True))
    for condition, words in told:
        if not isinstance(condition, Otherwise) and holds(condition, feature, code):
            return None if isinstance(condition, Special) or code in getattr(condition, "values", ()) else words
    return next((words for condition, words in told if isinstance(condition, Otherwise)), None)


def _fix(names: Mapping[str, object], lines: Mapping[str, Sequence[PointsLine]], layout: Layout) -> str:
    """A row for the code; where a row of special codes stands already, only its code is to be named."""
    unnamed = [name for name in names if any(line.special for line in lines[name])]
    fixes = [f"add a row for it ({layout.special_row})"] if len(unnamed) < len(names) else []
    if unnamed:
        fixes.append(f"name it with special_codes for {' and '.join(map(repr, unnamed))}")
    return ", or ".join(fixes)
