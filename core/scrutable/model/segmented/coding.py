"""Reason codes that mean the same in every segment."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping

from scrutable.model import Adjustment, KnockOut, Missing, Override, ReasonPolicy
from scrutable.model.segmented.recoding import recoded
from scrutable.model.segments import SingleModel

#: Codes of knock-outs of missing values, which are numbered where they are made.
_NUMBERED = re.compile(r"M\d{2,}")


def agreeing(models: Mapping[str, SingleModel], *, keep: Collection[str] = ()) -> dict[str, SingleModel]:
    """The models as they are, or with codes numbered anew if two models call different reasons by one code.

    Codes of knock-outs, score adjustments and overrides stay, and no reason gets one of them, nor a retired one. Those
    of knock-outs of missing values, M01, M02 and so on, which nobody chose, are numbered anew alike.

    A text has the same code in all models, R01, R02 and so on in order of first use. Codes of one model stay apart even
    where their texts are the same, since which of them falls short most is part of the model.

    Parameters
    ----------
    keep : codes that somebody chose, which stay as they are.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> scorecard = models_named()["scorecard"]
    >>> agreeing({"a": scorecard, "b": scorecard})["b"] is scorecard
    True
    """
    models = _agreeing_knock_outs(models, keep)
    policies = [model.reasons for model in models.values() if model.reasons is not None]
    meanings: dict[str, set[str]] = {}
    for policy in policies:
        for code, words in policy.texts.items():
            meanings.setdefault(code, set()).add(words)
    rules = [rule for model in models.values() for rule in model.policy.rules]
    for rule in rules:
        if rule.code in meanings:
            meanings[rule.code].add(rule.reason)
    if all(len(words) == 1 for words in meanings.values()):
        return dict(models)
    retired = (code for policy in policies for code in policy.retired)
    taken = {*keep, *retired, *(rule.code for rule in rules)}
    numbered = (f"R{number:02d}" for number in itertools.count(1))
    free = (each for each in numbered if each not in taken)
    known: dict[tuple[str, int], str] = {}
    renamed = {}
    for name, model in models.items():
        new = {}
        if model.reasons is not None:
            for key, code in _keys(model.reasons).items():
                if code not in keep and key not in known:
                    known[key] = next(free)
                new[code] = code if code in keep else known[key]
        renamed[name] = recoded(model, new)
    return renamed


def numbered_of_missing(rule: KnockOut | Adjustment | Override) -> bool:
    """Whether a rule has a number for its code, as a knock-out has that was made for missing values.

    Examples
    --------
    >>> from scrutable.model import Clause
    >>> rule = KnockOut(code="M02", reason="Not given: Income", when=(Clause("income", (Missing(),)),))
    >>> numbered_of_missing(rule), numbered_of_missing(KnockOut(code="INCOME", reason="Not given", when=rule.when))
    (True, False)
    """
    of_missing = isinstance(rule, KnockOut) and all(clause.any_of == (Missing(),) for clause in rule.when)
    return of_missing and _NUMBERED.fullmatch(rule.code) is not None


def _agreeing_knock_outs(models: Mapping[str, SingleModel], keep: Collection[str]) -> dict[str, SingleModel]:
    """The models, with numbers of knock-outs of missing values that stand for one reason each."""
    words: dict[str, set[str]] = {}
    for rule in (rule for model in models.values() for rule in model.policy.rules):
        words.setdefault(rule.code, set()).add(rule.reason)
    numbered = {
        name: [rule for rule in model.policy.rules if numbered_of_missing(rule) and rule.code not in keep]
        for name, model in models.items()
    }
    if all(len(words[rule.code]) == 1 for rules in numbered.values() for rule in rules):
        return dict(models)
    own = {id(rule) for rules in numbered.values() for rule in rules}
    others = (rule.code for model in models.values() for rule in model.policy.rules if id(rule) not in own)
    policies = [model.reasons for model in models.values() if model.reasons is not None]
    taken = {*keep, *others, *(code for policy in policies for code in (*policy.order, *policy.retired))}
    free = (code for number in itertools.count(1) if (code := f"M{number:02d}") not in taken)
    known: dict[tuple[str, int], str] = {}
    renamed = {}
    for name, model in models.items():
        new: dict[str, str] = {}
        before: Counter[str] = Counter()
        for rule in numbered[name]:
            key = rule.reason, before[rule.reason]
            before[rule.reason] += 1
            if key not in known:
                known[key] = next(free)
            new[rule.code] = known[key]
        renamed[name] = recoded(model, new)
    return renamed


def _keys(policy: ReasonPolicy) -> dict[tuple[str, int], str]:
    """Each code by its text, and how many codes of the policy have had that text before."""
    codes: dict[tuple[str, int], str] = {}
    before: Counter[str] = Counter()
    for code in policy.order:
        words = policy.texts[code]
        codes[words, before[words]] = code
        before[words] += 1
    return codes
