"""Features: the columns that a model reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from scrutable.data.values import finite, name, text, unique
from scrutable.errors import ModelError, under

Kind = Literal["numeric", "categorical"]
#: A value that a category or a special code can have: a double in numeric features, a text in categorical ones.
Value = float | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """An input column: its name, what its values are, and which of them are special codes.

    Parameters
    ----------
    name : column name.
    kind : `numeric` (IEEE doubles; booleans are 0 and 1) or `categorical` (texts, compared by code point).
    special_codes : values that are no measurement, for example -9 for "no bureau record".
        A special code never satisfies an `Interval` or `Categories` condition.
    label : how people call it; made from the name when left empty.
    observed : what the data that the model was made on held, without special codes: the ends of a range of numbers, or
        categories; what few rows held is left out. No condition asks for it; rows with something else are told apart.
        Empty where nobody recorded it.

    Examples
    --------
    >>> Feature(name="age", kind="numeric", special_codes=(-9,)).special_codes
    (-9.0,)
    """

    name: str
    kind: Kind
    special_codes: tuple[Value, ...] = ()
    label: str = ""
    observed: tuple[Value, ...] = ()
    _codes: frozenset[Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name(self.name, "feature name")
        text(self.label, f"label of feature {self.name!r}")
        if self.kind not in ("numeric", "categorical"):
            raise ModelError(
                "unknown kind", where=f"feature {self.name!r}", got=self.kind, allowed="'numeric' or 'categorical'"
            )
        codes = tuple(self.value(code) for code in self.special_codes)
        unique(codes, f"special codes of feature {self.name!r}")
        object.__setattr__(self, "special_codes", codes)
        object.__setattr__(self, "_codes", frozenset(codes))
        object.__setattr__(self, "observed", self._checked(tuple(self.value(value) for value in self.observed)))

    @property
    def title(self) -> str:
        """The label, or the name with blanks for underscores and a capital first letter.

        A name with a number after an underscore is a code, and stays as it is.

        >>> Feature(name="months_since_inquiry", kind="numeric").title
        'Months since inquiry'
        >>> Feature(name="X_5", kind="numeric").title
        'X_5'
        """
        if not self.label and re.search(r"_\d", self.name):
            return self.name
        words = self.name.replace("_", " ")
        return self.label or words[:1].upper() + words[1:]

    @property
    def limits(self) -> tuple[float, float] | None:
        """The ends of the range that was observed, if that was recorded.

        >>> Feature(name="age", kind="numeric", observed=(18, 75)).limits
        (18.0, 75.0)
        """
        if self.kind == "categorical" or not self.observed:
            return None
        least, greatest = self.observed
        return float(least), float(greatest)

    def is_special(self, value: Value) -> bool:
        """Whether a value is one of the special codes, however many there are."""
        return value in self._codes

    def value(self, value: Value) -> Value:
        """Check that a value is of this feature's kind, and return it as stored."""
        try:
            return finite(value, "") if self.kind == "numeric" else text(value, "")
        except ModelError as error:
            raise under(error, f"feature {self.name!r}") from None

    def _checked(self, observed: tuple[Value, ...]) -> tuple[Value, ...]:
        """Two numbers, the first not above the second, or categories, each once."""
        where = f"observed values of feature {self.name!r}"
        if self.kind == "categorical":
            unique(observed, where)
        elif observed and (len(observed) != 2 or observed[0] > observed[1]):  # type: ignore[operator]  # all are numbers
            raise ModelError(
                "not a range", where=where, got=list(observed), allowed="the least number and the greatest, or nothing"
            )
        return observed


def index_features(features: tuple[Feature, ...]) -> dict[str, Feature]:
    """Features by name, after refusing repeated names."""
    unique(tuple(feature.name for feature in features), "features")
    return {feature.name: feature for feature in features}


def refuse_unused(features: dict[str, Feature], used: set[str]) -> None:
    """A model lists the columns it reads, no others: each one is demanded of whoever runs it."""
    for key in features:
        if key not in used:
            raise ModelError("the feature is not used", where=f"feature {key!r}", fix="leave it out of the features")
