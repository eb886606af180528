"""The fuzz job finds what differs, and says how to find it again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrutable.model import load
from scrutable.model.evaluator import OutputFrame
from scrutable.plugins.registry import registry
from scrutable.testing import fuzz


def test_honest_engines_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--models", "12", "--rows", "20", "--engine", "sqlite", "--keep", str(tmp_path / "kept")]
    assert fuzz.main(arguments) == 0
    assert capsys.readouterr().out.startswith("sqlite: ")
    assert not (tmp_path / "kept").exists()


def test_a_bit_that_differs_is_told_with_what_gives_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = registry().load("exporter", "sql")
    honest = exporter.run

    def off_by_one_bit(self: Any, export: Any, X: Any) -> OutputFrame:
        columns = {name: values.copy() for name, values in honest(self, export, X).items()}
        if "score" in columns:
            columns["score"][0] = np.nextafter(columns["score"][0], np.inf)
        return OutputFrame(columns)

    monkeypatch.setattr(exporter, "run", off_by_one_bit)
    arguments = ["--models", "12", "--rows", "20", "--engine", "sqlite", "--seed", "5", "--keep", str(tmp_path)]
    assert fuzz.main(arguments) == 1
    first = capsys.readouterr().out.splitlines()[0]
    number = first.split()[1]
    assert f"again with --seed 5 --models 12 --only {number} --engine sqlite" in first
    assert fuzz.main([*arguments, "--only", number]) == 1
    assert capsys.readouterr().out.splitlines()[0] == first
    assert load(tmp_path / f"seed-5-model-{number}.json") == fuzz.drawn_models(12, 5)[int(number)]


def test_nothing_that_ran_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--models", "2", "--engine", "duckbd"]) == 2
    assert fuzz.main(["--models", "2", "--only", "99", "--engine", "sqlite"]) == 2
    assert "duckbd is not here" in capsys.readouterr().err


def test_an_engine_that_fails_is_told_with_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Any, export: Any, X: Any) -> OutputFrame:
        raise RuntimeError("out of order")

    monkeypatch.setattr(registry().load("exporter", "sql"), "run", fails)
    assert fuzz.main(["--models", "3", "--engine", "sqlite", "--seed", "4", "--keep", str(tmp_path)]) == 1
    assert re.search(r"out of order.*again with --seed 4 --models 3 --only \d --engine sqlite", capsys.readouterr().out)
