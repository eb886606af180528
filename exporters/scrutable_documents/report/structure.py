"""The section on rules and leaves of models that are no scorecards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from scrutable.model import RegressionScorecard, RuleSet, Scorecard, TreeEnsemble, paths
from scrutable.model.rulesets import fallback_sentences, read_rules
from scrutable_documents.common.figures import percent, plain
from scrutable_documents.common.part import ModelPart
from scrutable_documents.common.sections import Block, Heading, Listing, Section, Table
from scrutable_documents.common.ways import Coverage, way_words
from scrutable_documents.report.subject import Subject


def structure(subject: Subject) -> Section | None:
    """Every rule as a sentence and every leaf as a path; None where all parts are scorecards."""
    blocks = [block for part in subject.parts for block in _blocks(part)]
    return Section("rules", "Rules", blocks) if blocks else None


def _blocks(part: ModelPart) -> Iterator[Block]:
    match part.model:
        case RuleSet():
            yield from _rules(part, part.model)
        case TreeEnsemble():
            yield from _leaves(part, part.model)
        case Scorecard() | RegressionScorecard():
            return
        case _:
            assert_never(part.model)


def _rules(part: ModelPart, model: RuleSet) -> Iterator[Block]:
    sample = part.sample
    outcomes = None if sample is None else sample.outcomes
    readings = read_rules(model, None if sample is None else sample.table, outcomes)
    headers = ["Rule", "", "Weight", "Share of weights"]
    if sample is not None:
        headers += ["Coverage", "Of its class"]
    rows = []
    for each in readings:
        row = [str(each.number), each.sentence, plain(each.rule.weight), percent(each.share)]
        if sample is not None:
            row += ["" if value is None else percent(value) for value in (each.coverage, each.precision)]
        rows.append(row)
    numbers = frozenset(range(2, len(headers)))
    yield Table(caption=part.titled("Rules that vote"), headers=headers, rows=rows, numbers=numbers)
    yield Heading(part.titled("Fallback, where no rule applies"))
    yield Listing(list(fallback_sentences(model)))


def _leaves(part: ModelPart, model: TreeEnsemble) -> Iterator[Block]:
    titles = part.titles
    covered = None if part.sample is None else Coverage(model, part.sample.table)
    headers = ("Path", "Value") if covered is None else ("Path", "Value", "Coverage")
    for position, tree in enumerate(model.trees, 1):
        rows = [
            [
                leaf.label or way_words(path, titles),
                plain(leaf.value),
                *([] if covered is None else [percent(covered(path))]),
            ]
            for leaf, path in paths(tree)
        ]
        caption = part.titled(f"Tree {position}")
        yield Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({1, 2}))
