"""Errors: what went wrong, where, what was got, what is allowed, how to mend it. Warnings that name the caller."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Iterable

_NOTHING = object()
_SEPARATORS = re.compile(r"[\W_]+")


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

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        got: object = _NOTHING,
        allowed: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.what, self.where, self.allowed, self.fix = what, where, allowed, fix
        self.got = None if got is _NOTHING else _shorten(got)
        super().__init__(what)

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


class ScrutableWarning(UserWarning):
    """Base of what Scrutable warns of: data or results that can be used, and that somebody should look at."""


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, and name the line of whoever called Scrutable, however deep inside it the warning arises."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the closest known names, or list them all.

    Close is what a slip of the hand makes: a letter in four wrong, missing, added or swapped with its neighbour,
    whatever the case and the separators; or whole words of a longer name.

    >>> did_you_mean("optimla", ["optimal", "quantile"])
    "did you mean 'optimal'?"
    >>> did_you_mean("amount", ["credit_amount", "count"])
    "did you mean 'credit_amount'?"
    >>> did_you_mean("income", ["home", "age"])
    "one of 'age', 'home'"
    """
    names = sorted(known)
    likeness = difflib.SequenceMatcher(b=_folded(name))
    close = []
    for each in names:
        if _close(name, each):
            likeness.set_seq1(_folded(each))
            close.append((-likeness.ratio(), each))
    if close:
        return "did you mean " + " or ".join(repr(each) for _, each in sorted(close)[:2]) + "?"
    return "one of " + ", ".join(map(repr, names)) if names else "none is known"


def _folded(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def _close(one: str, other: str) -> bool:
    words = [{word for word in _SEPARATORS.split(each.casefold()) if len(word) > 2} for each in (one, other)]
    if all(words) and (words[0] <= words[1] or words[1] <= words[0]):
        return True
    first, second = _folded(one), _folded(other)
    if not first or not second:
        return False
    most = min(max(1, max(len(first), len(second)) // 4), min(len(first), len(second)) // 2)
    return first == second or (abs(len(first) - len(second)) <= most and _slips(first, second) <= most)


def _slips(one: str, other: str) -> int:
    """Letters to change, drop, add, or swap with their neighbours, to make one word another (optimal alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, its in enumerate(other, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != its)))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                row[j] = min(row[j], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


def _is_ours(module: str) -> bool:
    return f"{module}.".startswith(("scrutable.", "scrutable_"))


def _shorten(value: object, limit: int = 120) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _rebuild(kind: type[ScrutableError], state: dict[str, object]) -> ScrutableError:
    error = kind(str(state["what"]))
    error.__dict__.update(state)
    return error
