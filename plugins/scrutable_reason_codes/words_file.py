"""The words of a model's reason policies as a data dictionary, to be edited and given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scrutable.model import DecisionModel, ReasonPolicy, features_read
from scrutable.plugins import DataDictionary, DictionaryColumn


def dictionary_text(model: DecisionModel) -> str:
    """The words of a model's policies as a data dictionary in TOML.

    Segments share the words. A feature has the code of the first segment that has it, and where segments give
    different numbers of reasons, the number is left out. A text stands with the column whose code no other thing has.
    """
    policies = policies_of(model)
    numbers = {policy.k for policy in policies}
    codes = _first(policy.codes for policy in policies)
    texts = _first(policy.texts for policy in policies)
    languages = dict.fromkeys(language for policy in policies for language in policy.translations)
    spoken = {each: _first(policy.translations.get(each, {}) for policy in policies) for each in languages}
    features = {feature.name: feature for feature in features_read(model)}
    often = Counter(codes.values())
    own = {code: name for name, code in codes.items() if often[code] == 1 and name in features}
    columns = {
        name: DictionaryColumn(
            label=features[name].label,
            code=code,
            reason=texts.get(code, "") if code in own else "",
            translations={each: words[code] for each, words in spoken.items() if code in own and code in words},
        )
        for name, code in codes.items()
        if name in features
    }
    inquiries = dict.fromkeys(name for policy in policies for name in policy.inquiries)
    others = {
        "codes": {name: code for name, code in codes.items() if name not in features},
        "texts": _without(texts, own),
        "translations": {each: rest for each, words in spoken.items() if (rest := _without(words, own))},
    }
    reasons = {
        **({"k": numbers.pop()} if len(numbers) == 1 else {}),
        "inquiries": list(inquiries),
        **{name: each for name, each in others.items() if each},
    }
    return DataDictionary(columns=columns, reasons=reasons).text()


def _without(words: Mapping[str, str], codes: Collection[str]) -> dict[str, str]:
    return {code: text for code, text in words.items() if code not in codes}


def policies_of(model: DecisionModel) -> list[ReasonPolicy]:
    """The policies of a model, in the order of its segments."""
    return [each.reasons for each in model.parts if each.reasons is not None]


def _first(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All keys, with the value of the first mapping that has them."""
    first: dict[str, Any] = {}
    for each in mappings:
        first |= {key: value for key, value in each.items() if key not in first}
    return first
