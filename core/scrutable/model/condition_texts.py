"""Conditions as people write them, read strictly: nothing is ever run, and what is not understood is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scrutable.data.features import Value
from scrutable.errors import InputError, ModelError
from scrutable.model.conditions import (
    Categories,
    Clause,
    ClauseCondition,
    Closed,
    Conjunction,
    Interval,
    Missing,
    Special,
)

_TEST = "<, <=, >, >=, =, !=, in [...], not in [...], is missing, is special [...]"
_BRACKETS = "in brackets, as in (income < 900 or missing) and age < 25"
_TOKEN = re.compile(
    r"""(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<text>"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*')
    | (?P<name>`[^`]+`|[^\W\d]\w*)
    | (?P<sign><=|>=|==|!=|[<>=\[\](),])""",
    re.VERBOSE,
)
_WORDS = frozenset(("and", "or", "not", "in", "is", "missing", "special"))


def read_conditions(text: str) -> Conjunction:
    """The clauses that a text states, all of which have to hold.

    Tests are `<`, `<=`, `>` and `>=` with a number, `=` and `!=` with a number or a text, `in [...]`, `not in [...]`,
    `is missing` and `is special [...]`. `and` joins tests; `or` joins tests of one feature, in brackets where there is
    an `and`, too; `or missing` is short for another test of the same feature. A feature's name with other characters
    than letters, digits and underscores stands between backticks, and so does one of the words above. Intervals of one
    feature that have to hold together become one.

    Raises
    ------
    InputError : the text cannot be read; the message says at which character.

    Examples
    --------
    >>> from scrutable.model.conditions import describe_all
    >>> describe_all(read_conditions("accounts >= 3 and accounts < 10"))
    'accounts in [3, 10)'
    >>> describe_all(read_conditions("(accounts < 3 or missing) and purpose in ['car', 'home']"))
    "(accounts < 3 or missing) and (purpose is 'car' or 'home')"
    >>> read_conditions("`months on book` is missing")[0].feature
    'months on book'
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(
            "no condition",
            where="condition",
            got=text,
            allowed=f"a text with {_TEST}",
            fix="for example 'accounts < 3'",
        )
    return _Reader(text).conjunction()


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the text: its kind ("number", "text", "name", "sign" or "word"), its text, and where it begins."""

    kind: str
    text: str
    start: int


class _Reader:
    """Reads tokens one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._next = 0

    def conjunction(self) -> Conjunction:
        """Groups with `and` between them, to the end of the text."""
        groups = [self._group()]
        while self._taken("and"):
            groups.append(self._group())
        if self._next < len(self._tokens):
            raise self._refused("expected `and` or the end", allowed=f"`or` beside an `and` {_BRACKETS}")
        united: list[Clause] = []
        for clause in groups:
            _unite(united, clause, self._text)
        return tuple(united)

    def _group(self) -> Clause:
        """One test, tests in brackets, or tests with `or` between them that are the whole text."""
        start = self._next
        if self._taken("("):
            clause = self._alternatives()
            self._expect(")")
            return clause
        clause = self._alternatives()
        if len(clause.any_of) > 1 and (start > 0 or self._next < len(self._tokens)):
            self._next = start
            raise self._refused("tests joined by `or` stand in brackets beside an `and`", allowed=_BRACKETS)
        return clause

    def _alternatives(self) -> Clause:
        feature = self._name()
        tests = [self._test()]
        while self._taken("or"):
            if self._taken("missing"):
                tests.append(Missing())
                continue
            if self._name() != feature:
                self._next -= 1
                fix = "make a segment or a rule of each, one after the other"
                raise self._refused("`or` joins tests of one feature", allowed=f"`{feature}`", fix=fix)
            tests.append(self._test())
        return Clause(feature, tuple(dict.fromkeys(tests)))

    def _test(self) -> ClauseCondition:
        for sign, closed in _UPPER.items():
            if self._taken(sign):
                return Interval(upper=self._number(), closed=closed)
        for sign, closed in _LOWER.items():
            if self._taken(sign):
                return Interval(lower=self._number(), closed=closed)
        if self._taken("=") or self._taken("=="):
            return Categories((self._value(),))
        if self._taken("!="):
            return Categories((self._value(),), negated=True)
        if self._taken("in"):
            return Categories(self._values())
        if self._taken("not"):
            self._expect("in")
            return Categories(self._values(), negated=True)
        if not self._taken("is"):
            raise self._refused("expected a test", allowed=_TEST, fix=self._in_backticks())
        if self._taken("special"):
            return Special(self._values())
        if not self._taken("missing"):
            fix = "for all but the missing, let `is missing` be a segment or a rule that comes before"
            raise self._refused("expected a state", allowed="missing, special [...]", fix=fix)
        return Missing()

    def _values(self) -> tuple[Value, ...]:
        self._expect("[")
        values = [self._value()]
        while self._taken(","):
            values.append(self._value())
        self._expect("]")
        return tuple(dict.fromkeys(values))

    def _value(self) -> Value:
        token = self._peek()
        if token is not None and token.kind == "text":
            self._next += 1
            return re.sub(r"\\(.)", r"\1", token.text[1:-1])
        return self._number("a number, or a text in quotes")

    def _number(self, allowed: str = "a number") -> float:
        token = self._peek()
        if token is None or token.kind != "number":
            raise self._refused("expected a value", allowed=allowed)
        number = float(token.text)
        if math.isinf(number):
            raise self._refused("a number beyond those of a double", allowed="up to 1.7976931348623157e308")
        self._next += 1
        return number

    def _name(self) -> str:
        token = self._peek()
        if token is None or token.kind != "name":
            raise self._refused("expected a feature", allowed="its name; any other than a plain word in backticks")
        self._next += 1
        return token.text.strip("`")

    def _in_backticks(self) -> str | None:
        """The fix for a feature's name of several words, which is the name just read and what follows up to a test."""
        first, end = self._tokens[self._next - 1], self._next
        while end < len(self._tokens) and self._tokens[end].kind in ("name", "number"):
            end += 1
        if end == self._next or first.text.startswith("`"):
            return None
        last = self._tokens[end - 1]
        name = self._text[first.start : last.start + len(last.text)]
        return f"if {name!r} is the name of a feature, put it in backticks: `{name}`"

    def _expect(self, text: str) -> None:
        if not self._taken(text):
            raise self._refused(f"expected `{text}`")

    def _taken(self, text: str) -> bool:
        """Whether this comes next; if so, it has been read."""
        token = self._peek()
        comes_next = token is not None and token.kind in ("sign", "word") and token.text == text
        self._next += comes_next
        return comes_next

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _refused(self, what: str, *, allowed: str | None = None, fix: str | None = None) -> InputError:
        token = self._peek()
        place = f"character {token.start + 1}" if token else "the end"
        got = token.text if token else "nothing more"
        return InputError(what, where=f"condition {self._text!r}, {place}", got=got, allowed=allowed, fix=fix)


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if not text[at].isspace():
                where = f"condition {text!r}, character {at + 1}"
                allowed = "names, numbers, texts in quotes, brackets, and = != < <= > >="
                raise InputError("cannot be read", where=where, got=text[at:], allowed=allowed)
            at += 1
            continue
        kind = str(match.lastgroup)
        yield _Token("word" if kind == "name" and match.group() in _WORDS else kind, match.group(), at)
        at = match.end()


def _unite(clauses: list[Clause], new: Clause, text: str) -> None:
    """Add a clause, or where it is an interval of a feature that has one already, what both have in common."""
    for position, clause in enumerate(clauses):
        (one, *others), (two, *more) = clause.any_of, new.any_of
        if clause.feature != new.feature or others or more:
            continue
        if isinstance(one, Interval) and isinstance(two, Interval):
            clauses[position] = Clause(new.feature, (_common(one, two, new.feature, text),))
            return
    clauses.append(new)


def _common(one: Interval, two: Interval, feature: str, text: str) -> Interval:
    lower, open_lower = max((each.lower, not each.closed_lower) for each in (one, two))
    upper, closed_upper = min((each.upper, each.closed_upper) for each in (one, two))
    closed: dict[tuple[bool, bool], Closed] = {
        (False, False): "left",
        (False, True): "both",
        (True, False): "neither",
        (True, True): "right",
    }
    try:
        return Interval(lower, upper, closed[open_lower, closed_upper])
    except ModelError:
        raise InputError(
            "no number satisfies both tests",
            where=f"condition {text!r}",
            got=f"{feature} {one.describe()} and {two.describe()}",
        ) from None


#: Which end of the interval belongs to it, by the sign that states it.
_UPPER: dict[str, Closed] = {"<=": "right", "<": "left"}
_LOWER: dict[str, Closed] = {">=": "left", ">": "right"}
