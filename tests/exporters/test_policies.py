"""Rules added by hand give the same decisions, scores and reasons in every engine, to the last bit."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from same_results import check_same

from scrutable import create
from scrutable.model import DecisionModel, Feature, RuleSet, dumps, loads
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable_policy import AdjustmentRule, KnockOutRule, OverrideRule, StatedRule, add_rules, remove_rules

ENGINES: dict[str, tuple[str, dict[str, Any]]] = {
    "sqlite": ("sql", {"dialect": "sqlite", "table": "applicants"}),
    "duckdb": ("sql", {"dialect": "duckdb", "table": "applicants"}),
    "python": ("python", {}),
    "c": ("c", {}),
}
KINDS = ("scorecard", "stumps", "tree-ensemble", "rule-set", "segmented-model")
#: Columns that no model reads, with texts that no engine may take for code.
FURTHER = (
    Feature(name="open_debts", kind="numeric", special_codes=(-9,)),
    Feature(name='it\'s "home"', kind="categorical", special_codes=("?",)),
)
RULES: tuple[StatedRule, ...] = (
    KnockOutRule(code="N1", reason='Applicant\'s age -- or "none"', when="age < 18 or age is missing"),
    KnockOutRule(
        code="N2", reason="Debts", when="open_debts >= 3 and open_debts <= 7 and `it's \"home\"` != 'rent; DROP'"
    ),
    AdjustmentRule(code="N3", reason="Number of debts", when="open_debts > 2.5 or missing", points=-0.37),
    AdjustmentRule(code="N4", reason="Known debts", when="open_debts is special [-9]", points=0.25, explained=False),
    OverrideRule(code="N5", reason="Home", when="`it's \"home\"` in ['', 'own']", decision="decline", explained=False),
    OverrideRule(code="N6", reason="Known for long", when="age > 60", decision="approve"),
    OverrideRule(code="N7", reason="No home is stated", when='`it\'s "home"` is missing', decision="decline"),
)


def ruled(kind: str) -> DecisionModel:
    model = models_named()[kind]
    fitting = [rule for rule in RULES if not (isinstance(rule, AdjustmentRule) and _votes(model))]
    return add_rules(model, fitting, features=FURTHER, who="Ana Ruiz", why="Credit policy 2026").model


def _votes(model: Any) -> bool:
    return any(isinstance(part, RuleSet) for part in model.parts)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_decides_by_the_rules(engine: str, kind: str) -> None:
    if engine == "c" and not shutil.which("cc"):
        pytest.skip("no compiler of C")
    name, options = ENGINES[engine]
    exporter, model = create("exporter", name, **options), loads(dumps(ruled(kind)))
    rows = edge_rows(model, n_random=300)
    ours = check_same(model, rows, exporter.run(exporter.export(model), rows))
    deciding = {*ours["knock_out"].tolist(), *ours["override"].tolist()}
    assert {"N1", "N2", "N5", "N6", "N7"} <= deciding


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_were_removed_are_gone_from_exports(engine: str) -> None:
    if engine == "c" and not shutil.which("cc"):
        pytest.skip("no compiler of C")
    name, options = ENGINES[engine]
    codes = [rule.code for rule in RULES]
    model = remove_rules(ruled("scorecard"), codes, who="Ana Ruiz", why="Back to the score alone").model
    exporter = create("exporter", name, **options)
    export = exporter.export(model)
    assert not any("open_debts" in text for text in export.files.values() if isinstance(text, str))
    rows = edge_rows(model, n_random=20)
    check_same(model, rows, exporter.run(export, rows))
