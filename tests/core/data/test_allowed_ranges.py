"""Rows outside allowed ranges: counted alike in frames, files read whole and files read block by block."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scrutable.data import ReadingConfig
from scrutable.data.allowed_ranges import OutOfRangeWarning
from scrutable.data.reading import read_blocks, read_columns, read_rows

TOLD = ReadingConfig(ranges={"age": (18, 75), "job": (0, 1), "income": (0, 1e6)}, special={"age": (-9, "x")})


def people(n: int = 30_000) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    age = rng.integers(10, 90, n).astype(float)
    age[::7], age[::11] = np.nan, -9
    return pd.DataFrame({"age": age, "income": 5.0, "job": "cook"})


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("people") / "people.csv"
    people().to_csv(file, index=False)
    return file


def heard(call: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()  # type: ignore[operator]
    return [str(each.message) for each in caught if each.category is OutOfRangeWarning]


def test_every_way_of_reading_counts_the_same_rows(path: Path) -> None:
    frame = people()
    count = int(((frame["age"] < 18) | (frame["age"] > 75)).sum() - (frame["age"] == -9).sum())
    kinds = {"text": ["job"], "numbers": ["age", "income"]}
    said = f"values outside the allowed range: 'age' in {count:,} of 30,000 rows (18 to 75). Fix: correct the rows"
    for where, call in {
        "data": lambda: read_rows(frame, TOLD, **kinds),
        f"file {str(path)!r}": lambda: read_rows(path, TOLD, **kinds),
    }.items():
        [line] = heard(call)
        assert line.startswith(f"{where}: {said}")
    assert heard(lambda: read_columns(path, TOLD, **kinds)) == [line]

    def twice() -> None:
        blocks = read_blocks(path, TOLD, **kinds)
        assert sum(len(block["age"]) for block in blocks) == sum(len(block["age"]) for block in blocks) == 30_000

    assert heard(twice) == [line]


def test_nothing_is_said_of_other_columns_or_ordinary_rows(path: Path) -> None:
    assert heard(lambda: read_rows(path, TOLD, numbers=["income"])) == []
    assert heard(lambda: read_rows(path, ReadingConfig(), numbers=["age"])) == []
    assert heard(lambda: read_rows(pd.DataFrame({"income": [1.0]}), TOLD, numbers=["age"])) == []
    assert heard(lambda: list(read_blocks(path, TOLD, text=["job"], numbers=["income"]))) == []


def test_infinities_lie_outside() -> None:
    frame = pd.DataFrame({"age": [np.inf, -np.inf, 30.0]})
    assert "'age' in 2 of 3 rows" in heard(lambda: read_rows(frame, TOLD, numbers=["age"]))[0]


def test_three_columns_are_named() -> None:
    told = ReadingConfig(ranges={f"c{i}": (0, 1) for i in range(5)})
    frame = pd.DataFrame({f"c{i}": [2.0] * i + [0.0] * (5 - i) for i in range(5)})
    [said] = heard(lambda: read_rows(frame, told, numbers=list(frame)))
    assert "'c4' in 4 of 5 rows (0 to 1), 'c3' in 3" in said
    assert "'c2' in 2 of 5 rows (0 to 1) and 1 more. Fix:" in said
    assert "'c1'" not in said
