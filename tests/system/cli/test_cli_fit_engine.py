"""`scrutable fit --engine`: rows in files that DuckDB reads, a config that repeats the run, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrutable.data.datasets import make_credit


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    data = make_credit(600, seed=4)
    rows = data.X.assign(paid=np.where(np.asarray(data.y) == data.favourable, "yes", "no"))
    for number in range(3):
        rows.iloc[number::3].to_parquet(tmp_path / f"loans{number}.parquet", index=False)
    rows.to_csv(tmp_path / "loans.csv", index=False)
    return tmp_path


def _fit(run: Any, place: Path | str, model: Path, *further: str) -> Any:
    asked = ("--target", "paid", "--favourable", "yes", "--learner", "scorecard", "--test-size", "0")
    return run("fit", str(place), *asked, "-o", str(model), *further)


def test_files_that_duckdb_reads_give_the_model_of_one_file(run: Any, loans: Path) -> None:
    here, there, again = (loans / name for name in ("here.json", "there.json", "again.json"))
    assert _fit(run, loans / "loans.csv", here).exit_code == 0
    config = loans / "run.toml"
    asked = ("--engine", "duckdb:threads=2", "--save-config", str(config))
    shown = _fit(run, loans / "*.parquet", there, *asked)
    assert shown.exit_code == 0, shown.output
    assert "600 rows to learn from, 0 held out" in shown.output
    written = there.read_bytes()
    config.write_text(config.read_text().replace("there.json", "again.json"))
    assert run("fit", str(config)).exit_code == 0
    assert again.read_bytes() == written
    texts = [file.read_text().splitlines() for file in (here, there)]
    differ = [one for one, other in zip(*texts, strict=True) if one != other]
    assert all("fingerprint" in line for line in differ)  # texts of a CSV file are of the kind of its engine


def test_rows_are_not_held_out_there(run: Any, loans: Path) -> None:
    refused = _fit(run, loans / "*.parquet", loans / "m.json", "--engine", "duckdb", "--test-size", "0.2")
    assert refused.exit_code != 0
    assert "hold rows out in the query" in " ".join(refused.output.split())
    assert not (loans / "m.json").exists()
