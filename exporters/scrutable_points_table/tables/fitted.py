"""A fitted `optbinning.Scorecard`, read from the object itself: cuts with all digits, codes, intercept, scaling.

OptBinning is not imported; whatever has these attributes is read. G. Navas-Palencia, "Optimal binning: mathematical
programming formulation" (arXiv:2001.08025); the formulas of the scaling are those of OptBinning 1.0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from scrutable.errors import InputError
from scrutable.errors.checks import as_options
from scrutable.model import Calibration, FrozenMapping, Missing, Otherwise
from scrutable.plugins.bases import Finding
from scrutable_points_table.tables.assembling import Source, assemble
from scrutable_points_table.tables.layouts.optbinning import OPTBINNING
from scrutable_points_table.tables.line import PointsLine, kinds_of
from scrutable_points_table.tables.options import ImportOptions, Orientation, fits
from scrutable_points_table.tables.report import ImportedCard
from scrutable_points_table.tables.sheet import Sheet, read_sheet

_FIX = "fit the scorecard first, and give the object itself"


def from_optbinning(scorecard: Any, **options: Any) -> ImportedCard:
    """The scorecard that OptBinning fitted, with exact cuts.

    The table that it prints has cuts of two decimals and leaves out special codes and the intercept; the object has
    them all. The way the points run and the probability come from its scaling and its logistic regression.

    Parameters
    ----------
    scorecard : a fitted `optbinning.Scorecard` for a binary target.
    options : those of `ImportOptions`; outcome above all. Special codes, base points, scaling and calibration come
        from the object.

    Raises
    ------
    InputError : no such object, one that is not fitted, a continuous target, or transform options of single variables.
    """
    chosen = as_options(options, ImportOptions, "options") or ImportOptions()
    process = _checked(scorecard)
    sheet = _with_exact_cuts(read_sheet(scorecard.table(style="detailed")), process)
    printed = OPTBINNING.read(sheet, chosen)
    lines = [*printed, *_never_seen(printed, process)]
    findings: list[Finding] = []
    if chosen.special_codes is None:
        codes, findings = _special_codes(process, printed)
        chosen = replace(chosen, special_codes=codes)
    if chosen.base_points is None:
        chosen = replace(chosen, base_points=float(scorecard.intercept_))
    chosen = _with_probability(scorecard, sheet, printed, chosen)
    source = Source(
        lines=lines,
        layout=OPTBINNING,
        sheet=sheet,
        conventions=("intervals are closed at the left, [a, b), with the cuts that OptBinning uses itself",),
        versions=FrozenMapping(_version()),
        findings=tuple(findings),
    )
    return assemble(source, chosen)


def _checked(scorecard: Any) -> Any:
    process = getattr(scorecard, "binning_process_", None)
    if process is None or not hasattr(scorecard, "table"):
        got = type(scorecard).__name__
        raise InputError("not a fitted OptBinning scorecard", where="scorecard", got=got, fix=_FIX)
    target = getattr(scorecard, "_target_dtype", "binary")
    if target != "binary":
        raise InputError("not a scorecard for two classes", where="scorecard", got=target, allowed="binary")
    if getattr(process, "binning_transform_params", None):
        raise InputError(
            "transform options of single variables change what missing and special values get",
            where="binning_transform_params",
            got=process.binning_transform_params,
            fix="fit without them, or import the table with read_points_table",
        )
    return process


def _with_exact_cuts(sheet: Sheet, process: Any) -> Sheet:
    """The table with every digit of its cuts."""
    intervals: dict[str, Iterator[str]] = {}
    column, rows = sheet.columns.index("Bin"), []
    for (_, (name,)), row in zip(sheet.cells("Variable"), sheet.rows, strict=True):
        if name not in intervals:
            binned = process.get_binned_variable(name)
            numbers = binned.dtype == "numerical"
            cuts = [-math.inf, *map(float, binned.splits), math.inf] if numbers else []
            intervals[name] = (f"[{low!r}, {high!r})" for low, high in pairwise(cuts))
        rows.append((*row[:column], next(intervals[name], row[column]), *row[column + 1 :]))
    return replace(sheet, rows=tuple(rows))


def _never_seen(printed: list[PointsLine], process: Any) -> Iterator[PointsLine]:
    """A line for categories that were never seen, which get the points of some row: the last, unless it was said."""
    for name in dict.fromkeys(line.characteristic for line in printed):
        binned = process.get_binned_variable(name)
        if binned.dtype == "numerical":
            continue
        unknown = getattr(binned, "cat_unknown", None)
        taken = [line for line in printed if line.characteristic == name][-1 if unknown is None else int(unknown)]
        yield PointsLine(
            row=taken.row,
            printed="a category never seen",
            points=taken.points,
            characteristic=name,
            conditions=(Otherwise(),),
            good=0,
            bad=0,
        )


def _special_codes(
    process: Any, printed: list[PointsLine]
) -> tuple[dict[str, dict[str, tuple[Any, ...]]], list[Finding]]:
    """Codes by characteristic and the name of the row that has their points; none where there are none.

    OptBinning gives the codes of a binning process to every variable, whether or not its column can hold them. Those
    that it cannot are left out, which is told.
    """
    by_row: dict[str, dict[str, tuple[Any, ...]]] = {}
    findings = []
    for name in dict.fromkeys(line.characteristic for line in printed):
        own = [line for line in printed if line.characteristic == name]
        kind = next(iter(kinds_of(own)), "categorical")
        rows = _by_row(process.get_binned_variable(name).special_codes)
        by_row[name] = {}
        for line in (line for line in own if line.special in rows):
            codes = rows[line.special]
            fitting = tuple(code for code in codes if fits(code, kind))
            by_row[name][line.special] = fitting
            if len(fitting) < len(codes):
                findings.append(_left_out(line, [code for code in codes if code not in fitting], alone=not fitting))
    return by_row, findings


def _by_row(given: Any) -> dict[str, tuple[Any, ...]]:
    """The codes behind each row."""
    if isinstance(given, Mapping):
        return {str(key): tuple(value) if _listed(value) else (value,) for key, value in given.items()}
    return {"Special": tuple(given) if given is not None else ()}


def _left_out(line: PointsLine, codes: list[Any], *, alone: bool) -> Finding:
    """What is told of codes that the column cannot hold; refused where they are all that its people can have."""
    if line.counted and alone:
        raise InputError(
            "people have special codes of another kind than its values",
            where=f"characteristic {line.characteristic!r}",
            got=codes,
            allowed="texts among texts, numbers among numbers",
            fix="fit with texts for the codes of texts, such as '-9'",
        )
    what = f"special codes that the column cannot hold are left out: {', '.join(map(str, codes))}"
    return Finding(kind="note", where=line.characteristic, what=what)


def _listed(value: Any) -> bool:
    return not isinstance(value, str) and hasattr(value, "__iter__")


def _with_probability(scorecard: Any, sheet: Sheet, printed: list[PointsLine], options: ImportOptions) -> ImportOptions:
    """The options with the way the points run, and the probability that a score stands for, where they are known."""
    if options.orientation != "auto" or options.calibration is not None or options.scaling is not None:
        return options
    if type(scorecard.estimator_).__name__ != "LogisticRegression":
        return options
    slope, intercept = _event_log_odds(scorecard, sheet, printed)
    if not options.event_is_good:
        slope, intercept = -slope, -intercept
    calibration = Calibration(slope=abs(slope), intercept=intercept)
    way: Orientation = "more-is-worse" if slope < 0 else "more-is-better"
    return replace(options, orientation=way, calibration=calibration)


def _event_log_odds(scorecard: Any, sheet: Sheet, printed: list[PointsLine]) -> tuple[float, float]:
    """Slope and intercept of the event's log-odds in the score; rounding of the points is not undone."""
    constant = float(sum(map(float, _flat(scorecard.estimator_.intercept_))))
    sense = -1.0 if scorecard.reverse_scorecard else 1.0
    method, given = scorecard.scaling_method, scorecard.scaling_method_params
    if method is None:
        return 1.0, constant
    if method == "pdo_odds":
        factor = given["pdo"] / math.log(2)
        offset = given["scorecard_points"] - factor * math.log(given["odds"])
        # score = offset - factor * (sense * (log-odds - constant) + constant)
        return -sense / factor, constant + sense * (offset / factor - constant)
    raw = _unscaled(scorecard, sheet, printed)
    least, most = (constant + sum(map(end, raw.values())) for end in (min, max))
    slope = sense * (given["min"] - given["max"]) / (most - least)
    shift = (given["min"] if scorecard.reverse_scorecard else given["max"]) - slope * least
    return 1 / slope, -shift / slope


def _unscaled(scorecard: Any, sheet: Sheet, printed: list[PointsLine]) -> dict[str, list[float]]:
    """The points of each variable before they were scaled: coefficients times WoE, or what stands for it."""
    unscaled: dict[str, list[float]] = {}
    given = {"special": scorecard._metric_special, "missing": scorecard._metric_missing}
    for line, (_, (woe, coefficient)) in zip(printed, sheet.cells("WoE", "Coefficient"), strict=True):
        row = "special" if line.special else "missing" if Missing() in line.conditions else ""
        value = given.get(row, "empirical")
        unscaled_points = float(woe if value == "empirical" else value) * float(coefficient)
        unscaled.setdefault(line.characteristic, []).append(unscaled_points)
    return unscaled


def _flat(value: Any) -> list[float]:
    return [float(each) for each in value] if _listed(value) else [float(value)]


def _version() -> dict[str, str]:
    from importlib import metadata

    try:
        return {"optbinning": metadata.version("optbinning")}
    except metadata.PackageNotFoundError:
        return {}
