"""A model's reasons under other codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from scrutable.model import Adjustment, FrozenMapping, KnockOut, Override, Scorecard
from scrutable.model.segments import SingleModel

R = TypeVar("R", KnockOut, Adjustment, Override)


def recoded(model: SingleModel, new: Mapping[str, str]) -> SingleModel:
    """The model with other codes, of reasons and of rules around the score; those that are not named stay.

    Codes that become one keep the text of the first, and its place in the order.

    Parameters
    ----------
    new : by code, the one that takes its place.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> scorecard = models_named()["scorecard"]
    >>> [first, *_] = scorecard.reasons.order
    >>> recoded(scorecard, {first: "CASH"}).reasons.order[0]
    'CASH'
    """
    around = replace(
        model.policy,
        knock_outs=tuple(_rule(rule, new) for rule in model.policy.knock_outs),
        adjustments=tuple(_rule(rule, new) for rule in model.policy.adjustments),
        overrides=tuple(_rule(rule, new) for rule in model.policy.overrides),
    )
    policy = model.reasons
    if policy is None:
        return replace(model, policy=around)
    reasons = replace(
        policy,
        codes=FrozenMapping({feature: new.get(code, code) for feature, code in policy.codes.items()}),
        texts=_texts(policy.texts, new),
        order=tuple(dict.fromkeys(new.get(code, code) for code in policy.order)),
        translations=FrozenMapping({language: _texts(texts, new) for language, texts in policy.translations.items()}),
    )
    if not isinstance(model, Scorecard):
        return replace(model, policy=around, reasons=reasons)
    characteristics = tuple(
        replace(
            item, attributes=tuple(replace(each, reason_code=_code(each.reason_code, new)) for each in item.attributes)
        )
        for item in model.characteristics
    )
    return replace(model, policy=around, reasons=reasons, characteristics=characteristics)


def _rule(rule: R, new: Mapping[str, str]) -> R:
    return replace(rule, code=new.get(rule.code, rule.code))


def _texts(texts: Mapping[str, str], new: Mapping[str, str]) -> FrozenMapping[str]:
    renamed: dict[str, str] = {}
    for code, words in texts.items():
        renamed.setdefault(new.get(code, code), words)
    return FrozenMapping(renamed)


def _code(code: str | None, new: Mapping[str, str]) -> str | None:
    return None if code is None else new.get(code, code)
