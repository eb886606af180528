"""What a command prints as JSON is what its call in Python gives, whatever kind of frame the applicants are in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scrutable.model import DecisionModel, Scaling, load
from scrutable.plugins.choices import Choice
from scrutable_lifecycle.calibration import calibrate, rescale
from scrutable_lifecycle.development import DataConfig, Run, SplitConfig, develop
from scrutable_lifecycle.search import SearchRun, compare_models, search_alternatives
from scrutable_lifecycle.validation import validate

Invoke = Callable[..., Any]
DROPPED = ("loan", "age", "personal_status", "marital_status", "foreign_worker", "age_group")
LEARNED = DataConfig(target="credit_risk", favourable="good", protected=("sex",), drop=DROPPED)
JUDGED = DataConfig(target="credit_risk", protected=("sex",))
ROLES = ["--target", "credit_risk", "--protected", "sex"]
FEW = {"bounds": [0.1], "budgets": [], "gap_shares": []}
QUICK = Choice(name="quantile", options={"max_bins": 4})


class Call(NamedTuple):
    """A command line, where `MODEL`, `DATA` and `OUT` are paths, and the call that does it."""

    line: list[str]
    call: Callable[[DecisionModel, Any], Any]


LEARN = ["DATA", *ROLES, "--favourable", "good", *(f"--drop={name}" for name in DROPPED)]
CALLS = {
    "fit": Call(
        ["fit", *LEARN, "--binner", "quantile", "--binner-option", "max_bins=4", "-o", "OUT"],
        lambda _, data: develop(Run(data=LEARNED, binner=QUICK), data),
    ),
    "fit with nothing held out": Call(
        ["fit", *LEARN, "--binner", "quantile", "--test-size", "0", "-o", "OUT"],
        lambda _, data: develop(
            Run(data=LEARNED, binner=Choice(name="quantile"), split=SplitConfig(test_size=0)), data
        ),
    ),
    "search": Call(
        ["search", *LEARN, "--option", f"sweep={json.dumps(FEW)}", "--no-picture", "-o", "OUT"],
        lambda _, data: search_alternatives(
            SearchRun(data=LEARNED, learner=Choice(name="lda-xgb1", options={"sweep": FEW}), required_ratio=0.8), data
        ),
    ),
    "validate": Call(
        ["validate", "MODEL", "DATA", *ROLES, "--reference-data", "DATA"],
        lambda model, data: validate(model, data, JUDGED, reference=data),
    ),
    "calibrate": Call(
        ["calibrate", "MODEL", "DATA", *ROLES, "--central-tendency", "0.05", "-o", "OUT"],
        lambda model, data: calibrate(model, data, JUDGED, central_tendency=0.05),
    ),
    "rescale": Call(
        ["rescale", "MODEL", "--pdo", "40", "--decimals", "0", "--data", "DATA", "-o", "OUT"],
        lambda model, data: rescale(model, Scaling(pdo=40, base_score=600, base_odds=50, decimals=0), X=data),
    ),
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}


def frame_in(kind: str, path: Path) -> Any:
    frame = pd.read_csv(path)
    return {"pandas": frame, "polars": pl.from_pandas(frame), "pyarrow": pa.Table.from_pandas(frame)}[kind]


def check_result(result: Any, kind: str) -> None:
    assert isinstance(result.frame(), FRAMES[kind])
    assert repr(result).startswith(type(result).__name__)
    assert len(repr(result)) < 300


@pytest.mark.parametrize(("name", "kind"), list(zip(CALLS, ["polars", "pandas", "pyarrow"] * 2, strict=True)))
@pytest.mark.filterwarnings("ignore::scrutable_lifecycle.search.SearchWarning")
def test_a_call_gives_what_the_command_prints(
    name: str, kind: str, run: Invoke, model: Path, loans: Path, tmp_path: Path
) -> None:
    line, call = CALLS[name]
    places = {"MODEL": str(model), "DATA": str(loans), "OUT": str(tmp_path / "out")}
    said = run(*(places.get(word, word) for word in line), "--json")
    assert said.exit_code == 0, said.output
    result = call(load(model), frame_in(kind, loans))
    printed = json.loads(said.stdout)
    del printed["written"]
    assert json.loads(json.dumps(result.to_dict())) == printed
    check_result(result, kind)


def test_models_are_compared_on_a_frame_as_on_a_file(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    made = run("rescale", model, "--decimals", "0", "--pdo", "8", "-o", tmp_path / "coarse.json")
    assert made.exit_code == 0, made.output
    paths = {"model": model, "coarse": tmp_path / "coarse.json"}
    said = run("compare", *paths.values(), "--data", loans, *ROLES, "-o", tmp_path / "out", "--json")
    models = {name: load(path) for name, path in paths.items()}
    result = compare_models(models, frame_in("polars", loans), JUDGED)
    assert json.loads(json.dumps(result.to_dict())) | {"written": []} == json.loads(said.stdout) | {"written": []}
    check_result(result, "polars")


def test_a_path_and_outcomes_apart_do_as_a_frame_does(model: Path, loans: Path) -> None:
    card, frame = load(model), pd.read_csv(loans)
    by_path = validate(card, loans, JUDGED)
    assert by_path.to_dict() == validate(card, frame, JUDGED).to_dict()
    assert by_path.calibration.overall == validate(card, frame, frame["credit_risk"]).calibration.overall
    assert calibrate(card, loans, JUDGED).model == calibrate(card, frame, frame["credit_risk"]).model
