"""Models for dbt: what Jinja makes of them is the statement, whatever words are in it."""

from __future__ import annotations

import ast
import re
from typing import Any

import jinja2
import pytest
from cards import card, categories, ladder
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.model import Feature, Model, Scorecard, Segment, SegmentedModel
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_sql import dbt
from scrutable_sql.dbt_versions import versions_of
from scrutable_sql.exporter import SQLExporter

from .models import rules_with_reasons, segments, three_classes, trees_with_reasons, two_classes, whole_card


def rendered(text: str, found: dict[str, Any] | None = None) -> str:
    """What dbt sends to the database; `found` takes what the model asks dbt for."""
    found = {} if found is None else found

    def config(**settings: Any) -> str:
        found["config"] = settings
        return ""

    def ref(*names: str) -> str:
        found.setdefault("ref", []).append(names)
        return '"applicants"'

    def source(*names: str) -> str:
        found.setdefault("source", []).append(names)
        return '"applicants"'

    return (
        jinja2.Environment(undefined=jinja2.StrictUndefined)
        .from_string(text)
        .render(config=config, ref=ref, source=source)
    )


def scalars(text: str, key: str) -> list[str]:
    """The values of a key, in double quotes, whose escapes are Python's too."""
    return [ast.literal_eval(found) for found in re.findall(rf'^ *-? ?{key}: (".*")$', text, flags=re.MULTILINE)]


MODELS = [whole_card(), two_classes(), three_classes(), trees_with_reasons(), rules_with_reasons(), segments()]


@pytest.mark.parametrize("model", MODELS, ids=["card", "two", "three", "trees", "rules", "segments"])
@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark", "bigquery"])
def test_dbt_renders_the_statement(model: Model, dialect: str) -> None:
    options: dict[str, Any] = {"dialect": dialect, "ids": ["{{ id }}" if dialect != "bigquery" else "id"]}
    if dialect == "bigquery" and isinstance(model, Scorecard):
        model = card(ladder("age", 25.0, label="{{ age }}"), categories("job", "{{ 1 }}", "\r", "{%"))
    if dialect == "bigquery" and isinstance(model, SegmentedModel):  # whose features it cannot name
        model = SegmentedModel(segments=(Segment(name="{{ all }}", model=two_classes()),))
    text = SQLExporter(form="dbt", name="scores", **options).export(model).text
    plain = SQLExporter(**options).export(model).text
    found: dict[str, Any] = {}
    assert text.startswith("{{ config(materialized='view') }}\n-- ")
    table = {"spark": "`applicants`", "bigquery": "`applicants`"}.get(dialect, '"applicants"')
    assert rendered(text, found).replace('"applicants"', table) == "\n" + plain.rstrip().removesuffix(";")
    assert found["config"] == {"materialized": "view"}
    assert set(found["ref"]) == {("applicants",)}


def test_it_runs_as_the_model_says() -> None:
    model = whole_card()
    table = ("it's a {{ b }}\n\\", "applicants")
    exporter = SQLExporter(form="dbt", name="scores", table=table, relation="source", utf8_names=True)
    export, rows = exporter.export(model), edge_rows(model)
    assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}
    found: dict[str, Any] = {}
    rendered(export.text, found)
    assert found["source"] == [("it's a {{ b }}\n\\", "applicants")]


def test_its_test_runs_too() -> None:
    import duckdb

    model = whole_card()
    export = SQLExporter(form="dbt", name="scores", materialized="table", test_rows=40).export(model)
    names = ["scores.sql", "scores.yml", "scores_check.sql", "scores_columns.sql", "scores_test.sql"]
    assert list(export.files) == names
    assert "config(materialized='table')" in export.text
    test = export.files["scores_test.sql"]
    assert isinstance(test, str)
    found: dict[str, Any] = {}
    with duckdb.connect() as connection:
        assert connection.execute(rendered(test, found)).fetchall() == []
    assert found == {}
    assert not test.rstrip().endswith(";")


@pytest.mark.parametrize(
    "model", [whole_card(), trees_with_reasons(), rules_with_reasons()], ids=["card", "trees", "rules"]
)
def test_the_schema_names_and_describes_every_column(model: Model) -> None:
    exporter = SQLExporter(form="dbt", name="scores", ids=["{{ id }}"])
    export = exporter.export(model)
    text = export.files["scores.yml"]
    assert isinstance(text, str)
    assert re.match(r'version: 2\n\nmodels:\n  - name: scores\n    description: "(Scorecard|Tree|Rule).* for ', text)
    names = [rendered(name) for name in scalars(text, "name")]
    assert names == ["{{ id }}", *export.results]
    whole, *abouts = scalars(text, "description")
    assert "favourable class 'good'" in whole
    assert len(abouts) == len(names) == text.count("\n        quote: true\n")
    assert all(abouts)


WORDS = st.lists(st.sampled_from(["{", "}", "%", "#", "-", " ", "'", '"', "\\", "\n", "\r", "x", "é", "😀", "\x85"]))


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(words=WORDS.map("".join))
def test_no_words_are_jinja(words: str) -> None:
    assert rendered(dbt.plain(words)) == words
    assert rendered(ast.literal_eval(dbt.yaml(words))) == words
    assert dbt.yaml(words).isprintable()
    sql = f"SELECT '{words}' FROM "
    options = SQLExporter(form="dbt", name="m", table=words or "t")
    asked: dict[str, Any] = {}
    assert rendered(dbt.model_text(sql + dbt.relation(options), options), asked) == f'\n{sql}"applicants"'
    assert asked["ref"] == [(words or "t",)]


def test_a_feature_of_any_name_is_described() -> None:
    name = "\x85\u2028: - {{ a }} # \\ \" '\n"
    model = card(ladder(name, 1.0), features=(Feature(name=name, kind="numeric", label=name),))
    text = SQLExporter(form="dbt", name="m", utf8_names=True).export(model).files["m.yml"]
    assert isinstance(text, str)
    assert text.isascii()
    assert rendered(scalars(text, "name")[-1]) == f"points_{name}"
    assert rendered(scalars(text, "description")[-1]) == f"points of {name}"


@pytest.mark.parametrize("is_incremental", [False, True])
def test_an_incremental_model_reads_what_is_new(is_incremental: bool) -> None:
    """Names with Jinja's own signs are those of the key and the target, whatever dbt renders."""
    import duckdb

    key = "{{ id }}"
    exporter = SQLExporter(
        form="dbt", name="scores", materialized="incremental", key=key, new_only=True, id_types={key: "bigint"}
    )
    files = exporter.export(two_classes()).files
    text = str(files["scores.sql"])
    assert "on_schema_change='fail', unique_key='\\x7b\\x7b id \\x7d\\x7d'" in text
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE applicants ("{{ id }}" BIGINT, age DOUBLE, job VARCHAR)')
        connection.execute("INSERT INTO applicants VALUES (1, 30, 'cook'), (2, 30, 'cook')")
        connection.execute('CREATE TABLE own AS SELECT 1 AS "{{ id }}"')
        query = (
            jinja2.Environment(undefined=jinja2.StrictUndefined)
            .from_string(text)
            .render(
                config=lambda **_: "", ref=lambda _: "applicants", this="own", is_incremental=lambda: is_incremental
            )
        )
        rows = connection.execute(query).fetchall()
    assert [row[0] for row in rows] == ([2] if is_incremental else [1, 2])


def test_the_contract_holds_where_all_types_are_known() -> None:
    whole = {"form": "dbt", "name": "scores", "ids": ["id"]}
    for options, enforced in (({}, False), ({"id_types": {"id": "bigint"}}, True)):
        text = str(SQLExporter(**whole, **options).export(two_classes()).files["scores.yml"])
        assert ("enforced: true" in text) == enforced
        assert text.count("data_type:") == text.count("description:") - (1 if enforced else 2)
    ephemeral = SQLExporter(form="dbt", name="scores", materialized="ephemeral").export(two_classes())
    assert "enforced" not in str(ephemeral.files["scores.yml"])


def test_versions_stand_beside_each_other_as_they_were_written() -> None:
    whole: dict[str, Any] = {"form": "dbt", "name": "scores", "id_types": {"id": "bigint"}, "ids": ["id"]}
    plain = str(SQLExporter(**whole).export(two_classes()).files["scores.yml"])
    first = SQLExporter(**whole, version=1, test_rows=3).export(two_classes())
    files = ["scores_v1.sql", "scores.yml", "scores_v1_check.sql", "scores_v1_columns.sql", "scores_v1_test.sql"]
    assert list(first.files) == files
    told = str(first.files["scores.yml"])
    indented = "".join(f"    {line}" for line in plain.partition("  - name: scores\n")[2].splitlines(keepends=True))
    assert told.endswith(f"    latest_version: 1\n    versions:\n      - v: 1\n{indented}")
    second = str(SQLExporter(**whole, version=2, earlier=told).export(whole_card()).files["scores.yml"])
    assert indented in second
    shell = SQLExporter(**whole, version=2, earlier=told.rstrip("\n")).export(whole_card())
    assert str(shell.files["scores.yml"]) == second
    third = str(SQLExporter(**whole, version=3, latest=1, earlier=second).export(two_classes()).files["scores.yml"])
    assert third.partition("      - v: 3\n")[0].endswith(second.partition("    versions:\n")[2])
    assert list(versions_of(third)) == [1, 2, 3]
    assert "    latest_version: 1\n" in third


TOLD = str(SQLExporter(form="dbt", name="scores", version=1).export(two_classes()).files["scores.yml"])


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"version": 0}, "option version"),
        ({"version": 10**9}, "option version"),
        ({"latest": 1, "form": "view"}, "only dbt has versions beside each other"),
        ({"latest": 1}, "only a version has others beside it"),
        ({"earlier": TOLD}, "only a version has others beside it"),
        ({"version": 1, "earlier": TOLD}, "a version that is there already; got 1.*version=2"),
        ({"version": 2, "latest": 3, "earlier": TOLD}, "no version of that number; got 3; allowed: 1, 2"),
        ({"version": 2, "name": "others", "earlier": TOLD}, "versions of another model; got 'scores'"),
        ({"version": 2, "earlier": TOLD + "  - name: more\n"}, "not what this exporter writes"),
        (
            {"version": 2, "earlier": "dbt1/scores.yml"},
            r"no path; .* --option earlier=\"\$\(cat scores\.yml\)",
        ),
        ({"version": 2, "earlier": TOLD.replace("      - v: 1", "      - x: 1")}, "not what this exporter writes"),
    ],
)
def test_versions_that_cannot_be_are_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=what):
        SQLExporter(**{"form": "dbt", "name": "scores", **options})
