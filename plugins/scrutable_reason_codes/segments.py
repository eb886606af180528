"""Reason codes of a model of segments: each applicant by the model, the cutoff and the policy of their own segment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from scrutable.data.frames import as_table
from scrutable.model import SegmentedModel
from scrutable.model.segmented.coding import agreeing
from scrutable.model.segmented.parts import in_segment, parts, rows_by_segment
from scrutable.model.segments import SingleModel
from scrutable_reason_codes.comparison import Agreement
from scrutable_reason_codes.dictionary import attribute_codes, reasonable, refuse_unknown
from scrutable_reason_codes.explanation import ReasonExplanation
from scrutable_reason_codes.owned import own_policy, single_model
from scrutable_reason_codes.population import WEIGHTS
from scrutable_reason_codes.telling import Teller

if TYPE_CHECKING:
    from scrutable_reason_codes.explainer import ReasonCodes

V = TypeVar("V")

#: A segment's model with a policy: from its options, its model, its rows of the reference, and their weights.
Change = Callable[["ReasonCodes", SingleModel, Any, Any], SingleModel]


def explained_by_segment(model: SegmentedModel, X: Any) -> Iterator[ReasonExplanation]:
    """The explanation of each row, in order, by the policy of its segment's model.

    Raises
    ------
    ModelError : a segment that has rows has no policy.
    """
    table = as_table(X)
    tellers: dict[str, Teller] = {}
    places = np.zeros(table.n_rows, dtype=np.intp)
    names = np.empty(table.n_rows, dtype=object)
    for segment, rows in rows_by_segment(model, table):
        if len(rows):
            places[rows], names[rows] = np.arange(len(rows)), segment.name
            policy = own_policy(single_model(segment.model), f"reason codes, segment {segment.name!r}")
            tellers[segment.name] = Teller(segment.model, policy, table.subset(rows))
    return (
        replace(tellers[name].explanation(int(place)), row=row, segment=name)
        for row, (name, place) in enumerate(zip(names, places, strict=True))
    )


def changed_by_segment(
    model: SegmentedModel, options: Mapping[str, ReasonCodes], change: Change, reference: Any = None, weight: Any = None
) -> SegmentedModel:
    """The whole with another policy in each segment's model.

    Where two segments would call different reasons by one code, codes that nobody chose are numbered anew.

    Parameters
    ----------
    options : by segment; a segment's model is given those that name what it has.
    reference, weight : applicants, who are taken by their segment, and their weights.

    Raises
    ------
    InputError : a name that no segment has, and as `change`, which names the segment.
    ModelError : segments disagree on the text of a code that was chosen.
    """
    narrowed = _narrowed(model, options)
    models = {}
    for segment, rows, its in parts(model, reference, weight, WEIGHTS):
        with in_segment(segment):
            models[segment.name] = change(narrowed[segment.name], single_model(segment.model), rows, its)
    chosen = {code for each in narrowed.values() for code in (each.codes or {}).values()}
    agreed = agreeing(models, keep=chosen)
    return replace(model, segments=tuple(replace(each, model=agreed[each.name]) for each in model.segments))


def compared_by_segment(
    model: SegmentedModel, options: ReasonCodes, X: Any, reference: Any, weight: Any
) -> Iterator[Agreement]:
    """The methods side by side in each segment, one segment after another."""
    narrowed = _narrowed(model, dict.fromkeys((each.name for each in model.segments), options))
    for (segment, rows, _), (_, known, its) in zip(
        parts(model, X, None), parts(model, reference, weight, WEIGHTS), strict=True
    ):
        with in_segment(segment):
            found = narrowed[segment.name].compare(segment.model, rows, reference=known, weight=its)
        yield from (replace(each, segment=segment.name) for each in found)


def _narrowed(model: SegmentedModel, options: Mapping[str, ReasonCodes]) -> dict[str, ReasonCodes]:
    """The options of each segment without the features and codes that its model does not have.

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
    return {name: _within(options[name], its, known["never"]) for name, its in names.items()}


def _names(options: ReasonCodes, model: SingleModel) -> dict[str, set[str]]:
    """What a segment's model has, by the option that may name it; codes that nobody chose cannot be named."""
    features = set(reasonable(model))
    chosen = {code for name, code in (options.codes or {}).items() if name in features}
    codes = {*chosen, *attribute_codes(model)}
    return {
        **dict.fromkeys(("codes", "neutral", "inquiries"), features),
        "texts": codes,
        "translations": codes | {rule.code for rule in model.policy.knock_outs},
        "never": {feature.name for feature in model.features},
    }


def _within(options: ReasonCodes, names: Mapping[str, Collection[str]], read: Collection[str]) -> ReasonCodes:
    """The options without names that a segment's model does not have.

    Parameters
    ----------
    read : features that any segment reads; what is never to be a reason and read by none may be a misspelling.
    """
    translations = options.translations and {
        language: _only(texts, names["translations"]) for language, texts in options.translations.items()
    }
    return replace(
        options,
        codes=options.codes and _only(options.codes, names["codes"]),
        texts=options.texts and _only(options.texts, names["texts"]),
        neutral=options.neutral and _only(options.neutral, names["neutral"]),
        translations=translations,
        inquiries=[name for name in options.inquiries if name in names["inquiries"]],
        never=[name for name in options.never if name in names["never"] or name not in read],
    )


def _only(given: Mapping[str, V], known: Collection[str]) -> dict[str, V]:
    return {name: value for name, value in given.items() if name in known}
