"""The codes of a model that follows another: what a code meant once, it means always."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scrutable.errors import ModelError, ScrutableWarning, warn_caller
from scrutable.model import DecisionModel, FrozenMapping, SegmentedModel
from scrutable.model.segmented.recoding import recoded
from scrutable.model.segmented.rule_codes import RuleCodes
from scrutable.model.segmented.used_codes import UsedCodes
from scrutable.model.segments import SingleModel

_NUMBERED = re.compile(r"R\d+")


class UntranslatedCodesWarning(ScrutableWarning):
    """The predecessor has texts in a language that new codes have no text in, so the language is left out."""


def succeeding(model: DecisionModel, predecessor: DecisionModel) -> DecisionModel:
    """The model with the codes and texts of the one before it, feature by feature and rule by rule.

    A feature keeps the code that it had; its text and translations are the predecessor's. A feature that had none gets
    a code that no version has given: its own, or the next free number where its own is a number that is used up. Codes
    that the predecessor gave and the model does not are `retired` in its reason policies, and stay so in all that
    follow, so that R04 in an old record never reads as something else. A rule around the score keeps the code that its
    conditions had, else the one that its words had. Another rule gets a code that no version has given, in this way.

    Parameters
    ----------
    model : with reason policies; it may have segments or none.
    predecessor : the version before it, whatever its kind.

    Raises
    ------
    ModelError : a code of the model joins features that had different codes; a code somebody chose, which does not end
        in a number, meant something else before.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from scrutable.model import FrozenMapping
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> model = models_named()["stumps"]
    >>> old = recoded(model, {code: f"R{number:02d}" for number, code in enumerate(model.reasons.order, 11)})
    >>> succeeding(model, old).reasons.order == old.reasons.order
    True
    """
    past = UsedCodes.of(predecessor)
    own = {code for part in model.parts for code in _codes(part)}
    new = dict(_renaming(UsedCodes.of(model).features, past, own))
    rules = RuleCodes(past, {*own, *new.values()})
    parts = [recoded(part, _of_reasons(part, new) | rules.of(part)) for part in model.parts]
    _refuse_reused(parts, past)
    given = {code for part in parts for code in _codes(part)}
    retired = {code: words for code, words in past.texts.items() if code not in given}
    translations = _translations(predecessor)
    followed = [_retiring(_with_words(part, past, translations), retired) for part in parts]
    if not isinstance(model, SegmentedModel):
        [single] = followed
        return single
    segments = zip(model.segments, followed, strict=True)
    return replace(model, segments=tuple(replace(segment, model=part) for segment, part in segments))


def refuse_reused_codes(model: DecisionModel, predecessor: DecisionModel | UsedCodes) -> None:
    """Refuse a model in which a code means something else than in the version before it.

    A code may have another text as long as a feature keeps it, and other features as long as its text stays. That of a
    rule around the score may have another text as long as the rule's conditions stay, and other conditions as long as
    its text does: two rules that ask for one feature are two rules.

    Parameters
    ----------
    predecessor : a version before it, or what is kept of its codes.

    Raises
    ------
    ModelError : naming the code, what it means here, and what it meant.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> model = models_named()["scorecard"]
    >>> refuse_reused_codes(model, model)
    """
    past = predecessor if isinstance(predecessor, UsedCodes) else UsedCodes.of(predecessor)
    _refuse_reused(model.parts, past)


def _translations(model: DecisionModel) -> dict[str, dict[str, str]]:
    """The texts that codes have in each language."""
    translations: dict[str, dict[str, str]] = {}
    for part in model.parts:
        for language, texts in (part.reasons.translations if part.reasons else {}).items():
            translations.setdefault(language, {}).update(texts)
    return translations


def _codes(part: SingleModel) -> set[str]:
    return {*(part.reasons.order if part.reasons else ()), *(rule.code for rule in part.policy.rules)}


def _of_reasons(part: SingleModel, new: Mapping[str, str]) -> dict[str, str]:
    """The codes that take the place of a part's own reasons; a rule of it may be called as another part's reason."""
    order = part.reasons.order if part.reasons else ()
    return {code: new[code] for code in order if code in new}


def _renaming(carried: Mapping[str, set[str]], past: UsedCodes, own: set[str]) -> Iterator[tuple[str, str]]:
    """Each code of reasons, and the one that takes its place."""
    numbers = (f"R{number:02d}" for number in itertools.count(1))
    free = (code for code in numbers if code not in past.texts and code not in own)
    for code, features in carried.items():
        before = past.of_features(features)
        if len(before) == 1:
            yield code, next(iter(before))
        elif code in before or code not in past.texts or not _NUMBERED.fullmatch(code):
            yield code, code
        elif before:
            raise ModelError(
                "one code joins features that had several",
                where=f"reason code {code!r}",
                got=", ".join(sorted(features)),
                allowed=", ".join(sorted(before)),
                fix="give it one of these, or a new code, in `codes`",
            )
        else:
            yield code, next(free)


def _with_words(part: SingleModel, past: UsedCodes, translated: Mapping[str, Mapping[str, str]]) -> SingleModel:
    """The model with the texts and translations that the codes had."""
    policy = part.reasons
    if policy is None:
        return part
    texts = FrozenMapping({code: past.texts.get(code, words) for code, words in policy.texts.items()})
    needed = {*policy.order, *part.policy.reasons}
    translations = {}
    for language in dict.fromkeys((*translated, *policy.translations)):
        told = {**policy.translations.get(language, {}), **translated.get(language, {})}
        lacking = sorted(needed - set(told))
        if lacking:
            warn_caller(
                f"no texts in {language!r} for codes {', '.join(lacking)}: the language is left out. "
                "Give all texts in a reason dictionary",
                UntranslatedCodesWarning,
            )
        else:
            translations[language] = FrozenMapping({code: told[code] for code in told if code in needed})
    return replace(part, reasons=replace(policy, texts=texts, translations=FrozenMapping(translations)))


def _retiring(part: SingleModel, retired: Mapping[str, str]) -> SingleModel:
    if part.reasons is None:
        return part
    return replace(part, reasons=replace(part.reasons, retired=FrozenMapping({**part.reasons.retired, **retired})))


def _refuse_reused(parts: Iterable[SingleModel], past: UsedCodes) -> None:
    """Refuse codes that meant something else before."""
    for part in parts:
        if part.reasons is not None:
            for code, names in part.reasons.features().items():
                if not past.features.get(code, set()) & set(names):
                    _refuse_other_words(code, part.reasons.texts[code], past, "reason code")
        for rule in part.policy.rules:
            if rule.code not in past.of_rule(rule.when):
                _refuse_other_words(rule.code, rule.reason, past, rule.kind)


def _refuse_other_words(code: str, words: str, past: UsedCodes, what: str) -> None:
    if past.texts.get(code, words) != words:
        raise ModelError(
            "a code once used is never given to another reason",
            where=f"{what} {code!r}",
            got=words,
            allowed=past.texts[code],
            fix="give it a code that no version had",
        )
