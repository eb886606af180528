"""Dates written day or month first, as texts with the year first."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING, Literal

from scrutable.data.frames.reading import DateOrder
from scrutable.data.frames.texts import text_columns
from scrutable.data.masking import Masked
from scrutable.errors import InputError, ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: 31/07/2019, 31.7.2019 or 31-07-2019, with or without a time of day.
YEAR_LAST = re.compile(r"\s*([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})([ T][0-9:.]+)?\s*")

_NO_ORDER: Literal["none"] = "none"


class DateOrderWarning(ScrutableWarning):
    """Dates with their year last were read in the order that they show."""


def year_first(frame: pd.DataFrame, order: DateOrder) -> pd.DataFrame:
    """The frame with each column of texts that are all dates with their year last, written year first.

    Raises
    ------
    InputError : a day that there is not in this order, with its column.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"issued": ["31/07/2019", None, "1/8/2019"]})
    >>> year_first(frame, "d/m/Y")["issued"].tolist()
    ['2019-07-31', nan, '2019-08-01']
    """
    rewritten = {}
    for name, texts in text_columns(frame):
        if texts.str.fullmatch(YEAR_LAST).all():
            written = {text: _year_first(text, order, f"column {name!r}") for text in texts.unique()}
            rewritten[name] = texts.map(written).reindex(frame.index)
    return frame.assign(**rewritten)


def guessed_year_first(frame: pd.DataFrame, spoken_of: Collection[str]) -> pd.DataFrame:
    """The frame with columns of dates whose order is sure written year first, each told of.

    A day above 12 shows the order, and points stand in dates with the day first. Columns that do not show it have the
    order of those that do, where these agree; without any they stay as they are, and are refused where dates are asked
    for.

    Parameters
    ----------
    spoken_of : columns that are left as they are.

    Examples
    --------
    >>> import pandas as pd, warnings
    >>> frame = pd.DataFrame({"issued": ["31/07/2019", "1/8/2019"], "paid": ["1/9/2019", "2/9/2019"]})
    >>> with warnings.catch_warnings(action="ignore"):
    ...     guessed_year_first(frame, ()).to_dict("list")
    {'issued': ['2019-07-31', '2019-08-01'], 'paid': ['2019-09-01', '2019-09-02']}
    """
    orders = {name: _order(texts) for name, texts in text_columns(frame) if name not in spoken_of and _are_dates(texts)}
    sure = {order for order in orders.values() if order is not None}
    common = next(iter(sure)) if len(sure) == 1 else None
    for name, shown in orders.items():
        order = shown or common
        if order is None or order == _NO_ORDER:
            continue
        rewritten = year_first(frame[[name]], order)
        frame = frame.assign(**{name: rewritten[name]})
        how = "as a day above 12 or points between show" if shown else "as other columns show"
        warn_caller(
            f"column {name!r}: its dates are read as {order}, {how}. Fix: none if that is right, else name the order: "
            f"--dates d/m/Y or --dates m/d/Y (in Python dates=...); --text {name} leaves them as they stand.",
            DateOrderWarning,
        )
    return frame


def _are_dates(texts: pd.Series) -> bool:
    return YEAR_LAST.fullmatch(texts.iloc[0]) is not None and bool(texts.str.fullmatch(YEAR_LAST).all())


def _order(texts: pd.Series) -> DateOrder | Literal["none"] | None:
    """The order that dates show; None where they show none, and `_NO_ORDER` where no order makes days of all."""
    parts = texts.str.extract(YEAR_LAST)
    first, second = (int(parts[place].astype(int).max()) for place in (0, 2))
    if min(first, second) > 12 or max(first, second) > 31:
        return _NO_ORDER
    if first > 12 or bool((parts[1] == ".").all() and second <= 12):
        return "d/m/Y"
    return "m/d/Y" if second > 12 else None


def _year_first(text: str, order: DateOrder, where: str) -> str:
    match = YEAR_LAST.fullmatch(text)
    assert match is not None
    first, _, second, year, time = match.groups()
    day, month = (first, second) if order == "d/m/Y" else (second, first)
    try:
        return date(int(year), int(month), int(day)).isoformat() + (time or "")
    except ValueError:
        raise InputError(
            "no such day",
            where=where,
            got=Masked(text),
            allowed=f"dates as {order}",
            fix="name the order that the file has",
        ) from None
