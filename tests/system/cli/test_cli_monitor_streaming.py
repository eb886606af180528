"""Monitoring of files that are tallied block by block: figures and words are those of files that are read whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data import coded_blocks
from scrutable.data.frames import arrow_csv, arrow_parquet, plain_csv
from scrutable.errors import ScrutableError
from scrutable.writing.csv_blocks import DoubtfulError
from scrutable_lifecycle.monitoring import reading, sources, tallying

Run = Callable[..., Any]


@pytest.fixture
def samples(loans: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A baseline, and new applicants, with dates, weights, probabilities of a group and some unknown outcomes."""
    rows = pd.read_csv(loans)
    n = len(rows)
    rows["issued"] = [f"2025-{1 + row % 5:02d}-{1 + row % 28:02d}" for row in range(n)]
    rows["weight"] = [(0.5, 1.0, 2.25)[row % 3] for row in range(n)]
    rows["p_f"] = [(0.25, 0.5, 0.1235)[row % 3] for row in range(n)]
    rows["p_m"] = 1 - rows["p_f"]
    rows.loc[rows.index % 9 == 0, "credit_risk"] = np.nan
    return rows.iloc[: n // 2].copy(), rows.iloc[n // 2 :].assign(amount_now=1).copy()


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """No file is small, blocks have few rows, and whether each file was tallied so."""
    done: list[bool] = []

    def noting(*args: Any, **options: Any) -> Any:
        try:
            made = reading.read_streamed(*args, **options)
        except (ScrutableError, DoubtfulError):
            done.append(False)
            raise
        done.append(True)
        return made

    monkeypatch.setattr(plain_csv, "LARGEST", 0)
    monkeypatch.setattr(arrow_csv, "_BLOCK", 4096)
    monkeypatch.setattr(arrow_parquet, "_BLOCK", 90)
    monkeypatch.setattr(coded_blocks, "_ROWS", 61)
    monkeypatch.setattr(tallying, "_ROWS", 77)
    monkeypatch.setattr(sources, "read_streamed", noting)
    return done


@pytest.fixture
def both(
    run: Run, model: Path, tmp_path: Path, in_blocks: list[bool], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Monitor block by block, and whole files; what is said, which has to be the same."""

    def compared(samples: Any, *asked: object, suffix: str = ".csv", model: Path = model) -> Any:
        files = [tmp_path / f"{name}{suffix}" for name in ("before", "now")]
        for frame, file in zip(samples, files, strict=True):
            frame.to_csv(file, index=False) if suffix == ".csv" else frame.to_parquet(file, index=False)
        said = run("monitor", model, *files, *asked, "--json")
        with monkeypatch.context() as context:
            context.setattr(sources, "is_large", lambda _: False)
            context.setattr(tallying, "_ROWS", 10**6)
            whole = run("monitor", model, *files, *asked, "--json")
        assert (said.exit_code, said.stdout, said.stderr) == (whole.exit_code, whole.stdout, whole.stderr)
        return said

    return compared


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    "asked",
    [
        [],
        ["--target", "credit_risk", "--date", "issued", "--protected", "sex", "--protected", "age_group"],
        [
            "--target",
            "credit_risk",
            "--favourable",
            "good",
            "--weight",
            "weight",
            "--date",
            "issued",
            "--period",
            "year",
        ],
        ["--protected-probabilities", "sex:f=p_f,m=p_m"],
        ["--date", "purpose", "--period", "values"],
    ],
)
def test_figures_are_those_of_whole_files(
    suffix: str, asked: list[str], samples: Any, both: Callable[..., Any], in_blocks: list[bool]
) -> None:
    said = both(samples, *asked, suffix=suffix)
    assert said.exit_code in (0, 1), said.output
    assert in_blocks == [True, True]


def test_a_sample_may_lack_outcomes(samples: Any, both: Callable[..., Any], in_blocks: list[bool]) -> None:
    before, now = samples
    said = both((before, now.drop(columns="credit_risk")), "--target", "credit_risk")
    assert said.exit_code in (0, 1), said.output
    assert in_blocks == [True, True]


@pytest.mark.parametrize(
    ("asked", "change"),
    [
        (["--target", "credit_rsk"], {}),
        (["--protected", "sx"], {}),
        (["--date", "isued"], {}),
        (["--weight", "weight"], {"weight": "heavy"}),
        (["--weight", "weight"], {"weight": -1}),
        (["--target", "credit_risk"], {"credit_risk": "perhaps"}),
        (["--date", "issued"], {"issued": "soon"}),
        ([], {"credit_amount": "1,234 DM"}),
        (["--protected", "age_group"], {"age_group": None}),
    ],
)
def test_errors_are_those_of_whole_files(
    asked: list[str], change: dict[str, Any], samples: Any, both: Callable[..., Any]
) -> None:
    before, now = samples
    for name, value in change.items():
        now[name] = [*now[name].astype(object).iloc[:-1], value]
    both((before, now), *asked)


@pytest.mark.parametrize("cells", [("0", "1"), ("1.0", "0.0"), ("true", "false"), ("007", "008"), ("1e0", "0")])
def test_outcomes_by_other_names(cells: tuple[str, str], samples: Any, both: Callable[..., Any]) -> None:
    for frame in samples:
        frame["credit_risk"] = frame["credit_risk"].map({"good": cells[0], "bad": cells[1]})
    both(samples, "--target", "credit_risk", "--favourable", cells[0])
