"""From the lines of a points table to a scorecard and the report of how it became one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Calibration, FrozenMapping, Outcome, Provenance, Scaling, Scorecard, snap
from scrutable.plugins.bases import Finding
from scrutable_points_table.tables.characteristics import Builder
from scrutable_points_table.tables.codes import told_codes
from scrutable_points_table.tables.cutoffs import decimals_of, margin_of, told_idle
from scrutable_points_table.tables.layouts import Layout
from scrutable_points_table.tables.line import PointsLine
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.orientation import more_is_worse
from scrutable_points_table.tables.report import ImportedCard, TableReport
from scrutable_points_table.tables.sheet import Sheet
from scrutable_points_table.tables.unused import refuse_unused

#: Odds that are assumed double so many times over the range of scores.
_DOUBLINGS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Lines, where they come from, and what is known of them as a whole.

    Parameters
    ----------
    sheet : the table that was read.
    conventions : what reading took for granted.
    versions : of the software that fitted the scorecard, where it was asked itself.
    findings : what is to be told besides.
    """

    lines: Sequence[PointsLine]
    layout: Layout
    sheet: Sheet
    conventions: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    versions: FrozenMapping[str] = field(default_factory=FrozenMapping)


def assemble(source: Source, options: ImportOptions) -> ImportedCard:
    """The scorecard of a table.

    Raises
    ------
    InputError : gaps that the options do not fill, overlaps, special codes that are not known, no characteristic,
        options that the table gives nothing to do.
    ModelError : points that are too large, or values that no model may hold.
    """
    lines = [line for line in source.lines if line.characteristic]
    if not lines:
        raise InputError("no characteristic in it", where="points table", fix="give a row for each attribute")
    characteristics = _grouped(lines)
    refuse_unused(options, characteristics, source.layout, source.sheet.columns)
    worse, way = more_is_worse(lines, options.orientation)
    if worse and options.scaling is not None:
        raise InputError(
            "PDO and base odds of points that run the other way",
            where="scaling",
            got=options.scaling,
            fix="give calibration, the probability from the score with its sign changed",
        )
    decimals = decimals_of(line.points for line in source.lines)
    builder = Builder(options=options, layout=source.layout, worse=worse, decimals=decimals)
    pairs = [builder.build(name, own) for name, own in characteristics.items()]
    builder.refuse()
    base, about_base = _base(source.lines, options)
    features, built = zip(*pairs, strict=True)
    bare = Scorecard(
        outcome=options.decided,
        features=features,
        characteristics=built,
        base_points=builder.signed(base),
        cutoff=0.0,
        calibration=Calibration(slope=0.0),
        provenance=_provenance(source, options, worse),
    )
    model, about_cutoff = _with_cutoff(bare, options, worse, [base, *(line.points for line in source.lines)])
    difference = _difference(model, builder.signed(base), lines)
    findings = [way, *_outcome(options, source), *about_base, *about_cutoff, *source.findings, *builder.findings]
    findings += told_codes(pairs, characteristics, source.layout)
    findings += [Finding(kind="assumption", what=convention) for convention in source.conventions]
    findings += _left_out(source)
    findings += _about_points(decimals, difference, worse)
    report = TableReport(
        layout=source.layout.name,
        fingerprint=source.sheet.fingerprint,
        rows=len({line.row for line in source.lines}),
        characteristics=len(built),
        attributes=sum(len(each.attributes) for each in built),
        negated=worse,
        decimals=decimals,
        largest_difference=difference,
        findings=tuple(findings),
    )
    return ImportedCard(model=model, report=report)


def _grouped(lines: Sequence[PointsLine]) -> dict[str, list[PointsLine]]:
    groups: dict[str, list[PointsLine]] = {}
    for line in lines:
        groups.setdefault(line.characteristic, []).append(line)
    return groups


def _base(lines: Sequence[PointsLine], options: ImportOptions) -> tuple[float, list[Finding]]:
    base = [line for line in lines if not line.characteristic]
    if len(base) > 1 or (base and options.base_points is not None):
        rows = ", ".join(str(line.row) for line in base)
        raise InputError("base points are given twice", where=f"rows {rows}, base_points", fix="keep one of them")
    if base:
        return base[0].points, []
    if options.base_points is not None:
        return options.base_points, []
    return 0.0, [Finding(kind="assumption", where="base points", what="0: the table has no row for them")]


def _with_cutoff(
    model: Scorecard, options: ImportOptions, worse: bool, points: Sequence[float]
) -> tuple[Scorecard, list[Finding]]:
    """The model with its cutoff and calibration, and what was assumed about them; `points` are the table's."""
    scaling, (low, high) = options.scaling, model.score_range
    findings = []
    given = [each for each in (options.missing, options.unseen, options.gaps) if not isinstance(each, str)]
    added = [*points, *given]
    if options.cutoff is not None:
        margin = margin_of(added, len(model.characteristics))
        cutoff = (-options.cutoff if worse else options.cutoff) - margin
        if margin:
            what = f"held {margin:.2g} lower, so that a score that equals it in the table reaches it"
            findings.append(Finding(kind="note", where="cutoff", what=what))
    else:
        cutoff = (low + high) / 2 if scaling is None else scaling.offset
        how = "the middle of the range of scores" if scaling is None else "even odds"
        findings.append(Finding(kind="assumption", where="cutoff", what=f"{cutoff:g}, {how}, as none was given"))
    idle = told_idle(replace(model, cutoff=cutoff), options.cutoff, worse=worse, decimals=decimals_of(added))
    findings += idle
    if scaling is not None:
        return replace(model, cutoff=cutoff, scaling=scaling, calibration=scaling.calibration), findings
    calibration = options.calibration
    if calibration is None:
        calibration = _assumed(low, high, cutoff)
        what = (
            "assumed: even odds at the cutoff, doubling with each tenth of the range of scores; give scaling or "
            "calibration, or do not use it"
        )
        findings.append(Finding(kind="assumption", where="probability", what=what))
    return replace(model, cutoff=cutoff, calibration=calibration), findings


def _assumed(low: float, high: float, cutoff: float) -> Calibration:
    if high <= low:
        return Calibration(slope=0.0)
    pdo = (high - low) / _DOUBLINGS
    return Scaling(pdo=pdo, base_score=cutoff, base_odds=1.0).calibration


def _outcome(options: ImportOptions, source: Source) -> Iterator[Finding]:
    outcome = options.decided
    if options.outcome is None:
        yield assumed_classes(outcome, "outcome")
    event = f"; the table's event is {options.event_class!r}" if source.layout.event in source.sheet.columns else ""
    yield Finding(kind="note", where="outcome", what=f"{outcome.target}: {outcome.favourable!r} is favourable{event}")


def assumed_classes(outcome: Outcome, option: str) -> Finding:
    """What is told of classes that nobody named, and which option names them."""
    first, second = outcome.classes
    what = f"the classes are taken to be {first!r} and {second!r}, as none were given; {option} names others"
    return Finding(kind="assumption", where="outcome", what=what)


def _left_out(source: Source) -> Iterator[Finding]:
    """Columns without a use, among which may be a misspelt one; other software's tables are full of them."""
    known = source.layout.any_case
    unread = [repr(name) for name in source.sheet.columns if name not in known]
    if known and unread:
        what = f"left out, as the layout has none of these names: {', '.join(unread)}"
        yield Finding(kind="note", where="columns", what=what)


def _difference(model: Scorecard, base: float, lines: Sequence[PointsLine]) -> float:
    """No sum of snapped points is further from the sum of the table's own."""
    worst: dict[str, float] = {}
    for line in lines:
        moved = abs(snap(line.points) - line.points)
        worst[line.characteristic] = max(worst.get(line.characteristic, 0.0), moved)
    return sum(worst.values()) + abs(model.base_points - base)


def _about_points(decimals: int | None, difference: float, worse: bool) -> Iterator[Finding]:
    if worse:
        what = "more points are worse in the table, so the model holds them, and the cutoff, with their sign changed"
        yield Finding(kind="note", where="points", what=what)
    if difference == 0:
        return
    what = (
        "points are held as multiples of 2^-30, so that sums are exact; a score lies at most "
        f"{difference:.2g} from the sum of the table's points"
    )
    yield Finding(kind="note", where="points", what=what)


def _provenance(source: Source, options: ImportOptions, worse: bool) -> Provenance:
    parameters: dict[str, Any] = {
        "layout": source.layout.name,
        "table_sha256": source.sheet.fingerprint,
        "orientation": "more-is-worse" if worse else "more-is-better",
        **{name: getattr(options, name) for name in ("missing", "unseen", "gaps")},
    }
    return Provenance(learner="imported", parameters=FrozenMapping(parameters), versions=source.versions)
