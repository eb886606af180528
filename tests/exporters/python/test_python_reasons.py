"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

import csv
import io
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.testing.cards import card
from scrutable.testing.reasoned import small_rules, small_trees
from scrutable_python.exporter import PythonExporter

EXPORTER = PythonExporter()


def test_a_knock_out_stands_alone_where_a_scorecard_passes() -> None:
    rows = {"amount": [-6.0, -6.0, 6.0], "job": ["cook", "x", "x"]}
    found = EXPORTER.run(EXPORTER.export(replace(card(), cutoff=500)), rows)
    assert found["score"].tolist() == [500, 499, 499]
    assert found["reason_1"].tolist() == ["Kc", "Kc", "1c"]
    assert found["reason_2"].tolist() == [None, "1c", "2c"]
    np.testing.assert_array_equal(found["short_1"], [math.nan, math.nan, 15])
    np.testing.assert_array_equal(found["short_2"], [math.nan, 15, 4])


def test_what_cannot_be_said_is_none_in_the_file_and_empty_in_its_csv(tmp_path: Path) -> None:
    (path,) = EXPORTER.export(small_trees()).write(tmp_path)
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(path.read_text(), str(path), "exec"), names)  # the file is ours
    found = names["score"]({"age": 10, "income": -1})
    assert [found[name] for name in ("reason_1", "short_1", "reason_2", "short_2")] == ["K1", None, "R1", 2.75]
    done = subprocess.run(
        [sys.executable, "-I", str(path)], input="age,income\n10,-1\n25,9\n", capture_output=True, check=True, text=True
    )
    lines = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [line["short_1"] for line in lines] == ["", ""]
    assert [line["short_2"] for line in lines] == ["2.75", ""]


def test_the_file_says_what_a_leaf_adds_and_which_votes_count() -> None:
    text = EXPORTER.export(small_trees()).text
    assert "    added_2, added_3 = ((0.0, 0.0), (-0.25, -0.5), (0.0, 0.0), (-0.5, -0.5))[place]\n" in text
    assert "    short_R1 = 1.0 + (1.0 if holds_age else -1.0) + added + added_2 + " in text
    text = EXPORTER.export(small_rules()).text
    assert "    if applies_1:\n        short_R2 += 0.75\n" in text
    assert "        votes_0 = short_R2\n" in text
    assert "            rules += '1 '\n" in text
