"""What a data dictionary says to people and applicants: labels and texts of reasons, and what may change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from scrutable.data.features import Feature
from scrutable.data.values import FrozenMapping
from scrutable.model.contents import titles_of
from scrutable.model.feature_labels import with_labels
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.segments import DecisionModel, SegmentedModel
from scrutable.plugins.data_dictionary import DataDictionary

M = TypeVar("M", bound=DecisionModel | RegressionScorecard)


def in_words_of(model: M, dictionary: DataDictionary | None) -> M:
    """The model with the labels and the texts of reasons of a dictionary, where it has none of its own.

    A text of a reason is its own unless it is what the features are called that have the code. Codes stay. A language
    is added where the dictionary has a text in it for every code.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> fitted = create("learner", "scorecard").fit(german.X[["duration_months"]], german.y)
    >>> column = {"label": "Term", "unit": "months", "reason": "Length of the loan"}
    >>> model = in_words_of(fitted.model_, DataDictionary.of({"columns": {"duration_months": column}}))
    >>> model.features[0].title, dict(model.reasons.texts)
    ('Term (months)', {'R01': 'Length of the loan'})
    """
    if dictionary is None:
        return model
    labelled = {each.name for part in model.parts for each in part.features if each.label}
    if isinstance(model, SegmentedModel):
        labelled |= {each.name for each in model.routing if each.label}
    labels = {name: title for name, title in dictionary.labels.items() if name not in labelled}
    worded: M = _worded(with_labels(model, labels), _Texts(dictionary))
    return worded


def actions_by_dictionary(
    dictionary: DataDictionary, features: Iterable[Feature], given: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What an applicant can do about features, as the option `actions` of explainers that propose changes.

    Parameters
    ----------
    features : what the model reads; of numbers the allowed range holds, too.
    given : actions that are stated; they come first, but no proposal leaves the range.

    Examples
    --------
    >>> said = {"term": {"range": [6, 60], "change": "down"}, "age": {"change": "none"}}
    >>> features = [Feature(name="term", kind="numeric"), Feature(name="age", kind="numeric")]
    >>> actions_by_dictionary(DataDictionary.of({"columns": said}), features, {"term": {"upper": 90, "whole": True}})
    {'term': {'change': 'down', 'lower': 6.0, 'upper': 60.0, 'whole': True}, 'age': {'change': 'none'}}
    """
    actions: dict[str, Any] = dict(given or {})
    for feature in features:
        column = dictionary.columns.get(feature.name)
        own = actions.get(feature.name, {})
        if column is None or not isinstance(own, str | Mapping):
            continue
        stated = {"change": own} if isinstance(own, str) else dict(own)
        said: dict[str, Any] = {} if column.change is None else {"change": column.change}
        if column.range is not None and feature.kind == "numeric":
            said |= {"lower": column.range[0], "upper": column.range[1]}
        both = [name for name in _INNER if name in said and _is_number(stated.get(name))]
        if said or stated:
            actions[feature.name] = said | stated | {name: _INNER[name](said[name], stated[name]) for name in both}
    return actions


_INNER: Mapping[str, Any] = {"lower": max, "upper": min}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class _Texts:
    """Texts of reasons by feature, in the model's own language and in others."""

    def __init__(self, dictionary: DataDictionary) -> None:
        self._columns = dictionary.columns
        self._of_codes: Mapping[str, str] = dictionary.reasons.get("texts", {})
        self._spoken: Mapping[str, Mapping[str, str]] = dictionary.reasons.get("translations", {})

    @property
    def languages(self) -> list[str]:
        """Languages in which there is any text."""
        of_columns = (language for each in self._columns.values() for language in each.translations)
        return list(dict.fromkeys((*self._spoken, *of_columns)))

    def of(self, names: Iterable[str], language: str = "") -> str | None:
        """The text of a code that these features have; None where there is none, or not one for all of them."""
        texts = {self._of_feature(name, language) for name in names}
        return texts.pop() if len(texts) == 1 else None

    def of_rule(self, code: str, language: str) -> str | None:
        """The text of a knock-out, an override or an adjustment."""
        return self._spoken.get(language, {}).get(code)

    def _of_feature(self, name: str, language: str) -> str | None:
        column = self._columns.get(name)
        if column is None:
            return None
        own = column.translations.get(language) if language else column.reason
        of_codes = self._spoken.get(language, {}) if language else self._of_codes
        return own or of_codes.get(column.code)


def _worded(model: Any, texts: _Texts) -> Any:
    if isinstance(model, SegmentedModel):
        return replace(
            model, segments=tuple(replace(each, model=_worded(each.model, texts)) for each in model.segments)
        )
    policy: ReasonPolicy | None = getattr(model, "reasons", None)
    if policy is None:
        return model
    titles, features = titles_of(model), policy.features()
    called = {code: {titles[name] for name in names} for code, names in features.items()}
    own = {
        code: (texts.of(features[code]) or text) if called.get(code) == {text} else text
        for code, text in policy.texts.items()
    }
    translations = dict(policy.translations)
    for language in texts.languages:
        spoken = {code: texts.of(names, language) for code, names in features.items()}
        spoken |= {code: texts.of_rule(code, language) for code in model.policy.reasons}
        if language not in translations and all(spoken.values()):
            translations[language] = FrozenMapping({code: text for code, text in spoken.items() if text is not None})
    changed = replace(policy, texts=FrozenMapping(own), translations=FrozenMapping(translations))
    return replace(model, reasons=changed)
