"""Conditions on one value, and clauses and conjunctions made of them.

Precedence, everywhere: a special code is only ever `Special`; a missing value is only ever `Missing`;
every other value can be in an `Interval` or in `Categories`, and in a scorecard else in `Otherwise`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from scrutable.data.features import Feature, Value
from scrutable.data.values import double, finite, several, text, unique
from scrutable.errors import ModelError, did_you_mean
from scrutable.model.limits import Limit, spelled_alike
from scrutable.writing.decimals import number

#: A double that may be infinite; JSON writes "inf" and "-inf".
Extended = Annotated[float, "extended"]
Closed = Literal["left", "right", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of doubles. Infinite ends are always closed, so [-inf, inf] holds every number.

    Scorecards use `closed="left"`, that is lower <= x < upper, OptBinning's convention; tree splits use "right".

    Examples
    --------
    >>> Interval(18, 25).describe()
    '[18, 25)'
    >>> Interval(upper=2.5, closed="right").describe()
    '<= 2.5'
    >>> Interval(upper=math.nextafter(2.5, math.inf)).describe()
    '<= 2.5'
    """

    lower: Extended = -math.inf
    upper: Extended = math.inf
    closed: Closed = "left"

    def __post_init__(self) -> None:
        if self.closed not in ("left", "right", "both", "neither"):
            raise ModelError("unknown closed", where="interval", got=self.closed, allowed="left, right, both, neither")
        object.__setattr__(self, "lower", double(self.lower, "lower end of an interval"))
        object.__setattr__(self, "upper", double(self.upper, "upper end of an interval"))
        if self.first > self.last:
            raise ModelError("the interval holds no number", where="interval", got=self.exactly())

    @property
    def closed_lower(self) -> bool:
        """Whether the lower end belongs to the interval."""
        return self.closed in ("left", "both") or math.isinf(self.lower)

    @property
    def closed_upper(self) -> bool:
        """Whether the upper end belongs to the interval."""
        return self.closed in ("right", "both") or math.isinf(self.upper)

    @property
    def first(self) -> float:
        """The smallest double that it holds."""
        return self.lower if self.closed_lower else math.nextafter(self.lower, math.inf) + 0.0

    @property
    def last(self) -> float:
        """The largest double that it holds."""
        return self.upper if self.closed_upper else math.nextafter(self.upper, -math.inf) + 0.0

    def describe(self) -> str:
        """In words, for people. Limits that are all a few doubles above a short decimal are told by that decimal.

        So "<= 2.5" stands for x < 2.5000000000000004 too. Disjoint intervals never have the same words. Several
        intervals on one feature are described together, by `describe_alike`.
        """
        return self.told(spelled_alike(self.limits))

    @property
    def limits(self) -> tuple[Limit, Limit]:
        """Its ends, each with whether it belongs to what is below it."""
        return (self.lower, not self.closed_lower), (self.upper, self.closed_upper)

    def told(self, spelled: Mapping[Limit, Limit], write: Callable[[float], str] = number) -> str:
        """In words, each limit as it is spelled, and as numbers are written."""
        (low, above), (high, below) = (spelled.get(limit, limit) for limit in self.limits)
        if low > high or (low == high and (above or not below)):
            return self.exactly()
        return _ends(low, high, not above, below, write)

    def exactly(self) -> str:
        """In words, with all digits of its limits.

        >>> Interval(upper=math.nextafter(2.5, math.inf)).exactly()
        '< 2.5000000000000004'
        """
        return _ends(self.lower, self.upper, self.closed_lower, self.closed_upper)

    def check(self, feature: Feature) -> None:
        if feature.kind != "numeric":
            raise ModelError("an interval needs a numeric feature", where=f"feature {feature.name!r}", got=feature.kind)


@dataclass(frozen=True, slots=True)
class Categories:
    """One of the listed values, or with `negated` any other present value that is no special code.

    Examples
    --------
    >>> Categories(("rent", "own")).describe()
    "'rent' or 'own'"
    >>> Categories(("rent",), negated=True).describe()
    "other than 'rent'"
    >>> Categories(("rent", "own"), negated=True).describe()
    "neither 'rent' nor 'own'"
    >>> Categories(("rent", "own", "free"), negated=True).describe()
    "none of 'rent', 'own', 'free'"
    """

    values: tuple[Value, ...]
    negated: bool = False

    def __post_init__(self) -> None:
        if not self.values:
            raise ModelError("no category is listed", where="categories", fix="list at least one, or use Otherwise")
        object.__setattr__(self, "values", _values(several(self.values, "categories"), "categories"))

    def describe(self) -> str:
        return _none_of(self.values) if self.negated else _alternatives(self.values)

    def check(self, feature: Feature) -> None:
        for value in self.values:
            feature.value(value)
            if feature.is_special(value):
                raise ModelError("a special code cannot be a category", where=f"feature {feature.name!r}", got=value)


@dataclass(frozen=True, slots=True)
class Special:
    """One of the feature's special codes."""

    codes: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.codes:
            raise ModelError("no special code is listed", where="special")
        object.__setattr__(self, "codes", _values(self.codes, "special"))

    def describe(self) -> str:
        return "special code " + _alternatives(self.codes)

    def check(self, feature: Feature) -> None:
        for code in self.codes:
            if not feature.is_special(code):
                raise ModelError(
                    "not a special code of the feature",
                    where=f"feature {feature.name!r}",
                    got=code,
                    allowed=str(list(feature.special_codes)),
                )


@dataclass(frozen=True, slots=True)
class Missing:
    """No value: NULL, None, NaN or NA."""

    def describe(self) -> str:
        return "missing"

    def check(self, feature: Feature) -> None:
        """Every feature can be missing."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Any present value that no other attribute of the characteristic names; only in scorecards."""

    def describe(self) -> str:
        return "any other value"

    def check(self, feature: Feature) -> None:
        """Every feature can have other values."""


AttributeCondition = Interval | Categories | Special | Missing | Otherwise
ClauseCondition = Interval | Categories | Special | Missing


@dataclass(frozen=True, slots=True)
class Clause:
    """True where the feature satisfies any of the conditions; false for a missing value unless one is `Missing`.

    Examples
    --------
    >>> Clause("income", (Interval(upper=1000), Missing())).describe()
    'income < 1000 or missing'
    >>> Clause("job", (Categories(("cook",), negated=True), Missing())).describe()
    "job is missing or other than 'cook'"
    """

    feature: str
    any_of: tuple[ClauseCondition, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "any_of", several(self.any_of, f"clause on {self.feature!r}"))
        if not self.any_of:
            raise ModelError("no condition is listed", where=f"clause on {self.feature!r}")
        for condition in self.any_of:
            if isinstance(condition, Otherwise):
                raise ModelError(
                    "Otherwise has no meaning outside a scorecard",
                    where=f"clause on {self.feature!r}",
                    fix="use Categories(values, negated=True)",
                )

    def describe(self, title: str | None = None) -> str:
        ordered = sorted(self.any_of, key=_excludes)  # what is excluded last, so that it cannot seem to go on
        parts = describe_alike(ordered)
        first = ordered[0]
        verb = "is "
        if isinstance(first, Interval):
            verb = "" if parts[0][0] in "<>" else "in "
        return f"{title or self.feature} {verb}{' or '.join(parts)}"

    def check(self, features: dict[str, Feature], where: str) -> None:
        if self.feature not in features:
            raise ModelError("unknown feature", where=where, got=self.feature, fix=did_you_mean(self.feature, features))
        for condition in self.any_of:
            condition.check(features[self.feature])


def describe_alike(
    conditions: Iterable[AttributeCondition],
    among: Iterable[AttributeCondition] | None = None,
    write: Callable[[float], str] = number,
) -> list[str]:
    """Conditions on one feature in words, with one kind of interval.

    Parameters
    ----------
    among : all conditions on the feature that are shown, where it is more than these.
    write : how limits of intervals are written.

    Examples
    --------
    >>> describe_alike([Interval(upper=0.2), Interval(0.2, 0.30000000000000004)])
    ['< 0.2', '[0.2, 0.30000000000000004)']
    >>> describe_alike([Interval(upper=2.5000000000000004), Interval(2.5000000000000004)])
    ['<= 2.5', '> 2.5']
    """
    told = list(conditions)
    shown = told if among is None else among
    spelled = spelled_alike([limit for each in shown if isinstance(each, Interval) for limit in each.limits])
    return [each.told(spelled, write) if isinstance(each, Interval) else each.describe() for each in told]


#: All clauses hold; the empty conjunction always does.
Conjunction = tuple[Clause, ...]


def describe_all(clauses: Conjunction, features: dict[str, Feature] | None = None) -> str:
    """A conjunction in words.

    >>> describe_all((Clause("age", (Interval(upper=21),)), Clause("job", (Categories(("none",)),))))
    "age < 21 and job is 'none'"
    >>> describe_all((Clause("age", (Interval(upper=21), Missing())), Clause("job", (Categories(("none",)),))))
    "(age < 21 or missing) and job is 'none'"
    """
    titles = {key: feature.title for key, feature in (features or {}).items()}
    parts = [(clause, clause.describe(titles.get(clause.feature))) for clause in clauses]
    told_apart = [f"({text})" if len(parts) > 1 and _has_or(clause) else text for clause, text in parts]
    return " and ".join(told_apart) or "always"


def _ends(
    lower: float, upper: float, closed_lower: bool, closed_upper: bool, write: Callable[[float], str] = number
) -> str:
    low, high = write(lower), write(upper)
    if math.isinf(lower) and math.isinf(upper) and lower < upper:
        return "any number"
    if lower == -math.inf:
        return f"{'<=' if closed_upper else '<'} {high}"
    if upper == math.inf:
        return f"{'>=' if closed_lower else '>'} {low}"
    return f"{'[' if closed_lower else '('}{low}, {high}{']' if closed_upper else ')'}"


def _has_or(clause: Clause) -> bool:
    """Whether the clause in words has an "or" in it."""
    lists = (each.codes if isinstance(each, Special) else getattr(each, "values", ()) for each in clause.any_of)
    return len(clause.any_of) > 1 or any(len(values) > 1 for values in lists)


def _values(values: tuple[Value, ...], where: str) -> tuple[Value, ...]:
    checked = tuple(text(v, where) if isinstance(v, str) else finite(v, where) for v in values)
    unique(checked, where)
    return checked


def _excludes(condition: ClauseCondition) -> bool:
    return isinstance(condition, Categories) and condition.negated


def _none_of(values: tuple[Value, ...]) -> str:
    """Words for any other value, in which no "or" can be taken for another alternative."""
    listed = [_literal(value) for value in values]
    if len(listed) == 1:
        return f"other than {listed[0]}"
    return f"neither {listed[0]} nor {listed[1]}" if len(listed) == 2 else f"none of {', '.join(listed)}"


def _alternatives(values: tuple[Value, ...]) -> str:
    return " or ".join(map(_literal, values))


def _literal(value: Value) -> str:
    return repr(value) if isinstance(value, str) else number(value)
