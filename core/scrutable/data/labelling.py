"""From one column of any frame library to group labels: text by code point, numbers ascending, many numbers in bins."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.array_checks import Floats
from scrutable.data.attribute import MISSING
from scrutable.data.frames import Column, Table, as_table
from scrutable.errors import InputError, KindError

#: Numeric columns with more distinct values than this are binned.
MAX_LEVELS = 10
#: More groups than this are a sign of an identifier, and would not fit into memory as a membership matrix.
MAX_GROUPS = 200

Codes = npt.NDArray[np.intp]


def as_columns(data: Any) -> Table:
    """A frame or mapping of columns, or a single series or one-dimensional array, which is called "group"."""
    import narwhals as nw

    if isinstance(data, Mapping | Table) or hasattr(type(data), "columns"):
        return as_table(data, where="sensitive_features")
    series = nw.from_native(data, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return as_table({str(series.name or "group"): data}, where="sensitive_features")
    if np.asarray(data, dtype=object).ndim == 1:
        return as_table({"group": data}, where="sensitive_features")
    raise KindError(
        "these are not named columns",
        where="sensitive_features",
        got=f"{type(data).__name__} with {np.ndim(data)} dimensions",
        allowed="a pandas, polars or pyarrow frame or series, a mapping of columns, or a one-dimensional array",
        fix="pass a frame with one column per protected attribute",
    )


def encode(
    column: Column, cuts: Sequence[float] | None, where: str, count: Codes | None = None
) -> tuple[Codes, tuple[str, ...]]:
    """Group codes of the rows and the labels they index; every label occurs.

    Parameters
    ----------
    count : (n,) how many rows each of these stands for; 1 each if None.
    """
    if cuts is not None and column.kind != "numeric":
        raise KindError(
            "only a numeric attribute can be cut into bins",
            where=where,
            got=f"a column that is {column.kind}",
            allowed="numbers or missing",
            fix="leave this attribute out of bins, or convert the column to numbers",
        )
    if column.kind == "numeric":
        codes, labels = _encode_numbers(column.values, cuts, where, count, binned=not column.nominal)
    else:
        codes, labels = _encode_texts(column.values)
    return _tidy(codes, labels, where)


def cross(parts: Sequence[tuple[Codes, tuple[str, ...]]], where: str) -> tuple[Codes, tuple[str, ...]]:
    """Combinations that occur, in the order of the parts' labels; unknown where a part is.

    >>> codes, labels = cross([(np.array([0, 1, 1]), ("f", "m")), (np.array([0, 0, 1]), ("20", MISSING))], "sex & age")
    >>> codes.tolist(), labels
    ([0, 1, 2], ('f & 20', 'm & 20', '(missing)'))
    """
    flat = np.ravel_multi_index([codes for codes, _ in parts], [len(labels) for _, labels in parts])
    combinations = list(itertools.product(*(labels for _, labels in parts)))
    flat[np.array([MISSING in each for each in combinations])[flat]] = -1
    return _tidy(flat, tuple(map(" & ".join, combinations)), where)


def label(value: object) -> str:
    """The label of one value, the same for 1, 1.0, True and numpy's 1.

    >>> label(1.0), label(1), label(0.5), label(True), label("a")
    ('1', '1', '0.5', '1', 'a')
    """
    if isinstance(value, bool | np.bool_ | float | np.floating):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    return str(value)


def bin_labels(cuts: Sequence[float], *, integral: bool) -> tuple[str, ...]:
    """Readable names of the bins below, between and from the cuts on.

    >>> bin_labels([26, 40], integral=True)
    ('< 26', '26 to 39', '>= 40')
    >>> bin_labels([0.5, 1], integral=False)
    ('< 0.5', '0.5 to < 1', '>= 1')
    """
    middle = []
    for lower, upper in itertools.pairwise(cuts):
        if not integral:
            middle.append(f"{label(float(lower))} to < {label(float(upper))}")
        elif upper - lower == 1:
            middle.append(label(float(lower)))
        else:
            middle.append(f"{label(float(lower))} to {label(float(upper) - 1)}")
    return (f"< {label(float(cuts[0]))}", *middle, f">= {label(float(cuts[-1]))}")


def _encode_numbers(
    numbers: Floats, cuts: Sequence[float] | None, where: str, count: Codes | None, *, binned: bool
) -> tuple[Codes, tuple[str, ...]]:
    known = numbers[~np.isnan(numbers)]
    levels = np.unique(known)
    if cuts is None and (levels.size <= MAX_LEVELS or not binned):
        codes = np.searchsorted(levels, numbers)
        labels = tuple(map(label, levels))
    else:
        often = np.ones(len(numbers), dtype=np.intp) if count is None else count
        edges = _quartiles(known, often[~np.isnan(numbers)]) if cuts is None else _checked(cuts, where)
        codes = np.searchsorted(edges, numbers, side="right")
        integral = bool((known == np.floor(known)).all() and (edges == np.floor(edges)).all())
        labels = bin_labels(edges.tolist(), integral=integral)
    codes[np.isnan(numbers)] = -1
    return codes, labels


def _quartiles(known: Floats, count: Codes) -> Floats:
    # Observed values instead of interpolated ones make readable labels.
    order = np.argsort(known, kind="stable")
    below = np.cumsum(count[order])
    cuts = np.unique(known[order][np.searchsorted(4 * below, below[-1] * np.arange(1, 4))])
    usable = cuts[np.isfinite(cuts) & (cuts > known.min())]
    return usable if usable.size else np.array([known[known > known.min()].min()])


def _checked(cuts: Sequence[float], where: str) -> Floats:
    try:
        edges = np.array([float(cut) for cut in cuts])
    except (TypeError, ValueError):
        edges = np.empty(0)
    if not edges.size or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
        raise InputError(
            "bins are cut at increasing, finite numbers",
            where=where,
            got=cuts,
            allowed="at least one number, each larger than the one before",
            fix="give for example [26, 40] for '< 26', '26 to 39' and '>= 40'",
        )
    return edges


def _encode_texts(texts: npt.NDArray[Any]) -> tuple[Codes, tuple[str, ...]]:
    import pandas as pd

    codes, levels = pd.factorize(texts)
    labels = sorted(set(levels) - {MISSING})
    position = {text: i for i, text in enumerate(labels)}
    lookup = np.array([*(position.get(text, -1) for text in levels), -1], dtype=np.intp)
    return lookup[codes], tuple(labels)


def _tidy(codes: Codes, labels: tuple[str, ...], where: str) -> tuple[Codes, tuple[str, ...]]:
    """Drop labels without rows, and put the rows with code -1 into a last group of their own."""
    codes = np.where(codes < 0, len(labels), codes)
    used, codes = np.unique(codes, return_inverse=True)
    if used.size > MAX_GROUPS:
        raise InputError(
            "too many groups",
            where=where,
            got=f"{used.size} distinct values",
            allowed=f"at most {MAX_GROUPS}",
            fix="group the values first, or check that the column is not an identifier",
        )
    everything = (*labels, MISSING)
    return codes.astype(np.intp), tuple(everything[i] for i in used)
