"""What the user says of a points table that the table does not say itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Number
from typing import Any, Literal, get_args

from scrutable.errors import InputError
from scrutable.model import Calibration, ClassLabel, Kind, Outcome, Scaling, finite

Orientation = Literal["auto", "more-is-better", "more-is-worse"]
Closed = Literal["left", "right", "both"]
_WORDS = {
    "missing": ("refuse", "software", "neutral", "worst"),
    "unseen": ("refuse", "software", "neutral", "worst"),
    "gaps": ("refuse", "extend", "neutral", "worst"),
}
_EXAMPLE = "{'age': (-9,)}, (-7, -8, -9) for every characteristic, () for none, or None"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Everything about a points table that does not stand in it, with the defaults that the report tells.

    Parameters
    ----------
    outcome : the target, its classes, and which of them is favourable; bad and good if not given, which is told.
    event : the class that the table counts as its event: OptBinning's Event, or pos in a card. If not given: with
        classes 0 and 1, or False and True, the second, as in OptBinning; with other classes the unfavourable one.
    cutoff : in the table's points. If not given, even odds under `scaling`, else the middle of the range of scores.
    scaling : PDO, base score and base odds (good to bad) of the points; they give the probability.
    calibration : the probability from the model's score, where it is known otherwise.
    base_points : points that everybody gets, if they do not stand in the table, such as OptBinning's intercept.
    orientation : which way the points run. `auto` looks whether rows with more points had better outcomes, and takes
        more points for better where the table does not count outcomes.
    missing, unseen : points where a characteristic has no row for missing values, or for categories that no row
        lists: `refuse`; `software`, what the layout's own software gives, and a refusal for tables of no software;
        `neutral`, the mean of the characteristic's points; `worst`, the least favourable; or a number.
    gaps : for numbers that no interval covers: `refuse`; `extend` the intervals below up to the next one, and the
        outer ones to infinity; `neutral`; `worst`; or a number.
    special_codes : the codes behind a row that names them only as special: for every characteristic, or by
        characteristic; for rows of several names, by characteristic a mapping of row and codes.
    kinds : `numeric` or `categorical` by characteristic, where it cannot be seen.
    closed : layout plain: the ends that `lower` and `upper` include; left if not given. The other layouts' brackets say
        it themselves.

    Raises
    ------
    InputError : a word that is none of these, or options that contradict one another.
    """

    outcome: Outcome | None = None
    event: ClassLabel | None = None
    cutoff: float | None = None
    scaling: Scaling | None = None
    calibration: Calibration | None = None
    base_points: float | None = None
    orientation: Orientation = "auto"
    missing: str | float = "software"
    unseen: str | float = "software"
    gaps: str | float = "refuse"
    special_codes: Any = None
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    closed: Closed | None = None

    def __post_init__(self) -> None:
        for name, words in _WORDS.items():
            object.__setattr__(self, name, _policy(getattr(self, name), name, words))
        _one_of(self.orientation, "orientation", get_args(Orientation))
        if self.closed is not None:
            _one_of(self.closed, "closed", get_args(Closed))
        for name in ("cutoff", "base_points"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, finite(getattr(self, name), name))
        for name, kind in self.kinds.items():
            _one_of(kind, f"kind of {name!r}", get_args(Kind))
        if not self.decided.binary:
            got = list(self.decided.classes)
            raise InputError("a scorecard decides between two classes", where="outcome", got=got)
        if self.event is not None and self.event not in self.decided.classes:
            allowed = ", ".join(map(repr, self.decided.classes))
            raise InputError("not a class of the outcome", where="event", got=self.event, allowed=allowed)
        if self.scaling is not None and self.calibration is not None:
            raise InputError("two ways to a probability", where="scaling, calibration", fix="give one of them")

    @property
    def decided(self) -> Outcome:
        """The outcome that was given, or the one that is assumed."""
        return self.outcome or Outcome(classes=("bad", "good"), favourable="good")

    @property
    def event_class(self) -> ClassLabel:
        """The class that the table counts as its event."""
        if self.event is not None:
            return self.decided.classes[self.decided.classes.index(self.event)]
        first, second = self.decided.classes
        numbered = not isinstance(first, str) and (first, second) == (0, 1)
        return second if numbered or self.decided.favourable_index == 0 else first

    @property
    def event_is_good(self) -> bool:
        """Whether the event is the favourable outcome."""
        return bool(self.event_class == self.decided.favourable)

    def codes_of(self, characteristic: str, row: str) -> tuple[Any, ...] | None:
        """The special codes behind a row; None where nothing is said of them."""
        given = self.special_codes
        if isinstance(given, Mapping):
            given = given.get(characteristic)
        if isinstance(given, Mapping):
            given = given.get(row)
        return codes_in(given)


def codes_in(given: Any) -> tuple[Any, ...] | None:
    """The codes that were given, one or several; None where none were.

    >>> codes_in(-9), codes_in([-9, -8]), codes_in(None)
    ((-9,), (-9, -8), None)
    """
    if given is None:
        return None
    if isinstance(given, str | Number):
        return (given,)
    codes = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(code, str | Number) for code in codes):
        raise InputError("not special codes", where="special_codes", got=given, allowed=_EXAMPLE)
    return codes


def fits(code: Any, kind: str) -> bool:
    """Whether a column of this kind can hold the code: texts are of categories, all else of numbers.

    >>> fits("?", "categorical"), fits(-9, "categorical")
    (True, False)
    """
    return isinstance(code, str) == (kind == "categorical")


def _policy(value: Any, where: str, words: tuple[str, ...]) -> str | float:
    if isinstance(value, str):
        return str(_one_of(value, where, words, "a number of points"))
    return finite(value, where)


def _one_of(value: Any, where: str, words: tuple[str, ...], further: str = "") -> Any:
    if value not in words:
        allowed = ", ".join([*words, *([further] if further else [])])
        raise InputError("unknown word", where=where, got=value, allowed=allowed)
    return value
