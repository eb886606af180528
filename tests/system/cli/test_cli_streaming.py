"""Files that commands take block by block: what they write and say is that of files that are read whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.data.frames import arrow_csv, plain_csv, sampling
from scrutable.measures import scored_files

Run = Callable[..., Any]


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """No file is small, blocks have few rows, and whether each scored file was scored in blocks."""
    done: list[bool] = []
    score_file = scored_files.score_file

    def noting(*args: Any, **options: Any) -> Any:
        scored = score_file(*args, **options)
        done.append(scored is not None)
        return scored

    monkeypatch.setattr(plain_csv, "LARGEST", 0)
    monkeypatch.setattr(arrow_csv, "_BLOCK", 4096)
    monkeypatch.setattr(scored_files, "score_file", noting)
    return done


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows were drawn from files that were read in blocks."""
    numbers: list[int] = []

    def noting(*args: Any) -> Any:
        table = sampling_of(*args)
        numbers.append(table.n_rows)
        return table

    sampling_of = sampling.sampled
    monkeypatch.setattr(sampling, "sampled", noting)
    return numbers


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called no file is scored in blocks."""
    return lambda: monkeypatch.setattr(scored_files, "score_file", lambda *_, **__: None)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_scores_are_those_of_the_whole_file(
    suffix: str, run: Run, model: Path, loans: Path, tmp_path: Path, in_blocks: list[bool], whole: Callable[[], None]
) -> None:
    outputs = [tmp_path / f"{name}{suffix}" for name in ("blocks", "whole")]
    asked = ["score", model, loans, "--id", "loan", "--points", "--reasons", "-o"]
    said = run(*asked, outputs[0])
    assert said.exit_code == 0, said.output
    assert in_blocks == [True]
    whole()
    again = run(*asked, outputs[1])
    assert said.output.replace("blocks", "whole") == again.output
    if suffix == ".csv":
        assert outputs[0].read_bytes() == outputs[1].read_bytes()
    else:
        blocks, at_once = (pd.read_parquet(output).astype(object) for output in outputs)
        assert blocks.equals(at_once)


def test_an_error_amid_a_file_leaves_nothing_and_says_the_row(
    run: Run, model: Path, loans: Path, tmp_path: Path, in_blocks: list[bool], whole: Callable[[], None]
) -> None:
    lines = loans.read_text().splitlines()
    lines[900] += ",one more"
    file, output = tmp_path / "loans.csv", tmp_path / "scores.csv"
    file.write_text("\n".join(lines))
    said = run("score", model, file, "-o", output)
    assert said.exit_code == 2
    assert "row 900 below the header" in said.stderr
    assert in_blocks == [False]
    assert [path.name for path in tmp_path.iterdir()] == ["loans.csv"]
    whole()
    assert run("score", model, file, "-o", output).stderr == said.stderr


def test_strangers_are_told_of_once_all_blocks_were_seen(
    run: Run, model: Path, loans: Path, tmp_path: Path, in_blocks: list[bool], whole: Callable[[], None]
) -> None:
    rows = pd.read_csv(loans)
    rows["purpose"] = rows["purpose"].str.upper()
    rows.loc[: len(rows) // 2, "purpose"] = None
    rows.loc[len(rows) - 1, "savings"] = "nobody's"
    file = tmp_path / "loans.csv"
    rows.to_csv(file, index=False)
    said = run("score", model, file, "-o", tmp_path / "scores.csv", "--overwrite")
    assert in_blocks == [True]
    assert said.stderr.count("column 'purpose': none of its values") == 1
    assert "savings" not in said.stderr
    whole()
    assert run("score", model, file, "-o", tmp_path / "scores.csv", "--overwrite").stderr == said.stderr


def test_a_pipe_gets_the_scores_of_the_whole_file(
    run: Run, model: Path, loans: Path, in_blocks: list[bool], whole: Callable[[], None]
) -> None:
    said = run("score", model, loans, "--id", "loan", "--reasons")
    assert in_blocks == [True]
    assert said.stdout.count("\n") == 1001
    whole()
    assert run("score", model, loans, "--id", "loan", "--reasons").stdout == said.stdout


@pytest.mark.parametrize("most", [300, 5000])
def test_the_certificate_is_that_of_rows_drawn_from_the_whole_file(
    most: int, run: Run, model: Path, loans: Path, in_blocks: list[bool], drawn: list[int], monkeypatch: Any
) -> None:
    asked = ["verify", model, "--engine", "sqlite", "--data", loans, "--most", most, "--json"]
    said = run(*asked)
    assert said.exit_code == 0, said.output
    assert drawn == [min(most, 1000)]
    monkeypatch.setattr(plain_csv, "LARGEST", 2**30)
    assert run(*asked).stdout == said.stdout
    assert len(drawn) == 1


def test_of_a_broken_file_no_row_is_drawn(
    run: Run, model: Path, loans: Path, tmp_path: Path, in_blocks: list[bool], drawn: list[int]
) -> None:
    file = tmp_path / "loans.csv"
    file.write_text(loans.read_text() + "one more\n")
    said = run("verify", model, "--engine", "sqlite", "--data", file)
    assert said.exit_code == 2
    assert "row 1001 below the header" in said.stderr
    assert not drawn
