"""Rule sets as programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrutable.data.outcome import ClassLabel
from scrutable.data.values import UNIT
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.decisions import decided, outputs_of_decision, reasons
from scrutable.model.program.nodes import AtLeast, Choice, Largest, Linear, Points, Ref, Share, Sum, Words
from scrutable.model.program.program import Output
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.rules import Rule, RuleSet

_RULES = "numbers of the rules that apply; where none does, F and the number of the fallback's"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voting:
    """Rules of a model with the node of each that says whether it applies, and whether any rule does."""

    model: RuleSet
    asking: Asking
    rules: tuple[tuple[Rule, Ref], ...]
    fallback: tuple[tuple[Rule, Ref], ...]
    covered: Ref

    @classmethod
    def of(cls, model: RuleSet, asking: Asking) -> _Voting:
        rules, fallback = (
            tuple((rule, asking.conjunction(rule.when)) for rule in each) for each in (model.rules, model.fallback)
        )
        of_class = tuple(_sum_of(rules, label, asking) for label in model.outcome.classes)
        covered = asking.add(AtLeast(asking.add(Sum(0.0, of_class)), UNIT))
        return cls(model=model, asking=asking, rules=rules, fallback=fallback, covered=covered)

    def decisive(self, without: Ref, among: Ref) -> Ref:
        """What the fallback gives where no rule applies, else what the rules give."""
        return self.asking.add(Choice(self.covered, (without, among)))

    def votes_for(self, place: int) -> Ref:
        """The votes for a class."""
        label = self.model.outcome.classes[place]
        return self.decisive(*(_sum_of(each, label, self.asking) for each in (self.fallback, self.rules)))

    def score(self, votes: Sequence[Ref]) -> Ref:
        """The votes for the favourable class, less the others."""
        good = self.model.outcome.favourable_index
        against = self.asking.add(Linear(votes[1 - good], -1.0, 0.0))
        return self.asking.add(Sum(0.0, (votes[good], against)))

    def against(self, feature: str) -> Ref:
        """The votes against of rules that read a feature."""
        sums = [
            _sum(
                [
                    (rule, applies)
                    for rule, applies in each
                    if self.model.against(rule) and feature in {clause.feature for clause in rule.when}
                ],
                self.asking,
            )
            for each in (self.fallback, self.rules)
        ]
        return self.decisive(*sums)

    def words(self) -> Ref:
        """The numbers of the rules that apply."""
        return self.decisive(self._spelled(self.fallback, "F"), self._spelled(self.rules, ""))

    def _spelled(self, rules: Sequence[tuple[Rule, Ref]], prefix: str) -> Ref:
        truths = tuple(applies for _, applies in rules)
        words = tuple(f"{prefix}{i}" for i in range(1, len(rules) + 1))
        titles = tuple(self._sentence(rule) for rule, _ in rules) if self.asking.builder.words else ()
        return self.asking.add(Words(truths, words, titles))

    def _sentence(self, rule: Rule) -> str:
        """The rule in words, its weight too unless it is 1."""
        return rule.describe(self.asking.features) + ("" if rule.weight == 1 else f" (weight {rule.weight!r})")


def rule_set(model: RuleSet, asking: Asking) -> list[Output]:
    """Rules vote; where none applies, the fallback does."""
    voting = _Voting.of(model, asking)
    votes = [voting.votes_for(place) for place in range(len(model.outcome.classes))]
    if model.cutoff is None:
        return _of_several_classes(voting, votes)
    score = voting.score(votes)
    decision = decided(asking, score, model.cutoff, model.policy)
    shares = [asking.add(Share(ref, tuple(votes))) for ref in votes]
    good = model.outcome.favourable_index
    outputs = outputs_of_decision(asking, decision, shares[good], model.outcome.favourable, model.policy)
    details = [Output("unfavourable", shares[1 - good]), *_named("votes", "votes for class", votes, model)]
    if model.reasons is not None:
        short = _shortfalls(voting, model.reasons)
        by_code = {code: [short[name] for name in names] for code, names in model.reasons.features().items()}
        outputs += reasons(asking, model.reasons, by_code, decision, (), "votes against")
        titles = {name: f"votes against for {feature.title}" for name, feature in asking.features.items()}
        details += [Output(f"shortfall_{name}", ref, titles[name]) for name, ref in short.items()]
    return [*outputs, Output("rules", voting.words(), _RULES), *details]


def _of_several_classes(voting: _Voting, votes: list[Ref]) -> list[Output]:
    add, model = voting.asking.add, voting.model
    shares = [add(Share(ref, tuple(votes))) for ref in votes]
    return [
        *_named("score", "votes for class", votes, model),
        *_named("probability", "share of votes for", shares, model),
        Output("predicted", add(Largest(tuple(votes))), "number of the class with most votes, from 0"),
        Output("rules", voting.words(), _RULES),
    ]


def _named(name: str, about: str, refs: list[Ref], model: RuleSet) -> list[Output]:
    """An output for each class."""
    return [Output(f"{name}_{i}", ref, f"{about} {model.outcome.classes[i]!r}") for i, ref in enumerate(refs)]


def _shortfalls(voting: _Voting, policy: ReasonPolicy) -> dict[str, Ref]:
    return {feature: voting.against(feature) for feature in policy.codes}


def _sum_of(rules: Iterable[tuple[Rule, Ref]], label: ClassLabel, asking: Asking) -> Ref:
    """The votes for a class."""
    return _sum([(rule, applies) for rule, applies in rules if rule.outcome == label], asking)


def _sum(rules: Iterable[tuple[Rule, Ref]], asking: Asking) -> Ref:
    """The votes of those rules that apply."""
    return asking.add(Sum(0.0, tuple(asking.add(Points(applies, (0.0, rule.weight))) for rule, applies in rules)))
