"""The votes of a rule set on an applicant, on a few lines."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table
from rich.text import Text

from scrutable.cli.card import needed
from scrutable.cli.output import printable
from scrutable.model.outcome import ClassLabel
from scrutable.rulesets import RowVotes


def describe_votes(who: str, found: RowVotes) -> Group:
    """What was decided, then for each class its votes and the rules that gave them; votes against come first."""
    lines = Table.grid(padding=(0, 1))
    lines.add_column(justify="right", no_wrap=True)
    lines.add_column(overflow="fold")
    for label in _classes(found):
        lines.add_row(f"  {found.votes_for(label):.3g}", Text(f"votes for {printable(repr(label))}", style="bold"))
        for each in found.rules_for(label):
            lines.add_row("", printable(f"{each.rule.weight:.3g} by rule {each.number}: {each.sentence}"))
    if found.fallback is not None:
        lines.add_row("", printable(f"no rule applies, so the fallback decides: {found.fallback}"))
    if found.knock_out is not None:
        lines.add_row("", printable(f"knock-out {found.knock_out} declines, whatever the votes are"))
    return Group(Text.assemble((printable(who), "bold"), " ", *_decision(found)), lines)


def _classes(found: RowVotes) -> list[ClassLabel]:
    """The classes that rules voted for: with two the unfavourable first, with more by falling votes."""
    named = dict.fromkeys(each.rule.outcome for each in found.rules)
    if found.outcome.binary:
        return sorted(named, key=lambda label: label == found.outcome.favourable)
    return sorted(named, key=lambda label: -found.votes_for(label))


def _decision(found: RowVotes) -> tuple[tuple[str, str] | str, ...]:
    if found.approved is None:
        return "predicted", " ", (printable(repr(found.predicted)), "bold")
    decision = ("approved", "green") if found.approved else ("declined", "red")
    assert found.cutoff is not None
    return decision, f": votes for less votes against {found.score:.3g}, needed {needed(found.cutoff)}"
