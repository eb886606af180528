"""Data, a model, and quick fits by the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from scrutable.data.datasets import load_german_credit

Invoke = Callable[..., Result]

#: How the tests fit: fast, on inputs that are no protected attribute and tell none.
ROLES = ["--target", "credit_risk", "--favourable", "good", "--protected", "sex", "--protected", "age_group"]
ROLES += [f"--drop={name}" for name in ("age", "personal_status", "marital_status", "foreign_worker")]
FAST = ["--id", "loan", "--binner", "quantile", "--binner-option", "max_bins=4"]


@pytest.fixture(scope="session")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """German credit as a CSV file with a column of identifiers."""
    path = tmp_path_factory.mktemp("data") / "loans.csv"
    frame = load_german_credit().frame
    frame.insert(0, "loan", [f"{'=' if row % 2 else ''}L{row:04d}" for row in range(len(frame))])
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="session")
def fit_options() -> list[str]:
    """Options of a quick fit on the loans."""
    return [*ROLES, *FAST]


@pytest.fixture(scope="session")
def model(loans: Path, run: Invoke, fit_options: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file, with its evidence beside it; never written to."""
    path = tmp_path_factory.mktemp("model") / "model.json"
    result = run("fit", loans, *fit_options, "--output", path, "--evidence", path.with_name("evidence.json"))
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    """Write a small data file; columns given replace those there."""

    def write(**columns: list[object]) -> Path:
        n = 60
        base: dict[str, list[object]] = {
            "income": [1000 + 37 * (i * 7 % n) for i in range(n)],
            "job": [("clerk", "cook", "nurse")[i % 3] for i in range(n)],
            "sex": [("f", "m")[i * i % 7 < 3] for i in range(n)],
            "paid": [("no", "yes")[(i * 7 % n + i % 5 * 9) > 30] for i in range(n)],
        }
        path = tmp_path / "tiny.csv"
        pd.DataFrame(base | columns).to_csv(path, index=False)
        return path

    return write


@pytest.fixture
def fit_tiny(run: Invoke) -> Invoke:
    """Fit a scorecard on a small data file, with further arguments; the model file stands beside it."""

    def fit(data: Path, *arguments: object) -> Result:
        said = [] if "--favourable" in arguments else ["--favourable", "yes"]
        options = ["--target", "paid", *said, "--binner", "quantile", "-o", data.with_name("m.json")]
        return run("fit", data, *options, *arguments)

    return fit


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands started as processes of their own find no wish for colours either."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
