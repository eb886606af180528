"""The votes of a rule set on an applicant, as an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrutable.cli.card import needed
from scrutable.data.outcome import ClassLabel
from scrutable.model.rulesets import RowVotes
from scrutable.writing.visible import visible


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes that describe themselves."""

    votes: RowVotes

    @property
    def approved(self) -> bool | None:
        """The decision; None with more than two classes."""
        return self.votes.approved

    def describe(self) -> str:
        """What was decided, then for each class its votes and the rules that gave them; votes against come first."""
        return "\n".join(map(visible, [self._decision(), *self._lines()]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self.votes.to_dict()

    def _decision(self) -> str:
        its = self.votes
        if its.approved is None:
            return f"Predicted {its.predicted!r}"
        assert its.cutoff is not None
        decision = "Approved" if its.approved else "Declined"
        return f"{decision}: votes for less votes against {its.score:.3g}, needed {needed(its.cutoff)}"

    def _lines(self) -> Iterator[str]:
        its = self.votes
        for label in self._classes():
            yield f"  {its.votes_for(label):.3g} votes for {label!r}"
            for each in its.rules_for(label):
                yield f"    {each.rule.weight:.3g} by rule {each.number}: {each.sentence}"
        if its.fallback is not None:
            yield f"  no rule applies, so the fallback decides: {its.fallback}"
        if its.knock_out is not None:
            yield f"  knock-out {its.knock_out} declines, whatever the votes are"

    def _classes(self) -> list[ClassLabel]:
        """The classes that rules voted for: with two the unfavourable first, with more by falling votes."""
        its = self.votes
        named = dict.fromkeys(each.rule.outcome for each in its.rules)
        if its.outcome.binary:
            return sorted(named, key=lambda label: label == its.outcome.favourable)
        return sorted(named, key=lambda label: -its.votes_for(label))
