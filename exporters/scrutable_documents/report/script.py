"""The page's script, and what it reads: the model's own text, and the words and positions that go with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any, assert_never

from scrutable.model import (
    Interaction,
    Model,
    Node,
    Outcome,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    SegmentedModel,
    SingleModel,
    TreeEnsemble,
    dumps,
    paths,
)
from scrutable.writing import escaped_in_json, javascript, visible
from scrutable_documents.common.ways import way_words
from scrutable_documents.report.fields import form_fields

#: What evaluates, and what needs a page besides.
EVALUATOR = ("conditions", "evaluate", "reasons", "rows")
_PAGE = ("form", "result", "main")


@functools.cache
def script() -> str:
    """The script of the page; it holds nothing of any model."""
    return scope(EVALUATOR + _PAGE, javascript())


def scope(names: Sequence[str], rest: str = "") -> str:
    """Script files as one, with no name in common with other scripts."""
    folder = resources.files("scrutable_documents.report").joinpath("templates")
    parts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in names]
    body = "\n".join([*parts, rest])
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def model_block(model: Model) -> str:
    """The model's own text, as a script block of data may hold it."""
    return block(dumps(model))


def words_block(model: Model) -> str:
    """Names, sentences and positions that the model's text does not hold."""
    words = {"form": [field.to_dict() for field in form_fields(model)], "votes": votes(model), **_words(model, None)}
    return block(json.dumps(words, ensure_ascii=False, allow_nan=False))


def block(text: str) -> str:
    """JSON that ends no block of a page, and of which a page changes nothing.

    >>> block('"</script>"')
    '"\\\\u003c/script>"'
    """
    return visible(text, keep="\n", how=escaped_in_json).replace("<", "\\u003c")


def votes(model: Model) -> Any:
    """Positions of the classes that rules vote for, since labels such as 1 and true are equal in Python only."""
    if isinstance(model, SegmentedModel):
        return list(map(votes, model.parts))
    if not isinstance(model, RuleSet):
        return None
    classes = list(model.outcome.classes)

    def positions(rules: Sequence[Rule]) -> list[int]:
        return [classes.index(rule.outcome) for rule in rules]

    return {
        "rules": positions(model.rules),
        "fallback": positions(model.fallback),
        "favourable": model.outcome.favourable_index,
    }


def _words(model: Model, segment: str | None) -> dict[str, Any]:
    if isinstance(model, SegmentedModel):
        return {"segments": [_words(part.model, part.name) for part in model.segments]}
    return {"segment": segment, **_outcome_words(model.outcome), **_kind_words(model)}


def _outcome_words(outcome: Outcome | Quantity) -> dict[str, Any]:
    if isinstance(outcome, Quantity):
        return {"outcome": outcome.title}
    return {"favourable": str(outcome.favourable), "classes": [str(label) for label in outcome.classes]}


def _kind_words(model: SingleModel | RegressionScorecard) -> dict[str, Any]:
    features = {feature.name: feature for feature in model.features}
    titles = {name: feature.title for name, feature in features.items()}
    match model:
        case Scorecard() | RegressionScorecard():
            told = [{"title": titles[each.feature], "attributes": list(each.titles)} for each in model.characteristics]
            return {"characteristics": [*told, *(_cells(each, titles) for each in model.interactions)]}
        case RuleSet():
            return {
                "rules": [_vote(rule, rule.describe(features)) for rule in model.rules],
                "fallback": [_vote(rule, rule.describe(features)) for rule in model.fallback],
            }
        case TreeEnsemble():
            return {"trees": [_ways(tree, titles) for tree in model.trees]}
        case _:
            assert_never(model)


def _cells(table: Interaction, titles: dict[str, str]) -> dict[str, Any]:
    """What each cell of a table of two features says of the applicant, row by row."""
    return {"title": " x ".join(titles[name] for name in table.features), "attributes": list(table.titles)}


def _vote(rule: Rule, sentence: str) -> str:
    return f"{sentence} (weight {rule.weight:.6g} for {rule.outcome})"


def _ways(tree: Node, titles: dict[str, str]) -> dict[str, str]:
    """The way to each leaf in words, by a text of 1 for each clause that holds on it and 0 for each that does not."""
    return {
        "".join("1" if holds else "0" for _, holds in path): leaf.label or way_words(path, titles)
        for leaf, path in paths(tree)
    }
