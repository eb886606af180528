"""The tree agrees in every engine that its exports run in."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.errors import PluginError
from scrutable.proof import certify, exporter_at, verification_rows


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "onnxruntime", "python", "rscript"])
def test_the_tree_agrees_everywhere(engine: str) -> None:
    data = make_credit(800, seed=1)
    learner = create("learner", "fcca-tree", leaf_penalty=0.0, favourable=0).fit(data.X, data.y)
    exporter = exporter_at(engine)
    try:
        exporter.engine()
    except PluginError as error:
        pytest.skip(str(error))
    rows = verification_rows(learner.model_, data.X, n_random=300)
    (run,) = certify(learner.model_, [exporter], rows).runs
    assert learner.model_.features
    assert run.passed, run.differing()
    assert run.n_rows == len(rows.frame)
