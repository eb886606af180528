"""From the lines of a characteristic to attributes that hold every value exactly once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrutable.errors import InputError
from scrutable.model import (
    Attribute,
    AttributeCondition,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Kind,
    Missing,
    Otherwise,
    Special,
    Value,
)
from scrutable.plugins.bases import Finding, FindingKind
from scrutable_points_table.tables.filling import Filled, fill
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.notation import left_closed
from scrutable_points_table.tables.line import PointsLine, kinds_of
from scrutable_points_table.tables.options import ImportOptions, fits
from scrutable_points_table.tables.spelling import told_spelling
from scrutable_points_table.tables.statistics import Placed, undivided, with_counts

_POLICIES = "'neutral', 'worst', or a number of points"
#: What is told of gaps that no option fills, by the option, in the order in which they are told.
_REFUSED = {
    "gaps": "numbers that no interval covers",
    "missing": "no row for missing values",
    "unseen": "no row for categories that are not listed",
}


@dataclass(frozen=True, slots=True)
class _Tile:
    """One condition of a line."""

    condition: AttributeCondition
    line: PointsLine


@dataclass(kw_only=True)
class Builder:
    """Makes characteristics; findings gather as it goes, and so do the refusals, which are told together.

    Parameters
    ----------
    worse : whether more points are worse; the model's points are then the table's with the sign changed.
    decimals : of the table's points.
    """

    options: ImportOptions
    layout: Layout
    worse: bool
    decimals: int | None
    findings: list[Finding] = field(default_factory=list)
    refused: dict[str, list[str]] = field(default_factory=dict)

    def build(self, name: str, lines: Sequence[PointsLine]) -> tuple[Feature, Characteristic]:
        """The feature and its attributes: intervals or categories first, then special codes, others, missing."""
        kind = self._kind(name, lines)
        tiles = [_Tile(c, line) for line in lines for c in self._conditions(line, kind)]
        if kind == "numeric" and any(isinstance(tile.condition, Interval) for tile in tiles):
            ordered = self._intervals(name, tiles)
        else:
            ordered = self._values(name, tiles, Categories)
        specials = self._values(name, tiles, Special)
        placed = [*ordered, *specials]
        if not any(isinstance(each.attribute.condition, Interval) for each in ordered):
            placed.append(self._single(name, tiles, Otherwise))
        placed.append(self._single(name, tiles, Missing))
        if kind == "categorical":
            self._tell_spelling(name, ordered)
        conditions = [each.attribute.condition for each in specials]
        codes = tuple(code for each in conditions if isinstance(each, Special) for code in each.codes)
        return Feature(name=name, kind=kind, special_codes=codes), Characteristic(
            feature=name, attributes=self._with_statistics(name, placed, lines)
        )

    def refuse(self) -> None:
        """Refuse the first kind of gap that the options do not fill, naming every characteristic it is in."""
        for option, what in _REFUSED.items():
            if option in self.refused:
                first, *others = self.refused[option]
                more = f"; the same for {', '.join(others)}" if others else ""
                extend = "'extend', " if option == "gaps" else ""
                fix = f"say what they get: {option}={extend}{_POLICIES}"
                raise InputError(what + more, where=f"characteristic {first}", fix=fix)

    def _conditions(self, line: PointsLine, kind: Kind) -> tuple[AttributeCondition, ...]:
        """A line's conditions, with the codes of a special line looked up."""
        if not line.special:
            return line.conditions
        said = self.options.codes_of(line.characteristic, line.special)
        codes = tuple(code if isinstance(code, str) else float(code) for code in said or () if fits(code, kind))
        if codes:
            return (Special(codes),)
        if said == ():
            why = "there are no such codes, as was said"
        elif line.counted == 0:
            why = "nobody was in it"
        elif said and line.counted is None:
            why = f"none of the codes given is a {'number' if kind == 'numeric' else 'text'}"
        else:
            raise InputError(
                f"the table does not say which codes are {line.special!r}",
                where=f"characteristic {line.characteristic!r}, row {line.row}",
                fix="name them with special_codes, or give special_codes=() if there are none",
            )
        self._find("note", line.characteristic, f"the row {line.special!r} is left out: {why}", line)
        return ()

    def _kind(self, name: str, lines: Sequence[PointsLine]) -> Kind:
        given, shown = self.options.kinds.get(name), kinds_of(lines)
        if len(shown | ({given} - {None})) > 1:
            rows = ", ".join(str(line.row) for line in lines)
            raise InputError("both numbers and categories", where=f"characteristic {name!r}, rows {rows}")
        seen: Kind = next(iter(shown), "categorical")
        return given or seen

    def _intervals(self, name: str, tiles: Sequence[_Tile]) -> list[Placed]:
        intervals = [(left_closed(tile.condition), tile) for tile in tiles if isinstance(tile.condition, Interval)]
        ordered = sorted(intervals, key=lambda each: (each[0].lower, each[0].upper))
        kept: list[tuple[Interval, _Tile]] = []
        for interval, tile in ordered:
            if kept and interval.lower < kept[-1][0].upper:
                self._overlap(name, kept[-1][1], tile, same=interval == kept[-1][0])
                continue
            kept.append((interval, tile))
        if any(isinstance(tile.condition, Categories | Otherwise) for tile in tiles):
            raise InputError("intervals beside categories", where=f"characteristic {name!r}", fix="make codes special")
        return list(self._covering(name, kept))

    def _covering(self, name: str, kept: Sequence[tuple[Interval, _Tile]]) -> Iterator[Placed]:
        """The intervals with what lies between and around them, filled or extended."""
        if self.options.gaps == "extend":
            lowers = [-math.inf, *(interval.lower for interval, _ in kept[1:]), math.inf]
            for (interval, tile), ends in zip(kept, itertools.pairwise(lowers), strict=True):
                wide = Interval(*ends)
                if wide != interval:
                    what = f"{interval.describe()} is extended to {wide.describe()}, as was said"
                    self._find("gap", name, what, tile.line)
                yield self._attribute(wide, tile)
            return
        end = -math.inf
        lines = [tile.line for _, tile in kept]
        for interval, tile in kept:
            if interval.lower > end:
                yield from self._between(name, Interval(end, interval.lower), lines)
            yield self._attribute(interval, tile)
            end = interval.upper
        if end < math.inf:
            yield from self._between(name, Interval(end), lines)

    def _between(self, name: str, gap: Interval, lines: Sequence[PointsLine]) -> Iterator[Placed]:
        filled = fill(self.options.gaps, lines, worse=self.worse, decimals=self.decimals)
        if filled is None:
            self.refused.setdefault("gaps", []).append(f"{name!r}: {gap.describe()}")
            return
        self._find("gap", name, f"no interval covers {gap.describe()}; it gets {filled.how}")
        yield self._made(gap, filled)

    def _values(self, name: str, tiles: Sequence[_Tile], kind: type[Categories] | type[Special]) -> list[Placed]:
        """Attributes of listed values, each value once."""
        seen: dict[Value, _Tile] = {}
        placed = []
        for tile in tiles:
            condition = tile.condition
            if not isinstance(condition, kind):
                continue
            kept = []
            for value in condition.values if isinstance(condition, Categories) else condition.codes:
                if value in seen:
                    self._overlap(name, seen[value], tile, value=value)
                    continue
                seen[value] = tile
                kept.append(value)
            if kept:
                placed.append(self._attribute(kind(tuple(kept)), tile))
        return placed

    def _single(self, name: str, tiles: Sequence[_Tile], kind: type[Missing] | type[Otherwise]) -> Placed:
        """The attribute for missing or for other values, from its row or filled in."""
        named = [tile for tile in tiles if isinstance(tile.condition, kind)]
        for other in named[1:]:
            self._overlap(name, named[0], other, same=True)
        if named:
            return self._attribute(kind(), named[0])
        option, policy, unlisted = (
            ("missing", self.options.missing, self.layout.unlisted_missing)
            if kind is Missing
            else ("unseen", self.options.unseen, self.layout.unlisted_category)
        )
        lines = list(dict.fromkeys(tile.line for tile in tiles))
        filled = fill(policy, lines, worse=self.worse, decimals=self.decimals, unlisted=unlisted)
        if filled is None:
            self.refused.setdefault(option, []).append(repr(name))
            return self._made(kind(), Filled(points=0.0, how=""))
        told = "missing values" if kind is Missing else "categories that are not listed"
        self._find("gap", name, f"no row for {told}; they get {filled.how}")
        return self._made(kind(), filled)

    def _overlap(self, name: str, first: _Tile, second: _Tile, *, same: bool = True, value: object = None) -> None:
        """Let a repetition pass that gives the same points to the same values; refuse every other."""
        rows = (first.line.row, second.line.row)
        if not same or first.line.points != second.line.points:
            raise InputError(
                "rows overlap" if value is None else f"rows overlap at {value!r}",
                where=f"characteristic {name!r}, rows {rows[0]} and {rows[1]}",
                got=(first.line.printed, second.line.printed),
                allowed="each value in one row",
                fix="correct one of the rows",
            )
        self.findings.append(
            Finding(kind="overlap", where=name, what="the same twice, with equal points; taken once", rows=rows)
        )

    def _attribute(self, condition: AttributeCondition, tile: _Tile) -> Placed:
        line = tile.line
        made = Attribute(
            condition=condition, points=self.signed(line.points), label=line.label, reason_code=line.reason_code
        )
        # intervals are never cut, only extended to where nobody was
        whole = isinstance(condition, Interval) or condition == tile.condition
        return Placed(attribute=made, line=line, whole=whole)

    def _made(self, condition: AttributeCondition, filled: Filled) -> Placed:
        return Placed(attribute=Attribute(condition=condition, points=self.signed(filled.points)))

    def signed(self, points: float) -> float:
        """Points as the model holds them."""
        return -points if self.worse else points

    def _with_statistics(
        self, name: str, placed: Sequence[Placed], lines: Sequence[PointsLine]
    ) -> tuple[Attribute, ...]:
        rows = undivided(placed, lines)
        if not rows:
            return with_counts(placed)
        what = "the characteristic's statistics are left out, as these rows' counts are not those of one attribute each"
        self.findings.append(Finding(kind="note", where=name, what=what, rows=rows))
        return tuple(each.attribute for each in placed)

    def _tell_spelling(self, name: str, placed: Sequence[Placed]) -> None:
        conditions = [each.attribute.condition for each in placed]
        values = [str(value) for each in conditions if isinstance(each, Categories) for value in each.values]
        for told in told_spelling(values):
            self._find("note", name, told)

    def _find(self, kind: FindingKind, where: str, what: str, line: PointsLine | None = None) -> None:
        rows = () if line is None else (line.row,)
        self.findings.append(Finding(kind=kind, where=where, what=what, rows=rows))
