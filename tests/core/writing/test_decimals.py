"""Numbers for people: the fractions that points are held as do not show."""

from __future__ import annotations

import pytest

from scrutable.model import snap
from scrutable.writing import points_in_words


@pytest.mark.parametrize("decimals", range(7))
def test_points_read_as_their_decimals_say(decimals: int) -> None:
    for declared in (-0.002, 0.1, 1.25, 535.621, -22.015, 1234.56789, 0.0):
        wanted = round(declared, decimals)
        assert float(points_in_words(snap(wanted), decimals)) == wanted
        assert float(points_in_words(snap(wanted), decimals, sign=True)) == wanted
    assert points_in_words(snap(-0.002), decimals).lstrip("-") in ("0", "0.002")


def test_whole_points_of_many_digits_keep_them() -> None:
    assert points_in_words(1234567.0, 0) == "1234567"
    assert points_in_words(1200.0, 0, sign=True) == "+1200"
