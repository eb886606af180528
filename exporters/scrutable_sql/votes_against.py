"""How far each feature falls short by rules: the votes against the applicant of the rules that read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.model import Feature, Rule, RuleSet, number_of_reasons
from scrutable_sql import common
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung
from scrutable_sql.quoting import comment, number
from scrutable_sql.ranking import Ranking
from scrutable_sql.shortfalls import FallingShort


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReasons:
    """The columns that the reasons of a rule set add; none where no reasons are asked for.

    Parameters
    ----------
    votes : columns that add up, for each feature, the votes against of the rules that apply and of the fallback.
    shortfalls : of each feature: those votes, or the fallback's where no rule applies.
    """

    votes: tuple[Column, ...]
    shortfalls: tuple[Column, ...]
    falling_short: FallingShort

    @classmethod
    def of(cls, model: RuleSet, applies: Sequence[str], covered: str, options: SQLOptions) -> RuleReasons:
        """Rank codes by the votes against, with as many reasons as the options ask for.

        Parameters
        ----------
        applies : for each rule, when it applies.
        covered : when any does.

        Raises
        ------
        UnsupportedModel : more reasons are asked for than the model gives, or more codes are than keys can tell.
        """
        k, policy = number_of_reasons(model.reasons, options.reasons), model.reasons
        features = {feature.name: feature for feature in model.features}
        if not k or policy is None:
            return cls(votes=(), shortfalls=(), falling_short=FallingShort.of(None, Ranking.none(options), features))
        against, instead = ([r.weight for r in rules if model.against(r)] for rules in (model.rules, model.fallback))
        ranking = Ranking.of(
            policy,
            [code for code, names in policy.features().items() if names],
            (*against, *instead),
            max([sum(against), *instead]),
            k=k,
            cutoff=model.cutoff if model.policy.knock_outs else None,
            about="votes against",
            options=options,
        )
        falling_short = FallingShort.of(policy, ranking, features)
        votes, shortfalls = [], []
        for i, feature in enumerate(policy.codes, 1):
            columns = _against(model, features[feature], applies, f"against_{i}", options)
            fallback = _fallback(model, features[feature], f"fallback_against_{i}", options)
            total = common.total(f"CAST(0 AS {options.target.double})", columns)
            shortfalls.append(
                falling_short.shortfall(feature, f"CASE WHEN {covered} THEN {total} ELSE {fallback.name} END")
            )
            votes += [*columns, fallback]
        return cls(votes=tuple(votes), shortfalls=tuple(shortfalls), falling_short=falling_short)


def _reads(rule: Rule, feature: Feature) -> bool:
    return any(clause.feature == feature.name for clause in rule.when)


def _against(
    model: RuleSet, feature: Feature, applies: Sequence[str], prefix: str, options: SQLOptions
) -> list[Column]:
    terms = [
        Case((Rung(test, number(rule.weight, options.target), f"Rule {i}"),), "0")
        for i, (rule, test) in enumerate(zip(model.rules, applies, strict=True), 1)
        if model.against(rule) and _reads(rule, feature)
    ]
    note = comment(f"votes against of the rules that read {feature.title}")
    return common.sums(terms, prefix, options.target, note)


def _fallback(model: RuleSet, feature: Feature, column: str, options: SQLOptions) -> Column:
    rungs = tuple(
        Rung(f"fallback = {i}", number(rule.weight, options.target))
        for i, rule in enumerate(model.fallback, 1)
        if model.against(rule) and _reads(rule, feature)
    )
    note = comment(f"votes against of the fallback that reads {feature.title}")
    return Column(Case(rungs, "0") if rungs else "0", column, options.target.double, note)
