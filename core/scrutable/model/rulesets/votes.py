"""What became of each row: the rules that voted on it, for which class, or that none did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data.frames import as_table
from scrutable.data.outcome import ClassLabel
from scrutable.data.values import UNIT
from scrutable.model import Model, Outcome, RuleSet
from scrutable.model.evaluator import evaluate
from scrutable.model.rulesets.hits import Booleans, hits_of, rule_hits, rule_set
from scrutable.model.rulesets.reading import RuleReading, fallback_sentences, read_rules
from scrutable.writing.visible_text import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class RowVotes:
    """The votes on one row.

    Parameters
    ----------
    outcome : what is decided, with its classes.
    predicted : the class that the model predicts.
    rules : the rules that apply, heaviest first.
    fallback : the fallback rule that decides in words, where no rule applies; else None.
    knock_out, override : codes of the knock-out that declines, and of the override that decides, whatever the votes
        are; None for most rows.
    score, cutoff : with two classes, votes for the favourable one less the others, and from where on it is predicted.
    """

    outcome: Outcome
    predicted: ClassLabel
    rules: tuple[RuleReading, ...]
    fallback: str | None = None
    knock_out: str | None = None
    override: str | None = None
    score: float | None = None
    cutoff: float | None = None

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score {self.score:.6g}"
        numbers = ", ".join(str(each.number) for each in self.rules)
        by = f"by rules {numbers}" if self.rules else f"by the fallback {self.fallback!r}"
        knock_out = "" if self.knock_out is None else f", knock-out {self.knock_out!r}"
        override = "" if self.override is None else f", override {self.override!r}"
        return f"RowVotes({self.predicted!r}{score}, {by}{knock_out}{override})"

    @property
    def approved(self) -> bool | None:
        """Whether the decision is the favourable one; None with more than two classes."""
        return self.predicted == self.outcome.favourable if self.outcome.binary else None

    def rules_for(self, label: ClassLabel) -> tuple[RuleReading, ...]:
        """The rules that voted for a class, heaviest first."""
        return tuple(each for each in self.rules if each.rule.outcome == label)

    def votes_for(self, label: ClassLabel) -> float:
        """Sum of their weights."""
        return sum(each.rule.weight for each in self.rules_for(label))

    def describe(self) -> str:
        """What was decided, then for each class its votes and the rules that gave them; votes against come first."""
        return "\n".join(map(visible, [self._decision(), *self._lines()]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; the classes that rules voted for, with most votes first."""
        named = dict.fromkeys(each.rule.outcome for each in self.rules)
        votes = [{"class": label, "votes": self.votes_for(label)} for label in named]
        rules = [
            {"number": each.number, "rule": each.sentence, "class": each.rule.outcome, "weight": each.rule.weight}
            for each in self.rules
        ]
        return {
            "predicted": self.predicted,
            "approved": self.approved,
            "score": self.score,
            "cutoff": self.cutoff,
            "votes": sorted(votes, key=lambda each: -each["votes"]),
            "rules": rules,
            "fallback": self.fallback,
            "knock_out": self.knock_out,
            "override": self.override,
        }

    def _decision(self) -> str:
        if self.approved is None:
            return f"Predicted {self.predicted!r}"
        assert self.cutoff is not None
        decision = "Approved" if self.approved else "Declined"
        return f"{decision}: votes for less votes against {self.score:.3g}, needed {_needed(self.cutoff)}"

    def _lines(self) -> Iterator[str]:
        for label in self._classes():
            yield f"  {self.votes_for(label):.3g} votes for {label!r}"
            for each in self.rules_for(label):
                yield f"    {each.rule.weight:.3g} by rule {each.number}: {each.sentence}"
        if self.fallback is not None:
            yield f"  no rule applies, so the fallback decides: {self.fallback}"
        if self.knock_out is not None:
            yield f"  knock-out {self.knock_out} declines, whatever the votes are"
        if self.override is not None:
            decides = "approves" if self.approved else "declines"
            yield f"  override {self.override} {decides}, whatever the votes are"

    def _classes(self) -> list[ClassLabel]:
        """The classes that rules voted for: with two the unfavourable first, with more by falling votes."""
        named = dict.fromkeys(each.rule.outcome for each in self.rules)
        if self.outcome.binary:
            return sorted(named, key=lambda label: label == self.outcome.favourable)
        return sorted(named, key=lambda label: -self.votes_for(label))


def row_votes(model: Model, X: Any) -> tuple[RowVotes, ...]:
    """Which rules voted on each row for what, or which part of the fallback decided.

    Parameters
    ----------
    X : n rows, as `evaluate` takes them.

    Raises
    ------
    InputError : the model is no rule set, or a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import Clause, Feature, Interval, Rule
    >>> young, poor = Clause("age", (Interval(upper=21),)), Clause("income", (Interval(upper=1000),))
    >>> model = RuleSet(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=tuple(Feature(name=name, kind="numeric") for name in ("age", "income")),
    ...     rules=(Rule(when=(young,), outcome="bad", weight=0.5), Rule(when=(poor,), outcome="bad")),
    ...     fallback=(Rule(when=(), outcome="good"),))
    >>> first, second = row_votes(model, {"age": [19.0, 40.0], "income": [800.0, 2000.0]})
    >>> first.predicted, first.score, [each.sentence for each in first.rules_for("bad")]
    ('bad', -1.5, ['if Income < 1000 then bad', 'if Age < 21 then bad'])
    >>> second.predicted, second.fallback
    ('good', 'always good')
    >>> first
    RowVotes('bad', score -1.5, by rules 2, 1)
    >>> print(second.describe())
    Approved: votes for less votes against 1, needed more than 0
      no rule applies, so the fallback decides: always good
    """
    rules, table = rule_set(model), as_table(X)
    evaluation = evaluate(rules, table)
    hits, readings = rule_hits(rules, table), read_rules(rules)
    heaviest = np.array(sorted(range(len(readings)), key=lambda place: -readings[place].rule.weight), dtype=np.intp)
    fallback = _fallback(rules, hits_of(rules.fallback, rules, table), hits)
    nothing = [None] * len(hits)
    score = nothing if evaluation.score is None else evaluation.score.tolist()
    override = nothing if evaluation.override is None else evaluation.override
    return tuple(
        RowVotes(
            outcome=rules.outcome,
            predicted=rules.outcome.classes[predicted],
            rules=tuple(readings[place] for place in heaviest[hits[row, heaviest]]),
            fallback=fallback[row],
            knock_out=evaluation.knock_out[row],
            override=override[row],
            score=score[row],
            cutoff=rules.cutoff,
        )
        for row, predicted in enumerate(evaluation.predicted.tolist())
    )


def _needed(cutoff: float) -> str:
    """The cutoff of a rule set in words; the least number above 0 there is settles ties.

    >>> _needed(0.5), _needed(2.0**-30)
    ('at least 0.5', 'more than 0')
    """
    return "more than 0" if cutoff == UNIT else f"at least {cutoff:.6g}"


def _fallback(model: RuleSet, applies: Booleans, hits: Booleans) -> Sequence[str | None]:
    """The fallback rule of each row to which no rule applies, in words."""
    sentences, which, voted = fallback_sentences(model), applies.argmax(axis=1), hits.sum(axis=1) > 0
    return [None if any_rule else sentences[place] for any_rule, place in zip(voted, which, strict=True)]
