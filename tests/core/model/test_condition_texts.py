"""Conditions in words: what they mean, and where a text that cannot be read goes wrong."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.model import Categories, Clause, Interval, Missing, Special, read_conditions
from scrutable.model.conditions import describe_all

READ = [
    ("accounts < 3", [("accounts", Interval(upper=3))]),
    ("accounts <= 3", [("accounts", Interval(upper=3, closed="right"))]),
    ("accounts > -3.5e1", [("accounts", Interval(lower=-35, closed="right"))]),
    ("accounts>=.5", [("accounts", Interval(lower=0.5))]),
    ("accounts >= 3 and accounts < 10", [("accounts", Interval(3, 10))]),
    ("accounts > 3 and accounts <= 10", [("accounts", Interval(3, 10, "right"))]),
    ("accounts <= 10 and accounts >= 3", [("accounts", Interval(3, 10, "both"))]),
    ("accounts > 3 and accounts < 10 and accounts < 12", [("accounts", Interval(3, 10, "neither"))]),
    ("accounts >= 3 and accounts > 3", [("accounts", Interval(lower=3, closed="right"))]),
    ("accounts < 3 and accounts <= 3", [("accounts", Interval(upper=3))]),
    ("accounts is missing", [("accounts", Missing())]),
    ("accounts < 3 or missing", [("accounts", Interval(upper=3), Missing())]),
    ("accounts < 3 or accounts is missing", [("accounts", Interval(upper=3), Missing())]),
    ("accounts is special [-9, -8]", [("accounts", Special((-9, -8)))]),
    ("region = 7", [("region", Categories((7,)))]),
    ("region == 7", [("region", Categories((7,)))]),
    ("""purpose in ["car", 'home', 'home']""", [("purpose", Categories(("car", "home")))]),
    ("purpose not in ['car']", [("purpose", Categories(("car",), negated=True))]),
    (r"""purpose != 'it\'s \\ "x"'""", [("purpose", Categories(("it's \\ \"x\"",), negated=True))]),
    ("`months on book` is missing and `and` < 1", [("months on book", Missing()), ("and", Interval(upper=1))]),
    ("(age < 20 or age > 90) and job = ''", [("age", Interval(upper=20), Interval(lower=90, closed="right")),
                                             ("job", Categories(("",)))]),
    ("(accounts < 3)", [("accounts", Interval(upper=3))]),
    ("größe_1 < 3\n  and  x<1", [("größe_1", Interval(upper=3)), ("x", Interval(upper=1))]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "clauses"), READ, ids=[text for text, _ in READ])
def test_what_a_text_means(text: str, clauses: list[tuple[str, object]]) -> None:
    assert read_conditions(text) == tuple(Clause(name, tuple(tests)) for name, *tests in clauses)


REFUSED = [
    ("", "no condition"),
    ("   ", "no condition"),
    ("accounts", "the end: expected a test; got 'nothing more'; allowed: <, <="),
    ("accounts <", "the end: expected a value; got 'nothing more'; allowed: a number"),
    ("accounts < three", "character 12: expected a value; got 'three'"),
    ("accounts < '3'", "character 12: expected a value"),
    ("accounts < 3a", "character 12: cannot be read; got '3a'"),
    ("accounts < 1.2.3", "character 12: cannot be read"),
    ("accounts < inf", "character 12: expected a value"),
    ("accounts < 1e400", "character 12: a number beyond those of a double; got '1e400'"),
    ("accounts in [-9, -1e999]", "character 18: a number beyond those of a double"),
    ("accounts < 3 accounts > 1", "character 14: expected `and` or the end; got 'accounts'"),
    ("accounts < 3 and", "the end: expected a feature"),
    ("Months late 1 >= 3", "character 8: expected a test; got 'late'.*put it in backticks: `Months late 1`"),
    ("x < 1 and (Months late < 3 or missing)", "in backticks: `Months late`"),
    ("and < 3", "character 1: expected a feature; got 'and'"),
    (
        "accounts is not missing",
        "character 13: expected a state.*let `is missing` be a segment or a rule",
    ),
    (
        "accounts < 3 or purpose = 'x'",
        "character 17: `or` joins tests of one feature.*a segment or a rule of each",
    ),
    ("accounts < 3 or missing and x < 1", "character 1: tests joined by `or` stand in brackets"),
    ("x < 1 and accounts < 3 or missing", "character 11: tests joined by `or` stand in brackets"),
    ("(accounts < 3 or missing", "the end: expected `\\)`"),
    ("(accounts < 3) or missing", "character 16: expected `and` or the end"),
    ("purpose in 'car'", "character 12: expected `\\[`"),
    ("purpose in []", "character 13: expected a value; got '\\]'; allowed: a number, or a text in quotes"),
    ("purpose in ['car' 'home']", "character 19: expected `\\]`"),
    ("purpose = car", "character 11: expected a value; got 'car'"),
    ("purpose = 'car", "character 11: cannot be read"),
    ("purpose = 'a\\n'", "character 11: cannot be read"),
    ("__import__('os').system('x')", 'character 17: cannot be read; got ".system'),
    ("x < 3; y < 1", "character 6: cannot be read; got ';"),
    ("x < 3 and x > 3", "no number satisfies both tests; got 'x < 3 and > 3'"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text for text, _ in REFUSED])
def test_what_cannot_be_read_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_conditions(text)


@settings(deadline=None, derandomize=True, database=None)
@given(
    lower=st.floats(allow_nan=False, allow_infinity=False),
    upper=st.floats(allow_nan=False, allow_infinity=False),
    value=st.floats(allow_nan=False, allow_infinity=False),
    signs=st.tuples(st.sampled_from([">", ">="]), st.sampled_from(["<", "<="])),
)
def test_two_ends_hold_together_where_both_do(lower: float, upper: float, value: float, signs: tuple[str, str]) -> None:
    """Against Python's own comparisons, on the value and on both ends."""
    above, below = signs
    text = f"x {above} {lower!r} and x {below} {upper!r}"
    tries = (value, lower, upper, math.nextafter(lower, math.inf), math.nextafter(upper, -math.inf))
    wanted = [
        (x > lower or (above == ">=" and x == lower)) and (x < upper or (below == "<=" and x == upper)) for x in tries
    ]
    try:
        [clause] = read_conditions(text)
    except InputError:
        assert not any(wanted)
        return
    [interval] = clause.any_of
    assert isinstance(interval, Interval)
    found = [
        (x > interval.lower or (interval.closed_lower and x == interval.lower))
        and (x < interval.upper or (interval.closed_upper and x == interval.upper))
        for x in tries
    ]
    assert found == wanted


def test_words_for_people_read_back_where_they_can() -> None:
    for text in ("accounts < 3", "accounts < 3 or missing", "(accounts < 3 or missing) and age >= 18"):
        assert describe_all(read_conditions(text)) == text
