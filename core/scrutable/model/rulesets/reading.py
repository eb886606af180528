"""Rules as sentences, with what each of them is worth and whom it applies to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.outcome_codes import all_classes
from scrutable.data.values import UNIT
from scrutable.errors import InputError
from scrutable.model import Categories, Clause, Conjunction, Interval, Model, Rule, RuleSet
from scrutable.model.rulesets.hits import Booleans, rule_hits, rule_set


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReading:
    """A rule as a person reads it.

    Parameters
    ----------
    number : its place in the model, from 1.
    rule : the rule itself.
    sentence : the rule in words, with the features' labels.
    share : its share of all rules' weights.
    length : number of its conditions; see `rule_length`.
    coverage : share of the rows that it applies to; None where no rows were given.
    precision : share of these rows that have the rule's class; None without outcomes, or where it applies to no row.
    """

    number: int
    rule: Rule
    sentence: str
    share: float
    length: int
    coverage: float | None = None
    precision: float | None = None

    def __repr__(self) -> str:
        seen = {"coverage": self.coverage, "precision": self.precision}
        facts = "".join(f", {name} {value:.1%}" for name, value in seen.items() if value is not None)
        return f"RuleReading({self.number}: {self.sentence}; weight {self.rule.weight:.6g}{facts})"

    def to_dict(self) -> dict[str, Any]:
        """One flat row of plain values for tables and JSON."""
        return {
            "number": self.number,
            "rule": self.sentence,
            "class": self.rule.outcome,
            "weight": self.rule.weight,
            "share": self.share,
            "length": self.length,
            "coverage": self.coverage,
            "precision": self.precision,
        }


def read_rules(model: Model, X: Any = None, y: Any = None) -> tuple[RuleReading, ...]:
    """The rules of a rule set, in the model's order.

    Parameters
    ----------
    X : n rows to count coverage on, as `evaluate` takes them.
    y : (n,) classes of these rows, to count precision with.

    Raises
    ------
    InputError : the model is no rule set, a column is not there, outcomes without rows, of another length or of a class
        that the model does not know.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import Feature, Outcome
    >>> rule = Rule(when=(Clause("age", (Interval(18, 25),)),), outcome="bad", weight=2)
    >>> model = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"), rules=(rule,),
    ...     features=(Feature(name="age", kind="numeric"),), fallback=(Rule(when=(), outcome="good"),))
    >>> [found] = read_rules(model, {"age": [19.0, 22.0, 40.0, 60.0]}, ["bad", "good", "good", "good"])
    >>> found.sentence, found.share, found.length, found.coverage, found.precision
    ('if Age in [18, 25) then bad', 1.0, 2, 0.5, 0.5)
    >>> found
    RuleReading(1: if Age in [18, 25) then bad; weight 2, coverage 50.0%, precision 50.0%)
    """
    rules = rule_set(model)
    titles = {feature.name: feature for feature in rules.features}
    total = math.fsum(rule.weight for rule in rules.rules)
    seen: list[Mapping[str, float | None]] = [{} for _ in rules.rules]
    if X is not None:
        hits = rule_hits(rules, X)
        labels = None if y is None else all_classes(rules.outcome, y, len(hits), "y")
        seen = [_seen(rule, hits[:, position], labels) for position, rule in enumerate(rules.rules)]
    elif y is not None:
        raise InputError("outcomes need the rows that they belong to", where="y", fix="give X, too")
    return tuple(
        RuleReading(
            number=number,
            rule=rule,
            sentence=rule.describe(titles),
            share=rule.weight / total,
            length=rule_length(rule.when),
            **facts,
        )
        for number, (rule, facts) in enumerate(zip(rules.rules, seen, strict=True), 1)
    )


def fallback_sentences(model: RuleSet) -> tuple[str, ...]:
    """The rules of the fallback in words, of which one decides where no other rule applies.

    >>> from scrutable.model import Outcome
    >>> model = RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(), rules=(),
    ...     fallback=(Rule(when=(), outcome=1),))
    >>> fallback_sentences(model)
    ('always 1',)
    """
    titles = {feature.name: feature for feature in model.features}
    return tuple(rule.describe(titles) if rule.when else f"always {rule.outcome}" for rule in model.fallback)


def deciding_sentence(model: RuleSet) -> str:
    """How the votes decide, and who wins a tie, in words.

    >>> from scrutable.model import Outcome
    >>> outcome = Outcome(classes=("bad", "good"), favourable="good")
    >>> model = RuleSet(outcome=outcome, features=(), rules=(), fallback=(Rule(when=(), outcome="good"),))
    >>> deciding_sentence(model)
    "'good' needs more votes than 'bad', a tie is 'bad'"
    """
    if model.cutoff is None:
        classes = ", ".join(map(repr, model.outcome.classes))
        return f"the class with most votes wins, of equal ones the first of {classes}"
    place = model.outcome.favourable_index
    good, other = (repr(model.outcome.classes[at]) for at in (place, 1 - place))
    if model.cutoff == UNIT:  # the least difference there is
        return f"{good} needs more votes than {other}, a tie is {other}"
    if model.cutoff == 0:
        return f"{good} needs as many votes as {other} or more, a tie is {good}"
    if model.cutoff > 0:
        return f"{good} needs at least {model.cutoff:.6g} votes more than {other}"
    return f"{good} may have up to {-model.cutoff:.6g} votes less than {other}"


def rule_length(when: Conjunction) -> int:
    """Number of conditions of a rule: one a clause, but one for each end of its intervals and each category left out.

    Missing values and special codes that a clause lets through beside others do not make it longer.

    >>> rule_length((Clause("age", (Interval(18, 25),)), Clause("job", (Categories(("cook", "smith")),))))
    3
    """
    return sum(_clause_length(clause) for clause in when)


def _clause_length(clause: Clause) -> int:
    length = 0
    for condition in clause.any_of:
        if isinstance(condition, Interval):
            length += math.isfinite(condition.lower) + math.isfinite(condition.upper)
        elif isinstance(condition, Categories) and condition.negated:
            length += len(condition.values)
    return max(length, 1)


def _seen(rule: Rule, hits: Booleans, labels: NDArray[Any] | None) -> Mapping[str, float | None]:
    """Coverage and precision."""
    precision = None if labels is None or not hits.any() else float(np.mean(labels[hits] == rule.outcome))
    return {"coverage": float(hits.mean()) if len(hits) else None, "precision": precision}
