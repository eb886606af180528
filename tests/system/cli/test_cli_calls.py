"""What a command prints as JSON is what its call in Python gives, whatever kind of frame the applicants are in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scrutable.measures.scoring import score
from scrutable.model import DecisionModel, Scaling, load
from scrutable.plots.picturing import picture_of
from scrutable.plugins.bases.answers import exported
from scrutable.plugins.choices import Choice
from scrutable.plugins.explaining import explain
from scrutable_lifecycle.calibration import calibrate, rescale
from scrutable_lifecycle.development import DataConfig, Run, SplitConfig, develop
from scrutable_lifecycle.monitoring import Columns, monitor
from scrutable_lifecycle.search import SearchRun, compare_models, search_alternatives
from scrutable_lifecycle.strategy import bands_of, cutoff_of, rounding_effect, swap_set
from scrutable_lifecycle.validation import validate
from scrutable_reason_codes.policies import reason_policies
from scrutable_review import review_bins
from scrutable_segmented.combined import Combined

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
    "monitor": Call(
        ["monitor", "MODEL", "DATA", "DATA", *ROLES],
        lambda model, data: monitor(model, data, data, columns=Columns(target="credit_risk", protected=("sex",))),
    ),
    "strategy bands": Call(
        ["strategy", "bands", "MODEL", "DATA", *ROLES, "--bands", "5"],
        lambda model, data: bands_of(model, data, JUDGED, bands=5),
    ),
    "strategy cutoff": Call(
        ["strategy", "cutoff", "MODEL", "DATA", *ROLES, "--profit", "approved-good=900,approved-bad=-credit_amount"],
        lambda model, data: cutoff_of(
            model, data, JUDGED, profit={"approved_good": 900, "approved_bad": "-credit_amount"}
        ),
    ),
    "strategy swap": Call(
        ["strategy", "swap", "MODEL", "MODEL", "DATA", *ROLES, "--at", "approval-rate"],
        lambda model, data: swap_set(model, model, data, JUDGED, at="approval rate"),
    ),
    "strategy rounding": Call(
        ["strategy", "rounding", "MODEL", "DATA", *ROLES],
        lambda model, data: rounding_effect(model, data, JUDGED),
    ),
    "bins": Call(
        ["bins", *LEARN, "--binner", "quantile", "--binner-option", "max_bins=4"],
        lambda _, data: review_bins(data, LEARNED, binner=QUICK),
    ),
    "score": Call(
        ["score", "MODEL", "DATA", "--id", "loan", "-o", "OUT.csv"],
        lambda model, data: score(model, data, identifier="loan"),
    ),
    "explain": Call(
        ["explain", "MODEL", "DATA", "--id", "loan", "--row", "3", "--row", "7"],
        lambda model, data: explain(model, data, rows=(3, 7), identifier="loan"),
    ),
    "reasons": Call(
        ["reasons", "MODEL", "--reference", "DATA", "--output", "OUT"],
        lambda model, data: reason_policies(model, data, population="all applicants of loans.csv"),
    ),
    "reasons compared": Call(
        ["reasons", "MODEL", "--compare", "DATA"], lambda model, data: reason_policies(model).compared(data)
    ),
}
#: Of commands that read no applicants.
OF_MODELS = {
    "combine": Call(
        ["combine", "young=MODEL", "rest=MODEL", "--when", "young=duration_months < 13", "-o", "OUT"],
        lambda model, _: Combined.of({"young": model, "rest": model}, {"young": "duration_months < 13"}),
    ),
    "export": Call(
        ["export", "MODEL", "--to", "sql", "-o", "-"],
        lambda model, _: exported(Choice(name="sql").create("exporter"), model),
    ),
    "plot": Call(["plot", "MODEL"], lambda model, _: picture_of(model)),
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}


def frame_in(kind: str, path: Path) -> Any:
    frame = pd.read_csv(path)
    return {"pandas": frame, "polars": pl.from_pandas(frame), "pyarrow": pa.Table.from_pandas(frame)}[kind]


def check_result(result: Any, kind: str) -> None:
    assert isinstance(result.frame(), FRAMES[kind])
    assert repr(result).startswith(type(result).__name__)
    assert len(repr(result)) < 300


@pytest.mark.parametrize(("name", "kind"), list(zip(CALLS, cycle(["polars", "pandas", "pyarrow"]))))
@pytest.mark.filterwarnings("ignore::scrutable_lifecycle.search.SearchWarning")
def test_a_call_gives_what_the_command_prints(
    name: str, kind: str, run: Invoke, model: Path, loans: Path, tmp_path: Path
) -> None:
    line, call = CALLS[name]
    result = call(load(model), frame_in(kind, loans))
    assert json.loads(json.dumps(result.to_dict())) == printed(run, line, model, loans, tmp_path)
    check_result(result, kind)


@pytest.mark.parametrize("name", OF_MODELS)
def test_a_call_on_a_model_gives_what_the_command_prints(
    name: str, run: Invoke, model: Path, loans: Path, tmp_path: Path
) -> None:
    line, call = OF_MODELS[name]
    result = call(load(model), None)
    assert json.loads(json.dumps(result.to_dict())) == printed(run, line, model, loans, tmp_path)
    check_result(result, "pandas")


def printed(run: Invoke, line: list[str], model: Path, loans: Path, folder: Path) -> Any:
    """What a command prints as JSON, but for the files that it writes."""
    places = {"MODEL": str(model), "DATA": str(loans), "OUT": str(folder / "out")}
    words = (re.sub("MODEL|DATA|OUT", lambda place: places[place[0]], word) for word in line)
    said = run(*words, "--json")
    assert said.exit_code == 0, said.output
    told = json.loads(said.stdout)
    if isinstance(told, dict):
        told.pop("written", None)
    return told


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
