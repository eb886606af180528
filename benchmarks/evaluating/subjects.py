"""Models that are timed, and applicants for them as columns and as dicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from exporting import cards

from scrutable.data.frames import Column, as_table
from scrutable.model import (
    Calibration,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Node,
    Outcome,
    Rule,
    RuleSet,
    Split,
    TreeEnsemble,
)

Columns = Mapping[str, Column]
N_NUMBERS = 15
OUTCOME = Outcome(classes=("bad", "good"), favourable="good")
FEATURES = tuple(Feature(name=f"number_{i}", kind="numeric") for i in range(N_NUMBERS))


def columns(n_rows: int) -> Columns:
    """Numbers as NumPy holds them, texts as Arrow's dictionaries."""
    few = min(n_rows, 1_000_000)
    drawn = cards.applicants(few)
    frame = {name: np.resize(values, n_rows) for name, values in drawn.items() if name.startswith("number")}
    coded = {name: pa.array(values).dictionary_encode() for name, values in drawn.items() if name not in frame}
    for name, array in coded.items():
        codes = np.resize(array.indices.cast(pa.int8()).fill_null(-1).to_numpy(zero_copy_only=False), n_rows)
        indices = pa.array(codes, mask=codes < 0)
        frame[name] = pa.DictionaryArray.from_arrays(indices, array.dictionary)
    table = as_table(pa.table(frame))
    return {name: table.column(name) for name in table}


def of_card(every: Columns) -> Columns:
    """The columns that the scorecard reads."""
    return {feature.name: every[feature.name] for feature in cards.scorecard().features}


def applicants(count: int) -> list[dict[str, Any]]:
    """Applicants for the scorecard, one dict each."""
    drawn = cards.applicants(count)
    names = [feature.name for feature in cards.scorecard().features]
    return [{name: drawn[name][row] for name in names} for row in range(count)]


def forest(n_trees: int, depth: int, seed: int = 0) -> TreeEnsemble:
    """Trees that are full to their depth, each split at a number of its own."""
    rng = np.random.default_rng(seed)

    def tree(levels: int) -> Node:
        if not levels:
            return Leaf(float(rng.normal() / 100))
        interval = Interval(upper=float(rng.normal()), closed="right")
        when = Clause(f"number_{rng.integers(N_NUMBERS)}", (interval, Missing()))
        return Split(when, tree(levels - 1), tree(levels - 1))

    return TreeEnsemble(
        outcome=OUTCOME,
        features=FEATURES,
        trees=tuple(tree(depth) for _ in range(n_trees)),
        base_score=0.1,
        cutoff=0.0,
        calibration=Calibration(slope=1),
    )


def rules(count: int, seed: int = 0) -> RuleSet:
    """Rules of three clauses each."""
    rng = np.random.default_rng(seed)

    def rule() -> Rule:
        names = rng.choice(N_NUMBERS, 3, replace=False)
        when = (Clause(f"number_{i}", (Interval(upper=float(rng.normal()), closed="right"),)) for i in names)
        return Rule(when=tuple(when), outcome=OUTCOME.classes[rng.integers(2)], weight=float(rng.integers(1, 64)) / 64)

    return RuleSet(
        outcome=OUTCOME,
        features=FEATURES,
        rules=tuple(rule() for _ in range(count)),
        fallback=(Rule(when=(), outcome="good"),),
    )
