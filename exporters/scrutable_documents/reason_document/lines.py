"""All lines of a model that reasons come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from scrutable.model import RegressionScorecard, RuleSet, Scorecard, TreeEnsemble, describe_all
from scrutable.model.evaluator import Evaluation
from scrutable_documents.common.part import Part
from scrutable_documents.reason_document.attributes import of_scorecard, of_steps
from scrutable_documents.reason_document.leaves import of_leaves
from scrutable_documents.reason_document.line import Carried, Line
from scrutable_documents.reason_document.votes import of_rules


def lines_of(part: Part) -> tuple[Line, ...]:
    """Knock-outs, then what the score is made of, in the model's order."""
    return (*_knock_outs(part), *_scored(part))


def _scored(part: Part) -> Iterator[Line]:
    model = part.model
    match model:
        case Scorecard() | RegressionScorecard():
            yield from of_scorecard(part, model)
        case RuleSet():
            yield from of_rules(part, model)
        case TreeEnsemble():
            yield from of_leaves(part, model)
            yield from of_steps(part, model)
        case _:
            assert_never(model)


def _knock_outs(part: Part) -> Iterator[Line]:
    """Shares are of the applicants to whom a knock-out is the first that applies."""
    features = {feature.name: feature for feature in part.model.features}
    for rule in part.knock_outs:
        yield Line(
            kind="knock-out",
            of=rule.code,
            words=describe_all(rule.when, features),
            share=_share(part, rule.code),
            codes=(Carried(code=rule.code, text=part.text(rule.code)),),
        )


def _share(part: Part, code: str) -> float | None:
    if part.sample is None or not isinstance(part.sample.evaluation, Evaluation):
        return None
    return float((part.sample.evaluation.knock_out == code).mean())
