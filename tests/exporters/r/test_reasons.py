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
    assert "      added <- c(0, 0, 0, 1)[1L + 2L * holds_income + holds_age_2]\n" in text
    assert "      short_R1 <- 1 + pick(holds_age, 1, -1) + added + c(0, -0.25, 0, -0.5)[place] + " in text
    assert "          short_R1,  # what R1 stands for\n" in text
    text = RExporter().export(small_rules()).text
    assert "applies_1,  # if (Age <= 20 or missing) and (Income <= 3 or missing) then bad (weight 0.75)\n" in text
    assert "    short_R2 <- 0 + 0.75 * applies_1\n" in text
    assert "votes_0_2 <- pick(reached, short_R2, votes_0)\n" in text
    assert "pick(reached, short_R2, 0)  # what R2 stands for\n" in text


@pytest.mark.parametrize("name", ["trees", "rules"])
def test_the_package_documents_and_tests_reasons(name: str) -> None:
    files = RExporter(form="package").export(MODELS[name]).files
    assert "\\item{reasons}" in str(files["man/score.Rd"])
    assert '"short_1"' in str(files["tests/score.R"])
