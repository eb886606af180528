"""Rule sets: votes of each class, and the fallback where no rule applies."""

from __future__ import annotations

from scrutable.model import Feature, Rule, RuleSet
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import conjunction
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step, joined
from scrutable_sql.quoting import comment, number


def plan(model: RuleSet, options: SQLOptions) -> Plan:
    """The steps votes, sums, scores and totals."""
    d = options.engine
    features = {feature.name: feature for feature in model.features}
    classes = range(len(model.outcome.classes))
    votes: list[Column] = []
    sums: list[Column] = []
    for i, label in enumerate(model.outcome.classes):
        chunks = common.sums([_vote(r, features, d) for r in model.rules if r.outcome == label], f"votes_{i}", d)
        fallback = tuple(_rung(rule, features, d) for rule in model.fallback if rule.outcome == label)
        zero = f"CAST(0 AS {d.double})"
        note = comment(f"votes for class {label!r} where no rule applies")
        votes += [*chunks, Column(Case(fallback, "0") if fallback else "0", f"fallback_{i}", d.double, note)]
        sums.append(Column(common.total(zero, chunks), f"rules_{i}"))
    covered = f"{joined([f'rules_{i}' for i in classes], ' + ')} > 0"
    scores = [Column(f"CASE WHEN {covered} THEN rules_{i} ELSE fallback_{i} END", f"score_{i}") for i in classes]
    totals = [Column(joined([f"score_{i}" for i in classes], " + "), "total")]
    if model.cutoff is not None:
        good = model.outcome.favourable_index
        totals.append(Column(f"score_{good} - score_{1 - good}", "score"))
        totals.append(common.knock_out(model.policy, features, d))
    steps = (
        Step("votes", "the votes of the rules that apply", tuple(votes)),
        Step("sums", "votes added up", tuple(sums)),
        Step("scores", "votes, or those of the fallback where there are none", tuple(scores)),
        Step("totals", "all votes", tuple(totals)),
    )
    return Plan(steps, tuple(_results(model, d)))


def _results(model: RuleSet, d: Dialect) -> list[Result]:
    classes = range(len(model.outcome.classes))
    if model.cutoff is not None:
        return [
            Result("score", "score"),
            Result("probability", f"score_{model.outcome.favourable_index} / total"),
            Result("approved", common.decision(model.cutoff, d)),
            Result("knock_out", "knock_out"),
        ]
    found = [Result(f"score_{i}", f"score_{i}") for i in classes]
    found += [Result(f"probability_{i}", f"score_{i} / total") for i in classes]
    return [*found, Result("predicted", _most_votes(len(classes)))]


def _most_votes(count: int) -> Case:
    """The first class that has at least the votes of each later one; an earlier one cannot have more."""
    rungs = [
        Rung(joined([f"score_{i} >= score_{later}" for later in range(i + 1, count)], " AND "), str(i))
        for i in range(count - 1)
    ]
    return Case(tuple(rungs), str(count - 1))


def _vote(rule: Rule, features: dict[str, Feature], d: Dialect) -> Case:
    return Case((_rung(rule, features, d),), "0")


def _rung(rule: Rule, features: dict[str, Feature], d: Dialect) -> Rung:
    return Rung(conjunction(rule.when, features, d), number(rule.weight, d), comment(rule.describe(features)))
