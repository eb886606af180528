"""Explainers whose reasons are not those of their policies, or whose policies are wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract_planted.fault import patched, planted
from contract_planted.faulty_explainer import REASONS, Reasoned
from scrutable import create
from scrutable.model import FrozenMapping, RuleSet
from scrutable.model.evaluator import shortfalls_by_feature


@patched(Reasoned, "changed", check="shortfalls-are-what-the-score-loses", **REASONS)
def swapped_policy_baselines(self: Any, model: Any, policy: Any) -> Any:
    """The policy has two baselines swapped."""
    if len(policy.baselines) < 2:
        return policy
    names = list(policy.baselines)
    turned = dict(zip(names, [policy.baselines[name] for name in (*names[1:], names[0])], strict=True))
    return replace(policy, baselines=FrozenMapping(turned))


@patched(Reasoned, "changed", check="shortfalls-are-what-the-score-loses", **REASONS)
def negative_baselines(self: Any, model: Any, policy: Any) -> Any:
    """Baselines have the wrong sign."""
    return replace(policy, baselines=FrozenMapping({name: -its for name, its in policy.baselines.items()}))


@patched(Reasoned, "told", check="reasons-are-those-of-its-policy", **REASONS)
def reasons_from_the_least(self: Any, found: Any) -> Any:
    """The least reason comes first."""
    return replace(found, reasons=found.reasons[::-1])


@patched(Reasoned, "explain", check="reasons-are-those-of-its-policy", **REASONS)
def alphabetic_reasons(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Ties go by the alphabet, and the policy's order is lost."""
    found = Reasoned.explain(self, model, X, reference=reference)
    return [
        replace(each, reasons=tuple(sorted(each.reasons, key=lambda one: (-(one.points_short or 1e9), one.text))))
        for each in found
    ]


@patched(Reasoned, "told", check="reasons-are-those-of-its-policy", **REASONS)
def lost_knock_out(self: Any, found: Any) -> Any:
    """The knock-out is no reason."""
    return replace(found, reasons=tuple(each for each in found.reasons if each.points_short is not None))


@planted("explainer", check="reasons-are-those-of-its-policy", **REASONS)
class AnotherPolicy(Reasoned):
    """What is explained is not by the policy that is stored."""

    def changed(self, model: Any, policy: Any) -> Any:
        if isinstance(model, RuleSet):
            return policy
        return replace(policy, baselines=FrozenMapping({name: its + 3 for name, its in policy.baselines.items()}))

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return create("explainer", "reason-codes").explain(model, X, reference=reference)


@patched(Reasoned, "changed", check="codes-say-what-they-stand-for", **REASONS)
def swapped_codes(self: Any, model: Any, policy: Any) -> Any:
    """Features have one another's code."""
    names = list(policy.codes)
    turned = dict(zip(names, [policy.codes[name] for name in (*names[1:], names[0])], strict=True))
    return replace(policy, codes=FrozenMapping(turned))


@patched(Reasoned, "changed", check="codes-say-what-they-stand-for", **REASONS)
def another_cutoff(self: Any, model: Any, policy: Any) -> Any:
    """The policy is for another cutoff."""
    return replace(policy, cutoff=policy.cutoff + 1)


@planted("explainer", check="without-a-reference-the-models-reasons-count", **REASONS)
class AddedUp(Reasoned):
    """Features that share a code fall short together."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X, reference=reference)
        explained = replace(model, reasons=self.policy(model, reference)) if reference is not None else model
        short = shortfalls_by_feature(explained, X)
        return [self._added(explained, each, row, short) for row, each in enumerate(found)]

    def _added(self, model: Any, found: Any, row: int, short: Any) -> Any:
        sums: dict[str, float] = {}
        for name, values in short.items():
            code = model.reasons.codes.get(name)
            sums[code] = sums.get(code, 0.0) + max(float(values[row]), 0.0)
        told = [
            each if each.points_short is None else replace(each, points_short=sums.get(each.code, each.points_short))
            for each in found.reasons
        ]
        return replace(found, reasons=tuple(told))
