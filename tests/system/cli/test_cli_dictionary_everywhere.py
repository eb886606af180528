"""A data dictionary in every command with applicants: unchanged as `scrutable dictionary` writes it, and as options."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

from scrutable import registry
from scrutable.cli.hooked import Deferred
from scrutable.data.datasets import load_german_credit
from scrutable.model import fingerprint, load
from scrutable.plugins import DataDictionary

Run = Callable[..., Any]
USED = ["checking_status", "duration_months", "credit_amount", "savings", "age", "sex", "credit_risk"]
ROLES = ["--target", "credit_risk", "--favourable", "good", "--protected", "sex"]
#: Commands with `--dictionary`, and what else each needs; D is a data file, M a model, N another, O a new file.
COMMANDS: dict[str, str] = {
    "bins": "D --json",
    "calibrate": "M D --json -o O.json",
    "compare": "M N --data D --json -o O",
    "explain": "M D --json",
    "fit": "D --learner scorecard --binner quantile --json -o O.json",
    "monitor": "M D D --json",
    "notices": "M D --lender L --date 2026-11-22 --draft --json -o O",
    "plot": "M -o O.svg --json",
    "policy add": "",  # reads no applicants; its tests have one
    "policy test": "M D --json",
    "reasons": "M --json",
    "report": "M --data D --json -o O.html",
    "review": "",  # serves a page; `bins` has the very options
    "score": "M D --json",
    "search": "D --binner quantile --option ALONE --json --no-picture -o O",
    "select": "D --binner quantile --json -o O.toml",
    "segments": "D --leaves 2 --splits 2 --json",
    "strategy bands": "M D --json",
    "strategy cutoff": "M D --profit approved-good=1,approved-bad=-5 --json",
    "strategy rounding": "M D --json",
    "strategy swap": "M N D --json",
    "validate": "M D --json",
}


@pytest.fixture(scope="module")
def home(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with loans, the dictionary that the command writes of them, two models and a lender."""
    folder = tmp_path_factory.mktemp("dictionary")
    frame = load_german_credit().frame[USED]
    frame.insert(0, "loan_id", [f"L{row:04d}" for row in range(len(frame))])
    frame.to_csv(folder / "D.csv", index=False)
    frame.drop(columns="credit_risk").to_csv(folder / "new.csv", index=False)
    (folder / "L.toml").write_text(run("notices", "--example-lender").stdout)
    given = ("--target", "credit_risk", "--favourable", "good")
    first = folder / "first.toml"
    ok(run("dictionary", folder / "D.csv", *given, "-o", first))
    guessed = '[columns.age]\nrole = "protected"'
    assert guessed in first.read_text()
    first.write_text(first.read_text().replace(guessed, '[columns.age]\nrole = "feature"\nrange = [21, 68]'))
    for name, bins in (("M", 4), ("N", 6)):
        options = ("--learner", "scorecard", "--binner", "quantile", "--binner-option", f"max_bins={bins}")
        ok(run("fit", folder / "D.csv", *ROLES, "--id", "loan_id", *options, "-o", folder / f"{name}.json"))
    return folder


def ok(done: Any) -> str:
    assert done.exit_code in (0, 1), done.output + done.stderr
    assert "Error" not in done.stderr
    return str(done.stdout)


def asked(home: Path, command: str, folder: Path) -> list[str]:
    alone = 'sweep={"bounds": [], "budgets": [], "gap_shares": []}'  # a search without candidates takes less time
    files: dict[str, Any] = {
        "ALONE": alone,
        "D": home / "D.csv",
        "M": home / "M.json",
        "N": home / "N.json",
        "L": home / "L.toml",
    }
    words = [*command.split(), *COMMANDS[command].split()]
    return [str(files.get(word, folder / word if word[0] == "O" else word)) for word in words]


def dictionaries() -> Iterator[str]:
    for offer in registry().commands():
        if any("--dictionary" in option.opts for option in Deferred(offer).command.params):
            yield offer.descriptor.words


def test_the_commands_with_a_dictionary_are_these() -> None:
    assert sorted(dictionaries()) == sorted(COMMANDS)


@pytest.mark.parametrize("command", [name for name, words in COMMANDS.items() if words])
def test_a_first_dictionary_is_taken_unchanged(run: Run, home: Path, tmp_path: Path, command: str) -> None:
    ok(run(*asked(home, command, tmp_path), "--dictionary", home / "first.toml"))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("bins", [*ROLES, "--id", "loan_id"]),
        ("validate", ROLES),
        ("strategy bands", ROLES),
        ("compare", ROLES),
        ("calibrate", ROLES),
        ("monitor", ROLES),
        ("score", ["--id", "loan_id"]),
        ("explain", ["--id", "loan_id"]),
        ("search", [*ROLES, "--id", "loan_id"]),
    ],
)
def test_it_says_what_options_say(run: Run, home: Path, tmp_path: Path, command: str, options: list[str]) -> None:
    arguments = asked(home, command, tmp_path)
    by_options = ok(run(*arguments, *options))
    shutil.rmtree(tmp_path / "O", ignore_errors=True)
    (tmp_path / "O.json").unlink(missing_ok=True)
    assert ok(run(*arguments, "--dictionary", home / "first.toml")) == by_options


def test_a_target_is_needed_from_an_option_or_a_dictionary(run: Run, home: Path) -> None:
    for command in ("validate", "bins", "strategy bands"):
        refused = run(*asked(home, command, home))
        assert refused.exit_code == 2
        assert 'give --target, or a column of the dictionary role = "outcome"' in refused.stderr


def test_new_applicants_without_an_outcome_are_taken(run: Run, home: Path) -> None:
    done = run("monitor", home / "M.json", home / "D.csv", home / "new.csv", "--dictionary", home / "first.toml")
    ok(done)
    assert "has no column 'credit_risk', which is the outcome by the dictionary; it is passed over" in done.stderr
    refused = run("bins", home / "new.csv", "--dictionary", home / "first.toml")
    assert (refused.exit_code, "no such column" in refused.stderr) == (2, True)


def written(folder: Path, said: dict[str, Any]) -> Path:
    path = folder / "said.toml"
    path.write_text(DataDictionary.of(said).text())
    return path


@pytest.mark.parametrize("command", ["score", "validate", "monitor"])
def test_rows_outside_allowed_ranges_are_counted(run: Run, home: Path, tmp_path: Path, command: str) -> None:
    frame = pd.read_csv(home / "D.csv")
    said = {"columns": {"credit_risk": {"role": "outcome"}, "duration_months": {"range": [6, 48], "special": [60]}}}
    done = run(*asked(home, command, tmp_path), "--dictionary", written(tmp_path, said))
    ok(done)
    months = frame["duration_months"]
    count = int((((months < 6) | (months > 48)) & (months != 60)).sum())
    assert count > 0
    told = " ".join(done.stderr.split())
    assert f"'duration_months' in {count} of 1,000 rows (6 to 48)" in told
    assert not any(name in told for name in ("L0", "row "))


def test_special_codes_and_types_reach_bins(run: Run, home: Path, tmp_path: Path) -> None:
    said = {
        "columns": {"credit_risk": {"role": "outcome"}, "age": {"special": [30]}, "duration_months": {"type": "text"}}
    }
    given = ("--dictionary", written(tmp_path, said), "--drop", "sex", "--drop", "loan_id")
    table = json.loads(ok(run(*asked(home, "bins", tmp_path), *given)))
    conditions = {each["feature"]: json.dumps(each) for each in table["features"]}
    assert '"kind": "special"' in conditions["age"]
    assert '"kind": "categorical"' in conditions["duration_months"]


def test_counterfactuals_stay_within_the_dictionary(run: Run, home: Path, tmp_path: Path) -> None:
    said = {
        "columns": {
            "duration_months": {"range": [10, 30], "change": "down"},
            "credit_amount": {"range": [1000, 4000]},
            "age": {"change": "none"},
            "checking_status": {"change": "none"},
        }
    }
    options = ("--explainer", "counterfactual", "--reference", home / "D.csv", "--option", "actions={}")
    arguments = asked(home, "explain", tmp_path)
    free = _changes(ok(run(*arguments, *options)))
    bound = _changes(ok(run(*arguments, *options, "--dictionary", written(tmp_path, said))))
    assert {"age", "checking_status"} & {each["feature"] for each in free}
    assert {each["feature"] for each in bound} <= {"duration_months", "credit_amount", "savings"}
    months = [each for each in bound if each["feature"] == "duration_months"]
    assert months
    assert all(10 <= each["nearest"] < each["value"] for each in months)
    amounts = [each["nearest"] for each in bound if each["feature"] == "credit_amount"]
    assert all(1000 <= amount <= 4000 for amount in amounts)


def _changes(output: str) -> list[dict[str, Any]]:
    said = cast("list[dict[str, Any]]", json.loads(output))
    return [change for each in said for answer in each["answers"] for change in answer["changes"]]


WORDS: dict[str, Any] = {
    "duration_months": {"label": "Term of the loan", "unit": "months"},
    "credit_amount": {"label": "Amount", "reason": "Amount of credit requested"},
    **{name: {"label": f"About {name.replace('_', ' ')}"} for name in ("checking_status", "savings", "age")},
}


def test_notices_and_reports_speak_as_the_dictionary(run: Run, home: Path, tmp_path: Path) -> None:
    words = written(tmp_path, {"columns": {"loan_id": {"role": "identifier"}, **WORDS}})
    refused = run(
        "notices", home / "M.json", home / "D.csv", "--lender", home / "L.toml", "--date", "2026-11-22", "-o", "x"
    )
    assert (refused.exit_code, "not fit to be sent" in refused.stderr) == (2, True)
    notices = [*asked(home, "notices", tmp_path), "--dictionary", words]
    notices.remove("--draft")
    ok(run(*notices))
    letters = "".join(path.read_text() for path in (tmp_path / "O").glob("notice-*.html"))
    assert "Term of the loan (months)" in letters
    assert "Amount of credit requested" in letters
    ok(run("report", home / "M.json", "--dictionary", words, "-o", tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text()
    assert "Term of the loan (months)" in page
    assert page.count(fingerprint(load(home / "M.json"))) >= 2
    ok(run("plot", home / "M.json", "--dictionary", words, "-o", tmp_path / "p.svg"))
    assert "Term of the loan" in (tmp_path / "p.svg").read_text()
