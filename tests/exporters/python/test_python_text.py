"""The text itself: hostile names and words, numbers, kinds of values, size, options, refusals, stability."""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cards import ensemble

from scrutable.errors import InputError, KindError, PluginError
from scrutable.model import Clause, Feature, Interval, Leaf, Missing, Rule, RuleSet, Split, fingerprint
from scrutable.model.evaluator import differences, evaluate
from scrutable.testing.cards import card
from scrutable.testing.strategies import HOSTILE_NUMBERS, HOSTILE_TEXTS
from scrutable_python import scrutable_exporters
from scrutable_python.exporter import PythonExporter
from scrutable_python.text import number

EXPORTER = PythonExporter()
ATTACKS = (
    "'); raise SystemExit(99) #",
    '"""\nraise SystemExit(99)\n"""',
    "\\'; raise SystemExit(99)\r#",
    "x\u2028raise SystemExit(99)",
    "{{ 7*7 }}{% raw %}",
    "# -*- coding: utf-7 -*-",
    "\f\v\x1c\x85raise SystemExit(99)",
    "%s %(prog)s {0}",
)


def shape(text: str) -> str:
    """The syntax tree without what texts say."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def function(text: str) -> Callable[..., dict[str, Any]]:
    """The function of a file."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "score.py", "exec"), names)  # the file is ours
    scorer: Callable[..., dict[str, Any]] = names["score"]
    return scorer


@pytest.mark.parametrize("attack", ATTACKS)
def test_names_and_words_never_become_code(attack: str) -> None:
    model = card(amount=attack, job=attack + "!", categories=(attack, "b"), words=attack, code=attack)
    plain = card(amount="a b", job="c d", categories=("c", "d"))
    text = EXPORTER.export(model).text
    assert shape(text) == shape(EXPORTER.export(plain).text)
    rows = {attack: [-7.0, 15.0, None], attack + "!": [attack, "b", "unseen"]}
    found = EXPORTER.run(EXPORTER.export(model), rows)
    assert differences(evaluate(model, rows).frame(), found) == {}
    assert found["knock_out"].tolist() == [f"K{attack}", None, None]


def test_every_hostile_text_is_a_category_of_its_own() -> None:
    model = card(categories=HOSTILE_TEXTS)
    texts = [*HOSTILE_TEXTS, "unseen", None]
    rows = {"amount": [0.0] * len(texts), "job": texts}
    found = EXPORTER.run(EXPORTER.export(model), rows)["points_job"].tolist()
    assert found == [*range(len(HOSTILE_TEXTS)), -1, -2]


def test_doubles_are_read_back_to_the_last_bit() -> None:
    for value in (*HOSTILE_NUMBERS, 2.0**-30, -(2.0**23) + 2.0**-30):
        assert ast.literal_eval(number(value)).hex() == value.hex()
    assert number(math.inf) == "_INFINITY"


def test_the_text_is_the_same_every_time_and_says_what_it_is() -> None:
    model = card(words="a label")
    text = EXPORTER.export(model).text
    assert text == PythonExporter().export(model).text
    for words in (
        "# Scorecard for 'a label', favourable class 'good'.",
        "# Approved is 1 where the score is at least 510.0",
        f"# Model fingerprint (SHA-256): {fingerprint(model)}",
        "    (10.0, 5.0),  # a label\n",
        "  # a label\n        knock_out = 'Kc'\n",
    ):
        assert words in text
    assert EXPORTER.export(card(job="caf\u00e9")).text.isascii()


VALUES: list[tuple[Any, float]] = [
    (12, 10.0), (12.0, 10.0), (True, 0.0), (Decimal("12"), 10.0), (Fraction(39, 2), 10.0), (np.float64(20), 20.0),
    (np.float32(12), 10.0), (np.int8(12), 10.0), (None, 5.0), (math.nan, 5.0), (Decimal("NaN"), 5.0),
    (np.float32("nan"), 5.0), (2**60, 20.0), (math.inf, 20.0),
]  # fmt: skip


@pytest.mark.parametrize(("value", "points"), VALUES, ids=[repr(value) for value, _ in VALUES])
def test_every_kind_of_number_is_read(value: Any, points: float) -> None:
    score = function(EXPORTER.export(card()).text)
    assert score({"amount": value, "job": "cook"})["points_amount"] == points


def test_missing_texts() -> None:
    score = function(EXPORTER.export(card()).text)
    for value in (None, math.nan, np.float64("nan")):
        assert score({"amount": 1.0, "job": value})["points_job"] == -2
    assert score({"amount": 1.0, "job": np.str_("cook")})["points_job"] == 0


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"amount": "12", "job": "cook"}, TypeError, "column 'amount': expected a number, None or NaN; got '12'"),
    ({"amount": 1j, "job": "cook"}, TypeError, "column 'amount': expected a number"),
    ({"amount": 10**400, "job": "cook"}, ValueError, "column 'amount': too large for a double"),
    ({"amount": 1.0, "job": 5}, TypeError, "column 'job': expected a text, None or NaN; got 5"),
    ({"amount": 1.0, "job": b"cook"}, TypeError, "column 'job': expected a text"),
    ({"amount": 1.0}, LookupError, "column 'job': it is not in the row"),
    ({"job": "cook"}, LookupError, "column 'amount': it is not in the row"),
]


@pytest.mark.parametrize(("row", "kind", "message"), WRONG, ids=[repr(row) for row, _, _ in WRONG])
def test_other_values_are_refused(row: dict[str, Any], kind: type[Exception], message: str) -> None:
    score = function(EXPORTER.export(card()).text)
    with pytest.raises(kind, match=re.escape(message)):
        score(row)


def test_thousands_of_rules_and_hundreds_of_trees() -> None:
    chance = random.Random(0)
    features = tuple(Feature(name=f"f{i}", kind="numeric") for i in range(5))

    def clause(name: str | None = None) -> Clause:
        lower = chance.uniform(-2, 2)
        return Clause(
            name or chance.choice(features).name, (Interval(lower, lower + chance.uniform(0.1, 3)), Missing())
        )

    rules = [
        Rule(when=(clause(),), outcome=chance.choice(("bad", "good")), weight=chance.random()) for _ in range(3000)
    ]
    trees = [
        Split(clause("f0"), Split(clause("f1"), Leaf(chance.gauss(0, 1)), Leaf(chance.gauss(0, 1))), Leaf(1.0))
        for _ in range(600)
    ]
    deep: Split | Leaf = Leaf(1.0)
    for i in range(16):
        deep = Split(clause(f"f{i % 5}"), Leaf(float(i)), deep)
    fallback = (Rule(when=(), outcome="bad"),)
    models = (
        RuleSet(outcome=card().outcome, features=features, rules=tuple(rules), fallback=fallback),
        ensemble(
            outcome=card().outcome,
            features=features,
            trees=(*trees, deep, *(Split(clause(), Leaf(chance.gauss(0, 1)), Leaf(0.0)) for _ in range(600))),
        ),
    )
    rows = {f.name: [chance.choice([math.nan, chance.gauss(0, 2)]) for _ in range(40)] for f in features}
    for model in models:
        assert differences(evaluate(model, rows).frame(), EXPORTER.run(EXPORTER.export(model), rows)) == {}


def test_other_names() -> None:
    exporter = PythonExporter(module="limits_2024", function="limit")
    export = exporter.export(card())
    assert list(export.files) == ["limits_2024.py"]
    assert "from limits_2024 import limit, limit_rows" in export.text
    assert exporter.run(export, {"amount": [12], "job": ["cook"]})["score"].tolist() == [510.0]


NO_NAMES = [
    ({"module": "my-score"}, "option module: not a name that Python takes; got 'my-score'"),
    ({"module": "../score"}, "not a name that Python takes"),
    ({"module": "csv"}, "something else of this name; got 'csv'"),
    ({"function": "class"}, "no keyword"),
    ({"function": "float"}, "option function: Python or the file itself"),
    ({"function": "main"}, "option function: Python or the file itself"),
    ({"function": "_number"}, "not a name that Python takes"),
    ({"function": "sc\u00f3re"}, "not a name that Python takes"),
    ({"function": 5}, "not a name that Python takes; got 5"),
]


@pytest.mark.parametrize(("options", "message"), NO_NAMES, ids=[row[1] for row in NO_NAMES])
def test_names_that_cannot_be_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        PythonExporter(**options)


def test_run_reads_its_columns_strictly_and_reports_a_file_that_stops() -> None:
    export = EXPORTER.export(card())
    with pytest.raises(InputError, match="missing column"):
        EXPORTER.run(export, {"amount": [1.0]})
    with pytest.raises(KindError, match="column 'amount'"):
        EXPORTER.run(export, {"amount": ["1"], "job": ["cook"]})
    broken = replace(export, files={"score.py": export.text.replace("_LINES_amount[", "_LINES_9[")})
    with pytest.raises(PluginError, match=r"file score\.py: the file stopped.*_LINES_9"):
        EXPORTER.run(broken, {"amount": [1.0], "job": ["cook"]})


def test_what_it_says_of_itself() -> None:
    (component,) = scrutable_exporters()
    assert component.load() is PythonExporter
    assert component.engines == ("python",)
    assert re.fullmatch(r"\w+ 3\.\d+\..*", EXPORTER.engine())
