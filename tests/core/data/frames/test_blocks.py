"""Files that are read block by block: the values of files that are read whole."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scrutable.data.frames import arrow_csv, read_file
from scrutable.data.frames.arrow_csv import CsvBlocks
from scrutable.data.frames.blocks import blocks_of, table_of
from scrutable.data.frames.numerals import MixedDecimalsWarning
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.sampling import sampled
from scrutable.data.frames.thousands import SAMPLED
from scrutable.writing.csv_blocks import DoubtfulError


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few rows."""
    monkeypatch.setattr(arrow_csv, "_BLOCK", 1000)


@pytest.mark.parametrize("mark", [".", ","])
def test_every_number_is_the_nearest_double(mark: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**64, 2000, dtype=np.uint64).view(np.float64)
    texts = [repr(value) for value in bits[np.isfinite(bits)].tolist()]
    texts += [f"{value:.{rng.integers(1, 25)}f}" for value in rng.normal(0, 1e6, 2000)]
    texts += [str(value) for value in rng.integers(-(2**63), 2**63, 500).tolist()]
    file = tmp_path / "numbers.csv"
    file.write_text("job;age\n" + "".join(f"cook;{text.replace('.', mark)}\n" for text in texts))
    blocks = list(CsvBlocks(file, Reading(), {"age": "numbers"}))
    assert len(blocks) > 10
    read = [value for block in blocks for value in block["age"].to_pylist()]
    assert read == [float(text) for text in texts]


@pytest.mark.parametrize("n_rows", [3, 400])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_rows_are_drawn_as_pandas_draws_them(n_rows: int, suffix: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.normal(size=n_rows).round(3), "job": rng.choice(["cook", "nurse", None], n_rows)})
    file = tmp_path / f"rows{suffix}"
    frame.to_csv(file, index=False) if suffix == ".csv" else frame.to_parquet(file, row_group_size=70)
    for seed in range(3):
        drawn = sampled(blocks_of(file, Reading(text=frozenset(["job"])), {"age": "numbers", "job": "text"}), 50, seed)
        expected = frame if n_rows <= 50 else frame.sample(50, random_state=seed)
        assert drawn.column("age").values.tolist() == expected["age"].tolist()
        assert (
            drawn.column("job").values.tolist()
            == expected["job"].astype(object).where(expected["job"].notna(), None).tolist()
        )


@pytest.mark.parametrize("late", ["1.600", "1,600", "2.000", "2,000"])
def test_marks_below_many_whole_numbers_may_separate_thousands(late: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("job;age\n" + "cook;390\n" * SAMPLED + f"cook;{late}\n")
    with pytest.raises(DoubtfulError):
        list(CsvBlocks(file, Reading(), {"age": "numbers"}))
    with pytest.warns(MixedDecimalsWarning, match="a separator of thousands"):
        assert read_file(file)["age"].iloc[-1] == float(re.sub("[.,]", "", late))


def test_whole_numbers_come_as_doubles_where_no_number_has_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("job;age;rate\n" + "cook;390;0,5\ncook;;1,25\n" * 300)
    first, *_ = CsvBlocks(file, Reading(), {"age": "numbers", "rate": "numbers"})
    assert first["age"].to_pylist()[:2] == [390.0, None]
    assert (first["age"].type, first["rate"].to_pylist()[:2]) == (first["rate"].type, [0.5, 1.25])


def test_points_that_may_separate_thousands_are_left_to_whole_reading(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("job,age\n" + "".join(f"cook,{i}.{i}00\ncook,7\n" for i in range(1, 8)))
    with pytest.raises(DoubtfulError, match="thousands"):
        list(CsvBlocks(file, Reading(), {"age": "numbers"}))
    assert len(list(CsvBlocks(file, Reading(decimal="."), {"age": "numbers"}))) == 1


@pytest.mark.parametrize("last", ["Total,16400\n\n", '"Total",16400\n', ",16400\n"])
def test_totals_are_left_to_whole_reading(tmp_path: Path, last: str) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("job,age\n" + "cook,41\n" * 400 + last)
    with pytest.raises(DoubtfulError, match="a last row of totals"):
        list(CsvBlocks(file, Reading(), {"job": "text", "age": "numbers"}))
    blocks = list(CsvBlocks(file, Reading(totals="keep"), {"job": "text", "age": "numbers"}))
    assert sum(len(block["age"]) for block in blocks) == 401


def test_tables_of_slices_have_the_values_of_their_rows() -> None:
    import pyarrow as pa

    whole = {"age": pa.array([1.0, None, 3.0, 4.0]), "job": pa.array(["a", "b", None, "a"]).dictionary_encode()}
    table = table_of({name: array.slice(1, 3) for name, array in whole.items()})
    assert np.array_equal(table.column("age").values, [np.nan, 3.0, 4.0], equal_nan=True)
    assert table.column("job").values.tolist() == ["b", None, "a"]
