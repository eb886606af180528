"""A manual decision about one feature, its bins or whether it stays: what, by whom, and why."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal, Self, get_args

from scrutable.binning.trend_words import trend_meant
from scrutable.data.features import Value
from scrutable.data.values import text
from scrutable.errors import InputError, ModelError, did_you_mean
from scrutable.model.limits import decimal_below
from scrutable.writing.decimals import number

Action = Literal["cut", "merge", "move", "cuts", "split", "merges", "trend", "missing", "special", "select", "start"]
#: Whether a feature stays whatever a selector finds, leaves, or is left to the selector.
Stays = Literal["must", "never", "free"]
#: How missing values or special codes are treated: by their own WoE, by a WoE of 0, by the lowest WoE of any interval
#: or category that was seen, or counted together with a bin.
PolicyName = Literal["own", "neutral", "worst", "with"]

#: Fields of each action: those of a group exclude one another, and one of them is needed.
_NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "cut": (("at",),),
    "merge": (("at", "values"),),
    "move": (("at",), ("to",)),
    "cuts": (("cuts",),),
    "split": (("values",),),
    "merges": (("groups",),),
    "trend": (("trend",),),
    "missing": (("policy",),),
    "special": (("policy",),),
    "select": (("stays",),),
    "start": (("cuts", "groups"),),
}
_FURTHER = {"trend": ("cuts",), "missing": ("bin",), "special": ("bin", "codes"), "start": ("trend",)}
_TRENDS = ("ascending", "descending", "none")
_STAYS = {"must": "must stay", "never": "never stays", "free": "left to the selector"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BinEdit:
    """One decision, in terms of values of the feature, so that it means the same on other rows.

    Parameters
    ----------
    feature : name of the column.
    action : "cut" adds one; "merge" drops the cut `at`, or joins the groups that hold `values`; "move" takes the cut
        `at` to another place; "cuts" sets all of them; "split" gives `values` a group of their own; "merges" sets
        `groups`, and values that none of them names stay as they were grouped; "trend", "missing" and "special" set
        what their names say; "select" says whether it `stays` where a learner selects; "start" states the bins that a
        review began with.
    at, to : cuts. A cut opens the interval above it.
    cuts : all cuts, rising. For a trend those that follow it; where there are none, neighbours that go against the
        trend are merged.
    values, groups : categories.
    trend : "ascending", "descending" or "none".
    policy : how missing values or special codes are treated: "own", "neutral", "worst" or "with" a bin.
    bin : a value that lies in the bin which they are counted with.
    codes : the special codes in question; all of the feature's if empty.
    stays : "must", "never" or "free", which takes back what was said before.
    who, why : for the audit trail.

    Raises
    ------
    InputError : a field that the action lacks or does not have, or a value that no edit can have.

    Examples
    --------
    >>> edit = BinEdit(feature="age", action="move", at=25, to=27, who="ana", why="policy limit")
    >>> edit.detail
    'cut at 25 moved to 27'
    >>> BinEdit.of(edit.to_dict()) == edit
    True
    """

    feature: str
    action: Action
    at: float | None = None
    to: float | None = None
    cuts: tuple[float, ...] | None = None
    values: tuple[Value, ...] | None = None
    groups: tuple[tuple[Value, ...], ...] | None = None
    trend: Literal["ascending", "descending", "none"] | None = None
    policy: PolicyName | None = None
    bin: Value | None = None
    codes: tuple[Value, ...] = ()
    stays: Stays | None = None
    who: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        _check_texts(self)
        if not isinstance(self.action, str) or self.action not in _NEEDED:
            fix = did_you_mean(self.action, _NEEDED)
            raise InputError("unknown action", where=f"column {self.feature!r}", got=self.action, fix=fix)
        if self.codes is None:
            object.__setattr__(self, "codes", ())
        where = self.where
        _check_fields(self, where)
        for name, read in _READ.items():
            value = getattr(self, name)
            if value is not None:
                # These two are also options of binners, which have no such field.
                place = where if self.action in ("cuts", "merges") else f"{where}, {name}"
                object.__setattr__(self, name, read(value, place))
        _check_words(self, where)

    @classmethod
    def of(cls, given: Any) -> Self:
        """An edit as it is, or one that a mapping describes.

        >>> BinEdit.of({"feature": "home", "action": "merge", "values": ["rent", "free"]}).detail
        "'rent' and 'free' merged"
        """
        if isinstance(given, cls):
            return given
        names = [each.name for each in fields(cls)]
        if not isinstance(given, Mapping):
            allowed = f"BinEdit(...), or a mapping with {', '.join(names)}"
            raise InputError("expected an edit", where="edits", got=given, allowed=allowed)
        for name in given:
            if name not in names:
                raise InputError("unknown field", where="edit", got=name, fix=did_you_mean(name, names))
        for name in ("feature", "action"):
            if name not in given:
                raise InputError("a field is missing", where="edit", got=list(given), fix=f"add {name}")
        return cls(**given)

    @property
    def shapes_bins(self) -> bool:
        """Whether it is about the bins of its feature, not about whether that stays."""
        return self.action != "select"

    @property
    def where(self) -> str:
        """How errors name the edit."""
        return f"{self.action}, column {self.feature!r}"

    @property
    def detail(self) -> str:
        """What is decided, in words."""
        match self.action:
            case "cut":
                return f"cut added at {_cut_said(self.at)}"
            case "move":
                return f"cut at {_cut_said(self.at)} moved to {_cut_said(self.to)}"
            case "merge" if self.at is not None:
                return f"cut at {_cut_said(self.at)} dropped"
            case "merge":
                return f"{_listed(self.values)} merged"
            case "split":
                return f"{_listed(self.values)} split off"
            case "missing" | "special":
                treated = f"with the bin of {_said(self.bin)}" if self.policy == "with" else str(self.policy)
                return f"{_listed(self.codes)}: {treated}" if self.codes else treated
            case "select":
                return _STAYS[str(self.stays)]
        return "; ".join(_bins_said(self))

    def to_dict(self) -> dict[str, Any]:
        """The fields that are set, as plain values for JSON and TOML."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        empty = {"who": "", "why": "", "codes": ()}
        kept = {name: value for name, value in values.items() if value is not None and value != empty.get(name)}
        return {name: _listed_plain(value) for name, value in kept.items()}


def read_edits(given: Iterable[BinEdit | Mapping[str, Any]]) -> tuple[BinEdit, ...]:
    """Edits from edits and mappings.

    Raises
    ------
    InputError : no list, an item that is no edit, or a start after another edit of its feature; the message says which,
        counted from 1.
    """
    if isinstance(given, str | Mapping | BinEdit) or not isinstance(given, Iterable):
        raise InputError("expected a list of edits", where="edits", got=given, fix="edits=[BinEdit(...)]")
    edits: list[BinEdit] = []
    edited: set[str] = set()
    for position, each in enumerate(given, 1):
        try:
            edit = BinEdit.of(each)
            if edit.action == "start" and edit.feature in edited:
                fix = "put it first, or leave it out"
                raise InputError("a start comes before the feature's edits", where=edit.where, fix=fix)
            edits.append(edit)
            edited.add(edit.feature)
        except InputError as error:
            raise numbered(error, position) from None
    return tuple(edits)


def selected_by_hand(edits: Iterable[BinEdit]) -> dict[str, BinEdit]:
    """By feature, the decision whether it must stay or never may that holds: the last one, unless that frees it.

    >>> first = BinEdit(feature="age", action="select", stays="never", who="ana", why="volatile")
    >>> selected_by_hand([first, BinEdit(feature="age", action="select", stays="free", who="ana", why="it is not")])
    {}
    """
    last = {edit.feature: edit for edit in edits if edit.action == "select"}
    return {feature: edit for feature, edit in last.items() if edit.stays != "free"}


def just_above(cut: float) -> str:
    """The decimal that a cut is next above, in words; tables tell it by that where they can.

    >>> just_above(0.1 * 3), just_above(0.3)
    ('just above 0.3', '')
    """
    near = decimal_below(cut)
    return "" if near is None else f"just above {number(near)}"


def numbered(error: InputError, position: int) -> InputError:
    """The error with the position of the edit, counted from 1, that it is about."""
    error.where = f"edit {position}, {error.where}"
    return error


def _check_texts(edit: BinEdit) -> None:
    for name in ("feature", "who", "why"):
        try:
            text(getattr(edit, name), f"edit, {name}")
        except ModelError as error:
            raise InputError(error.what, where=error.where, got=getattr(edit, name), fix=error.fix) from None


def _check_fields(edit: BinEdit, where: str) -> None:
    needed = _NEEDED[edit.action]
    known = {*(name for group in needed for name in group), *_FURTHER.get(edit.action, ())}
    for each in fields(edit):
        if _is_given(getattr(edit, each.name)) and each.name not in {*known, "feature", "action", "who", "why"}:
            fix = f"leave {each.name} out"
            raise InputError(
                "the action has no such field", where=where, got=each.name, allowed=", ".join(sorted(known)), fix=fix
            )
    for group in needed:
        given = [name for name in group if getattr(edit, name) is not None]
        if len(given) != 1:
            raise InputError(
                "the action needs one of these fields" if len(group) > 1 else "the action needs a field",
                where=where,
                got=given,
                allowed=" or ".join(group),
                fix=f"give {' or '.join(group)}",
            )


def _is_given(value: Any) -> bool:
    return value is not None and not (isinstance(value, tuple) and not value)


def _check_words(edit: BinEdit, where: str) -> None:
    _check_word(edit.trend, "trend", _TRENDS, where)
    _check_word(edit.policy, "policy", get_args(PolicyName), where)
    _check_word(edit.stays, "stays", get_args(Stays), where)
    if edit.policy is None:
        return
    if (edit.policy == "with") != (edit.bin is not None):
        fix = "give bin, a value that lies in the bin" if edit.bin is None else "leave bin out, or use 'with'"
        raise InputError("only the policy 'with' names a bin, and it must", where=where, got=edit.policy, fix=fix)


def _check_word(given: Any, name: str, allowed: tuple[str, ...], where: str) -> None:
    if given is not None and not (isinstance(given, str) and given in allowed):
        fix = trend_meant(given, allowed) if name == "trend" else did_you_mean(given, allowed)
        raise InputError(f"unknown {name}", where=where, got=given, allowed=", ".join(map(repr, allowed)), fix=fix)


def _finite(value: Any, where: str) -> float:
    number = math.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer may be beyond every double
            number = float(value)
    if not math.isfinite(number):
        fix = "give a number that a double can hold"
        raise InputError("expected a number", where=where, got=value, allowed="a finite number", fix=fix)
    return number + 0.0


def _rising(cuts: Any, where: str) -> tuple[float, ...]:
    rising = tuple(_finite(cut, where) for cut in _items(cuts, where))
    if any(not low < high for low, high in itertools.pairwise(rising)):
        raise InputError(
            "cuts must rise and be finite", where=where, got=list(rising), fix="sort them, and keep each once"
        )
    return rising


def _value(value: Any, where: str) -> Value:
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, Real):
        fix = "give the value as it stands in the data"
        raise InputError("expected a value of the column", where=where, got=value, allowed="text or a number", fix=fix)
    return _finite(float(value) if isinstance(value, bool) else value, where)


def _distinct(values: Any, where: str) -> tuple[Value, ...]:
    distinct = tuple(_value(value, where) for value in _items(values, where))
    if not distinct or len(set(distinct)) < len(distinct):
        allowed = "at least one, and each once"
        fix = "name each value once"
        raise InputError("the list cannot be used", where=where, got=list(distinct), allowed=allowed, fix=fix)
    return distinct


def _codes(codes: Any, where: str) -> tuple[Value, ...]:
    """Special codes; none stand for all of the feature's."""
    items = _items(codes, where)
    return _distinct(items, where) if items else ()


def _disjoint(groups: Any, where: str) -> tuple[tuple[Value, ...], ...]:
    disjoint = tuple(_distinct(group, where) for group in _items(groups, where))
    named = [value for group in disjoint for value in group]
    for value in named:
        if named.count(value) > 1:
            raise InputError("the value is in two groups", where=where, got=value, fix="keep it in one of them")
    return disjoint


def _items(given: Any, where: str) -> list[Any]:
    """The items of a list, or of an array, whose numbers become Python's."""
    plain = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(plain, str | bytes | Mapping) or not isinstance(plain, Iterable):
        fix = "put it in brackets, such as [1, 2]"
        raise InputError("expected a list", where=where, got=given, allowed="a list of values", fix=fix)
    return list(plain)


#: How each field is read; the rest are words.
_READ: dict[str, Callable[[Any, str], Any]] = {
    "at": _finite,
    "to": _finite,
    "cuts": _rising,
    "values": _distinct,
    "groups": _disjoint,
    "codes": _codes,
    "bin": _value,
}


def _bins_said(edit: BinEdit) -> list[str]:
    said: list[str] = [] if edit.trend is None else [edit.trend]
    if edit.cuts is not None:
        said.append("cuts at " + ", ".join(map(_cut_said, edit.cuts)) if edit.cuts else "no cuts")
    if edit.groups is not None:
        said.append("groups " + ", ".join("[" + ", ".join(map(_said, group)) + "]" for group in edit.groups))
    return said


def _listed(values: tuple[Value, ...] | None) -> str:
    said = [_said(value) for value in values or ()]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))


def _said(value: Value | None) -> str:
    return repr(value) if isinstance(value, str) else "" if value is None else number(value)


def _cut_said(cut: float | None) -> str:
    """A cut with all of its digits, and what tables can tell it by."""
    near = "" if cut is None else just_above(cut)
    return f"{_said(cut)} ({near})" if near else _said(cut)


def _listed_plain(value: Any) -> Any:
    return [_listed_plain(each) for each in value] if isinstance(value, tuple) else value
