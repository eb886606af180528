"""Exact pricing: the rules with the smallest reduced cost among all up to some length, and the proof that it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable.errors import InputError
from scrutable_rug.bodies import body_of
from scrutable_rug.literals import EQUAL, UNEQUAL, Literal, literals
from scrutable_rug.pricing import Candidate, PricingOptions, candidate, distinct
from scrutable_rug.rows import Floats, Patterns, Rows
from scrutable_rug.searching import Found, Literals, Price, search


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Priced:
    """What exact pricing found.

    Parameters
    ----------
    candidates : rules of negative reduced cost, by rising reduced cost.
    reduced_cost : δ < 0: no rule up to the given length has a smaller reduced cost; minus the tolerance where there is
        no candidate.
    complete : whether the search came to its end, so that the first candidate has this reduced cost.
    visited : conjunctions that were extended.
    """

    candidates: list[Candidate]
    reduced_cost: float
    complete: bool
    visited: int

    @property
    def certified(self) -> bool:
        """Whether it is proven that no rule up to the given length improves the master problem."""
        return self.complete and not self.candidates


class ExactPricing:
    """Search of all conjunctions of up to L literals: thresholds and single codes of the training rows.

    The literals are all that a tree can split on (`literals.literals`), so every node of a tree of depth L, the root
    aside, is among the conjunctions.

    Parameters
    ----------
    rows : training rows.
    max_length : L, the largest number of literals.
    options : loss, cost and penalty; a cost that is a function cannot be searched for.
    max_nodes : conjunctions extended for a class, after which the search for it ends early.
    most : most candidates of a class.

    Raises
    ------
    InputError : a cost that is a function, or a number out of range.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Feature, describe_all
    >>> from scrutable_rug.coding import code_table
    >>> column = as_table({"age": [20.0, 30.0, 40.0, 50.0]}).column("age")
    >>> table = code_table([Feature(name="age", kind="numeric")], {"age": column})
    >>> rows = Rows.of(table, np.array([0, 1, 1, 0]), 2)
    >>> priced = ExactPricing(rows, 2, PricingOptions(penalty=0.25, cost="length")).price(np.ones(4))
    >>> describe_all(priced.candidates[0].when), priced.candidates[0].label, priced.reduced_cost
    ('age in [25, 45)', 1, -1.5)
    """

    def __init__(
        self,
        rows: Rows,
        max_length: int,
        options: PricingOptions,
        *,
        max_nodes: int = 10_000_000,
        most: int = 30,
    ) -> None:
        if callable(options.cost):
            raise InputError(
                "exact pricing cannot search for a cost that is a function",
                where="cost",
                allowed="'one', 'length', 'features' or 'coverage'",
            )
        for name, number in (("max_length", max_length), ("max_nodes", max_nodes), ("most", most)):
            if number < 1:
                raise InputError("expected a number of at least 1", where=name, got=number)
        self._rows, self._options, self._longest = rows, options, max_length
        self._most, self._max_nodes = most, max_nodes
        self._patterns: Patterns = rows.patterns()
        self._literals, self._numbered = _numbered(rows)

    def price(self, dual: Floats, *, until: float | None = None) -> Priced:
        """Search for duals β >= 0 of the rows, a class after the other.

        Parameters
        ----------
        until : moment of `time.monotonic` after which the search ends early, with what it has and a bound that holds;
            None means never.
        """
        candidates: list[Candidate] = []
        worst, complete, visited = 0.0, True, 0
        for label in range(self._rows.n_classes):
            answer = self._search(label, dual, until)
            complete &= answer.bound <= answer.best
            visited += answer.visited
            worst = max(worst, answer.bound)
            for path in answer.literals[answer.gain > self._options.tolerance].tolist():
                body = body_of([self._literals[number] for number in path if number >= 0], self._rows.table.features)
                candidates.append(candidate(body, label, self._rows, dual, self._options))
        whole = [candidate((), label, self._rows, dual, self._options) for label in range(self._rows.n_classes)]
        worst = max(worst, *(-each.reduced_cost for each in whole))
        kept = [each for each in distinct(candidates + whole) if each.reduced_cost < -self._options.tolerance]
        return Priced(candidates=kept, reduced_cost=-worst, complete=complete, visited=visited)

    def _search(self, label: int, dual: Floats, until: float | None) -> Found:
        options, rows = self._options, self._rows
        gain = np.where(rows.label == label, dual, -options.wrong(rows.n_classes) * dual)
        if options.cost == "coverage":
            gain = gain - options.penalty / rows.table.n_rows
        gain = self._patterns.total(gain)
        kept = np.flatnonzero(gain)
        price = Price(
            fixed=options.penalty if options.cost == "one" else 0.0,
            literal=options.penalty if options.cost == "length" else 0.0,
            feature=options.penalty if options.cost == "features" else 0.0,
            least=options.tolerance,
        )
        codes = np.ascontiguousarray(self._patterns.codes[:, kept])
        most, nodes = self._most, self._max_nodes
        return search(codes, gain[kept], self._numbered, self._longest, price, most, nodes, until)


def _numbered(rows: Rows) -> tuple[list[tuple[int, Literal]], Literals]:
    """Every literal with the position of its feature, and the same as the search reads them."""
    features = rows.table.features
    every = [(at, literal) for at, coded in enumerate(features) for literal in literals(coded)]
    of = np.array([(at, *literal) for at, literal in every], np.int64).reshape(-1, 4)
    kind = 4 * of[:, 0] + of[:, 1]
    after = np.where(of[:, 1] == UNEQUAL, np.arange(len(of)) + 1, np.searchsorted(kind, kind, side="right"))
    first = np.searchsorted(of[:, 0], np.arange(len(features) + 1))
    after = np.where(of[:, 1] == EQUAL, first[of[:, 0] + 1], after)
    ordinary = np.array([coded.n_ordinary for coded in features], np.int64)
    return every, Literals(of, after.astype(np.int64), first.astype(np.int64), rows.table.offsets, ordinary)
