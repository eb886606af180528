"""Errors, warnings and notes of commands tell of no single person: a value of one row is in none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from .conftest import Invoke

#: A text and a number that only one row has.
_NAME, _SUM = "Wanda Quist", 73519.4462
_ROW = 7
_ROWS = 240


@pytest.fixture(scope="module")
def clean() -> pd.DataFrame:
    rng, place = np.random.default_rng(5), np.arange(_ROWS)
    income = rng.normal(3000, 800, _ROWS).round(2)
    return pd.DataFrame(
        {
            "income": income,
            "job": np.array(["clerk", "cook", "smith"])[place % 3],
            "sex": np.array(["f", "m"])[place // 3 % 2],
            "weight": 1.0 + place % 2,
            "day": pd.date_range("2024-01-01", periods=_ROWS).strftime("%Y-%m-%d"),
            "accepted": np.array(["yes", "no"])[(place % 10 == 9).astype(int)],
            "default": np.where(rng.random(_ROWS) < 1 / (1 + np.exp((income - 2500) / 500)), "bad", "good"),
        }
    )


def _put(column: str, value: object) -> Callable[[pd.DataFrame], str]:
    def change(frame: pd.DataFrame) -> str:
        changed = frame.astype({column: object})
        changed.loc[_ROW, column] = value
        return changed.to_csv(index=False)

    return change


def _each(column: str, value: Callable[[int], object]) -> Callable[[pd.DataFrame], str]:
    def change(frame: pd.DataFrame) -> str:
        values = [_NAME if row == _ROW else value(row) for row in range(len(frame))]
        return frame.assign(**{column: values}).to_csv(index=False)

    return change


def _torn(frame: pd.DataFrame) -> str:
    lines = frame.to_csv(index=False).splitlines()
    lines[_ROW] = f"{lines[_ROW]},{_NAME},{_SUM}"
    return "\n".join(lines)


def _headless(frame: pd.DataFrame) -> str:
    lines = frame.iloc[1:].to_csv(index=False, header=False)
    return f"{_SUM},{_NAME},f,1.0,2024-01-01,,good\n{lines}"


_FIT = ("--target", "default", "--favourable", "good", "--drop", "accepted", "--binner", "quantile")
_ALL = (*_FIT, "--protected", "sex", "--weight", "weight", "--date", "day")
#: What is wrong with the file, what is asked, and a word of what is said of it.
_FAULTS: dict[str, tuple[Callable[[pd.DataFrame], str], tuple[str, ...], str]] = {
    "a row of another length": (_torn, _ALL, "another length"),
    "no header": (_headless, ("--target", "good"), "has no name"),
    "a text among numbers": (_put("income", _NAME), _ALL, "look like numbers"),
    "a text among numbers that are told": (_put("income", _NAME), (*_ALL, "--numbers", "income"), "read as numbers"),
    "a weight that is a text": (_put("weight", _NAME), _ALL, "weights must be numbers"),
    "a negative weight": (_put("weight", -_SUM), _ALL, "may not be negative"),
    "a date that is none": (_put("day", _NAME), (*_ALL, "--out-of-time", "0.3"), "not a date"),
    "an identifier": (_each("job", lambda row: f"N. N. {row:05d}"), _ALL, "differs in nearly every row"),
    "a third outcome": (_put("default", _NAME), _ALL, "too few rows"),
    "an acceptance of its own": (_put("accepted", _NAME), (*_FIT[:4], "--accepted", "accepted"), "who was accepted"),
    "a percent sign": (_put("income", f"{_SUM}%"), (*_ALL, "--numbers", "income"), "percent sign"),
    "many groups": (_each("sex", lambda row: f"group {row}"), _ALL, "too many groups"),
    "a group of one": (_put("sex", _NAME), _ALL, "fewer than 5 rows"),
    "a job of one": (_put("job", _NAME), _ALL, "wrote"),
    "dates as categories": (_each("job", lambda row: f"{row % 28 + 1:02d}.03.1984"), _ALL, "dates"),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_no_value_of_one_row_is_shown(fault: str, clean: pd.DataFrame, tmp_path: Path, run: Invoke) -> None:
    change, options, word = _FAULTS[fault]
    data = tmp_path / "applicants.csv"
    data.write_text(change(clean))
    outputs = ("--output", tmp_path / "model.json", "--evidence", tmp_path / "evidence.json")
    said = " ".join(run("fit", data, *options, *outputs).output.split())
    assert word in said
    written = [path.read_text() for path in tmp_path.glob("*.json")]
    for secret in (_NAME, _NAME.split()[0], str(_SUM), f"{_SUM:.2f}"):
        assert secret not in said
        assert not any(secret in text for text in written)


def test_debug_shows_it(clean: pd.DataFrame, tmp_path: Path, run: Invoke) -> None:
    data = tmp_path / "applicants.csv"
    data.write_text(_put("weight", _NAME)(clean))
    result = run("--debug", "fit", data, *_ALL, "--output", tmp_path / "model.json")
    assert _NAME in str(result.exception)
