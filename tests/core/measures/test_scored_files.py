"""Files scored block by block: the bytes of scoring all rows at once, or nothing at all."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from drawn import of_every_kind

from scrutable.data.config import ReadingConfig
from scrutable.data.frames import arrow_csv
from scrutable.data.reading import read_rows
from scrutable.errors import ScrutableError, ScrutableWarning
from scrutable.measures import scored_files
from scrutable.measures.scored_files import score_file
from scrutable.measures.scoring import score
from scrutable.model import Model
from scrutable.model.contents import numbers_of, texts_of
from scrutable.model.program import running
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable.writing.spreadsheet import csv_of

CARD = models_named()["scorecard"]
COLUMNS = ("loan", "amount", "job", "age", "region", "note")
#: Cells that are nothing special, and cells that some reader takes otherwise than another.
NUMBERS = ("1", "9.25", "-3.5", "", "NA", "40", "1e3", "0")
ODD_NUMBERS = (
    "nan", "NAN", "007", "+5", " 7", "7 ", "inf", "-0", "1.234", "12.345", "1,5", "true", "abc", "1e400", "0x10", ".5",
    "5.", "1_0", "12345678901234567890123", "36%", '"4"', '"NA"', "  ", "1.5.2", "-", "1e", "NaN", "#N/A",
)  # fmt: skip
TEXTS = ("cook", "x", "", "NA", "None", "clerk", "Zoë", "0123", "1.5", "=1+1")
ODD_TEXTS = (
    " cook", '"a, b"', '"say ""hi"""', '5" pipe', '"two\nlines"', '"two\r\nlines"', "\tx", '"NA"', "job", '"a"b',
    ' "a"', '" a"', " NA", "cook ", "a,b", "a;b", '"', "\r", "\0", "-1-1", "true", "n/a", "\u2028", "x\x1cy",
)  # fmt: skip


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few rows, so that files of some have several."""
    monkeypatch.setattr(arrow_csv, "_BLOCK", 100)
    monkeypatch.setattr(scored_files, "_ROWS", 3)


def drawn_file(rng: np.random.Generator) -> bytes:
    """A file that has, mostly, one thing that is odd, or none."""
    separator = str(rng.choice([",", ",", ";", "\t", "|"]))
    odd = rng.choice([0.0, 0.0, 0.01, 0.05])

    def cell(usual: tuple[str, ...], others: tuple[str, ...]) -> str:
        return str(rng.choice(others if rng.random() < odd else usual))

    columns = {
        "loan": lambda i: cell((f"A-{i}", f"{i:04}", f"-{i}"), ODD_TEXTS),
        "job": lambda _: cell(TEXTS, ODD_TEXTS),
        "note": lambda _: cell(TEXTS, ()) if not odd else cell(TEXTS, ODD_TEXTS),
    }
    lines = [separator.join(COLUMNS)]
    for i in range(int(rng.integers(1, 40))):
        row = [columns[name](i) if name in columns else cell(NUMBERS, ODD_NUMBERS) for name in COLUMNS]
        if separator in ";\t" and rng.random() < 0.5 * (rng.random() < 0.5):
            row[1] = row[1].replace(".", ",")
        lines.append(separator.join(row))
        if rng.random() < odd / 4:
            lines.append(str(rng.choice(["", " ", separator.join(row[1:]), separator * (len(row) - 1)])))
    if rng.random() < 0.1 and separator != "\t":
        lines = [line.replace(separator, f"{separator} ") for line in lines]
    end = "\r\n" if rng.random() < 0.3 else "\n"
    text = end.join(lines) + end * int(rng.random() < 0.8)
    content = text.encode("utf-8-sig" if rng.random() < 0.2 else "utf-8")
    return content + (b"\xff" if rng.random() < odd / 4 else b"")


def at_once(model: Model, file: Path, told: ReadingConfig, **asked: Any) -> bytes | None:
    """What scoring all rows at once writes; None where it refuses them, or warns of a column that is read."""
    numbers = numbers_of(model)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ScrutableWarning)
            rows = read_rows(file, told, text={*COLUMNS}.difference(numbers), numbers=numbers)
            return csv_of(score(model, rows, **asked).results).encode()
    except (ScrutableError, ScrutableWarning):
        return None


@pytest.mark.parametrize("seed", range(6))
def test_bytes_are_those_of_all_rows_at_once(seed: int, tmp_path: Path, tried: Callable[[str, int], None]) -> None:
    rng = np.random.default_rng(seed)
    in_blocks = odd = 0
    for i in range(60):
        file, output = tmp_path / f"{i}.csv", tmp_path / f"{i} scored.csv"
        file.write_bytes(drawn_file(rng))
        told = ReadingConfig(
            decimal=[*[None] * 7, ",", "."][rng.integers(9)],
            missing=(*[()] * 9, *[("x", "?")] * 5, ("9.25",))[rng.integers(15)],
        )
        asked = {"identifier": [None, "loan", "job"][rng.integers(3)], "points": True, "reasons": False}
        done = score_file(CARD, file, output, told=told, **asked)
        assert (done is not None) == output.exists()
        if done is not None:
            assert output.read_bytes() == at_once(CARD, file, told, **asked), file.read_bytes()
            in_blocks += 1
        odd += done is None
    assert in_blocks > 10
    assert odd > 5
    assert not list(tmp_path.glob(".*"))
    tried("files scored in blocks", in_blocks)


@pytest.mark.parametrize("reasons", [False, True])
def test_parquet_holds_what_scoring_all_rows_at_once_gives(reasons: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for number, model in enumerate(models_named().values()):
        rows = pd.DataFrame({name: rng.choice([*TEXTS, None], 20) for name in texts_of(model)})
        rows = rows.assign(**{name: rng.choice([1.0, 9.0, 25.0, np.nan], 20) for name in numbers_of(model)})
        rows["id"] = range(20)
        file, output = tmp_path / f"{number}.parquet", tmp_path / f"{number} scored.parquet"
        rows.to_parquet(file, row_group_size=7)
        expected = score(model, rows, identifier="id", points=True, reasons=reasons)
        done = score_file(
            model, file, output, identifier="id", points=expected.pointed, reasons=reasons and expected.reasoned
        )
        assert done is not None
        assert done.to_dict() == expected.to_dict()
        scores = pq.read_table(output)
        wanted = {name: values for name, values in expected.results.items() if reasons or not name.startswith("short_")}
        assert scores.column_names == list(wanted)
        for name, values in wanted.items():
            got = scores.column(name).to_pylist()
            assert got == [None if value is None or value != value else value for value in values.tolist()], name


def test_columns_of_other_kinds_are_left_to_whole_reading(tmp_path: Path) -> None:
    usual = {"amount": [1.0], "job": ["x"], "age": [10], "region": [True]}
    output = tmp_path / "scores.csv"
    for name, values, done in (
        ("age", pa.array([10], pa.int16()), True),
        ("age", pa.array([None], pa.null()), False),
        ("age", pa.array(["10"]), False),
        ("job", pa.array(["x"]).dictionary_encode(), True),
        ("job", pa.array([1.0]), False),
        ("id", pa.array([1, None]), False),
        ("id", pa.array([1.5, None]), True),
        ("id", pa.array([0], pa.date32()), False),
    ):
        columns = {key: value * len(values) for key, value in {**usual, "id": ["a"]}.items()}
        pq.write_table(pa.table({**columns, name: values}), tmp_path / "rows.parquet")
        scored = score_file(CARD, tmp_path / "rows.parquet", output, identifier="id", overwrite=True)
        assert (scored is not None) == done, (name, values.type)


def test_what_the_model_lacks_is_left_to_whole_reading(tmp_path: Path) -> None:
    file, output = tmp_path / "rows.csv", tmp_path / "scores.csv"
    file.write_text("amount,job,age,region,score\n1.0,x,10,1,a\n")
    assert score_file(models_named()["stumps"], file, output, points=True) is None
    assert score_file(CARD, file, output, identifier="score") is None
    assert score_file(CARD, file, output, identifier="loan") is None
    assert score_file(CARD, file, output, told=ReadingConfig(text=("loan",))) is None
    pd.read_csv(file).to_parquet(tmp_path / "rows.parquet")
    assert score_file(CARD, tmp_path / "rows.parquet", output, told=ReadingConfig(numbers=("loan",))) is None
    assert score_file(CARD, tmp_path / "none.csv", output) is None
    assert not output.exists()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-16-le", "shift_jis"])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_encodings_and_gzip(encoding: str, suffix: str, tmp_path: Path) -> None:
    names = ["Anna", "Bo"] if encoding == "shift_jis" else ["Zoë", "Ürs"]
    lines = ["loan,amount,job,age,region", *(f"{names[i % 2]} {i},{i}.5,cook,{i},1" for i in range(60))]
    content = "\n".join(lines).encode(encoding)
    file, output = tmp_path / f"rows{suffix}", tmp_path / "scores.csv"
    file.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    told = ReadingConfig(encoding=None if encoding in ("utf-8", "utf-16") else encoding)
    assert score_file(CARD, file, output, told=told, identifier="loan") is not None
    assert output.read_bytes() == at_once(CARD, file, told, identifier="loan")
    broken = file.with_name(f"broken{suffix}")
    broken.write_bytes(file.read_bytes()[:-20] if suffix.endswith(".gz") else content + b"\x81")
    assert score_file(CARD, broken, tmp_path / "none.csv", told=told, identifier="loan") is None
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("none", "."))] == []


@pytest.mark.parametrize("compiled", [False, True])
def test_models_of_every_kind(compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if compiled:
        pytest.importorskip("numba")
        monkeypatch.setattr(running, "_MANY", 1)
    in_blocks = 0
    for number, model in enumerate(each for each in of_every_kind(6) if each.features):
        rows = edge_rows(model, n_random=20).head(60)
        file, output = tmp_path / f"{number}.parquet", tmp_path / f"{number}.csv"
        rows.to_parquet(file)
        expected = score(model, rows, points=True, reasons=True)
        done = score_file(model, file, output, points=expected.pointed, reasons=expected.reasoned)
        content = csv_of(expected.results).encode()
        assert (done is None and b"\r" in content) or output.read_bytes() == content
        in_blocks += done is not None
    assert in_blocks > 20
