"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scrutable.model.evaluator import differences, read_inputs
from scrutable.testing.reasoned import BY_HAND, MODELS, ROWS, small_rules, small_trees, telling_rows
from scrutable_r import engine
from scrutable_r.exporter import RExporter

from .conftest import RunR

#: Everybody is knocked out; the reasons and the second shortfall by hand. The first shortfall is a knock-out's, none.
KNOCKED = {"age": [40.0, 10.0, 10.0], "income": [-1.0, -1.0, -1.0], "job": ["x", "cook", "x"]}
ALONE = {
    "trees": ([3, -3, -3], [None, "R1", "R1"], [math.nan, 2.75, 2.75]),
    "rules": ([-1, 0.25, -0.75], ["R1", None, "R1"], [1, math.nan, 0.75]),
}


def job(model: Any, rows: Any) -> engine.Job:
    columns, n_rows = read_inputs(model, rows)
    values = {name: column.values for name, column in columns.items()}
    return engine.Job(text=RExporter().export(model).text, columns=values, n_rows=n_rows)


def test_reasons_that_were_worked_out_by_hand(rscript: str) -> None:
    jobs = [job(small_trees(), ROWS), job(small_rules(), ROWS)]
    for found, expected in zip(engine.run(jobs, "C"), BY_HAND.values(), strict=True):
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], np.array(values, dtype=found[name].dtype), err_msg=name)


def test_a_knock_out_stands_alone_where_the_score_passes(rscript: str) -> None:
    jobs = [job(small_trees(), KNOCKED), job(small_rules(), KNOCKED)]
    for found, kind in zip(engine.run(jobs, "C"), ("trees", "rules"), strict=True):
        score, codes, shorts = ALONE[kind]
        assert found["score"].tolist() == score
        assert found["reason_1"].tolist() == ["K1"] * 3
        assert found["reason_2"].tolist() == codes
        np.testing.assert_array_equal(found["short_1"], [math.nan] * 3)
        np.testing.assert_array_equal(found["short_2"], shorts)


def test_every_row_has_the_evaluators_reasons(rscript: str, locale: str) -> None:
    told = {name: telling_rows(MODELS[name]) for name in ("trees", "rules")}
    jobs = [job(MODELS[name], rows) for name, (rows, _) in told.items()]
    for theirs, (_, ours) in zip(engine.run(jobs, locale), told.values(), strict=True):
        assert list(theirs) == list(ours)
        assert differences(ours, theirs) == {}


@pytest.mark.parametrize("model", [small_trees(), small_rules()], ids=["trees", "rules"])
def test_without_reasons_their_columns_are_left_out(run_r: RunR, model: Any) -> None:
    code = """
    data <- data.frame(age = c(10, 40), income = c(1, -1), job = c("x", "cook"))
    found <- score(data); rest <- score(data, reasons = FALSE); asked <- grepl("^(reason|short)_", names(found))
    cat(names(found)[asked], identical(rest, found[!asked]), dim(score(data[0, ])) == c(0, ncol(found)))
    """
    assert run_r(RExporter().export(model).text, code) == "reason_1 reason_2 short_1 short_2 TRUE TRUE TRUE"


def test_the_file_says_what_a_leaf_adds_and_which_votes_count() -> None:
    text = RExporter().export(small_trees()).text
    assert "    list(  # (Age <= 30 or missing) and not (Income <= 5 or missing)\n" in text
    assert "      asks(quote(x_age <= 30 | is.na(x_age)), feature = 1, 0, 0.25, 0, 0.5),\n" in text
    assert '    feature(1, "R1"),  # 1: Age\n' in text
    text = RExporter().export(small_rules()).text
    assert "class = 1, weight = 0.75, against = c(1, 2)),\n" in text
    assert 'rule(quote(x_job == "cook"), class = 2, weight = 1)\n' in text


@pytest.mark.parametrize("name", ["trees", "rules"])
def test_the_package_documents_and_tests_reasons(name: str) -> None:
    files = RExporter(form="package").export(MODELS[name]).files
    assert "\\item{reasons}" in str(files["man/score.Rd"])
    assert '"short_1"' in str(files["tests/score.R"])
