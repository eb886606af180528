"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable.testing.reasoned import MODELS, small_rules, small_trees
from scrutable_r.exporter import RExporter

from .conftest import RunR


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
