"""Plugin: rules around the score, by hand: knock-outs, score adjustments, overrides, and what they do to whom.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_policy.changing import ChangedPolicy, add_rules, remove_rules
    from scrutable_policy.effect import policy_effect
    from scrutable_policy.effect_results import PolicyEffect, RuleEffect
    from scrutable_policy.listing import ListedPolicy, list_rules
    from scrutable_policy.record import PolicyEdit, policy_edits
    from scrutable_policy.rules_file import read_rules, rules_of
    from scrutable_policy.stated import AdjustmentRule, KnockOutRule, OverrideRule, StatedRule
    from scrutable_policy.trying import try_rules

__all__ = [
    "AdjustmentRule",
    "ChangedPolicy",
    "KnockOutRule",
    "ListedPolicy",
    "OverrideRule",
    "PolicyEdit",
    "PolicyEffect",
    "RuleEffect",
    "StatedRule",
    "add_rules",
    "list_rules",
    "policy_edits",
    "policy_effect",
    "read_rules",
    "remove_rules",
    "rules_of",
    "try_rules",
]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """Rules around the score of a model."""
    return [
        Command(
            name="policy",
            path="scrutable_policy.commands:policy",
            summary="Rules around the score: add, list, test and remove knock-outs, score adjustments and overrides.",
            order=85,
        ),
        Command(
            name="add",
            group="policy",
            path="scrutable_policy.commands.add:add",
            summary="Add rules to a model, with who wants them and why.",
            order=10,
        ),
        Command(
            name="list",
            group="policy",
            path="scrutable_policy.commands.listing:listing",
            summary="The rules of a model in the order in which they are tried, and who added each and why.",
            order=20,
        ),
        Command(
            name="test",
            group="policy",
            path="scrutable_policy.commands.trial:trial",
            summary="What each rule does to applicants: whom it hits, approval and bad rate, groups; rules that clash.",
            order=30,
        ),
        Command(
            name="remove",
            group="policy",
            path="scrutable_policy.commands.remove:remove",
            summary="Take rules out of a model, with who wants it and why.",
            order=40,
        ),
    ]
