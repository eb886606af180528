"""Rules as sentences, with their weights and the codes of the features that they read."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import Rule, RuleSet
from scrutable.model.rulesets import fallback_sentences, hits_of, read_rules
from scrutable_documents.common.part import Part
from scrutable_documents.reason_document.line import Carried, Line, carried


def of_rules(part: Part, model: RuleSet) -> Iterator[Line]:
    """Every rule, then those of the fallback; shares are of the applicants on whom the rule votes."""
    voting, deciding = _shares(part, model)
    for reading, share in zip(read_rules(model), voting, strict=True):
        yield Line(
            kind="rule",
            of=f"Rule {reading.number}",
            words=reading.sentence,
            points=reading.rule.weight,
            votes_for=str(reading.rule.outcome),
            share=share,
            codes=_codes(part, model, reading.rule),
        )
    for number, (rule, sentence, share) in enumerate(
        zip(model.fallback, fallback_sentences(model), deciding, strict=True), 1
    ):
        yield Line(
            kind="fallback",
            of=f"Fallback {number}",
            words=sentence,
            points=rule.weight,
            votes_for=str(rule.outcome),
            share=share,
            codes=_codes(part, model, rule),
        )


def _codes(part: Part, model: RuleSet, rule: Rule) -> tuple[Carried, ...]:
    if not model.against(rule):
        return ()
    return tuple(each for clause in rule.when for each in carried(part, clause.feature, rule.weight))


def _shares(part: Part, model: RuleSet) -> tuple[list[float | None], list[float | None]]:
    if part.sample is None:
        return [None] * len(model.rules), [None] * len(model.fallback)
    hits = hits_of(model.rules, model, part.sample.table)
    fallback = hits_of(model.fallback, model, part.sample.table)
    fallback[hits.any(axis=1)] = False
    return hits.mean(axis=0).tolist(), fallback.mean(axis=0).tolist()
