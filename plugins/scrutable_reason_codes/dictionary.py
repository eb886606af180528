"""The reason dictionary: which code each feature has, and what the codes mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrutable.errors import InputError, ModelError, did_you_mean
from scrutable.model import FrozenMapping, RuleSet, Scorecard, SingleModel, features_of, refuse_generic, titles_of


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Codes by feature, texts by code in the order that settles ties, and the texts in other languages."""

    codes: Mapping[str, str]
    texts: Mapping[str, str]
    translations: FrozenMapping[FrozenMapping[str]]

    @classmethod
    def of(
        cls,
        model: SingleModel,
        codes: Mapping[str, str],
        texts: Mapping[str, str],
        translations: Mapping[str, Mapping[str, str]],
    ) -> Dictionary:
        """The codes and texts given, and by default R01, R02, … and the features' labels.

        Raises
        ------
        InputError : a code for an unknown feature, a text for an unknown code, no text for a code of several features.
        """
        features = reasonable(model)
        refuse_unknown("codes", codes, features)
        by_feature = _codes(model, features, codes)
        texts_by_code = _texts(model, by_feature, texts)
        refuse_unknown("texts", texts, texts_by_code)
        for language, translated in translations.items():
            refuse_unknown(f"translations: {language}", translated, {**texts_by_code, **model.policy.reasons})
        return cls(
            codes=by_feature,
            texts=texts_by_code,
            translations=FrozenMapping({key: FrozenMapping(translated) for key, translated in translations.items()}),
        )


def reasonable(model: SingleModel) -> list[str]:
    """Features that can be a reason: those with points, those that trees ask for, those that rules against read."""
    if isinstance(model, Scorecard):
        return list(model.terms)
    if isinstance(model, RuleSet):
        against = (rule for rule in model.rules + model.fallback if model.against(rule))
        read = {clause.feature for rule in against for clause in rule.when}
    else:
        read = {name for tree in model.trees for name in features_of(tree)}
    return [feature.name for feature in model.features if feature.name in read]


def refuse_unknown(option: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Refuse names that mean nothing, with the one that was perhaps meant."""
    for name in names:
        if name not in known:
            raise InputError("unknown name", where=option, got=name, fix=did_you_mean(name, known))


def attribute_codes(model: SingleModel) -> dict[str, list[str]]:
    """Codes that attributes have of their own, and what these are called."""
    by_code: dict[str, list[str]] = {}
    titles = {feature.name: feature.title for feature in model.features}
    for characteristic in model.characteristics if isinstance(model, Scorecard) else ():
        for attribute, title in zip(characteristic.attributes, characteristic.titles, strict=True):
            if attribute.reason_code is not None:
                words = f"{titles[characteristic.feature]}: {title}"
                by_code.setdefault(attribute.reason_code, []).append(words)
    return by_code


def _codes(model: SingleModel, features: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Code of each feature: the one given, or a number that nothing else is called by."""
    retired = () if model.reasons is None else model.reasons.retired
    taken = {*given.values(), *attribute_codes(model), *(rule.code for rule in model.policy.rules), *retired}
    free = (code for number in itertools.count(len(features) + 1) if (code := f"R{number:02d}") not in taken)
    codes = {}
    for number, name in enumerate(features, 1):
        own = f"R{number:02d}"
        codes[name] = given[name] if name in given else next(free) if own in taken else own
    return codes


def _texts(model: SingleModel, codes: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Text of every code, those of features first.

    Raises
    ------
    InputError : a code stands for several things, and none of their labels tells of all.
    """
    titles = titles_of(model)
    labels: dict[str, dict[str, None]] = {}
    for name, code in codes.items():
        labels.setdefault(code, {})[titles[name]] = None
    for code, names in attribute_codes(model).items():
        labels.setdefault(code, {}).update(dict.fromkeys(names))
    unnamed = {code: list(labelled) for code, labelled in labels.items() if code not in given and len(labelled) > 1}
    for code, labelled in unnamed.items():
        raise InputError(
            "a code that stands for several things needs a text",
            where=f"texts: code {code!r}",
            got=", ".join(labelled),
            fix=f"give one, for example texts={{{code!r}: 'Balances of the accounts'}}",
        )
    return {code: given[code] if code in given else _label(next(iter(labelled))) for code, labelled in labels.items()}


def _label(title: str) -> str:
    """A feature's label as a reason; one that explains nothing by itself, such as REASON, is told as a value."""
    try:
        return refuse_generic(title, "label")
    except ModelError:
        return f"Value of {title}"
