"""Dialects whose engine is a service, run in what stands nearest to it: Databricks SQL in Spark, BigQuery in ZetaSQL.

ZetaSQL is Google's own implementation of GoogleSQL, the language of BigQuery, with an evaluator of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from drawn import COUNT, KINDS, drawn, of_every_kind

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model.evaluator import OutputFrame, results
from scrutable.testing.contract.examples.models import models_named
from scrutable_deployment import Returned, attested, proof_script
from scrutable_sql import unit_tests
from scrutable_sql.dialects import DIALECTS, EMITTED
from scrutable_sql.engines.spark import Spark
from scrutable_sql.exporter import SQLExporter

from .test_unit_tests import NAME

Query = Callable[[str], list[tuple[Any, ...]]]


def _spark() -> Query:
    pytest.importorskip("pyspark", reason="Spark is not installed")
    session = Spark().session()
    return lambda text: [tuple(row) for row in session.sql(text.rstrip().rstrip(";")).collect()]


def _zetasql() -> Query:
    api = pytest.importorskip("zetasql.api", reason="ZetaSQL is not installed: make engines")
    from zetasql import types
    from zetasql.types.proto_model import ProductMode
    from zetasql.wasi._pb2.zetasql.public import options_pb2

    language = types.LanguageOptions.maximum_features()
    language.product_mode = ProductMode.PRODUCT_EXTERNAL  # the names of types that BigQuery has
    language.enabled_language_features.append(options_pb2.FEATURE_COLLATION_SUPPORT)
    functions = types.ZetaSQLBuiltinFunctionOptions(language_options=language)
    catalogue = api.CatalogBuilder("bank").with_builtin_functions(functions).build()
    options = types.AnalyzerOptions(language_options=language)

    def execute(text: str) -> list[tuple[Any, ...]]:
        building = api.PreparedQuery.builder().set_sql(text.rstrip().rstrip(";"))
        with building.set_analyzer_options(options).set_catalog(catalogue).prepare() as query:
            data = query.execute().content.table_data
        return [tuple(map(value_of, row.cell)) for row in data.row] if data else []

    return execute


def value_of(cell: Any) -> Any:
    """A number or a text of GoogleSQL."""
    return cell.string_value or cell.int64_value


#: What runs texts of a dialect.
PLACES: dict[str, Callable[[], Query]] = {"databricks": _spark, "bigquery": _zetasql}
#: Spark takes seconds for each; and its texts are proven elsewhere.
CASES = [*(("bigquery", kind) for kind in models_named()), ("databricks", "scorecard")]


@pytest.fixture(scope="module")
def queries() -> dict[str, Query]:
    """What executes texts of each dialect, made when it is first asked for."""
    return {}


def executed(queries: dict[str, Query], dialect: str, text: str) -> list[tuple[Any, ...]]:
    if dialect not in queries:
        queries[dialect] = PLACES[dialect]()
    return queries[dialect](text)


def written(dialect: str, kind: str) -> str:
    """The text that tests a model of a kind in a dialect."""
    return str(SQLExporter(dialect=dialect, test_rows=40).export(models_named()[kind]).files[NAME])


def test_what_is_run_elsewhere_says_so() -> None:
    assert {dialect.name for dialect in EMITTED if dialect.run_in} == set(PLACES)
    for name in PLACES:
        text = SQLExporter(dialect=name).export(models_named()["scorecard"]).text
        assert f"; run by the project's tests in {DIALECTS[name].run_in}, not there." in text.splitlines()[1]


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_nothing_differs(queries: dict[str, Query], dialect: str, kind: str) -> None:
    assert executed(queries, dialect, written(dialect, kind)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_differs_in_bigquery_for_any_model(queries: dict[str, Query], kind: str) -> None:
    tested = 0
    for model in reversed(drawn(kind)):  # the largest first
        with suppress(UnsupportedModel, InputError):  # names that BigQuery has not
            files = SQLExporter(dialect="bigquery", test_rows=15, utf8_names=True).export(model).files
            assert executed(queries, "bigquery", str(files[NAME])) == []
            tested += 1
        if tested == 2:
            return
    pytest.fail(f"names that BigQuery has were drawn {tested} times in {COUNT}")


@pytest.mark.parametrize("dialect", PLACES)
def test_every_wrong_expectation_is_found(
    queries: dict[str, Query], monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    expected = set()

    def wrongly(model: Any, rows: Any, names: list[str]) -> Any:
        frame = {key: values.copy() for key, values in results(model, rows, names).items()}
        for row, (key, values) in enumerate(frame.items()):
            expected.add((row + 1, key))
            if values.dtype == object:
                values[row] = f"{values[row]} "
            elif values[row] != values[row]:
                values[row] = 0.5
            else:
                values[row] += 1 if values.dtype.kind == "i" else 2.0**-30
        return OutputFrame(frame)

    monkeypatch.setattr(unit_tests, "results", wrongly)
    assert {row[:2] for row in executed(queries, dialect, written(dialect, "rule-set"))} == expected


def test_databricks_is_written_as_spark_is() -> None:
    """So all that the tests prove of Spark's texts holds for these, in Spark."""
    compared = 0
    for model in of_every_kind(3):
        with suppress(UnsupportedModel):
            options: dict[str, Any] = {"ids": ["id"], "utf8_names": True}
            ours, spark = (SQLExporter(dialect=name, **options).export(model).text for name in ("databricks", "spark"))
            assert [line for line in ours.splitlines() if not line.startswith("-- Written for")] == [
                line for line in spark.splitlines() if not line.startswith("-- For ")
            ]
            compared += 1
    assert compared > 9


#: What the row of a script of `scrutable proof` has.
PROOF = ("proof", "model", "engine", "rows_compared", "differences", "digest")


def check_proof(dialect: str, kind: str, query: Query) -> None:
    """What the script gives is a certificate of all its rows; nothing differs."""
    model = models_named()[kind]
    text = proof_script(model, dialect, rows=150, salt="5a17c0de" * 4).text
    [(name, of_model, engine, *numbers)] = query(text.rstrip().rstrip(";"))
    returned = Returned(**dict(zip(PROOF, (name, of_model, engine, *map(int, numbers)), strict=True)))
    certificate = attested(model, returned, text)
    assert certificate.passed
    assert certificate.runs[0].n_rows == 150


@pytest.mark.parametrize("kind", models_named())
@pytest.mark.parametrize("dialect", ["mysql"], indirect=True)
def test_proof_scripts_pass_in_mysql(query: Query, kind: str) -> None:
    check_proof("mysql", kind, query)


@pytest.mark.parametrize("dialect", PLACES)
def test_proof_scripts_pass(queries: dict[str, Query], dialect: str) -> None:
    for kind in models_named() if dialect == "bigquery" else ("rule-set",):
        check_proof(dialect, kind, lambda text: executed(queries, dialect, text))
