"""`scrutable score`, `explain` and `export`: a model file at work."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sqlglot

from scrutable.data.datasets import load_german_credit
from scrutable.data.frames import read_file
from scrutable.measures import scoring
from scrutable.model import dumps, load
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry
from scrutable.testing.cards import card

Run = Callable[..., Any]


# --- score --------------------------------------------------------------------------------------------------


def test_a_pipe_gets_every_row_as_csv_with_every_digit(run: Run, model: Path, loans: Path) -> None:
    result = run("score", model, loans, "--id", "loan", "--points", "--reasons")
    assert (result.exit_code, result.stderr) == (0, "")
    said = pd.read_csv(io.StringIO(result.stdout), keep_default_na=False)
    expected = evaluate(load(model), read_file(loans)).frame()
    assert list(said.columns) == ["loan", *expected]
    for name in expected:
        missing = pd.isna(expected[name])
        assert (said[name] == "").tolist() == missing.tolist()
        given = said[name][~missing].astype(expected[name].dtype)
        assert given.tolist() == expected[name][~missing].tolist()


def test_a_column_of_no_category_that_the_model_names_is_told(
    run: Run, model: Path, loans: Path, tmp_path: Path
) -> None:
    its = load(model)
    name = next(each.name for each in its.features if each.kind == "categorical")
    frame = pd.read_csv(loans, dtype=str, keep_default_na=False)
    frame.loc[1:, name] = [f"{place}.0" for place in range(1, len(frame))]
    frame.to_csv(tmp_path / "one.csv", index=False)
    assert run("score", model, tmp_path / "one.csv").stderr == ""
    frame[name] = [f"{place}.0" for place in range(len(frame))]
    frame.to_csv(tmp_path / "none.csv", index=False)
    told = " ".join(run("score", model, tmp_path / "none.csv").stderr.split())
    assert f"column '{name}': none of its values, such as a text like '9.9', is one that the model names" in told


def test_points_and_reasons_come_on_request(run: Run, model: Path, loans: Path) -> None:
    plain = run("score", model, loans).stdout.splitlines()[0]
    assert plain == "score,probability,approved,knock_out"
    further = [*(f"reason_{place}" for place in range(1, 5)), *(f"short_{place}" for place in range(1, 5))]
    assert run("score", model, loans, "--reasons").stdout.splitlines()[0] == ",".join([plain, *further])


def test_ids_that_look_like_formulas_are_quoted_in_csv_only(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    lines = run("score", model, loans, "--id", "loan").stdout.splitlines()
    assert [line.partition(",")[0] for line in lines[1:3]] == ["L0000", "'=L0001"]
    assert run("score", model, loans, "--id", "loan", "-o", tmp_path / "s.parquet").exit_code == 0
    assert pd.read_parquet(tmp_path / "s.parquet")["loan"].tolist()[:2] == ["L0000", "=L0001"]


def test_json_is_one_object_a_row(run: Run, model: Path, loans: Path) -> None:
    rows = [json.loads(line) for line in run("score", model, loans, "--id", "loan", "--json").stdout.splitlines()]
    assert len(rows) == 1000
    assert list(rows[0]) == ["loan", "score", "probability", "approved", "knock_out"]
    assert rows[1]["loan"] == "=L0001"
    assert rows[0]["knock_out"] is None
    score = evaluate(load(model), read_file(loans)).score
    assert [row["score"] for row in rows] == score.tolist()


def test_with_an_output_json_sums_up(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    output = tmp_path / "scores.csv"
    said = json.loads(run("score", model, loans, "-o", output, "--json").stdout)
    approved = evaluate(load(model), read_file(loans)).approved
    assert said == {"rows": 1000, "approved": int(approved.sum()), "written": str(output)}
    assert pd.read_csv(output)["approved"].tolist() == approved.astype(int).tolist()


def test_a_terminal_gets_the_first_rows(run: Run, model: Path, loans: Path) -> None:
    result = run("score", model, loans, "--id", "loan", FORCE_COLOR="1", COLUMNS="100")
    assert "980 more rows" in result.stdout
    assert "=L0001" in result.stdout
    assert "L0020" not in result.stdout


def test_columns_of_digits_stay_text_where_the_model_reads_text(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "codes.csv"
    codes = ["007", "12a", "x"] * 20
    pd.DataFrame({"code": codes, "paid": [i % 2 for i in range(60)]}).to_csv(data, index=False)
    options = ["--target", "paid", "--favourable", 1, "--binner", "quantile"]
    assert run("fit", data, *options, "-o", tmp_path / "m.json").exit_code == 0
    (tmp_path / "new.csv").write_text("code,id\n007,0042\n")
    line = run("score", tmp_path / "m.json", tmp_path / "new.csv", "--id", "id").stdout.splitlines()[1]
    assert line.startswith("0042,")
    assert float(line.split(",")[1]) == evaluate(load(tmp_path / "m.json"), {"code": ["007"]}).score[0]


def test_the_result_does_not_depend_on_the_blocks(
    run: Run, model: Path, loans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("score", model, loans, "--points", "--reasons").stdout
    monkeypatch.setattr(scoring, "_BLOCK", 7)
    assert run("score", model, loans, "--points", "--reasons").stdout == whole


def test_no_result_takes_the_place_of_the_model_or_the_data(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    named = tmp_path / "model.csv"
    named.write_bytes(model.read_bytes())
    data = tmp_path / "loans.csv"
    data.write_bytes(loans.read_bytes())
    for output in (named, data):
        result = run("score", named, data, "-o", output, "--overwrite")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the file has two uses" in result.stderr
    assert (named.read_bytes(), data.read_bytes()) == (model.read_bytes(), loans.read_bytes())


def test_what_score_refuses(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(loans)
    frame.assign(duration_months="long").to_csv(tmp_path / "text.csv", index=False)
    frame.drop(columns="purpose").to_csv(tmp_path / "less.csv", index=False)
    (tmp_path / "cut.json").write_text(model.read_text()[:3000])
    (tmp_path / "new.json").write_text(model.read_text().replace('"schema_version": 2', '"schema_version": 99'))
    scores = tmp_path / "scores.csv"
    scores.write_text("precious")
    cases: list[tuple[list[object], list[str]]] = [
        ([model, tmp_path / "text.csv"], ["column 'duration_months'", "got:     'long'", "numbers or missing"]),
        ([model, tmp_path / "less.csv"], ["column 'purpose'", "missing column"]),
        ([model, tmp_path / "none.csv"], ["does not exist", "none.csv"]),
        ([tmp_path / "none.json", loans], ["cannot be read", "No such file"]),
        ([tmp_path / "cut.json", loans], ["not whole, valid JSON", "cut.json, line", "may have been cut off"]),
        ([tmp_path / "new.json", loans], ["schema version", "got:     99", "upgrade scrutable"]),
        ([model, loans, "--id", "lona"], ["--id", "did you mean 'loan'?"]),
        ([model, loans, "-o", scores], ["exists already", "--overwrite"]),
        (
            [model, loans, "-o", tmp_path / "scores.xlsx"],
            ["unknown kind of file", "got:     '.xlsx'", ".csv, .parquet"],
        ),
        ([model, loans, "-o", tmp_path / "no" / "scores.csv"], ["its folder does not exist"]),
    ]
    for arguments, expected in cases:
        result = run("score", *arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert [each for each in expected if each not in result.stderr] == [], result.stderr
    assert scores.read_text() == "precious"
    assert run("score", model, loans, "-o", scores, "--overwrite").exit_code == 0
    assert len(pd.read_csv(scores)) == 1000


def test_an_id_named_like_a_result_and_reasons_that_are_not_there_are_refused(run: Run, tmp_path: Path) -> None:
    data, model = tmp_path / "d.csv", tmp_path / "m.json"
    pd.DataFrame({"x": range(60), "paid": [i % 2 for i in range(60)], "score": range(60)}).to_csv(data, index=False)
    options = ["--target", "paid", "--favourable", 1, "--drop", "score", "--binner", "quantile"]
    options += ["--option", "explainer=null"]
    assert run("fit", data, *options, "-o", model).exit_code == 0
    assert "named like a result" in run("score", model, data, "--id", "score").stderr
    assert "holds no reason policy" in run("score", model, data, "--reasons").stderr
    advice = " ".join(run("score", model, data, "--reasons").stderr.split())
    assert "`scrutable explain --reference FILE` compares with" in advice
    assert "holds no reason policy" in run("explain", model, data).stderr
    assert run("explain", model, data, "--reference", data).exit_code == 0


# --- explain ------------------------------------------------------------------------------------------------


def test_declined_applicants_get_their_reasons_in_words(run: Run, model: Path, loans: Path) -> None:
    its, frame = load(model), read_file(loans)
    found = evaluate(its, frame)
    declined = np.flatnonzero(~found.approved)
    result = run("explain", model, loans, "--only-declined", "--limit", 2, "--id", "loan")
    assert result.exit_code == 0
    first = declined[0]
    assert f"Row {first + 1}, loan {frame['loan'][first]} declined: score {found.score[first]:.1f}" in result.stdout
    assert f" 1. {found.reasons[first, 0]} " in result.stdout
    assert "points below the baseline" in result.stdout
    assert f"1,000 applicants, {len(declined)} declined; {len(declined) - 2} more are not shown" in result.stdout
    assert "approved" not in result.stdout


def test_explanations_as_json_have_the_evaluator_s_reasons(run: Run, model: Path, loans: Path) -> None:
    said = json.loads(run("explain", model, loans, "--row", 2, "--row", 5, "--json").stdout)
    found = evaluate(load(model), read_file(loans).iloc[[1, 4]])
    assert [each["row"] for each in said] == [2, 5]
    assert [each["score"] for each in said] == found.score.tolist()
    for each, codes in zip(said, found.reasons, strict=True):
        assert [reason["code"] for reason in each["reasons"]] == [code for code in codes if code is not None]


def test_what_explain_refuses(run: Run, model: Path, loans: Path) -> None:
    for arguments, expected in (
        (["--row", "1001"], ["no such row", "got:     1001", "1 to 1000"]),
        (["--row", "0"], ["no such row"]),
        (["--explainer", "reason-code"], ["unknown explainer", "did you mean 'reason-codes'?"]),
        (["--option", "k=many"], ["explainer 'reason-codes', option 'k'", "a whole number"]),
    ):
        result = run("explain", model, loans, *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert [each for each in expected if each not in result.stderr] == []
    assert run("explain", model, loans, "--limit", "-1").exit_code == 2
    assert "1,000 more are not shown" in run("explain", model, loans, "--limit", "0").stdout


# --- export -------------------------------------------------------------------------------------------------


def test_sql_on_standard_output_parses_and_reads_the_table_that_was_named(run: Run, model: Path) -> None:
    options = ["--dialect", "postgres", "--table", "risk.apps", "--id", "loan", "--column", "savings=how much"]
    form = ["--form", "view", "--name", "risk.scores", "--reasons", "2"]
    result = run("export", model, "--to", "sql", *options, *form, "-o", "-")
    assert result.exit_code == 0
    assert result.stderr.startswith("Note: not printed: score_check.sql, score_columns.sql; ")
    [statement] = sqlglot.parse(result.stdout, read="postgres")
    assert statement.this.sql("postgres") == '"risk"."scores"'
    tables = {table.sql("postgres").partition(" ")[0] for table in statement.find_all(sqlglot.exp.Table)}
    assert '"risk"."apps"' in tables
    assert '"how much"' in result.stdout
    assert "reason_2" in result.stdout
    assert "reason_3" not in result.stdout


def test_sql_goes_to_a_file_or_a_folder(run: Run, model: Path, tmp_path: Path) -> None:
    printed = run("export", model, "--to", "sql", "-o", "-").stdout
    said = json.loads(run("export", model, "--to", "sql", "-o", tmp_path / "a.sql", "--json").stdout)
    assert said["written"] == [str(tmp_path / name) for name in ("a.sql", "a_check.sql", "a_columns.sql")]
    result = run("export", model, "--to", "sql", "-o", f"{tmp_path}/new/")
    assert result.exit_code == 0
    assert result.stderr.startswith("Note: the results are those of Python, but for what the engine cannot hold: ")
    assert result.stdout.startswith("wrote ")
    assert (tmp_path / "a.sql").read_text() == (tmp_path / "new" / "score.sql").read_text() == printed
    files = json.loads(run("export", model, "--to", "sql", "-o", "-", "--json").stdout)["files"]
    assert files["score.sql"] == printed
    for name in ("check", "columns"):
        assert files[f"score_{name}.sql"] == (tmp_path / f"a_{name}.sql").read_text()


def test_new_rows_are_added_by_a_key(run: Run, model: Path, tmp_path: Path) -> None:
    arguments = [
        "--to",
        "sql",
        "--key",
        "id",
        "--target-table",
        "risk.scores",
        "--new-only",
        "-o",
        tmp_path / "new.sql",
    ]
    assert run("export", model, *arguments).exit_code == 0
    text = (tmp_path / "new.sql").read_text()
    assert 'INSERT INTO "risk"."scores" ("id", "score"' in text
    assert 'NOT EXISTS (SELECT 1 FROM "risk"."scores" AS b WHERE b."id" = a."id")' in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.sql", "new_check.sql", "new_columns.sql"]


def test_the_evidence_must_be_the_model_s(run: Run, model: Path, tmp_path: Path) -> None:
    evidence = model.with_name("evidence.json")
    assert run("export", model, "--to", "sql", "-o", "-", "--evidence", evidence).exit_code == 0
    other = tmp_path / "other.json"
    other.write_text(evidence.read_text().replace('"model_sha256": "', '"model_sha256": "0'))
    result = run("export", model, "--to", "sql", "-o", "-", "--evidence", other)
    assert result.exit_code == 2
    assert "about another model" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--to", "sqll"], ["unknown exporter", "did you mean 'sql'?"]),
        (["--to", "sql", "--dialect", "duckbd"], ["unknown dialect", "did you mean 'duckdb'?"]),
        (["--to", "sql", "--option", "dialekt=1"], ["exporter 'sql'", "did you mean 'dialect'?"]),
        (["--to", "sql", "--option", "points=maybe"], ["option 'points'", "true or false"]),
        (["--to", "sql", "--dialect", "duckdb", "--option", "dialect=sqlite"], ["given twice"]),
        (["--to", "sql", "--column", "savings"], ["not a pair of names", "feature=column"]),
        (["--to", "sql", "--table", "a.b.c"], ["not a name of a table", "schema.name"]),
        (["--to", "sql", "--column", "savinsg=x"], ["savinsg"]),
        (["--to", "sql", "--target-table", "scores", "--form", "view"], ["--target-table", "--form view"]),
        (["--to", "sql", "--target-table", "scores", "--new-only"], ["new rows are told by a key"]),
        (
            ["--to", "sql", "--column", "savings=x", "--column", "savings=y"],
            ["the feature is given twice", "'savings'"],
        ),
    ],
)
def test_what_export_refuses(run: Run, model: Path, tmp_path: Path, arguments: list[str], expected: list[str]) -> None:
    result = run("export", model, *arguments, "-o", tmp_path / "x.sql")
    assert (result.exit_code, result.stdout) == (2, "")
    assert [each for each in expected if each not in result.stderr] == []
    assert not (tmp_path / "x.sql").exists()


def test_an_existing_export_keeps_its_bytes(run: Run, model: Path, tmp_path: Path) -> None:
    existing = tmp_path / "score.sql"
    existing.write_text("precious")
    for output in (existing, tmp_path):
        result = run("export", model, "--to", "sql", "-o", output)
        assert result.exit_code == 2
        assert "exists already" in result.stderr
        assert existing.read_text() == "precious"
    assert run("export", model, "--to", "sql", "-o", existing, "--overwrite").exit_code == 0
    assert existing.read_text() != "precious"


def test_outputs_that_cannot_be(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "model.json").write_bytes(model.read_bytes())
    for output, expected in {
        f"{tmp_path}/no/such/": "cannot be made",
        f"{tmp_path}/no/such.sql": "its folder does not exist",
        f"{tmp_path}/file/": "is not a folder",
        f"{tmp_path}/{'n' * 300}": "File name too long",
        f"{tmp_path}/{'n' * 300}/": "File name too long",
        f"{tmp_path}/model.json": "the file has two uses",
        "": "the path is empty",
        "/dev/full": "is not a regular file",
    }.items():
        result = run("export", tmp_path / "model.json", "--to", "sql", "-o", output, "--overwrite")
        assert (result.exit_code, result.stdout) == (2, ""), output
        assert expected in result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"file", "model.json"}
    assert run("export", model, "--to", "sql", "-o", tmp_path / ("n" * 240)).exit_code == 0


def test_an_export_of_bytes(run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scrutable.plugins.bases import Export

    content = b"\x00\xff\r\n"
    exporter = registry().load("exporter", "sql")
    monkeypatch.setattr(exporter, "export", lambda _, its, evidence: Export(model=its, files={"a.bin": content}))
    assert run("export", model, "--to", "sql", "-o", "-").stdout_bytes == content
    assert run("export", model, "--to", "sql", "-o", tmp_path / "b.bin").exit_code == 0
    assert (tmp_path / "b.bin").read_bytes() == content
    result = run("export", model, "--to", "sql", "-o", "-", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "JSON holds no bytes" in result.stderr


def test_files_in_each_others_place_are_told_apart(run: Run, model: Path, loans: Path) -> None:
    for command in (["score", loans, model], ["explain", loans, model], ["show", loans], ["plot", loans, "--json"]):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "a file of data where a model is expected" in result.stderr
        assert "name the model first" in result.stderr
    result = run("score", model.with_name("evidence.json"), loans)
    assert (result.exit_code, "this is evidence: give the model that it is about" in result.stderr) == (2, True)


def test_applicants_without_a_header_are_remarked_upon(run: Run, model: Path, tmp_path: Path) -> None:
    frame = load_german_credit().frame[["sex", "housing", "telephone", "age"]]
    frame.to_csv(tmp_path / "bare.csv", header=False, index=False)
    result = run("score", model, tmp_path / "bare.csv")
    assert result.exit_code == 2
    assert "Note: the file seems to have no header" in result.stderr
    assert "missing column" in result.stderr


def test_a_characteristic_without_points_is_told_when_a_model_is_exported(run: Run, tmp_path: Path) -> None:
    whole, path = replace(card(), reasons=None), tmp_path / "model.json"
    amount, job = whole.characteristics
    same = replace(job, attributes=tuple(replace(each, points=4) for each in job.attributes))
    path.write_text(dumps(replace(whole, characteristics=(amount, same))))
    result = run("export", path, "--to", "sql", "-o", tmp_path / "score.sql")
    assert result.exit_code == 0, result.output
    assert "job is read and moves no score" in " ".join(result.stderr.split())
    assert "amount is read" not in result.stderr


def test_versions_of_a_dbt_model_stand_beside_each_other_by_the_shell(run: Run, model: Path, tmp_path: Path) -> None:
    dbt = ("export", model, "--to", "sql", "--form", "dbt", "--name", "scores")
    assert run(*dbt, "--option", "version=1", "-o", f"{tmp_path}/dbt1/").exit_code == 0
    first = (tmp_path / "dbt1" / "scores.yml").read_text()
    beside = ("--option", "version=2", "--option", f"earlier={first.rstrip()}", "-o", f"{tmp_path}/dbt2/")
    assert run(*dbt, *beside).exit_code == 0
    second = (tmp_path / "dbt2" / "scores.yml").read_text()
    assert first.partition("    versions:\n")[2] in second
    path = run(*dbt, "--option", "version=2", "--option", "earlier=dbt1/scores.yml", "-o", f"{tmp_path}/dbt3/")
    assert path.exit_code == 2
    assert 'no path; in a shell --option earlier="$(cat scores.yml)"' in " ".join(path.stderr.split())


def test_a_column_to_carry_through_is_asked_for_by_its_option(run: Run, model: Path) -> None:
    options = ("--new-only", "--key", "id", "--target-table", "scores", "--option", "rising=day")
    result = run("export", model, "--to", "sql", *options, "-o", "-")
    assert result.exit_code == 2
    assert "fix: name it with --id" in " ".join(result.stderr.split())
