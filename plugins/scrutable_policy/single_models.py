"""A model that scores, with another policy: its features are those that it then reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from scrutable.model import (
    DecisionModel,
    Feature,
    FrozenMapping,
    Policy,
    ReasonPolicy,
    Scorecard,
    SegmentedModel,
    SingleModel,
    clauses_of,
)

M = TypeVar("M", bound=SingleModel)


def with_policy(
    model: M, policy: Policy, *, further: Iterable[Feature] = (), words: Mapping[str, Mapping[str, str]] | None = None
) -> M:
    """The model with this policy, and with the features and the translations of reasons that it then needs.

    Parameters
    ----------
    further : features that the policy may read and the model does not yet.
    words : texts of codes that are new, by language.

    Raises
    ------
    ModelError : the rules do not fit the model.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> [feature.name for feature in with_policy(models_named()["stumps"], Policy()).features]
    ['age', 'income']
    """
    by_name = {feature.name: feature for feature in further} | {feature.name: feature for feature in model.features}
    read = _read_otherwise(model) | policy.features
    kept = [feature for feature in model.features if feature.name in read]
    new = [name for name in _in_order(policy) if name in by_name and by_name[name] not in kept]
    return replace(
        model,
        features=(*kept, *(by_name[name] for name in new)),
        policy=policy,
        reasons=_translated(model.reasons, policy, words or {}),
    )


def only_rules(policy: Policy, codes: Collection[str]) -> Policy:
    """A policy with those of its rules that have one of the codes.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> only_rules(models_named()["stumps"].policy, []).rules
    ()
    """
    return replace(
        policy,
        knock_outs=tuple(each for each in policy.knock_outs if each.code in codes),
        adjustments=tuple(each for each in policy.adjustments if each.code in codes),
        overrides=tuple(each for each in policy.overrides if each.code in codes),
    )


def with_parts(model: DecisionModel, parts: Mapping[str | None, SingleModel]) -> DecisionModel:
    """The model with other models that score: by segment, where those that are not named stay, or under None.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> model = models_named()["stumps"]
    >>> with_parts(model, {None: with_policy(model, Policy())}).policy.rules
    ()
    """
    if isinstance(model, SegmentedModel):
        segments = (replace(each, model=parts.get(each.name, each.model)) for each in model.segments)
        return replace(model, segments=tuple(segments))
    return parts[None]


def parts_of(model: DecisionModel) -> dict[str | None, SingleModel]:
    """The models that score, by segment; under None the one model that has no segments.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> list(parts_of(models_named()["segmented-model"]))
    ['thin file', 'thick file']
    """
    if isinstance(model, SegmentedModel):
        return {segment.name: segment.model for segment in model.segments}
    return {None: model}


def _read_otherwise(model: SingleModel) -> set[str]:
    """Features that the model reads whatever its policy is."""
    asked = Counter(clause.feature for clause in clauses_of(model))
    asked.subtract(clause.feature for rule in model.policy.rules for clause in rule.when)
    scored = model.features_scored if isinstance(model, Scorecard) else set()
    return scored | {name for name, times in asked.items() if times > 0}


def _in_order(policy: Policy) -> list[str]:
    return list(dict.fromkeys(clause.feature for rule in policy.rules for clause in rule.when))


def _translated(
    reasons: ReasonPolicy | None, policy: Policy, words: Mapping[str, Mapping[str, str]]
) -> ReasonPolicy | None:
    """The reason policy, whose translations name the codes of the policy's rules and of no others."""
    if reasons is None or not reasons.translations:
        return reasons
    codes = (*reasons.order, *policy.reasons)
    translations = {}
    for language, texts in reasons.translations.items():
        known = {**texts, **words.get(language, {})}
        translations[language] = FrozenMapping({code: known[code] for code in codes})
    return replace(reasons, translations=FrozenMapping(translations))
