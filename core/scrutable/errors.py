"""Errors: what went wrong, where, what was got, what is allowed, how to mend it. Warnings that name the caller."""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable

_NOTHING = object()


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


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, and name the line of whoever called Scrutable, however deep inside it the warning arises."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the closest known names, or list them all.

    >>> did_you_mean("optimla", ["optimal", "quantile"])
    "did you mean 'optimal'?"
    >>> did_you_mean("zzz", ["optimal", "quantile"])
    "one of 'optimal', 'quantile'"
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=2, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(map(repr, close)) + "?"
    return "one of " + ", ".join(map(repr, names)) if names else "none is known"


def _is_ours(module: str) -> bool:
    return f"{module}.".startswith(("scrutable.", "scrutable_"))


def _shorten(value: object, limit: int = 120) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _rebuild(kind: type[ScrutableError], state: dict[str, object]) -> ScrutableError:
    error = kind(str(state["what"]))
    error.__dict__.update(state)
    return error
