"""Applicants read for a scorecard: the problem of each, in numbers."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import as_table
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_mapping
from scrutable.model import RegressionScorecard
from scrutable.model.evaluator import read_inputs
from scrutable_counterfactual.actions import Action, Actions, OneOf
from scrutable_counterfactual.arrays import Flags, Floats, Positions
from scrutable_counterfactual.checking import listed, names
from scrutable_counterfactual.domains import Card, domains_of
from scrutable_counterfactual.goal import Wanted
from scrutable_counterfactual.measuring import Measure
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.reachable_cells import Reach, reach_of
from scrutable_counterfactual.reference import Reference, spread

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a proposal that can be lifted one by one, to see which of them stands in the way.

    `free` is a feature whose own limits are lifted, where those of the others stay.
    """

    max_changes: bool = True
    actions: bool = True
    rules: bool = True
    knock_outs: bool = True
    free: str | None = None


class Applicants:
    """n applicants of a scorecard.

    Parameters
    ----------
    wanted : the outcome that answers must have.
    actions : what applicants can do.
    measure : how objectives measure.
    max_changes : features that may change at most.
    needed : whether every change of an answer must be needed; not where a target is aimed at.
    reference : rows of the population to compare with; without them, the spread of points is that of the attributes.

    Raises
    ------
    InputError : an action names a feature that the scorecard does not read, or says what it cannot be.
    """

    def __init__(
        self,
        card: Card,
        X: Any,
        *,
        wanted: Wanted,
        actions: Actions,
        measure: Measure,
        max_changes: int,
        needed: bool,
        reference: Any,
    ) -> None:
        self.card, self.wanted, self.actions, self.measure = card, wanted, actions, measure
        self.max_changes, self.needed = max_changes, needed
        self.domains = domains_of(card)
        self.names = [domain.feature.name for domain in self.domains]
        given = [as_table(rows).names for rows in (X, reference) if rows is not None]
        _check_names(actions, self.names, {name for names in given for name in names})
        columns, self.n_rows = read_inputs(card, X)
        self.columns = [columns[name] for name in self.names]
        self.reference = None
        if reference is not None:
            known, _ = read_inputs(card, reference)
            self.reference = Reference.of(self.domains, [known[name] for name in self.names])
        self.reaches = self._reaches(actions)
        self.current: Positions = np.stack([reach.current for reach in self.reaches], axis=1)
        self.low, self.high = wanted.window(card)
        self.distance = wanted.distance(card)

    @cached_property
    def points(self) -> Floats:
        """(features, cells)."""
        return _padded([domain.points for domain in self.domains])

    @cached_property
    def whitening(self) -> Floats:
        """(features, features); zeros without a reference."""
        n = len(self.domains)
        return np.zeros((n, n)) if self.reference is None else np.ascontiguousarray(self.reference.whitening())

    @cached_property
    def _allowed(self) -> Flags:
        return _stacked([reach.allowed for reach in self.reaches])

    @cached_property
    def _freed(self) -> Flags:
        """What could be proposed if actions set no limit but the kind of values."""
        return _stacked([reach.allowed for reach in self._reaches(Actions())])

    @property
    def limited(self) -> list[str]:
        """The features whose own limits leave something out."""
        return [name for name in self.names if self.actions.of(name) != Action()]

    @cached_property
    def _proximity(self) -> Floats:
        """(n, features, cells)."""
        proximity = []
        for i, (domain, reach) in enumerate(zip(self.domains, self.reaches, strict=True)):
            if self.measure.measured == "points":
                distance = np.abs(domain.points[None, :] - domain.points[reach.current][:, None]) / self._spread(i)
            else:
                distance = np.where(np.isfinite(reach.distance), reach.distance / self._spread(i), 1.0)
            proximity.append(self.actions.of(domain.feature.name).cost * self.measure.loss(distance) * reach.allowed)
        return _stacked(proximity)

    @cached_property
    def _knock_outs(self) -> Flags:
        """(knock-outs, features, cells) where the clauses of each hold."""
        rules = () if isinstance(self.card, RegressionScorecard) else self.card.policy.knock_outs
        holds = np.ones((len(rules), *self.points.shape), dtype=bool)
        for rule, rule_holds in zip(rules, holds, strict=True):
            for clause in rule.when:
                i = self.names.index(clause.feature)
                truth = self.domains[i].cells.truth(clause)
                rule_holds[i, : len(truth)] &= truth
        return holds

    def problem(self, row: int, limits: Limits | None = None) -> Problem:
        """The problem of one applicant, with some limits lifted."""
        limits = limits or Limits()
        allowed = self._allowed[row] if limits.actions else self._freed[row]
        if limits.free is not None:
            freed = np.array(self.names) == limits.free
            allowed = np.where(freed[:, None], self._freed[row], allowed)
        rules = [self._kept_out(row)] if limits.knock_outs else []
        rules += [self._rules(row)] if limits.rules else []
        current = self.current[row]
        centre = np.zeros(len(current)) if self.reference is None else self.reference.mean
        if self.measure.closeness_from == "applicant":
            centre = self.points[np.arange(len(current)), current]
        empty = np.zeros((0, *self.points.shape), dtype=bool)
        return Problem(
            base=self.card.base_points,
            points=self.points,
            current=current,
            allowed=allowed,
            low=self.low,
            high=self.high,
            max_changes=self.max_changes if limits.max_changes else len(current),
            whitening=self.whitening,
            centre=centre,
            distance=self.distance,
            forbidden=np.concatenate([empty, *rules]),
            needed=self.needed and self.distance.kind == "none",
        )

    def terms(self, row: int) -> dict[str, Term]:
        """The objectives of one answer."""
        cost = np.array([self.actions.of(name).cost for name in self.names])
        nothing = np.zeros(self.points.shape)
        return {
            "proximity": Term(separable=self._proximity[row]),
            "closeness": Term(separable=nothing, closeness=1.0),
            "sparsity": Term(separable=cost[:, None] * self._allowed[row]),
            "outcome": Term(separable=nothing, outcome=1.0),
        }

    def values(self, row: int) -> dict[str, float | str | None]:
        """What the applicant has; None is missing."""
        values = {column.name: column.values[row] for column in self.columns}
        return {name: _plain(value) for name, value in values.items()}

    def _reaches(self, actions: Actions) -> list[Reach]:
        known = [None] * len(self.domains) if self.reference is None else list(self.reference.columns)
        switches = {name for group in actions.one_of for name in group.features}
        ruled = switches | {name for pair in self.actions.together for name in pair}
        reaches = []
        for domain, column, seen in zip(self.domains, self.columns, known, strict=True):
            action = actions.of(domain.feature.name)
            if domain.feature.name in switches:
                action = replace(action, lower=max(0.0, action.lower), upper=min(1.0, action.upper), whole=True)
            reaches.append(reach_of(domain, action, column, seen, neutral=domain.feature.name in ruled))
        return reaches

    def _spread(self, i: int) -> float:
        domain, scaling = self.domains[i], self.measure.scaling
        if self.measure.measured == "points":
            points = domain.points[domain.ordinary] if self.reference is None else self.reference.points[:, i]
            return spread(points, scaling)
        if domain.feature.kind == "categorical" or self.reference is None:
            return 1.0
        column = self.reference.columns[i]
        return spread(column.values[domain.ordinary[domain.locate(column)]], scaling)

    def _kept_out(self, row: int) -> Flags:
        """The knock-outs that no answer may meet: all for an approval, else those that the applicant does not meet."""
        rules = self._knock_outs
        if self.wanted.kind == "decline":
            return rules[:0]
        if self.wanted.kind == "approval":
            return rules
        met = rules[:, np.arange(rules.shape[1]), self.current[row]].all(axis=1)
        return rules[~met]

    def _rules(self, row: int) -> Flags:
        """Where a changes and b does not; where two of a group are 1; where none is and one must be."""
        n, cells = self.points.shape
        rules = []
        for one, other in self.actions.together:
            rule = np.ones((n, cells), dtype=bool)
            i, j = self.names.index(one), self.names.index(other)
            rule[i, self.current[row, i]] = False
            rule[j] = False
            rule[j, self.current[row, j]] = True
            rules.append(rule)
        for group in self.actions.one_of:
            rules += self._switches(row, group)
        return np.stack(rules) if rules else np.zeros((0, n, cells), dtype=bool)

    def _switches(self, row: int, group: OneOf) -> list[Flags]:
        places = [self.names.index(name) for name in group.features]
        on = {i: self._switched_on(row, i) for i in places}
        rules = []
        for k, i in enumerate(places):
            for j in places[:k]:
                rule = np.ones(self.points.shape, dtype=bool)
                rule[i], rule[j] = on[i], on[j]
                rules.append(rule)
        if not group.none:
            rule = np.ones(self.points.shape, dtype=bool)
            for i in places:
                rule[i] = ~on[i]
            rules.append(rule)
        return rules

    def _switched_on(self, row: int, i: int) -> Flags:
        """(cells,) whether a cell is that of the number 1; where 0 has the same cell, whether the applicant has 1."""
        off, on = np.searchsorted(self.domains[i].cells.cuts, [0.0, 1.0], side="right")
        if off == on:
            return np.full(self.points.shape[1], self.columns[i].values[row] == 1)
        switched: Flags = np.arange(self.points.shape[1]) == on
        return switched


def _check_names(actions: Actions, names: Sequence[str], there: Collection[str]) -> None:
    """Refuse names that the scorecard does not read.

    Parameters
    ----------
    there : columns of the rows. A limit on one that is not read, as selection leaves some, limits nothing, and is no
        fault; pairs and groups would mean something else without it.
    """
    between = {*chain.from_iterable(actions.together), *chain.from_iterable(each.features for each in actions.one_of)}
    for name in sorted(actions.names):
        if name not in names and (name in between or name not in there):
            fix = f"leave it out: what is not read is never proposed; {did_you_mean(name, names)}"
            where = "immutable, actions, together or one_of"
            raise InputError("the scorecard reads no such feature", where=where, got=name, fix=fix)


def _padded(rows: Sequence[Floats]) -> Floats:
    """(features, cells), filled up with zeros."""
    padded = np.zeros((len(rows), max(map(len, rows), default=1)))
    for row, given in zip(padded, rows, strict=True):
        row[: len(given)] = given
    return padded


def _stacked(parts: Sequence[NDArray[Kind]]) -> NDArray[Kind]:
    """(n, features, cells) of (n, cells) parts, filled up with zeros."""
    n, cells = len(parts[0]), max(part.shape[1] for part in parts)
    stacked = np.zeros((n, len(parts), cells), dtype=parts[0].dtype)
    for i, part in enumerate(parts):
        stacked[:, i, : part.shape[1]] = part
    return stacked


def _plain(value: Any) -> float | str | None:
    if value is None or isinstance(value, str):
        return value
    return None if math.isnan(value) else float(value)


def actions_of(immutable: Any, given: Any, together: Any, one_of: Any) -> Actions:
    """The limits from an explainer's options."""
    check_mapping(given, "actions", "{'income': 'up'}")
    by_feature = {name: Action.of(action, name) for name, action in given.items()}
    for name in names(immutable, "immutable"):
        by_feature[name] = replace(by_feature.get(name, Action()), change="none")
    pairs = []
    for pair in listed(together, "together"):
        pair_names = names(pair, "together")
        if len(pair_names) != 2:
            raise InputError("expected pairs of features", where="together", got=pair, fix="[['a', 'b']]: if a, then b")
        pairs.append((pair_names[0], pair_names[1]))
    groups = tuple(OneOf.of(group) for group in listed(one_of, "one_of"))
    return Actions(by_feature=by_feature, together=tuple(pairs), one_of=groups)
