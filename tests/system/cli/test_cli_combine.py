"""`scrutable combine`, and `scrutable fit --learner segmented`: one model that every other command takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from scrutable.model import Feature, FrozenMapping, SegmentedModel, dump, load
from scrutable.model.evaluator import evaluate
from scrutable.testing.cards import card

Run = Callable[..., Any]


@pytest.fixture
def thin(tmp_path: Path) -> Path:
    """A model of a number and a text."""
    dump(card(), tmp_path / "thin.json")
    return tmp_path / "thin.json"


@pytest.fixture
def thick(tmp_path: Path) -> Path:
    """The same with another cutoff."""
    dump(replace(card(), cutoff=505), tmp_path / "thick.json")
    return tmp_path / "thick.json"


def test_it_puts_models_together(run: Run, thin: Path, thick: Path, tmp_path: Path) -> None:
    output = tmp_path / "model.json"
    both = [f"thin file={thin}", f"thick file={thick}"]
    result = run("combine", *both, "--when", "thin file=amount < 10 or missing", "-o", output)
    assert (result.exit_code, result.stderr) == (0, "")
    said = " ".join(result.stdout.split())
    assert "Segment 1, 'thin file': amount < 10 or missing; approved at a score of at least 510.0" in said
    assert "Segment 2, 'thick file': everybody else; approved at a score of at least 505.0" in said
    model = load(output)
    assert isinstance(model, SegmentedModel)
    assert [segment.name for segment in model.segments] == ["thin file", "thick file"]
    again = run("combine", *both, "--when", "thin file=amount < 10", "-o", output, "--overwrite", "--json")
    [first, last] = json.loads(again.stdout)["segments"]
    assert first == {"name": "thin file", "when": "amount < 10", "cutoff": 510.0, "renamed_codes": {}}
    assert (last["when"], last["cutoff"]) == ("everybody else", 505.0)


def test_it_says_which_reason_codes_have_changed(run: Run, thin: Path, tmp_path: Path) -> None:
    single = card()
    assert single.reasons is not None
    code = single.reasons.order[0]
    texts = FrozenMapping({**single.reasons.texts, code: "Length of employment"})
    other = replace(single, reasons=replace(single.reasons, texts=texts))
    dump(other, tmp_path / "other.json")
    arguments = [f"a={thin}", f"b={tmp_path / 'other.json'}", "--when", "a=amount < 10", "-o", tmp_path / "m.json"]
    result = run("combine", *arguments)
    assert result.exit_code == 0
    assert f"{code} is now R01" in " ".join(result.stderr.split())
    [first, second] = json.loads(run("combine", *arguments, "--overwrite", "--json").stdout)["segments"]
    assert first["renamed_codes"][code] == "R01"
    assert second["renamed_codes"][code] == f"R{len(single.reasons.order) + 1:02d}"


def test_conditions_may_read_what_no_model_does(run: Run, thin: Path, thick: Path, tmp_path: Path) -> None:
    both = [
        f"a={thin}",
        f"b={thick}",
        "--when",
        "a=accounts is special [-9] or accounts < 2",
        "-o",
        tmp_path / "m.json",
    ]
    refused = run("combine", *both)
    assert refused.exit_code == 2
    assert "no model reads" in refused.stderr
    assert run("combine", *both, "--feature", "accounts=numeric,-9").exit_code == 0
    model = load(tmp_path / "m.json")
    assert isinstance(model, SegmentedModel)
    assert model.routing == (Feature(name="accounts", kind="numeric", special_codes=(-9,)),)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a={thin}", "b={thick}"], "no condition says who belongs to the segment"),
        (["a={thin}", "b={thick}", "--when", "a=amount <"], "condition 'amount <', the end"),
        (["a={thin}", "b={thick}", "--when", "c=amount < 1"], "unknown segment"),
        (["a={thin}", "a={thick}", "--when", "a=amount < 1"], "the segment is given twice"),
        (["a={thin}", "b={thick}", "--when", "a=amount < 1", "--when", "a=amount < 2"], "the segment is given twice"),
        (["{thin}", "b={thick}"], "not a pair of names"),
        (["a={thin}", "b=nothing.json", "--when", "a=amount < 1"], "nothing.json"),
        (["a={thin}", "b={thick}", "--when", "a=amount < 1", "--feature", "x=text"], "not a feature"),
        (["a={thin}", "b={thick}", "--when", "a=amount < 1", "--feature", "amont=numeric,-9"], "no condition reads"),
    ],
)
def test_what_is_refused_writes_nothing(
    run: Run, thin: Path, thick: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    filled = [each.format(thin=thin, thick=thick) for each in arguments]
    result = run("combine", *filled, "-o", tmp_path / "model.json")
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "model.json").exists()


def test_an_existing_file_and_an_input_are_not_written_over(run: Run, thin: Path, thick: Path) -> None:
    before = thin.read_bytes()
    result = run("combine", f"a={thin}", f"b={thick}", "--when", "a=amount < 1", "-o", thin, "--overwrite")
    assert result.exit_code == 2
    assert thin.read_bytes() == before


CONFIG = """
[data]
path = "loans.csv"
target = "credit_risk"
favourable = "good"
protected = ["sex", "age_group"]
drop = ["age", "personal_status", "marital_status", "foreign_worker"]
id = "loan"

[learner]
name = "segmented"

[learner.options]
options = { binner = "quantile" }
segment_options = { "short loan" = { approval_rate = 0.6 } }

[learner.options.segments]
"short loan" = "duration_months < 12"
"small loan" = "credit_amount < 2000"
"others" = "else"

[output]
model = "model.json"
evidence = "evidence.json"
"""


def test_a_config_fits_segments_and_every_command_takes_the_model(run: Run, loans: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(loans)
    frame.to_csv(tmp_path / "loans.csv", index=False)
    (tmp_path / "run.toml").write_text(CONFIG)
    result = run("fit", tmp_path / "run.toml")
    assert result.exit_code == 0, result.output
    model = load(tmp_path / "model.json")
    assert isinstance(model, SegmentedModel)
    found = evaluate(model, frame)
    wanted = np.where(
        frame["duration_months"] < 12, "short loan", np.where(frame["credit_amount"] < 2000, "small loan", "others")
    )
    assert (found.segment == wanted).all()
    parts = json.loads((tmp_path / "evidence.json").read_text())["metrics"]["segments"]
    assert parts["short loan"]["approved"] == pytest.approx(0.6, abs=0.02)
    shown = run("show", tmp_path / "model.json").stdout
    assert "Segment short loan: duration_months < 12" in shown
    assert "Segment others: everybody else" in shown
    assert run("score", tmp_path / "model.json", tmp_path / "loans.csv", "-o", tmp_path / "scores.csv").exit_code == 0
    assert pd.read_csv(tmp_path / "scores.csv")["segment"].tolist() == wanted.tolist()
    text = run("export", tmp_path / "model.json", "--to", "sql", "--table", "loans", "-o", "-").stdout
    with duckdb.connect() as connection:
        connection.register("loans", frame)
        rows = connection.execute(f"SELECT segment, score, approved FROM ({text.rstrip().rstrip(';')})").fetchall()
    assert [row[0] for row in rows] == wanted.tolist()
    assert [row[1] for row in rows] == found.frame()["score"].tolist()
    certificate = ["--data", tmp_path / "loans.csv", "-o", tmp_path / "certificate.html"]
    verified = run("verify", tmp_path / "model.json", "--engine", "sqlite", "--engine", "duckdb", *certificate)
    assert verified.exit_code == 0, verified.output


def test_options_of_the_command_line_do_as_well(run: Run, loans: Path, fit_options: list[str], tmp_path: Path) -> None:
    roles = [each for each in fit_options if each not in ("--binner", "quantile", "--binner-option", "max_bins=4")]
    segments = 'segments={"short": "duration_months < 12", "long": "else"}'
    options = ["--option", segments, "--option", 'options={"binner": "quantile"}']
    result = run("fit", loans, *roles, "--learner", "segmented", *options, "-o", tmp_path / "m.json", "--json")
    assert result.exit_code == 0, result.output
    model = load(tmp_path / "m.json")
    assert isinstance(model, SegmentedModel)
    assert [segment.name for segment in model.segments] == ["short", "long"]


def test_help_has_an_example_and_start_is_light() -> None:
    code = "import sys, scrutable.cli.app; assert not {'numpy', 'pandas', 'sklearn'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "scrutable.cli", "combine", "--help"], capture_output=True, text=True, check=True
    )
    assert "Example" in done.stdout
    assert '["car", "home"]' in " ".join(done.stdout.split())
