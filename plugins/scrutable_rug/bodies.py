"""What a rule asks for, in one canonical form; as clauses of the model; and how long it is to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Categories, Clause, ClauseCondition, Conjunction, Interval, Missing, Special
from scrutable_rug.coding import CodedFeature, CodedTable
from scrutable_rug.literals import Allowed, Literal

#: For each feature that a rule names, by rising position: which of its codes are allowed, a byte (0 or 1) each.
Body = tuple[tuple[int, bytes], ...]


def body_of(literals: Iterable[tuple[int, Literal]], features: Sequence[CodedFeature]) -> Body:
    """The conjunction of literals, each with the position of its feature: those of one feature intersect."""
    met: dict[int, Allowed] = {}
    for at, literal in literals:
        allowed = literal.allowed(features[at])
        met[at] = met[at] & allowed if at in met else allowed
    return tuple((at, met[at].tobytes()) for at in sorted(met))


def allowed_codes(packed: bytes) -> Allowed:
    """(n_codes,) which codes of a feature are allowed."""
    return np.frombuffer(packed, np.bool_)


def covered(body: Body, table: CodedTable) -> NDArray[np.bool_]:
    """(n,) rows with allowed codes of every feature that the body names."""
    rows = np.ones(table.n_rows, np.bool_)
    for at, packed in body:
        rows &= allowed_codes(packed)[table.codes[at]]
    return rows


def clauses(body: Body, features: Sequence[CodedFeature], *, exhaustive: bool = False) -> Conjunction:
    """A body as clauses of the model, one a feature.

    Parameters
    ----------
    exhaustive : whether special codes and missing are named also where no training row has them, so that the bodies of
        a tree's leaves share out every possible row. Otherwise a rule says nothing about what it has never seen.

    Examples
    --------
    >>> from scrutable.model import Feature, describe_all
    >>> from scrutable_rug.literals import BELOW, FROM
    >>> age = CodedFeature(feature=Feature(name="age", kind="numeric"), nominal=False, cuts=np.array([21.0, 65.0]),
    ...     categories=(), seen=np.ones(4, bool))
    >>> describe_all(clauses(body_of([(0, Literal(FROM, 1)), (0, Literal(BELOW, 2))], [age]), [age]))
    'age in [21, 65)'
    >>> describe_all(clauses(body_of([(0, Literal(BELOW, 1, True))], [age]), [age]))
    'age < 21 or missing'
    """
    return tuple(_clause(features[at], allowed_codes(packed), exhaustive) for at, packed in body)


def length(body: Body, features: Sequence[CodedFeature]) -> int:
    """The smallest number of literals that say the same; 0 for a body that asks for nothing."""
    return sum(_length(features[at], allowed_codes(packed)) for at, packed in body)


def _clause(coded: CodedFeature, allowed: Allowed, exhaustive: bool) -> Clause:
    named = allowed & (coded.seen | exhaustive)
    conditions = _category_conditions(coded, allowed) if coded.nominal else _intervals(coded, allowed)
    codes = coded.feature.special_codes
    special = tuple(code for code, kept in zip(codes, named[coded.n_ordinary :], strict=False) if kept)
    if special:
        conditions.append(Special(special))
    if named[-1]:
        conditions.append(Missing())
    return Clause(coded.feature.name, tuple(conditions))


def _intervals(coded: CodedFeature, allowed: Allowed) -> list[ClauseCondition]:
    ordinary = np.flatnonzero(allowed[: coded.n_ordinary])
    if not len(ordinary):
        return []
    ends = np.concatenate([[-np.inf], coded.cuts, [np.inf]])
    return [Interval(float(ends[ordinary[0]]), float(ends[ordinary[-1] + 1]))]


def _category_conditions(coded: CodedFeature, allowed: Allowed) -> list[ClauseCondition]:
    """Categories by name, or all but some of them; only the latter holds for categories never seen."""
    inside = allowed[: coded.n_ordinary - 1]
    kept = tuple(c for c, keep in zip(coded.categories, inside, strict=True) if keep)
    if not allowed[coded.n_ordinary - 1]:
        return [Categories(kept)] if kept else []
    left_out = tuple(c for c, keep in zip(coded.categories, inside, strict=True) if not keep)
    if left_out:
        return [Categories(left_out, negated=True)]
    if coded.feature.kind == "numeric":
        return [Interval()]
    return [Categories(kept[:1]), Categories(kept[:1], negated=True)]  # any text at all


def _length(coded: CodedFeature, allowed: Allowed) -> int:
    ordinary, extras = allowed[: coded.n_ordinary], allowed[coded.n_ordinary :] & coded.seen[coded.n_ordinary :]
    excluded = int(np.count_nonzero(coded.seen[coded.n_ordinary :])) - int(np.count_nonzero(extras))
    if coded.nominal:
        single = np.count_nonzero(ordinary) + np.count_nonzero(extras) == 1 and not ordinary[-1]
        return 1 if single else excluded + int(np.count_nonzero(~ordinary))
    if not ordinary.any():
        return 1 if np.count_nonzero(extras) == 1 else 1 + excluded
    ends = int(not ordinary[0]) + int(not ordinary[-1])
    if not extras.any():
        return max(ends, min(excluded, 1))
    return ends + excluded
