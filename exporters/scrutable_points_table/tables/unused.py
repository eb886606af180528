"""Refusal of options that a table gives nothing to do, so that no misspelt name passes in silence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.line import PointsLine, kinds_of
from scrutable_points_table.tables.options import ImportOptions, codes_in, fits

_LEAVE_OUT = "leave it out"


def refuse_unused(
    options: ImportOptions,
    characteristics: Mapping[str, Sequence[PointsLine]],
    layout: Layout,
    columns: Collection[str],
) -> None:
    """Refuse names that the table does not have, codes that no row can hold, and answers to what it says itself.

    Parameters
    ----------
    characteristics : lines by characteristic.
    columns : of the table.

    Raises
    ------
    InputError : such an option, with the closest name that there is.
    """
    for name in options.kinds:
        _known(name, characteristics, "kinds", "no such characteristic")
    for where, code, lines in _codes(options, characteristics):
        if not any(
            fits(code, options.kinds.get(line.characteristic) or _kind(characteristics, line)) for line in lines
        ):
            raise InputError(
                "no row of special codes can hold it",
                where=where,
                got=code,
                fix=_fix_of(code, lines, characteristics, layout),
            )
    if options.closed is not None and layout.prints_ends:
        what = "the table's brackets say which ends belong to an interval"
        raise InputError(what, where="closed", got=options.closed, fix=_LEAVE_OUT)
    if options.event is not None and layout.event not in columns:
        allowed = f"a column {layout.event!r}" if layout.event else None
        raise InputError("the table counts no event", where="event", got=options.event, allowed=allowed, fix=_LEAVE_OUT)


def _codes(
    options: ImportOptions, characteristics: Mapping[str, Sequence[PointsLine]]
) -> Iterator[tuple[str, Any, list[PointsLine]]]:
    """Each code, where it was given, and the lines that it may be meant for."""
    given = options.special_codes
    if not isinstance(given, Mapping):
        every = _special(line for lines in characteristics.values() for line in lines)
        yield from (("special_codes", code, every) for code in codes_in(given) or ())
        return
    for name, codes_of in given.items():
        _known(name, characteristics, "special_codes", "no such characteristic")
        where, lines = f"special_codes of {name!r}", _special(characteristics[name])
        if not isinstance(codes_of, Mapping):
            yield from ((where, code, lines) for code in codes_in(codes_of) or ())
            continue
        for row, codes in codes_of.items():
            _known(row, [line.special for line in lines], where, "no such row")
            yield from (
                (where, code, [line for line in lines if line.special == row]) for code in codes_in(codes) or ()
            )


def _fix_of(
    code: Any, lines: Sequence[PointsLine], characteristics: Mapping[str, Sequence[PointsLine]], layout: Layout
) -> str:
    """What to do about a code that none of these lines, which name special codes, can hold."""
    if lines:
        return "leave it out; texts are codes among texts, numbers among numbers"
    conditions = {name: [c for line in lines_of for c in line.conditions] for name, lines_of in characteristics.items()}
    owners = [
        repr(name)
        for name, held in conditions.items()
        if any(code in (*getattr(each, "codes", ()), *getattr(each, "values", ())) for each in held)
    ]
    row = f"({layout.special_row})"
    if owners:
        return f"leave it out; the table has a row for it in {', '.join(owners)}; add one where it has none {row}"
    return f"add a row for the code to the table {row}, or leave it out"


def _special(lines: Iterable[PointsLine]) -> list[PointsLine]:
    return [line for line in lines if line.special]


def _kind(characteristics: Mapping[str, Sequence[PointsLine]], line: PointsLine) -> str:
    return next(iter(kinds_of(characteristics[line.characteristic])), "categorical")


def _known(name: Any, known: Collection[str], where: str, what: str) -> None:
    if name not in known:
        raise InputError(what, where=where, got=name, allowed=did_you_mean(name, known), fix="correct the name")
