"""Rule sets: weighted rules that vote for classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrutable.data.features import Feature, index_features, refuse_unused
from scrutable.data.outcome import ClassLabel, Outcome
from scrutable.data.values import UNIT, finite, snap, text, unique, within_limit
from scrutable.errors import ModelError
from scrutable.model.conditions import Conjunction, describe_all
from scrutable.model.exactly_one import check_one_applies
from scrutable.model.policy import Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.single import Single
from scrutable.writing.decimals import in_digits
from scrutable.writing.notebooks import NotebookTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """If all clauses hold, `weight` votes for `outcome`; weights are snapped to multiples of 2^-30."""

    when: Conjunction
    outcome: ClassLabel
    weight: float = 1.0
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", snap(self.weight))
        text(self.label, "rule label")
        if self.weight <= 0:
            raise ModelError(
                "a rule needs a positive weight",
                where=self.describe(),
                got=self.weight,
                fix="leave out rules whose weight is below 2^-31",
            )
        unique(tuple(clause.feature for clause in self.when), f"features in rule {self.describe()!r}")

    def describe(self, features: dict[str, Feature] | None = None) -> str:
        """The rule as a sentence without its weight."""
        return self.label or f"if {describe_all(self.when, features)} then {self.outcome}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Single):
    """Rules that vote; where none applies, the `fallback` rules do, of which exactly one applies to every row.

    A fallback of one rule without clauses is a default class. A class's score is the sum of its votes and its
    probability the share of all votes. With more than two classes the most votes win and ties go to the lowest class
    index. With two classes the score is the votes for the favourable class minus the others, and `score >= cutoff` is
    the favourable decision; the default cutoff settles ties for the lowest class index likewise.
    """

    outcome: Outcome
    features: tuple[Feature, ...]
    rules: tuple[Rule, ...]
    fallback: tuple[Rule, ...]
    cutoff: float | None = None
    policy: Policy = field(default_factory=Policy)
    reasons: ReasonPolicy | None = None
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        features = index_features(self.features)
        classes = set(self.outcome.classes)
        for rule in self.rules + self.fallback:
            self._check_rule(rule, features, classes)
        self._check_policy(features)
        used = {clause.feature for rule in self.rules + self.fallback for clause in rule.when}
        refuse_unused(features, used | self.policy.features)
        self._check_fallback(features)
        within_limit(sum(rule.weight for rule in self.rules), "rule set")
        self._settle_cutoff()
        if self.reasons is not None:
            self._check_reasons(self.reasons)

    def against(self, rule: Rule) -> bool:
        """Whether a rule votes for the unfavourable class."""
        return rule.outcome != self.outcome.favourable

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The rules with their weights, and what holds where none applies."""
        titles = {feature.name: feature for feature in self.features}
        rows = [[rule.describe(titles), in_digits(rule.weight)] for rule in self.rules]
        yield NotebookTable(headers=("rule", "weight"), rows=rows, numbers=frozenset({1}))
        fallback = [[rule.describe(titles)] for rule in self.fallback]
        yield NotebookTable(headers=("where no rule applies",), rows=fallback)

    def __repr__(self) -> str:
        cutoff = "" if self.cutoff is None else f", cutoff {self.cutoff:.6g}"
        return f"RuleSet({len(self.rules)} rules, {len(self.fallback)} fallback rules{cutoff})"

    def _check_rule(self, rule: Rule, features: dict[str, Feature], classes: set[ClassLabel]) -> None:
        where = rule.describe()
        if rule.outcome not in classes:
            raise ModelError("unknown class", where=where, got=rule.outcome, allowed=str(list(self.outcome.classes)))
        for clause in rule.when:
            clause.check(features, where)

    def _check_policy(self, features: dict[str, Feature]) -> None:
        self.policy.check(features)
        if self.policy.adjustments:
            raise ModelError(
                "a rule set has votes, to which no points can be added",
                where=f"score adjustment {self.policy.adjustments[0].code!r}",
                fix="add a rule with a weight, or an override",
            )

    def _check_fallback(self, features: dict[str, Feature]) -> None:
        check_one_applies([rule.when for rule in self.fallback], features, "fallback of the rule set")

    def _check_reasons(self, reasons: ReasonPolicy) -> None:
        if self.cutoff is None:
            raise ModelError("reasons need two classes", where="reason policy", got=list(self.outcome.classes))
        voting = [rule for rule in self.rules + self.fallback if self.against(rule)]
        if not all(rule.when for rule in voting):
            raise ModelError(
                "a class that is voted for whatever the applicant has gives no specific reason",
                where="reason policy",
                got="a rule against the applicant that has no condition",
                fix="learn with a favourable default class, or with rules as the fallback",
            )
        lowest = min(
            (rule.weight for rule in self.rules + self.fallback if not self.against(rule)), default=self.cutoff
        )
        if lowest < self.cutoff:
            raise ModelError(
                "an applicant without any vote against can be declined, and would get no reason",
                where="reason policy",
                got=f"cutoff {self.cutoff!r}, a vote for the applicant of {lowest!r}",
                fix="lower the cutoff to the smallest vote for an applicant, or remove the policy: reasons=None",
            )
        reasons.check({clause.feature for rule in voting for clause in rule.when}, self.policy, self.cutoff)
        reasons.check_baselines(())
        if reasons.effects:
            raise ModelError("effects of leaves are for trees", where="reason policy", got=len(reasons.effects))

    def _settle_cutoff(self) -> None:
        if not self.outcome.binary:
            if self.cutoff is not None:
                raise ModelError("a cutoff needs two classes", where="rule set", got=self.cutoff)
            if self.policy != Policy():
                raise ModelError("knock-outs, overrides and grades need two classes", where="rule set")
            return
        tie_break = UNIT if self.outcome.favourable_index == 1 else 0.0
        object.__setattr__(self, "cutoff", finite(tie_break if self.cutoff is None else self.cutoff, "cutoff"))
