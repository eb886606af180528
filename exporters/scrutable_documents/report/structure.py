"""The section on rules and leaves of models that are no scorecards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrutable.model import Path, RuleSet, TreeEnsemble, paths
from scrutable.model.evaluator import ClauseMasks, read_inputs
from scrutable.model.rulesets import fallback_sentences, read_rules
from scrutable_documents.common.figures import percent, plain
from scrutable_documents.common.sections import Block, Heading, Listing, Section, Table
from scrutable_documents.report.evaluated import Evaluated
from scrutable_documents.report.evaluated_model import Part, Subject
from scrutable_documents.report.script import way_words


def structure(subject: Subject) -> Section | None:
    """Every rule as a sentence and every leaf as a path; None where all parts are scorecards."""
    blocks = [block for part in subject.parts for block in _blocks(part)]
    return Section("rules", "Rules", blocks) if blocks else None


def _blocks(part: Part) -> Iterator[Block]:
    if isinstance(part.model, RuleSet):
        yield from _rules(part, part.model)
    elif isinstance(part.model, TreeEnsemble):
        yield from _leaves(part, part.model)


def _rules(part: Part, model: RuleSet) -> Iterator[Block]:
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


def _leaves(part: Part, model: TreeEnsemble) -> Iterator[Block]:
    titles = {feature.name: feature.title for feature in model.features}
    covered = None if part.sample is None else _Coverage(model, part.sample)
    headers = ("Path", "Value") if covered is None else ("Path", "Value", "Coverage")
    for position, tree in enumerate(model.trees, 1):
        rows = [
            [way_words(leaf, path, titles), plain(leaf.value), *([] if covered is None else [percent(covered(path))])]
            for leaf, path in paths(tree)
        ]
        caption = part.titled(f"Tree {position}")
        yield Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({1, 2}))


class _Coverage:
    """The share of the applicants that go a way."""

    def __init__(self, model: TreeEnsemble, sample: Evaluated) -> None:
        columns, self._n_rows = read_inputs(model, sample.table)
        self._masks = ClauseMasks(model.features, columns, self._n_rows)

    def __call__(self, path: Path) -> float:
        rows = np.ones(self._n_rows, dtype=bool)
        for clause, holds in path:
            rows &= self._masks.clause(clause) == holds
        return float(rows.mean()) if self._n_rows else float("nan")
