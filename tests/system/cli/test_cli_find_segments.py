"""`scrutable segments`: what it writes is a config that `scrutable fit` takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Run = Callable[..., Any]


def test_the_config_is_fitted_as_it_is(run: Run, tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    new, (a, b) = chance.random(2500) < 0.4, chance.normal(size=(2, 2500))
    odds = -1.2 + np.where(new, -1.5 * a + 0.2 * b, 0.6 * a + 1.2 * b)
    paid = np.where(chance.random(2500) < 1 / (1 + np.exp(-odds)), "no", "yes")
    frame = pd.DataFrame({"a": a, "b": b, "kind": np.where(new, "new", "known"), "paid": paid})
    frame.to_csv(tmp_path / "loans.csv", index=False)
    asked = ["--target", "paid", "--favourable", "yes", "--splits", "2", "--leaves", "2", "--option", "binner=quantile"]
    config = tmp_path / "segments.toml"
    result = run("segments", tmp_path / "loans.csv", *asked, "-o", config, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["written"] == [str(config)]
    assert len(told["segments"]) == 2
    content = config.read_text().replace('"model.json"', f'"{tmp_path}/model.json"')
    config.write_text(content.replace('"evidence.json"', f'"{tmp_path}/evidence.json"'))
    fitted = run("fit", config)
    assert fitted.exit_code == 0, fitted.output
    assert "kind" in run("show", tmp_path / "model.json").stdout


def test_codes_of_a_dictionary_are_no_numbers_in_conditions_and_cards(run: Run, tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    new, (a, b) = chance.random(2500) < 0.4, chance.normal(size=(2, 2500))
    odds = -1.2 + np.where(new, -1.5 * a + 0.2 * b, 0.6 * a + 1.2 * b)
    paid = np.where(chance.random(2500) < 1 / (1 + np.exp(-odds)), "no", "yes")
    months = np.where(new, -9, chance.integers(1, 120, 2500))
    pd.DataFrame({"a": a, "b": b, "months": months, "paid": paid}).to_csv(tmp_path / "loans.csv", index=False)
    known, config = tmp_path / "dictionary.toml", tmp_path / "segments.toml"
    known.write_text("[columns.months]\nspecial = [-9]\n")
    asked = ["--target", "paid", "--favourable", "yes", "--splits", "2", "--leaves", "2", "--option", "binner=quantile"]
    result = run("segments", tmp_path / "loans.csv", *asked, "--dictionary", known, "-o", config, "--json")
    assert result.exit_code == 0, result.output
    assert list(json.loads(result.stdout)["segments"].values()) == ["months is special [-9.0]", "else"]
    content = config.read_text().replace('"model.json"', f'"{tmp_path}/model.json"')
    config.write_text(content.replace('"evidence.json"', f'"{tmp_path}/evidence.json"'))
    fitted = run("fit", config)
    assert fitted.exit_code == 0, fitted.output


def test_a_config_that_is_not_written_is_said(run: Run, tmp_path: Path) -> None:
    chance = np.random.default_rng(2)
    frame = pd.DataFrame({"a": chance.normal(size=600), "paid": np.where(chance.random(600) < 0.5, "no", "yes")})
    frame.to_csv(tmp_path / "loans.csv", index=False)
    asked = ["--target", "paid", "--favourable", "yes", "--splits", "2", "--leaves", "2", "--option", "binner=quantile"]
    result = run("segments", tmp_path / "loans.csv", *asked, "-o", tmp_path / "s.toml")
    assert result.exit_code == 0, result.output
    assert "s.toml is not written, since no segments are recommended" in result.stderr
    assert not (tmp_path / "s.toml").exists()
