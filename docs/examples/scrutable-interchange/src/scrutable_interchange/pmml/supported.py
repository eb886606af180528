"""Which models a PMML Scorecard reproduces exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrutable.errors import UnsupportedModel
from scrutable.model import Categories, Model, Scorecard, refuse_extras

from scrutable_interchange.pmml.output import ranked

#: What XML 1.0 cannot hold, escaped or not.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def supported(model: Model) -> Scorecard:
    """The model, if it is a scorecard that PMML reproduces exactly.

    Raises
    ------
    UnsupportedModel : what it is instead, or what in it PMML cannot hold.
    """
    if not isinstance(model, Scorecard):
        raise UnsupportedModel("only scorecards are exported to PMML", got=type(model).__name__)
    refuse_extras(model, by="PMML")
    if not model.characteristics:
        raise UnsupportedModel("a PMML Scorecard has at least one characteristic", where="characteristics", got=())
    for rule in model.policy.knock_outs:
        if not rule.code.isprintable() or rule.code.strip() != rule.code:
            raise UnsupportedModel(
                "PMML readers strip white space from constants",
                where=f"knock-out {rule.code!r}",
                got=rule.code,
                allowed="printable characters without blanks at the ends",
            )
    for where, text in _texts(model):
        if _NO_XML.search(text):
            raise UnsupportedModel("a text with a character that XML cannot hold", where=where, got=text)
    k = 0 if model.reasons is None else model.reasons.k
    own = {*results(model), "knock_out", *map(ranked, range(1, k + 1))}
    taken = {feature.name for feature in model.features} & own
    if taken:
        raise UnsupportedModel(
            "a column has the name of a result", where="features", got=sorted(taken), fix="rename the column"
        )
    return model


def results(scorecard: Scorecard) -> tuple[str, ...]:
    """The columns that the file computes, in their order."""
    k = 0 if scorecard.reasons is None else scorecard.reasons.k
    knock_out = ("knock_out",) if scorecard.policy.knock_outs else ()
    return ("score", "probability", *knock_out, "approved", *(f"reason_{rank}" for rank in range(1, k + 1)))


def _texts(scorecard: Scorecard) -> Iterator[tuple[str, str]]:
    """Texts that the file holds, and what they are."""
    yield "target", scorecard.outcome.target
    for feature in scorecard.features:
        yield f"feature {feature.name!r}", feature.name
        yield f"label of feature {feature.name!r}", feature.title
        yield from ((f"feature {feature.name!r}", code) for code in feature.special_codes if isinstance(code, str))
    conditions = [(item.feature, each.condition) for item in scorecard.characteristics for each in item.attributes]
    clauses = [clause for rule in scorecard.policy.knock_outs for clause in rule.when]
    for name, condition in [*conditions, *((clause.feature, each) for clause in clauses for each in clause.any_of)]:
        values = condition.values if isinstance(condition, Categories) else ()
        yield from ((f"feature {name!r}", value) for value in values if isinstance(value, str))
    for rule in scorecard.policy.knock_outs:
        yield "code of a knock-out", rule.code
    if scorecard.reasons is not None:
        for code, words in scorecard.reasons.texts.items():
            yield "reason code", code
            yield f"text of reason code {code!r}", words
