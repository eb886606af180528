"""Codes of the rules around the score, from version to version: a rule is known by whom it applies to."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from scrutable.model import Adjustment, KnockOut, Override
from scrutable.model.segmented.used_codes import UsedCodes
from scrutable.model.segments import SingleModel

_NUMBERED = re.compile(r"(.*?)([0-9]+)")
Rule = KnockOut | Adjustment | Override


class RuleCodes:
    """The codes that take the place of those of rules, where a model follows another.

    Parameters
    ----------
    past : codes of the version before.
    taken : codes of the model itself, which no rule gets anew.

    Examples
    --------
    >>> from scrutable.model import Clause, KnockOut, Missing, Policy
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from dataclasses import replace
    >>> model = models_named()["stumps"]
    >>> first, second = (KnockOut(code="M01", reason=f"Not given: {name}", when=(Clause(name, (Missing(),)),))
    ...                  for name in ("age", "income"))
    >>> old, new = (replace(model, policy=Policy(knock_outs=(rule,))) for rule in (first, second))
    >>> RuleCodes(UsedCodes.of(old), {"M01"}).of(new)
    {'M01': 'M02'}
    """

    def __init__(self, past: UsedCodes, taken: set[str]) -> None:
        self._past, self._taken = past, {*taken, *past.texts}
        self._given: dict[tuple[str, str], str] = {}

    def of(self, part: SingleModel) -> dict[str, str]:
        """By code of each rule of a model without segments, the one that takes its place."""
        kept = dict(_kept(part.policy.rules, self._past))
        return {rule.code: kept.get(rule.code) or self._own(rule) for rule in part.policy.rules}

    def _own(self, rule: Rule) -> str:
        """The rule's own code, or the next number where another reason had it; of words, the same in each part."""
        numbered = _NUMBERED.fullmatch(rule.code)
        if rule.code not in self._past.texts or numbered is None:
            return rule.code
        key = rule.code, rule.reason
        if key not in self._given:
            start, digits = numbered.groups()
            numbers = (f"{start}{number:0{len(digits)}d}" for number in itertools.count(1))
            self._given[key] = next(code for code in numbers if code not in self._taken)
            self._taken.add(self._given[key])
        return self._given[key]


def _kept(rules: tuple[Rule, ...], past: UsedCodes) -> Iterator[tuple[str, str]]:
    """Each code of a rule that was there before, and the one that it had: by its conditions first, then its words."""
    claimed: set[str] = set()
    missed = []
    for rule in rules:
        code = _best(rule, past.of_rule(rule.when) - claimed)
        if code is None:
            missed.append(rule)
        else:
            claimed.add(code)
            yield rule.code, code
    for rule in missed:
        code = _best(rule, {code for code in past.rules if past.texts[code] == rule.reason} - claimed)
        if code is not None:
            claimed.add(code)
            yield rule.code, code


def _best(rule: Rule, codes: set[str]) -> str | None:
    """The rule's own code where it is among some, else the first of them."""
    return rule.code if rule.code in codes else min(codes, default=None)
