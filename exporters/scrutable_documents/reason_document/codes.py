"""The list of codes: their texts in every language, and what stands behind each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrutable.model import Characteristic, KnockOut, Override, Scorecard
from scrutable_documents.common.part import ModelPart

#: A feature, and those of its attributes that carry a code; none where all do.
Behind = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code.

    Parameters
    ----------
    text : in the language of the document.
    own : in the language of the policy, or of the rule.
    translations : by language.
    behind : names of the features that carry it, or that the rule reads; with the attributes where only they do.
    """

    code: str
    text: str
    own: str
    translations: dict[str, str]
    behind: tuple[Behind, ...]
    knock_out: bool = False
    override: bool = False
    inquiries: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        behind = [{"feature": feature, "attributes": list(attributes)} for feature, attributes in self.behind]
        return {**asdict(self), "behind": behind}


def codes_of(part: ModelPart) -> tuple[Code, ...]:
    """Codes of rules in their order, then those of the policy in the order that settles ties."""
    codes = [
        Code(
            code=rule.code,
            text=part.text(rule.code),
            own=rule.reason,
            translations=_translations(part, rule.code),
            behind=tuple((clause.feature, ()) for clause in rule.when),
            knock_out=isinstance(rule, KnockOut),
            override=isinstance(rule, Override),
        )
        for rule in part.rules
    ]
    if part.policy is None:
        return tuple(codes)
    behind = _behind(part)
    codes += [
        Code(
            code=code,
            text=part.text(code),
            own=part.policy.texts[code],
            translations=_translations(part, code),
            behind=behind[code],
            inquiries=any(feature in part.policy.inquiries for feature, _ in behind[code]),
        )
        for code in part.policy.order
    ]
    return tuple(codes)


def _translations(part: ModelPart, code: str) -> dict[str, str]:
    translations = {} if part.policy is None else part.policy.translations
    return {language: texts[code] for language, texts in translations.items()}


def _behind(part: ModelPart) -> dict[str, tuple[Behind, ...]]:
    """By code of the policy: features, and their attributes where some have another code."""
    assert part.policy is not None
    if not isinstance(part.model, Scorecard):
        return {code: tuple((name, ()) for name in names) for code, names in part.policy.features().items()}
    carried, terms = {}, list(part.model.terms.items())
    for code, carriers in part.policy.carriers(part.model).items():
        held = []
        for position, indices in carriers:
            name, term = terms[position]
            titles = term.titles if isinstance(term, Characteristic) else ()
            held.append((name, tuple(titles[index] for index in indices) if len(indices) < len(titles) else ()))
        carried[code] = tuple(held)
    return carried
