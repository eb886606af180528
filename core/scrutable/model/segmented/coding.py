"""Reason codes that mean the same in every segment."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from scrutable.model import Adjustment, KnockOut, Missing, Override
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
    named = {
        name: [] if model.reasons is None else [(code, model.reasons.texts[code]) for code in model.reasons.order]
        for name, model in models.items()
    }
    return _renumbered(models, named, "R", taken, keep)


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
    named = {name: [(rule.code, rule.reason) for rule in rules] for name, rules in numbered.items()}
    return _renumbered(models, named, "M", taken)


def _renumbered(
    models: Mapping[str, SingleModel],
    named: Mapping[str, Sequence[tuple[str, str]]],
    letter: str,
    taken: Collection[str],
    keep: Collection[str] = (),
) -> dict[str, SingleModel]:
    """The models with one number a text, and for a text that one of them has more than once as many numbers.

    Parameters
    ----------
    named : by model, each code with its text.
    letter : what codes begin with.
    taken : codes that nothing gets.
    keep : codes that stay as they are.
    """
    numbers = (f"{letter}{number:02d}" for number in itertools.count(1))
    free = (each for each in numbers if each not in taken)
    known: dict[tuple[str, int], str] = {}
    renamed = {}
    for name, model in models.items():
        new: dict[str, str] = {}
        before: Counter[str] = Counter()
        for code, words in named[name]:
            key = words, before[words]
            before[words] += 1
            if code not in keep and key not in known:
                known[key] = next(free)
            new[code] = code if code in keep else known[key]
        renamed[name] = recoded(model, new)
    return renamed
