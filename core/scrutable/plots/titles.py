"""Titles of attributes for pictures, where a limit need not be exact."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model import AttributeCondition, Interval, describe_alike
from scrutable.writing.decimals import shortened


def short_titles(conditions: Sequence[AttributeCondition], titles: Sequence[str]) -> list[str]:
    """Titles of the attributes of one feature, with limits from 100,000 on in short; labels stay as they are.

    >>> short_titles([Interval(upper=2_255_000), Interval(2_255_000)], ["< 2255000", "rich"])
    ['< 2.255 M', 'rich']
    """
    limits = [value for each in conditions if isinstance(each, Interval) for value, _ in each.limits]
    words = zip(describe_alike(conditions), describe_alike(conditions, write=shortened(limits)), strict=True)
    return [short if title == exact else title for title, (exact, short) in zip(titles, words, strict=True)]
