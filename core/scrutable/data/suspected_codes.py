"""Numbers that may stand for no information in several columns: found together, told in one note with one fix."""

from __future__ import annotations

import json
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.data.sentinels import far_beyond, far_oftener, suspected_codes
from scrutable.writing.decimals import number
from scrutable.writing.shortlist import shortlist

Floats = NDArray[np.float64]

#: Columns that are named one by one, and different numbers below which one less than all is no code.
_NAMED, _LEVELS = 3, 3
#: Columns with a code in the same rows that are told of.
_TOGETHER = 3
_DOUBT = "may stand for no information, and count as ordinary numbers"


def codes_by_column(values: Mapping[str, Floats]) -> dict[str, list[float]]:
    """By column, what may stand for no information: its own suspected codes, and those of others that it holds.

    A code of two columns or more is taken for one in each column that holds it, however seldom, where the other
    numbers are not below 0, or it occurs ten times as often as each that is, or a positive code lies well beyond all.

    Parameters
    ----------
    values : by column, none of them missing, and none a special code that is known.

    Examples
    --------
    >>> age = [25.0, 31, 47, 52] * 9
    >>> codes_by_column({"a": np.array(age + [-9.0] * 5), "b": np.array(age + [-9.0] * 3), "c": np.array(age + [-9.0])})
    {'a': [-9.0], 'b': [-9.0], 'c': [-9.0]}
    """
    own = {name: suspected_codes(each) for name, each in values.items()}
    often = Counter(code for codes in own.values() for code in codes)
    shared = sorted(code for code, columns in often.items() if columns > 1)
    return {name: sorted({*own[name], *_held(each, own[name], shared)}) for name, each in values.items()}


def about_codes(
    columns: Sequence[Column], known: Mapping[str, Iterable[object]], *, together: bool = True
) -> tuple[str, str] | None:
    """What is told of suspected codes, with the fix in Python and with the one on the command line; None of none.

    Parameters
    ----------
    columns : of numbers that are measured.
    known : special codes that are known already, by column.
    together : whether codes in the same rows of several columns are told of.
    """
    named = {each.name: sorted(_numbers(known[each.name])) for each in columns}
    values = {each.name: each.values[~each.missing & ~np.isin(each.values, named[each.name])] for each in columns}
    codes = {name: each for name, each in codes_by_column(values).items() if each}
    if not codes:
        return None
    suspected = [each for each in columns if each.name in codes]
    said = " ".join((_summary(suspected, codes), *(_same_rows(suspected, codes) if together else ())))
    fix, flag = _fixes(columns, {name: sorted({*named[name], *codes.get(name, ())}) for name in named})
    measured = "or leave them, if they are measured."
    return (
        f"{said} Fix: declare them with the learner's or binner's option {fix}, {measured}",
        f"{said} Fix: declare them with {flag} (--option for a learner that takes no binner), {measured}",
    )


def _held(values: Floats, own: Iterable[float], shared: Iterable[float]) -> Iterator[float]:
    """Codes of other columns that a column holds, and that are none of its ordinary numbers."""
    held = [code for code in shared if code not in own and (values == code).any()]
    ordinary = np.unique(values[np.isfinite(values) & ~np.isin(values, [*own, *held])]) if held else values[:0]
    if len(ordinary) < _LEVELS:
        return
    for code in held:
        if (code < 0 and _stands_out(code, values, ordinary)) or (code > 0 and far_beyond(code, ordinary.tolist())):
            yield code


def _stands_out(code: float, values: Floats, ordinary: Floats) -> bool:
    """Whether no ordinary number is below 0, or the code is far more frequent than each that is."""
    below = values[np.isin(values, ordinary[ordinary < 0])]
    return not below.size or far_oftener(
        int((values == code).sum()), int(np.unique(below, return_counts=True)[1].max())
    )


def _summary(columns: Sequence[Column], codes: Mapping[str, Sequence[float]]) -> str:
    """The codes with the columns and the numbers of rows that hold them."""
    rows = {each.name: int(np.isin(each.values, codes[each.name]).sum()) for each in columns}
    all_rows = len(columns[0].values)
    if len(columns) == 1:
        [(name, count)] = rows.items()
        return f"column {name!r}: {_listed(codes[name])} in {count:,} of {all_rows:,} rows {_DOUBT}."
    if len(columns) <= _NAMED:
        each = ", ".join(f"{_listed(codes[name])} of {name!r} ({count:,} rows)" for name, count in rows.items())
        return f"{each} {_DOUBT}."
    often = Counter(code for each in codes.values() for code in each)
    first, *others = (f"{number(code)} in {often[code]}" for code in sorted(often))
    in_columns = ", ".join((f"{first} columns", *others))
    some = shortlist([*map(repr, rows)], _NAMED)
    most = max(rows, key=lambda name: rows[name])
    return f"{in_columns} {_DOUBT}: {some}, at most in {rows[most]:,} of {all_rows:,} rows, of {most!r}."


def _same_rows(columns: Sequence[Column], codes: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """A sentence for each code that several columns hold in the same rows."""
    alike: dict[tuple[float, bytes], list[Column]] = defaultdict(list)
    for each in columns:
        for code in codes[each.name]:
            alike[code, np.packbits(each.values == code).tobytes()].append(each)
    for (code, _), together in sorted(alike.items(), key=lambda item: -len(item[1])):
        if len(together) >= _TOGETHER:
            count = int((together[0].values == code).sum())
            yield (
                f"{number(code)} stands in the same {count:,} rows of {len(together)} columns: these applicants are "
                "one group, of whom all of that is unknown at once, and may need a segment or a rule of their own."
            )


def _fixes(columns: Sequence[Column], codes: Mapping[str, Sequence[float]]) -> tuple[str, str]:
    """The option in Python and on the command line: a list where it says of every column what the codes say of it."""
    every = sorted({code for each in codes.values() for code in each})
    shared = len([each for each in codes.values() if each]) > 1
    if shared and all(set(_present(each, every)) <= set(codes[each.name]) for each in columns):
        value = f"[{', '.join(map(number, every))}]"
        return f"special_codes={value}", f"--binner-option {shlex.quote(f'special_codes={value}')}"
    lists = {name: f"[{', '.join(map(number, each))}]" for name, each in codes.items() if each}
    python = ", ".join(f"{name!r}: {each}" for name, each in lists.items())
    as_json = ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {each}" for name, each in lists.items())
    return f"special_codes={{{python}}}", f"--binner-option {shlex.quote(f'special_codes={{{as_json}}}')}"


def _present(column: Column, codes: Iterable[float]) -> Iterator[float]:
    return (code for code in codes if (column.values == code).any())


def _numbers(codes: Iterable[object]) -> set[float]:
    return {float(code) for code in codes if isinstance(code, int | float)}


def _listed(codes: Sequence[float]) -> str:
    return " and ".join(map(number, codes))
