"""Errors: what went wrong, where, what was got, what is allowed, how to mend it. Warnings that name the caller."""

from __future__ import annotations

import difflib
import itertools
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

__all__ = [
    "InputError",
    "KindError",
    "ModelError",
    "PluginError",
    "ScrutableError",
    "ScrutableWarning",
    "UnsupportedModel",
    "did_you_mean",
    "under",
    "warn_caller",
]

E = TypeVar("E", bound="ScrutableError")
S = TypeVar("S", str, int)
T = TypeVar("T")

#: Characters of the longest part of an error; whatever is longer loses its middle.
LONGEST = 1000

_NOTHING = object()
_SEPARATORS = re.compile(r"[\W_]+")
#: Characters of the longest names that are compared, names that are compared letter by letter, and names listed.
_NAME, _COMPARED, _LISTED = 100, 200, 40


class _Part:
    """A part of an error, never longer than `LONGEST`, whoever sets it and whenever."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, error: ScrutableError, owner: type) -> str | None:
        return error.__dict__[self.name]  # type: ignore[no-any-return]  # what __set__ put there

    def __set__(self, error: ScrutableError, text: str | None) -> None:
        error.__dict__[self.name] = None if text is None else _cut(text)


class ScrutableError(Exception):
    """Base of every error that Scrutable raises on purpose.

    Parameters
    ----------
    what : what is wrong, as a sentence without its full stop.
    where : the column, rule, file or plugin at fault.
    got : the value found there; left out of the text when not given.
    allowed : what would have been accepted.
    fix : what to do about it, as a sentence without its full stop.

    Examples
    --------
    >>> print(InputError("expected numbers", where="column 'age'", got="old", allowed="numbers or missing",
    ...                  fix="convert the column before fitting"))
    column 'age': expected numbers; got 'old'; allowed: numbers or missing. Fix: convert the column before fitting.
    """

    where, allowed, fix = _Part(), _Part(), _Part()

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        got: object = _NOTHING,
        allowed: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.what, self.where, self.allowed, self.fix = _cut(what), where, allowed, fix
        self.got = None if got is _NOTHING else _shorten(got)
        super().__init__(self.what)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.got is not None:
            text += f"; got {self.got}"
        if self.allowed:
            text += f"; allowed: {self.allowed}"
        return f"{text}. Fix: {self.fix}." if self.fix else f"{text}."

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.__dict__)


class InputError(ScrutableError, ValueError):
    """Data, a file or a parameter that cannot be used as given."""


class KindError(InputError, TypeError):
    """A column or value of another kind than the one declared, for example text where numbers were fitted."""


class ModelError(ScrutableError, ValueError):
    """A model that breaks its own rules: a gap between attributes, a broken file, a newer schema."""


class UnsupportedModel(ScrutableError):
    """A model that an exporter cannot reproduce exactly, and therefore refuses."""


class PluginError(ScrutableError):
    """A plugin that could not be found, imported or trusted."""


def under(error: E, where: str) -> E:
    """The error, with what names the whole before the steps to its place.

    >>> print(under(InputError("broken", where=".bins[3]"), "model.json"))
    model.json.bins[3]: broken.
    """
    error.where = where + (error.where or "")
    return error


def each_located(items: Iterable[tuple[S, Any]], make: Callable[[Any], T]) -> Iterator[tuple[S, T]]:
    """What is made of each item of a mapping or a list, with its key or position, which go before the place of errors.

    >>> dict(each_located({"a": 1, "b": 2}.items(), str))
    {'a': '1', 'b': '2'}
    """
    step: str | int = ""
    try:
        for step, item in items:
            yield step, make(item)
    except ScrutableError as error:
        plain = isinstance(step, str) and step.isprintable()
        raise under(error, f".{step}" if plain else f"[{step!r}]") from None


class ScrutableWarning(UserWarning):
    """Base of what Scrutable warns of: data or results that can be used, and that somebody should look at.

    Parameters
    ----------
    message : what is told in Python.
    command : what commands tell in its place, such as with another fix; None for the same.
    """

    def __init__(self, message: str = "", *, command: str | None = None) -> None:
        super().__init__(message)
        self.command = message if command is None else command


def warn_caller(message: str | ScrutableWarning, category: type[Warning] | None = None) -> None:
    """Warn, and name the line of whoever called Scrutable, however deep inside it the warning arises.

    Parameters
    ----------
    category : of a message that is a text; a warning has its own.
    """
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Name the closest known names, or list them, if not all of very many.

    Close is what a slip of the hand makes: a letter in four wrong, missing, added or swapped with its neighbour,
    whatever the case and the separators; or whole words of a longer name.

    >>> did_you_mean("optimla", ["optimal", "quantile"])
    "did you mean 'optimal'?"
    >>> did_you_mean("amount", ["credit_amount", "count"])
    "did you mean 'credit_amount'?"
    >>> did_you_mean("income", ["home", "age"])
    "one of 'age', 'home'"
    """
    name, names = str(name), sorted(map(str, known))
    close = {*_first(each for each in names if _same_words(name, each))}
    close |= {each for each in _first(each for each in names if _same_letters(name, each)) if _slipped(name, each)}
    likeness = difflib.SequenceMatcher(b=_folded(name)[:_NAME])

    def unlikeness(each: str) -> float:
        likeness.set_seq1(_folded(each)[:_NAME])
        return -likeness.ratio()

    if close:
        nearest = sorted((unlikeness(each), each) for each in close)[:2]
        return "did you mean " + " or ".join(repr(each) for _, each in nearest) + "?"
    more = f", … ({len(names)} in all)" if len(names) > _LISTED else ""
    return "one of " + ", ".join(map(repr, names[:_LISTED])) + more if names else "none is known"


def _first(names: Iterable[str]) -> list[str]:
    """The first of the names, no more than are looked at closely."""
    return list(itertools.islice(names, _COMPARED))


def _folded(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def _same_words(one: str, other: str) -> bool:
    """Whether all words of one name are words of the other."""
    words = [{word for word in _SEPARATORS.split(each.casefold()) if len(word) > 2} for each in (one, other)]
    return all(words) and (words[0] <= words[1] or words[1] <= words[0])


def _same_letters(one: str, other: str) -> bool:
    """Whether the letters of the names, wherever they stand, differ by no more than slips would make them."""
    first, second = _folded(one), _folded(other)
    if not 0 < min(len(first), len(second)) <= max(len(first), len(second)) <= _NAME:
        return False
    one_has, other_has = Counter(first), Counter(second)
    return max((one_has - other_has).total(), (other_has - one_has).total()) <= _most(first, second)


def _slipped(one: str, other: str) -> bool:
    first, second = _folded(one), _folded(other)
    return _slips(first, second) <= _most(first, second)


def _most(one: str, other: str) -> int:
    """The slips that still leave a name of such a length what it was."""
    return min(max(1, max(len(one), len(other)) // 4), min(len(one), len(other)) // 2)


def _slips(one: str, other: str) -> int:
    """Letters to change, drop, add, or swap with their neighbours, to make one word another (optimal alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != theirs)))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == theirs:
                row[j] = min(row[j], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


def _is_ours(module: str) -> bool:
    return f"{module}.".startswith(("scrutable.", "scrutable_", "contextlib."))  # which runs our blocks for us


def _shorten(value: object, limit: int = 120) -> str:
    try:
        text = repr(value)
    except Exception:  # whole numbers of thousands of digits, lists within lists without end, what others wrote
        kind = type(value).__name__
        return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind} that cannot be shown"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _cut(text: str) -> str:
    """A text that can be printed: without its middle where that is long, half characters shown escaped."""
    half = LONGEST // 2
    short = text if len(text) <= LONGEST else f"{text[: half - 2]} … {text[1 - half :]}"
    return short.encode("utf-8", "backslashreplace").decode()


def _rebuild(kind: type[ScrutableError], state: dict[str, object]) -> ScrutableError:
    error = kind(str(state["what"]))
    error.__dict__.update(state)
    return error
