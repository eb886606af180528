"""The single questions that rules are made of, each as the codes of one feature that it lets through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable_rug.coding import CodedFeature

#: What a literal asks of a code. The numbers of a kind and of its negation add up to 3.
EQUAL, BELOW, FROM, UNEQUAL = 0, 1, 2, 3

Allowed = NDArray[np.bool_]


class Literal(NamedTuple):
    """A question about one feature.

    Parameters
    ----------
    kind : BELOW, FROM (an ordinary code below `code`, or from it on), EQUAL or UNEQUAL (this code, or any other).
    code : a code of the feature.
    extras : whether special codes and missing are let through, too; only for BELOW and FROM.
    """

    kind: int
    code: int
    extras: bool = False

    def negated(self) -> Literal:
        """The literal that lets through exactly what this one does not."""
        return Literal(3 - self.kind, self.code, self.kind in (BELOW, FROM) and not self.extras)

    def allowed(self, coded: CodedFeature) -> Allowed:
        """(n_codes,) which codes it lets through.

        Examples
        --------
        >>> from scrutable.model import Feature
        >>> age = CodedFeature(feature=Feature(name="age", kind="numeric"), nominal=False, cuts=np.array([21.0, 65.0]),
        ...     categories=(), seen=np.ones(4, bool))
        >>> Literal(BELOW, 2).allowed(age).tolist(), Literal(BELOW, 2).negated().allowed(age).tolist()
        ([True, True, False, False], [False, False, True, True])
        """
        if self.kind in (EQUAL, UNEQUAL):
            single = np.full(coded.n_codes, self.kind == UNEQUAL)
            single[self.code] = self.kind == EQUAL
            return single
        allowed = np.full(coded.n_codes, self.extras)
        allowed[: self.code] = self.kind == BELOW
        allowed[self.code : coded.n_ordinary] = self.kind == FROM
        return allowed


def literals(coded: CodedFeature) -> Iterator[Literal]:
    """Every literal of a feature that tells training rows apart, ordered by kind: EQUAL, BELOW, FROM, UNEQUAL.

    Where there are several special codes, or one and missing, the last thresholds tell them from all numbers.

    Of two literals of a feature in this order, the second narrows the first only if it is of a later kind, or if both
    are UNEQUAL; any other conjunction of the two is empty, or a single literal.
    """
    extras = np.flatnonzero(coded.seen[coded.n_ordinary :]) + coded.n_ordinary
    named = np.flatnonzero(coded.seen[: coded.n_ordinary - 1]) if coded.nominal else extras[:0]
    single = [*named.tolist(), *extras.tolist()]
    yield from (Literal(EQUAL, code) for code in single)
    if not coded.nominal:
        for kind in (BELOW, FROM):
            for code in range(1, coded.n_ordinary):
                yield Literal(kind, code)
                if len(extras):
                    yield Literal(kind, code, True)
            if len(extras) > 1:
                yield Literal(kind, coded.n_ordinary, kind == FROM)
    yield from (Literal(UNEQUAL, code) for code in single)
