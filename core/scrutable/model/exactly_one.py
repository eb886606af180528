"""Whether exactly one of several conjunctions holds for every possible row, in time that grows with their size alone.

The conditions on a feature cut its values into parts that none of them tells apart. Give every part of every feature a
variable, and a conjunction the product, over its clauses, of the sum of the variables of the parts on which the clause
holds. With the variables of each feature adding up to 1, the conjunctions add up to 1 whatever the variables are if and
only if every combination of parts is in exactly one of them. Polynomials that differ are equal at a random point modulo
a prime with a probability of at most their degree by the prime, here below 2^-100 (J. Schwartz 1980, Fast probabilistic
algorithms for verification of polynomial identities, Journal of the ACM 27). So one sum at a random point decides.
Where it is not 1, the sums over what is left find a row that breaks the rule, one feature after another.
"""

from __future__ import annotations

import math
import secrets
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Self

from scrutable.data.features import Feature, Value
from scrutable.errors import ModelError
from scrutable.model.conditions import Categories, Clause, ClauseCondition, Conjunction, Interval, Missing, Special
from scrutable.model.domain import Observed, next_double, unseen

_PRIME = 2**127 - 1

#: Positions of parts: the first, and the one behind the last.
_Span = tuple[int, int]


def check_one_applies(conjunctions: Sequence[Conjunction], features: dict[str, Feature], where: str) -> None:
    """Refuse conjunctions unless exactly one of them holds for every possible row."""
    if not conjunctions:
        raise ModelError("nothing applies to any row", where=where, fix="add a rule without clauses")
    clauses: dict[str, list[Clause]] = {}
    for conjunction in conjunctions:
        for clause in conjunction:
            clauses.setdefault(clause.feature, []).append(clause)
    parts = {name: _Parts.of(features[name], listed) for name, listed in clauses.items()}
    terms = [_Term.of(conjunction, parts) for conjunction in conjunctions]
    if sum(term.rest[0] for term in terms) % _PRIME != 1:
        cell, applying = _culprit(terms, parts)
        problem = "overlaps" if applying else "leaves a gap"
        raise ModelError(f"the list {problem}", where=where, got=cell or "every row", allowed="exactly one applies")


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a feature's values, in a row: of the line or the categories, then the special codes, then missing.

    Parameters
    ----------
    line : the first number of each part of the line, or the categories and one that nothing names, sorted.
    codes : position of each special code.
    below : what the variables of all parts before each position come to, modulo the prime; the last is 1.
    """

    line: list[Any]
    codes: dict[Value, int]
    below: list[int]

    @classmethod
    def of(cls, feature: Feature, clauses: Iterable[Clause]) -> Self:
        """The parts into which clauses cut a feature's values."""
        line = _line(feature, (condition for clause in clauses for condition in clause.any_of))
        codes = {code: position for position, code in enumerate(feature.special_codes, len(line))}
        holds_any = [value not in codes for value in line] + [True] * (len(codes) + 1)
        drawn = [1 + secrets.randbelow(_PRIME - 1) if holds else 0 for holds in holds_any]
        to_one = pow(sum(drawn), -1, _PRIME)
        return cls(line, codes, list(accumulate(drawn, lambda total, one: (total + one * to_one) % _PRIME, initial=0)))

    def __len__(self) -> int:
        return len(self.below) - 1

    def value(self, position: int) -> Observed:
        """A value of a part."""
        values: list[Observed] = [*self.line, *self.codes, None]
        return values[position]

    def searched(self) -> Iterator[int]:
        """The parts that hold values, missing first, which is what lists forget.

        A part of the line that is a special code holds none, for the code is a part of its own.
        """
        yield len(self) - 1
        yield from (i for i in range(len(self) - 1) if self.below[i] != self.below[i + 1])

    def share(self, spans: Iterable[_Span]) -> int:
        """What the variables of parts come to."""
        return sum(self.below[stop] - self.below[start] for start, stop in spans) % _PRIME

    def spans(self, clause: Clause) -> list[_Span]:
        """The parts on which a clause holds, each once."""
        merged: list[_Span] = []
        for start, stop in sorted(span for condition in clause.any_of for span in self._spans(condition)):
            if merged and start <= merged[-1][1]:
                before = merged.pop()
                start, stop = before[0], max(stop, before[1])
            merged.append((start, stop))
        return merged

    def _spans(self, condition: ClauseCondition) -> Iterator[_Span]:
        if isinstance(condition, Missing):
            yield len(self) - 1, len(self)
        elif isinstance(condition, Interval):
            endless = math.isinf(condition.last) and condition.last > 0
            yield self._at(condition.first), len(self.line) if endless else self._at(next_double(condition.last))
        elif isinstance(condition, Special):
            yield from ((self.codes[code], self.codes[code] + 1) for code in condition.codes)
        else:
            points = sorted(map(self._at, condition.values))
            if condition.negated:
                yield from zip([0, *(point + 1 for point in points)], [*points, len(self.line)], strict=True)
            else:
                yield from ((point, point + 1) for point in points)

    def _at(self, value: Value) -> int:
        """The position of a category, or of the part that begins with a number."""
        return bisect_left(self.line, value)


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """A conjunction: the parts that each clause leaves, by feature, and what the clauses from each on come to."""

    clauses: dict[str, list[_Span]]
    rest: list[int]

    @classmethod
    def of(cls, conjunction: Conjunction, parts: Mapping[str, _Parts]) -> Self:
        """The term of a conjunction, its clauses by the names of their features."""
        ordered = sorted(conjunction, key=lambda clause: clause.feature)
        spans = {clause.feature: parts[clause.feature].spans(clause) for clause in ordered}
        shares = (parts[name].share(spans[name]) for name in reversed(spans))
        rest = list(accumulate(shares, lambda product, share: product * share % _PRIME, initial=1))
        return cls(spans, rest[::-1])


def _culprit(terms: Sequence[_Term], parts: Mapping[str, _Parts]) -> tuple[dict[str, Observed], int]:
    """Values of features for which not one of the terms is left, and how many are.

    On average over the parts of a feature the terms do not come to 1, so on some part they do not; and so on with the
    terms that are left on that part. Each clause is looked at once.
    """
    asking: dict[str, list[tuple[int, int]]] = {name: [] for name in sorted(parts)}
    for number, term in enumerate(terms):
        for place, name in enumerate(term.clauses):
            asking[name].append((number, place))
    left = dict(enumerate(terms))
    total = sum(term.rest[0] for term in terms)
    cell: dict[str, Observed] = {}
    for name, all_asking in asking.items():
        those = [(number, left[number], place) for number, place in all_asking if number in left]
        if those:
            others = total - sum(term.rest[place] for _, term, place in those)
            sums = _sums([(term.clauses[name], term.rest[place + 1]) for _, term, place in those], len(parts[name]))
            part = next(i for i in parts[name].searched() if (others + sums[i]) % _PRIME != 1)
            total, cell[name] = others + sums[part], parts[name].value(part)
            for number, term, _ in those:
                if not any(start <= part < stop for start, stop in term.clauses[name]):
                    del left[number]
    return cell, len(left)


def _sums(terms: Iterable[tuple[Iterable[_Span], int]], n: int) -> list[int]:
    """What the terms that hold on each of n parts come to."""
    changes = [0] * (n + 1)
    for spans, rest in terms:
        for start, stop in spans:
            changes[start] += rest
            changes[stop] -= rest
    return list(accumulate(changes))[:n]


def _line(feature: Feature, conditions: Iterable[ClauseCondition]) -> list[Any]:
    """The first number of each part of the line; or the categories that are named and one that is not, sorted."""
    intervals, named = [], list[Any]()
    for condition in conditions:
        if isinstance(condition, Interval):
            intervals.append(condition)
        elif isinstance(condition, Categories):
            named += condition.values
    if feature.kind == "categorical":
        return sorted({*named, unseen((*named, *feature.special_codes))})
    named += feature.special_codes
    starts = {-math.inf, *named, *(interval.first for interval in intervals)}
    return sorted(starts | {next_double(last) for last in (*named, *(interval.last for interval in intervals))})
