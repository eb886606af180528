"""Checks of exporters: what people read in the files is the text of the code that stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrutable.errors import ScrutableError
from scrutable.model import FrozenMapping, Model, Scorecard
from scrutable.plugins.bases import Export
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.altered import with_attributes
from scrutable.testing.contract.examples.models import held, random_models_accepted
from scrutable.testing.contract.subject import Subject

Pairs = frozenset[tuple[str, str, str]]


@check("exporter", hint="look each text up by its code: policy.texts[code]; never rely on the order of two mappings")
def reason_texts_stand_beside_their_codes(subject: Subject) -> None:
    """Renaming reason codes renames them in the files, and moves no text from one code to another."""
    for name, drawn in random_models_accepted(subject).items():
        model = held(subject, drawn) if isinstance(drawn, Scorecard) and drawn.reasons is not None else None
        if not isinstance(model, Scorecard) or model.reasons is None:
            continue
        places = range(len(model.reasons.order))
        pairs = []
        for codes in ([f"ZQ{place + 100}" for place in places], [f"ZQ{900 - place}" for place in places]):
            renamed = dict(zip(model.reasons.order, codes, strict=True))
            try:
                pairs.append(_pairs(subject.make().export(_renamed(model, renamed)), renamed))
            except ScrutableError:
                break
        if len(pairs) == 2:
            moved = sorted(pairs[0] ^ pairs[1])
            fault = f"in the files of a random {name} a reason's text stands beside another code"
            require(not moved, fault, got=moved[:2])


def _renamed(card: Scorecard, codes: Mapping[str, str]) -> Model:
    """The card with other reason codes, and texts that tell codes apart."""
    policy = card.reasons
    assert policy is not None
    renamed = replace(
        policy,
        order=tuple(codes[each] for each in policy.order),
        texts=FrozenMapping({codes[each]: _text(place) for place, each in enumerate(policy.order)}),
        codes=FrozenMapping({feature: codes[each] for feature, each in policy.codes.items()}),
        translations=FrozenMapping({}),
    )
    return with_attributes(
        card,
        lambda _, one: one if one.reason_code is None else replace(one, reason_code=codes[one.reason_code]),
        reasons=renamed,
    )


def _text(place: int) -> str:
    return f"words number {place} of all"


def _pairs(export: Export, codes: Mapping[str, str]) -> Pairs:
    """File, code and text, wherever a text stands in a file of text, with the code before it as it was first called."""
    pairs = set()
    for name, content in export.files.items():
        if isinstance(content, bytes):
            continue
        for place in range(len(codes)):
            at = content.find(_text(place))
            while at >= 0:
                nearest = max((content.rfind(code, 0, at), first) for first, code in codes.items())
                pairs.add((name, nearest[1] if nearest[0] >= 0 else "", _text(place)))
                at = content.find(_text(place), at + 1)
    return frozenset(pairs)
