"""What options of reason codes name, narrowed to what the model of each segment has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from scrutable.model import SegmentedModel, SingleModel
from scrutable_reason_codes.dictionary import attribute_codes, reasonable, refuse_unknown
from scrutable_reason_codes.own_reasons import single_model

V = TypeVar("V")


class Naming(Protocol):
    """Options that name features and codes; what each means stands in `ReasonCodes`."""

    @property
    def codes(self) -> Mapping[str, str] | None: ...
    @property
    def texts(self) -> Mapping[str, str] | None: ...
    @property
    def translations(self) -> Mapping[str, Mapping[str, str]] | None: ...
    @property
    def never(self) -> Sequence[str]: ...
    @property
    def inquiries(self) -> Sequence[str]: ...
    @property
    def neutral(self) -> Mapping[str, float] | None: ...


def narrowed(model: SegmentedModel, options: Mapping[str, Naming]) -> dict[str, dict[str, Any]]:
    """By segment the options that name something, without the features and codes that its model does not have.

    Parameters
    ----------
    options : by segment.

    Raises
    ------
    InputError : a name that no segment has.
    """
    names = {each.name: _names(options[each.name], single_model(each.model)) for each in model.segments}
    known = {option: set().union(*(each[option] for each in names.values())) for option in next(iter(names.values()))}
    for each in options.values():
        for option in ("codes", "texts", "neutral", "inquiries"):
            refuse_unknown(option, getattr(each, option) or (), known[option])
        for language, texts in (each.translations or {}).items():
            refuse_unknown(f"translations: {language}", texts, known["translations"])
    return {name: _within(options[name], names[name], known["never"]) for name in names}


def _names(options: Naming, model: SingleModel) -> dict[str, set[str]]:
    """What a segment's model has, by the option that may name it; codes that nobody chose cannot be named."""
    features = set(reasonable(model))
    chosen = {code for name, code in (options.codes or {}).items() if name in features}
    codes = {*chosen, *attribute_codes(model)}
    return {
        **dict.fromkeys(("codes", "neutral", "inquiries"), features),
        "texts": codes,
        "translations": codes | set(model.policy.reasons),
        "never": {feature.name for feature in model.features},
    }


def _within(options: Naming, names: Mapping[str, Collection[str]], read: Collection[str]) -> dict[str, Any]:
    """The options without names that a segment's model does not have.

    Parameters
    ----------
    read : features that any segment reads; what is never to be a reason and read by none may be a misspelling.
    """
    translations = options.translations and {
        language: _only(texts, names["translations"]) for language, texts in options.translations.items()
    }
    return {
        "codes": options.codes and _only(options.codes, names["codes"]),
        "texts": options.texts and _only(options.texts, names["texts"]),
        "neutral": options.neutral and _only(options.neutral, names["neutral"]),
        "translations": translations,
        "inquiries": [name for name in options.inquiries if name in names["inquiries"]],
        "never": [name for name in options.never if name in names["never"] or name not in read],
    }


def _only(given: Mapping[str, V], known: Collection[str]) -> dict[str, V]:
    return {name: value for name, value in given.items() if name in known}
