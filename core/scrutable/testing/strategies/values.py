"""Hostile texts and numbers, and features with the values that conditions on them name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from scrutable.data.features import Feature, Kind, Value

#: Texts that SQL, CSV, templates or collations get wrong when they are careless.
HOSTILE_TEXTS = (
    "", " ", "a", "A", "a ", " a", "a\t", "own", "Own", "own ", "'", "''", '"', '""', "it's", 'say "no"', "\\", "\\'",
    "\\n", "\n", "\r\n", "a\nb", ";", "; DROP TABLE applicants; --", "' OR '1'='1", "--", "-- ", "/*", "*/", "$$", "$1",
    "%", "%s", "%(x)s", "?", ":x", "{x}", "{{ x }}", "{% x %}", "[x]", "`", "a.b", "a,b", "NULL", "null", "None", "nan",
    "NA", "inf", "true", "0", "1", "1.0", "é", "e\u0301", "É", "ß", "SS", "ss", "\u0131", "İ", "ﬁ", "ñandú", "日本",
    "😀", "👩‍👩‍👧", "\u200b", "\u00a0", "\ufeff", "\u2028", "\x01", "\x7f", "\ufffe", "\U0010ffff", "x" * 300,
    "<b>&amp;</b>",
)  # fmt: skip

#: Doubles at which rounding, printing or comparing goes wrong when it is careless.
HOSTILE_NUMBERS = (
    0.0, 5e-324, -5e-324, 1e-323, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308,
    -1.7976931348623157e308, 1.7976931348623155e308, 0.1, 0.30000000000000004, 0.3, 1 / 3, -1 / 3, 1.0, -1.0,
    1.0000000000000002, 0.9999999999999999, 2.5, 9007199254740992.0, 9007199254740991.0, 9007199254740994.0, 1e15, 1e16,
    1e22, 1e23, -1e23, 123456789.123456789, 16777217.0, 3.4028235677973366e38, 1e-45, -9.0, -999.0, 100.0, -1e300,
)  # fmt: skip

_NAMES = ("select", "Order", "group by", "table", "END", "score", "x.y", "rowid", "__missing", "a b", "é", "1")


@dataclass(frozen=True)
class Domain:
    """A feature and the values that conditions on it name; none of them is a special code."""

    feature: Feature
    values: tuple[Value, ...]

    def without_codes(self) -> Domain:
        """The domain of this column where the special codes are ordinary values."""
        feature = Feature(name=self.feature.name, kind=self.feature.kind)
        return Domain(feature, self.feature.special_codes + self.values)


@st.composite
def domains(draw: st.DrawFn, *, plain_names: bool = False, kind: Kind | None = None) -> Domain:
    """A feature of either kind with up to two special codes, and one to seven further values."""
    its_kind = draw(st.just(kind) if kind else st.sampled_from(_KINDS))
    values: list[Value] = draw(st.lists(_VALUES[its_kind], min_size=1, max_size=7, unique=True))
    n_special = draw(st.integers(0, min(2, len(values) - 1)))
    name = draw(_PLAIN_NAMES if plain_names else _HOSTILE_NAMES)
    feature = Feature(name=name, kind=its_kind, special_codes=tuple(values[:n_special]), label=draw(labels()))
    return Domain(feature, tuple(values[n_special:]))


def domain_lists(*, plain_names: bool = False, max_size: int = 4) -> st.SearchStrategy[list[Domain]]:
    """One to `max_size` domains whose names differ in more than case, since some engines fold it."""
    return st.lists(
        domains(plain_names=plain_names),
        min_size=1,
        max_size=max_size,
        unique_by=lambda domain: domain.feature.name.casefold(),
    )


def used_features(pool: Iterable[Domain], used: set[str]) -> tuple[Feature, ...]:
    """The features of these names."""
    return tuple(domain.feature for domain in pool if domain.feature.name in used)


def texts() -> st.SearchStrategy[str]:
    """Texts that a database can store, most of them hostile."""
    alphabet = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    return st.sampled_from(HOSTILE_TEXTS) | st.text(alphabet, max_size=6)


def numbers() -> st.SearchStrategy[float]:
    """Finite doubles, most of them at or beside a hostile one; never -0.0."""
    anything = st.floats(allow_nan=False, allow_infinity=False)
    plain = st.integers(-20, 100).map(float)
    drawn = st.sampled_from(HOSTILE_NUMBERS) | plain | anything

    def beside(value: float, towards: float) -> float:
        moved = math.nextafter(value, towards) if towards else value
        return (moved if math.isfinite(moved) else value) + 0.0

    return st.builds(beside, drawn, st.sampled_from([0.0, 0.0, math.inf, -math.inf]))


def names() -> st.SearchStrategy[str]:
    """Texts that are not empty."""
    return texts().filter(bool)


def labels() -> st.SearchStrategy[str]:
    """Texts, often the empty default."""
    return st.just("") | texts()


_KINDS: tuple[Kind, ...] = ("numeric", "categorical")
_VALUES: dict[Kind, st.SearchStrategy[Any]] = {"numeric": numbers(), "categorical": texts()}
_PLAIN_NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
# 40 bytes leave room for prefixes such as "points_" within PostgreSQL's 63
_HOSTILE_NAMES = (st.sampled_from(_NAMES) | names()).filter(lambda name: len(name.encode()) <= 40)
