"""Reason codes that mean the same in every segment."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping

from scrutable.model import ReasonPolicy
from scrutable.model.segmented.recoding import recoded
from scrutable.model.segments import SingleModel


def agreeing(models: Mapping[str, SingleModel], *, keep: Collection[str] = ()) -> dict[str, SingleModel]:
    """The models as they are, or with codes numbered anew if two models call different reasons by one code.

    Codes of knock-outs, score adjustments and overrides stay, and no reason gets one of them, nor a retired one.

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


def _keys(policy: ReasonPolicy) -> dict[tuple[str, int], str]:
    """Each code by its text, and how many codes of the policy have had that text before."""
    codes: dict[tuple[str, int], str] = {}
    before: Counter[str] = Counter()
    for code in policy.order:
        words = policy.texts[code]
        codes[words, before[words]] = code
        before[words] += 1
    return codes
