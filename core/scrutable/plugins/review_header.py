"""What a review was made with: the header of its file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import TYPE_CHECKING, Any, Self

from scrutable.data.labelling import label
from scrutable.errors import InputError
from scrutable.plugins.registry import registry
from scrutable.writing.toml import toml_value

if TYPE_CHECKING:
    from scrutable.plugins.bases.binner import Binner

#: Options that change no bin, or that the header states apart.
_APART = ("edits", "favourable", "encoding", "verbose")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHeader:
    """The binner whose bins were reviewed, so that a replay on other bins does not go unnoticed.

    Parameters
    ----------
    binner : its name, or that of its class where it is not registered.
    options : those that are not the defaults, special codes among them; what TOML cannot hold is left out.
    favourable : the favourable class in words; None where it is not known.

    Examples
    --------
    >>> saved = ReviewHeader(binner="quantile", options={"max_bins": 4}, favourable="good")
    >>> list(saved.differences(ReviewHeader(binner="quantile", options={"max_bins": 5})))
    ['max_bins 4 in the file, 5 here']
    """

    binner: str
    options: Mapping[str, Any] = field(default_factory=dict)
    favourable: str | None = None

    @classmethod
    def of(cls, binner: Binner, favourable: Any = None) -> Self:
        """The header of a review of a binner's bins."""
        defaults = {name: each.default for name, each in signature(type(binner)).parameters.items()}
        given = {name: value for name, value in binner.get_params(deep=False).items() if name not in _APART}
        plain = {name: _plain(value) for name, value in given.items()}
        options = {
            name: value
            for name, value in plain.items()
            if _holds(value) and value not in ([], {}) and value != _plain(defaults.get(name))
        }
        return cls(binner=_name(binner), options=options, favourable=None if favourable is None else label(favourable))

    @classmethod
    def read(cls, table: Any, where: str) -> Self:
        """The header that the table [review] of a file states.

        Raises
        ------
        InputError : another value or key than it has.
        """
        allowed = "binner, favourable and options, as Review.save writes them"
        fix = "correct the table [review], or delete it"
        if not isinstance(table, Mapping) or set(table) - {"binner", "favourable", "options"}:
            got = list(table) if isinstance(table, Mapping) else table
            raise InputError("not a header of a review", where=where, got=got, allowed=allowed, fix=fix)
        options, favourable = table.get("options", {}), table.get("favourable")
        right = isinstance(table.get("binner"), str) and isinstance(options, Mapping)
        if not right or not isinstance(favourable, str | None):
            raise InputError("not a header of a review", where=where, got=dict(table), allowed=allowed, fix=fix)
        return cls(binner=table["binner"], options=options, favourable=favourable)

    def differences(self, here: ReviewHeader) -> Iterator[str]:
        """In words, what is another than here; a favourable class that one side does not know is none."""
        if self.binner != here.binner:
            yield f"binner {self.binner!r} in the file, {here.binner!r} here"
        for name in dict.fromkeys((*self.options, *here.options)):
            saved, used = self.options.get(name), here.options.get(name)
            if saved != used:
                yield f"{name} {_said(saved)} in the file, {_said(used)} here"
        if None not in (self.favourable, here.favourable) and self.favourable != here.favourable:
            yield f"favourable {self.favourable!r} in the file, {here.favourable!r} here"

    def check(self, here: ReviewHeader, where: str) -> None:
        """That a replay begins with the bins which were reviewed.

        Raises
        ------
        InputError : it does not.
        """
        if differences := list(self.differences(here)):
            raise InputError(
                "the review was of other bins",
                where=where,
                got="; ".join(differences),
                fix="use the binner, options and favourable class of the file, or delete its table [review] to replay "
                "the edits on other bins",
            )

    def text(self) -> str:
        """The table [review] as TOML."""
        lines = ["[review]", f"binner = {toml_value(self.binner)}"]
        lines += [] if self.favourable is None else [f"favourable = {toml_value(self.favourable)}"]
        lines += [f"options = {toml_value(self.options)}"] if self.options else []
        return "\n".join([*lines, ""])


def _name(binner: Binner) -> str:
    """The name of a registered binner, found without importing the others."""
    cls = type(binner)
    for listing in registry().listings("binner"):
        module, _, named = listing.component.path.partition(":")
        if named == cls.__qualname__ and cls.__module__.partition(".")[0] == module.partition(".")[0]:
            return listing.recorded
    return cls.__qualname__


def _plain(value: Any) -> Any:
    """Lists for tuples, arrays and sets, which are sorted (each process has an order of its own); texts for keys."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, set | frozenset):
        plain = sorted(plain, key=repr)
    return [_plain(each) for each in plain] if isinstance(plain, list | tuple) else plain


def _holds(value: Any) -> bool:
    """Whether TOML holds a plain value as it is."""
    if isinstance(value, Mapping):
        return all(map(_holds, value.values()))
    if isinstance(value, list):
        return all(map(_holds, value))
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def _said(value: Any) -> str:
    return "as by default" if value is None else repr(value)
