"""Values of options: what fits as it is stays, texts with commas are lists only where nothing else fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from scrutable.errors import InputError
from scrutable.plugins.choices import Choice
from scrutable.plugins.reading_values import coerce

CODES = Mapping[str, Sequence[float | str]] | Sequence[float | str] | None
MERGES = Mapping[str, Sequence[Sequence[float | str]]]


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        ("-9,-8", CODES, [-9.0, -8.0]),
        ("-9, refused", CODES, [-9.0, "refused"]),
        ('"-9",-8', CODES, ["-9", -8.0]),
        (-9, CODES, [-9.0]),
        (["-9", "-8"], CODES, ["-9", "-8"]),
        ({"months": "-9,-8"}, CODES, {"months": [-9.0, -8.0]}),
        ("1,2", tuple[str, ...], ("1", "2")),
        ("true,false", list[bool], [True, False]),
        ({"job": [["a", "b"], ["c"]]}, MERGES, {"job": [["a", "b"], ["c"]]}),
        (5, tuple[float, ...] | float, 5.0),
        (5, tuple[float, ...] | str, (5.0,)),
        ("all", tuple[str, ...] | Literal["all"], "all"),
        ("sex", tuple[str, ...] | Literal["all"], ("sex",)),
        ("a,b", Sequence[str] | str, "a,b"),
    ],
)
def test_values_that_fit(value: Any, hint: Any, expected: Any) -> None:
    assert repr(coerce(value, hint, "option")) == repr(expected)


@pytest.mark.parametrize(
    ("value", "hint", "got"),
    [
        (10**400, float | None, "10+…"),
        ({"job": ["a", "b"]}, MERGES, "'a'"),
        ({"job": "a,b"}, MERGES, "'a,b'"),
        ({"job": [1, 2]}, MERGES, "1"),
        ([1, [2]], Sequence[float], r"\[2\]"),
        ("a,,b", Sequence[str], "'a,,b'"),
        ("1,x", Sequence[float], "'1,x'"),
        ({"a": 1}, Sequence[str], r"\{'a': 1\}"),
    ],
)
def test_values_that_do_not_fit(value: Any, hint: Any, got: str) -> None:
    with pytest.raises(InputError, match=rf"^option.*: a value of the wrong type; got {got}; allowed: "):
        coerce(value, hint, "option")


def test_spaces_around_a_name_do_not_count() -> None:
    assert Choice.parse(" opportunity :slack=1", "--constraint").name == "opportunity"
