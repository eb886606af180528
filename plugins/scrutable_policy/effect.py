"""What the rules of a model's policy do, one after another, to applicants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable.data import Bools, Cohort, min_cell, pooled_groups, refuse_protected
from scrutable.data.frames import as_table
from scrutable.fairness import Groups
from scrutable.model import (
    Adjustment,
    DecisionModel,
    KnockOut,
    Model,
    Override,
    SegmentedModel,
    describe_all,
    features_read,
)
from scrutable.model.evaluator import ClauseMasks, OutputFrame, read_inputs, results
from scrutable_policy.changing import deciding
from scrutable_policy.disclosed import Told, told_part
from scrutable_policy.effect_rates import rates_of
from scrutable_policy.effect_results import Contradiction, PolicyEffect, Remark, RuleEffect
from scrutable_policy.listing import effect_of
from scrutable_policy.logic import implies
from scrutable_policy.rates import Rates
from scrutable_policy.refusing import check_allowed, refuse_protected_columns
from scrutable_policy.single_models import only_rules, parts_of, with_parts, with_policy

Rule = KnockOut | Adjustment | Override


def policy_effect(
    model: Model,
    X: Any,
    good: Any = None,
    *,
    groups: Groups | None = None,
    sample_weight: Any = None,
    allow_protected: Collection[str] = (),
) -> PolicyEffect:
    """What each rule around a model's score does: whom it hits, and how rates change with it.

    The rules come to bear one after another: knock-outs, score adjustments, overrides, each kind in its order. The last
    step has the model's own decisions. Groups of few people are counted with others, counts of few are kept back, and
    so are rates that the decisions about few would change; see `scrutable.data.min_cell`.

    Parameters
    ----------
    X : n applicants with the columns that the model reads: a frame, or a cohort that is made already.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known; nowhere known if not given.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    allow_protected : columns that rules may read although they are, or tell, a protected attribute.

    Raises
    ------
    InputError : a model that decides nothing, lengths that differ, a rule that reads a protected attribute, or a column
        that tells one.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> rows = {"age": [30.0] * 20, "income": [-1.0] * 8 + [10.0] * 12}
    >>> effect = policy_effect(models_named()["stumps"], rows)
    >>> effect.rules[0].alone, effect.rules[0].changed
    (8, 0)
    """
    decides = deciding(model)
    cohort = Cohort.read(X, good, groups=groups, sample_weight=sample_weight)
    cohort = _guarded(decides, cohort, allow_protected)
    trial = _Trial(model=decides, cohort=cohort, least=min_cell())
    told, hits = Told(trial.least), list(trial.hits())
    decisions = [trial.decisions(hits[:number]) for number in range(len(hits) + 1)]
    ends = [rates_of(cohort, each, told) for each in (decisions[0], decisions[-1])]  # before steps between them
    between = [rates_of(cohort, each, told) for each in decisions[1:-1]]
    rules = [
        trial.effect(hits[:place], hit, decisions[place] != decisions[place + 1], after)
        for place, (hit, after) in enumerate(zip(hits, [*between, ends[1]], strict=False))
    ]
    return PolicyEffect(
        rows=cohort.rows,
        weighted=cohort.weighted,
        least=trial.least,
        before=ends[0],
        rules=tuple(rules),
        contradictions=tuple(_contradictions(hits, trial.least)),
        kind=cohort.kind,
    )


def _guarded(model: DecisionModel, cohort: Cohort, allowed: Collection[str]) -> Cohort:
    """The cohort with groups that may be told of, none of which a rule reads unless that is allowed."""
    rules = [rule for part in parts_of(model).values() for rule in part.policy.rules]
    read = sorted({clause.feature for rule in rules for clause in rule.when})
    check_allowed(allowed, read)
    if cohort.groups is None:
        return cohort
    refuse_protected_columns(
        [(f"{rule.kind} {rule.code!r}", rule.when) for rule in rules],
        cohort.groups.names,
        allowed,
        by_name=False,
    )
    if read:
        told = as_table({name: cohort.table.column(name).values for name in read})
        refuse_protected(told, cohort.groups, allowed)
    return replace(cohort, groups=pooled_groups(cohort.groups, cohort.sample_weight))


@dataclass(frozen=True, slots=True)
class _Hit:
    """A rule, the rows that satisfy its conditions, and those for which it comes to bear."""

    rule: Rule
    rows: Bools
    in_order: Bools


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A model's rules, tried on a cohort."""

    model: DecisionModel
    cohort: Cohort
    least: int

    def hits(self) -> Iterator[_Hit]:
        """Each rule once, in the order in which rules come to bear, whichever segments have it."""
        rules = [rule for part in parts_of(self.model).values() for rule in part.policy.rules]
        names = ["knock_out"]
        if any(isinstance(rule, Override) for rule in rules):
            names.append("override")
        if isinstance(self.model, SegmentedModel):
            names.append("segment")
        told = results(self.model, self.cohort.table, names)
        satisfying = self._satisfying(told)
        places = {KnockOut: 0, Adjustment: 1, Override: 2}
        distinct = {rule.code: rule for rule in sorted(rules, key=lambda each: places[type(each)])}
        for code, rule in distinct.items():
            rows = satisfying[code]
            if isinstance(rule, Adjustment):
                in_order = rows & (told["knock_out"] == np.array(None))
            else:
                decider = told["knock_out" if isinstance(rule, KnockOut) else "override"]
                in_order = decider == np.array(code, dtype=object)
            yield _Hit(rule, rows, np.asarray(in_order, dtype=bool) & self._counted)

    def decisions(self, hits: Sequence[_Hit]) -> Bools:
        """(n,) whom the score and these rules approve."""
        codes = {each.rule.code for each in hits}
        parts = {name: with_policy(part, only_rules(part.policy, codes)) for name, part in parts_of(self.model).items()}
        approved = results(with_parts(self.model, parts), self.cohort.table, ["approved"])["approved"]
        return np.asarray(approved == 1, dtype=bool)

    def effect(self, earlier: Sequence[_Hit], hit: _Hit, changed: Bools, after: Rates) -> RuleEffect:
        """What a rule does after others, with the rates that then hold."""
        rule, features = hit.rule, {feature.name: feature for feature in features_read(self.model)}
        covering = _covering(earlier, hit)
        alone, in_order = told_part(hit.rows, [], self.least), told_part(hit.in_order, [hit.rows], self.least)
        effective = changed & self._counted
        wholes = [hit.rows, hit.in_order] if effective.any() else []  # that nobody's is changed is remarked anyway
        return RuleEffect(
            code=rule.code,
            kind=rule.kind,
            effect=effect_of(rule),
            when=describe_all(rule.when, features),
            reason=rule.reason,
            alone=alone,
            alone_share=None if alone is None else self._share(hit.rows),
            in_order=in_order,
            in_order_share=None if in_order is None else self._share(hit.in_order),
            changed=told_part(effective, wholes, self.least),
            after=after,
            remarks=tuple(_remarks(hit, covering, effective)),
            covered_by=tuple(each.rule.code for each in covering),
            always=any(self._implies(rule, each.rule) for each in covering),
        )

    def _implies(self, rule: Rule, other: Rule) -> bool:
        """Whether the other rule applies to everybody that a rule applies to, in each segment that has it."""
        having = [part for part in parts_of(self.model).values() if rule in part.policy.rules]
        return all(
            other in part.policy.rules
            and implies(rule.when, other.when, {feature.name: feature for feature in part.features})
            for part in having
        )

    @property
    def _counted(self) -> Bools:
        counted: Bools = self.cohort.weight > 0
        return counted

    def _satisfying(self, told: OutputFrame) -> dict[str, Bools]:
        """(n,) rows that satisfy the conditions of a rule, and have weight, by its code."""
        columns, n_rows = read_inputs(self.model, self.cohort.table)
        satisfying: dict[str, Bools] = {}
        for name, part in parts_of(self.model).items():
            inside = self._counted
            if name is not None:
                inside = inside & (told["segment"] == np.array(name, dtype=object))
            masks = ClauseMasks(part.features, columns, n_rows)
            for rule in part.policy.rules:
                rows = masks.conjunction(rule.when) & inside
                satisfying[rule.code] = satisfying.get(rule.code, np.zeros(n_rows, dtype=bool)) | rows
        return satisfying

    def _share(self, rows: Bools) -> float:
        return float(self.cohort.sizes(np.where(rows, 0, -1), 1)[0]) / self.cohort.total


def _covering(earlier: Sequence[_Hit], hit: _Hit) -> list[_Hit]:
    """The earlier rules that decide about everybody whom a rule hits, where it decides about nobody."""
    if not hit.rows.any() or hit.in_order.any():
        return []
    before = [each for each in earlier if not isinstance(each.rule, Adjustment) and (each.in_order & hit.rows).any()]
    whole = [each for each in before if not (hit.rows & ~each.rows).any()]
    return whole[:1] or before


def _remarks(hit: _Hit, covering: Sequence[_Hit], changed: Bools) -> Iterator[Remark]:
    if not hit.rows.any():
        yield "hits nobody"
    elif covering:
        yield "covered"
    elif not changed.any():
        yield "changes no decision"


def _contradictions(hits: Sequence[_Hit], least: int) -> Iterator[Contradiction]:
    """Pairs of a rule that declines and one that approves, which both are about somebody."""
    decisive = [each for each in hits if not isinstance(each.rule, Adjustment)]
    for place, first in enumerate(decisive):
        for second in decisive[place + 1 :]:
            both = first.rows & second.rows
            if both.any() and _declines(first) != _declines(second):
                told = told_part(both, [first.rows, second.rows], least)
                yield Contradiction(decides=first.rule.code, against=second.rule.code, rows=told)


def _declines(hit: _Hit) -> bool:
    return not isinstance(hit.rule, Adjustment) and hit.rule.declines
