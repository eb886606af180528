"""Rule sets: which rules apply, the votes of each class, and the fallback where no rule applies."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model import Feature, Rule, RuleSet
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import conjunction
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step, chunks, concatenated, joined
from scrutable_sql.quoting import comment, literal, number
from scrutable_sql.votes_against import RuleReasons

#: With more rules, none has a column of its own, which would soon be more columns than engines have.
_MOST_COLUMNS = 200


def plan(model: RuleSet, options: SQLOptions) -> Plan:
    """The steps rules, votes, sums, scores, totals, and those of the reasons."""
    d = options.target
    features = {feature.name: feature for feature in model.features}
    own = len(model.rules) <= _MOST_COLUMNS
    applies = [f"rule_{i} = 1" if own else conjunction(r.when, features, d) for i, r in enumerate(model.rules, 1)]
    flags = [_flag(i, rule, features, d) for i, rule in enumerate(model.rules, 1)] if own else []
    votes, sums = _votes(model, [""] * len(applies) if own else _words(model, features), applies, d)
    reasons = RuleReasons.of(model, applies, _covered(model), options)
    hits = _hits(applies, d) if options.points else []
    scores = _scores(model)
    if options.points:
        scores.append(Column(_applying(model, len(hits), d), "applying", cast=d.text, note="the rules that apply"))
    totals = [Column(joined([f"score_{i}" for i in range(len(model.outcome.classes))], " + "), "total")]
    if model.cutoff is not None:
        good = model.outcome.favourable_index
        totals.append(Column(f"score_{good} - score_{1 - good}", "score"))
        totals.append(common.knock_out(model.policy, features, d))
    steps = (
        Step("rules", "which rules apply: 1 or 0", (*flags, _fallback(model, features, d))),
        Step("votes", "the votes of the rules that apply, and their numbers", (*votes, *reasons.votes, *hits)),
        Step("sums", "votes added up", tuple(sums)),
        Step("scores", "votes, or those of the fallback where there are none", (*scores, *reasons.shortfalls)),
        Step("totals", "all votes", tuple(totals)),
        *(step for step in reasons.falling_short.steps() if step.columns),
    )
    return Plan(steps, tuple(_results(model, reasons, options)))


def _flag(position: int, rule: Rule, features: dict[str, Feature], d: Dialect) -> Column:
    note = comment(f"Rule {position}: {_sentence(rule, features)}")
    return Column(Case((Rung(conjunction(rule.when, features, d), "1"),), "0"), f"rule_{position}", note=note)


def _fallback(model: RuleSet, features: dict[str, Feature], d: Dialect) -> Column:
    """The position of the fallback's rule that applies; exactly one does."""
    rungs = [
        Rung(conjunction(rule.when, features, d), str(i), comment(f"F{i}: {_sentence(rule, features)}"))
        for i, rule in enumerate(model.fallback, 1)
    ]
    last = rungs[-1]
    note = "the rule of the fallback that decides where none of the rules applies"
    if len(rungs) == 1:
        return Column(last.then, "fallback", note=f"{note}: {last.note}")
    return Column(Case(tuple(rungs[:-1]), last.then, last.note), "fallback", note=note)


def _votes(
    model: RuleSet, words: Sequence[str], applies: Sequence[str], d: Dialect
) -> tuple[list[Column], list[Column]]:
    """Columns of votes, in chunks, and of their sums, for each class."""
    votes: list[Column] = []
    sums: list[Column] = []
    for i, label in enumerate(model.outcome.classes):
        terms = [
            Case((Rung(test, number(rule.weight, d), word),), "0")
            for rule, test, word in zip(model.rules, applies, words, strict=True)
            if rule.outcome == label
        ]
        added = common.sums(terms, f"votes_{i}", d, comment(f"votes for class {label!r} of the rules that apply"))
        rungs = tuple(
            Rung(f"fallback = {position}", number(rule.weight, d))
            for position, rule in enumerate(model.fallback, 1)
            if rule.outcome == label
        )
        note = comment(f"votes for class {label!r} where no rule applies")
        votes += [*added, Column(Case(rungs, "0") if rungs else "0", f"fallback_{i}", d.double, note)]
        sums.append(Column(common.total(f"CAST(0 AS {d.double})", added), f"votes_{i}"))
    return votes, sums


def _hits(applies: Sequence[str], d: Dialect) -> list[Column]:
    """The positions of the rules that apply, with a blank before each, in chunks."""
    terms = [
        f"CASE WHEN {test} THEN {literal(f' {i}', d)} ELSE {literal('', d)} END" for i, test in enumerate(applies, 1)
    ]
    return [
        Column(concatenated(chunk, d.concatenated) if len(chunk) > 1 else chunk[0], f"hits_{i}", cast=d.text)
        for i, chunk in enumerate(chunks(terms), 1)
    ]


def _scores(model: RuleSet) -> list[Column]:
    return [
        Column(f"CASE WHEN {_covered(model)} THEN votes_{i} ELSE fallback_{i} END", f"score_{i}")
        for i in range(len(model.outcome.classes))
    ]


def _applying(model: RuleSet, hits: int, d: Dialect) -> Case:
    """The rules that apply, or the one of the fallback."""
    names = [Rung(f"fallback = {i}", literal(f"F{i}", d)) for i in range(1, len(model.fallback) + 1)]
    fallback = Case(tuple(names[:-1]), names[-1].then) if len(names) > 1 else names[-1].then
    if not hits:
        return Case((Rung("1 = 1", fallback),))
    between, around = d.concatenated
    columns = [f"hits_{i}" for i in range(1, hits + 1)]
    together = around.format(between.join(columns)) if hits > 1 else columns[0]
    return Case((Rung(_covered(model), f"LTRIM({together})"),), fallback)


def _covered(model: RuleSet) -> str:
    """Whether any rule applies: each has a vote of more than 0."""
    return f"{joined([f'votes_{i}' for i in range(len(model.outcome.classes))], ' + ')} > 0"


def _results(model: RuleSet, reasons: RuleReasons, options: SQLOptions) -> list[Result]:
    classes = range(len(model.outcome.classes))
    about = "numbers of the rules that apply; where none does, F and the number of the fallback's"
    rules = [Result("rules", "applying", about)] if options.points else []
    if model.cutoff is not None:
        share = f"score_{model.outcome.favourable_index} / total"
        why = reasons.falling_short.ranking.results()
        return [*common.decided(model, share, options.target), *why, *rules]
    labels = model.outcome.classes
    columns = [Result(f"score_{i}", f"score_{i}", f"votes for class {labels[i]!r}") for i in classes]
    columns += [Result(f"probability_{i}", f"score_{i} / total", f"share of votes for {labels[i]!r}") for i in classes]
    predicted = Result("predicted", _most_votes(len(classes)), "number of the class with most votes, from 0")
    return [*columns, predicted, *rules]


def _most_votes(count: int) -> Case:
    """The first class that has at least the votes of each later one; an earlier one cannot have more."""
    rungs = [
        Rung(joined([f"score_{i} >= score_{later}" for later in range(i + 1, count)], " AND "), str(i))
        for i in range(count - 1)
    ]
    return Case(tuple(rungs), str(count - 1))


def _words(model: RuleSet, features: dict[str, Feature]) -> list[str]:
    return [comment(f"Rule {i}: {_sentence(rule, features)}") for i, rule in enumerate(model.rules, 1)]


def _sentence(rule: Rule, features: dict[str, Feature]) -> str:
    """The rule in words, its weight too unless it is 1."""
    return rule.describe(features) + ("" if rule.weight == 1 else f" (weight {rule.weight!r})")
