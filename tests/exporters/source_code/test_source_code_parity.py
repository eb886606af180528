"""Files of C, JavaScript and Java, compiled and run, equal the evaluator to the last bit on hostile models and rows."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn import KINDS, drawn
from same_results import check_same

from scrutable import create
from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Model,
    Otherwise,
    Policy,
    Quantity,
    RegressionScorecard,
    Split,
)
from scrutable.proof.edges import edge_rows
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import extended_models, large_models, rows_to_run

LANGUAGES = ("c", "java", "javascript")
#: So many random models of each kind: a compiler takes a second, and an interpreter a tenth of one.
DRAWN = {"c": 2, "java": 1, "javascript": 12}
#: What is a word of some language, or of the files themselves.
WORDS = (
    "class",
    "int",
    "double",
    "function",
    "row",
    "i",
    "n",
    "in",
    "score",
    "TEXTS",
    "block",
    "numbers",
    "NaN",
    "exp",
    "M_PI",
    "INT32_MAX",
    "EOF",
)


def check(language: str, model: Model, rows: Any = None, **options: str) -> None:
    exporter = create("exporter", language, **options)
    export = exporter.export(model)
    frame = edge_rows(model, n_random=20) if rows is None else rows
    held = frame[exporter.holds(export, frame)]
    check_same(model, held, exporter.run(export, held), told=f"in {language}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_random_models_of_every_kind(language: str, kind: str) -> None:
    for model in drawn(kind, DRAWN[language]):
        check(language, model)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["scorecard with all parts", "trees with all parts", "rules with all parts"])
def test_models_with_all_parts(language: str, name: str) -> None:
    model = extended_models()[name]
    check(language, model, rows_to_run(model).frame)


@pytest.mark.parametrize("language", LANGUAGES)
def test_equal_shortfalls_keep_their_order(language: str) -> None:
    """A code that gives way to a larger shortfall still comes before equal ones of later codes."""
    model = models_named()["scorecard"]
    check(language, model, edge_rows(model, n_random=2000))


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_longer_than_a_method_of_java_may_be(language: str) -> None:
    names = tuple(f"{each:05} \U0001f600" for each in range(5000))
    attributes = tuple(Attribute(condition=Categories(names[start::5]), points=0.1 * start) for start in range(5))
    cuts = np.arange(2500) / 7
    tiles = [Interval(upper=cuts[0]), *map(Interval, cuts[:-1], cuts[1:]), Interval(lower=cuts[-1]), Missing()]
    model = RegressionScorecard(
        outcome=Quantity(),
        features=(Feature(name="code", kind="categorical"), Feature(name="size", kind="numeric")),
        characteristics=(
            Characteristic(
                feature="code",
                attributes=(
                    *attributes,
                    Attribute(condition=Otherwise(), points=-1),
                    Attribute(condition=Missing(), points=-2),
                ),
            ),
            Characteristic(
                feature="size",
                attributes=tuple(Attribute(condition=each, points=place / 3) for place, each in enumerate(tiles)),
            ),
        ),
        base_points=0.35,
    )
    rows = {"code": [*names[::50], "", None], "size": [*cuts[:99], -1.0, np.nan, np.inf]}
    check(language, model, pd.DataFrame(rows))


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_columns_that_are_words_of_a_language(language: str) -> None:
    names = (*WORDS, "__proto__", "constructor", "toString", "x_age", "x age", "\u00e9", "1", "_", "Points1")
    clauses = [Clause(name, (Interval(upper=float(place)), Missing())) for place, name in enumerate(names)]
    check(language, split_by(clauses))


def test_names_of_columns_that_a_file_of_c_has_for_its_macros() -> None:
    names = ("LOAN_DECLARED", "LOAN_DECLARATIONS", "LOAN_RULES_SIZE")
    clauses = [Clause(name, (Interval(upper=float(place)), Missing())) for place, name in enumerate(names)]
    check("c", split_by(clauses), name="loan")


#: Words of C and C++, functions and macros of their headers, and names that they keep for themselves.
OF_HEADERS = (
    *("_Bool", "_Complex", "_Static_assert", "_SIZE_T", "_MATH_H", "_LP64", "bool", "true", "I", "complex", "linux"),
    *("math_errhandling", "BIG_ENDIAN", "BYTE_ORDER", "FD_SETSIZE", "NFDBITS", "WNOHANG", "NAN", "RAND_MAX", "M_PI"),
    *("exp", "log", "isnan", "signbit", "memcpy", "malloc", "free", "abs", "div", "alloca", "printf", "errno"),
    *("class", "compl", "and_eq", "wchar_t", "co_await", "requires", "static_assert", "thread_local"),
)


@pytest.mark.parametrize("compiler", ["cc -std=c11", "cc -std=gnu17 -O1 -D_FORTIFY_SOURCE=2", "c++ -std=c++20 -x c++"])
def test_names_of_columns_that_headers_have_compile(compiler: str, tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    if shutil.which(compiler.split()[0]) is None:
        pytest.skip(f"{compiler.split()[0]} is not here")
    clauses = [Clause(name, (Interval(upper=float(place)), Missing())) for place, name in enumerate(OF_HEADERS)]
    exporter.export(split_by(clauses)).write(tmp_path)
    headers = ("complex.h", "ctype.h", "errno.h", "math.h", "stdio.h", "stdlib.h", "string.h", "time.h")
    before = "" if "++" in compiler else "".join(f"#include <{each}>\n" for each in headers)
    declared = "#define SCORE_DECLARATIONS\n" if "++" in compiler else ""
    (tmp_path / "main.c").write_text(f'{before}{declared}#include "score.c"\n')
    command = [*compiler.split(), "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "main.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def split_by(clauses: Sequence[Clause]) -> Model:
    """A tree for each of these clauses on a column of its own."""
    return replace(
        models_named()["stumps"],
        features=tuple(Feature(name=clause.feature, kind="numeric") for clause in clauses),
        trees=tuple(Split(clause, Leaf(-1), Leaf(2)) for clause in clauses),
        policy=Policy(),
        reasons=None,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_rules_and_segments(language: str) -> None:
    check(language, large_models()["model of 12 segments" if language == "javascript" else "deep tree"])
    check(language, large_models()["rule set of 70 rules"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_ends_of_doubles_and_texts_with_nul(language: str) -> None:
    model = card(categories=("\u20ac", "\U0001f600", "cook"))
    amounts = [0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, np.nan, 1.7976931348623157e308]
    jobs = ["\u20ac", "\U0001f600", "cook\0", "\0", "", None, "cook", "\U0001f601"]
    check(language, model, pd.DataFrame({"amount": amounts, "job": np.array(jobs, dtype=object)}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_that_reads_nothing(language: str) -> None:
    plain = Policy()
    model = replace(models_named()["stumps"], features=(), trees=(Leaf(1.5),), reasons=None, policy=plain)
    check(language, model, pd.DataFrame({"something else": [1.0, 2.0]}))
