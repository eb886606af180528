"""`scrutable search`: what it writes, shows and measures, that rows held out stay unseen, and what it refuses."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from scrutable.data.datasets import load_german_credit
from scrutable.fairness import Groups, RatioKind, auc, fairness_report
from scrutable.model import fingerprint, load, load_evidence
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.commands.frontier import beside_baseline, on_held_out
from scrutable_lifecycle.search.ratio import Compared, Ratio
from scrutable_lifecycle.search.settings import Settings

Run = Callable[..., Any]

ROLES = ["--target", "credit_risk", "--favourable", "good", "--protected", "sex", "--protected", "age_group"]
ROLES += [f"--drop={name}" for name in ("age", "personal_status", "marital_status", "foreign_worker")]
#: A quick search: simple pre-bins, few candidates.
PLAIN = [*ROLES, "--id", "loan", "--binner", "quantile", "--binner-option", "max_bins=5"]
PLAIN += ["--require", "0.7", "--margin", "0", "--at", "0.5"]
QUICK = [*PLAIN, "--option", 'sweep={"bounds": [0.3, 0.02], "budgets": [], "gap_shares": [0.5, 0.05]}']
ALONE = [*PLAIN, "--option", 'sweep={"bounds": [], "budgets": [], "gap_shares": []}']
FIXED = {"model.json", "evidence.json", "search.json", "frontier.csv", "frontier.svg"}


@pytest.fixture(scope="module")
def folder(run: Run, loans: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a search wrote, with what it said in `said.json`; never written to."""
    path = tmp_path_factory.mktemp("search")
    result = run("search", loans, *QUICK, "-o", path / "found", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (path / "found" / "said.json").write_text(result.stdout)
    return path / "found"


@pytest.fixture(scope="module")
def log(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "search.json").read_text())
    return found


def held_out() -> pd.DataFrame:
    """The rows held out, by a second reading: sklearn's stratified split."""
    frame = load_german_credit().frame
    _, rows = train_test_split(
        np.arange(len(frame)), test_size=0.3, random_state=0, stratify=frame["credit_risk"].astype(str)
    )
    return frame.iloc[np.sort(rows)]


# --- what it writes -----------------------------------------------------------------------------------------


def test_the_folder_has_the_pick_the_frontier_the_log_and_every_model(folder: Path, log: dict[str, Any]) -> None:
    assert {path.name for path in folder.iterdir()} == FIXED | {"models", "said.json"}
    models = sorted((folder / "models").iterdir())
    assert [int(path.name.split("-")[0]) for path in models] == [each["number"] for each in log["candidates"]]
    for path, candidate in zip(models, log["candidates"], strict=True):
        assert fingerprint(load(path)) == candidate["model_sha256"]
    picked = log["candidates"][log["picked"] - 1]
    assert fingerprint(load(folder / "model.json")) == picked["model_sha256"]
    evidence = load_evidence(folder / "evidence.json")
    assert evidence.model_sha256 == picked["model_sha256"]
    assert (folder / "frontier.svg").read_text().startswith("<?xml")
    recorded = json.loads((folder / "evidence.json").read_text())["search_log"]
    assert recorded == [{key: value for key, value in log.items() if key != "held_out"}]


def test_every_kind_of_candidate_is_tried(log: dict[str, Any]) -> None:
    tried = [each["method"] for each in (*log["candidates"], *log["repeats"])]
    assert log["candidates"][0]["method"] == "baseline"
    assert tried.count("fiv-bound") == 2
    assert len(tried) == 5
    assert all(each["why"] for each in log["candidates"])


def test_each_model_decides_as_the_log_says(folder: Path, log: dict[str, Any]) -> None:
    """The validation rows are those that neither the learner nor the test had, so shares of all rows tell."""
    frame = load_german_credit().frame
    rest = frame.drop(index=held_out().index)
    for path, candidate in zip(sorted((folder / "models").iterdir()), log["candidates"], strict=True):
        approved = evaluate(load(path), rest).approved
        rows = log["rows"]
        share = (
            candidate["approval_rate_learned"] * rows["learned_from"]
            + candidate["at_cutoff"]["approval_rate"] * rows["validation"]
        ) / len(rest)
        assert approved.mean() == pytest.approx(share, abs=1e-12)


def test_pick_and_baseline_are_measured_on_the_rows_held_out(folder: Path, log: dict[str, Any]) -> None:
    rest = held_out()
    groups = Groups.from_frame(load_german_credit().frame[["sex", "age_group"]]).subset(rest.index.to_numpy())
    good = (rest["credit_risk"] == "good").to_numpy()
    assert log["held_out"]["rows"] == len(rest) == 300
    models = sorted((folder / "models").iterdir())
    for name in ("picked", "baseline"):
        model = load(models[log[name] - 1])
        score = evaluate(model, rest).score
        measured = log["held_out"][name]
        assert measured["performance"]["auc"] == auc(good, score)
        report = fairness_report(good, score, model.cutoff, groups, n_boot=1)
        ratios = [group.adverse_impact_ratio for group in report.at_cutoff.groups]
        assert [group["adverse_impact_ratio"] for group in measured["at_cutoff"]["groups"]] == ratios
        assert measured["ratio"]["value"] == min(min(ratio, 1 / ratio) for ratio in ratios)
    metrics = load_evidence(folder / "evidence.json").metrics
    assert metrics["held_out"]["performance"]["auc"] == log["held_out"]["picked"]["performance"]["auc"]
    assert metrics["held_out_baseline"]["performance"]["auc"] == log["held_out"]["baseline"]["performance"]["auc"]


def test_the_table_holds_each_candidate(folder: Path, log: dict[str, Any]) -> None:
    frame = pd.read_csv(folder / "frontier.csv")
    assert frame["name"].tolist() == [each["name"] for each in log["candidates"]]
    assert frame["auc"].tolist() == [each["performance"]["auc"] for each in log["candidates"]]
    assert frame["ratio"].tolist() == [each["at_cutoff"]["ratio"]["value"] for each in log["candidates"]]
    aside = frame["approval_rate_learned"] > max(0.7, frame["approval_rate_learned"].iloc[0]) + 0.05
    assert (frame["comparable"] == ~aside).all()
    for _, row in frame.iterrows():
        beaten = ~aside & (frame["auc"] >= row["auc"]) & (frame["ratio"] >= row["ratio"])
        beaten &= (frame["auc"] > row["auc"]) | (frame["ratio"] > row["ratio"])
        assert row["on_frontier"] == (row["comparable"] and not beaten.any())
        assert (folder / row["file"]).is_file()
    meeting = frame[(frame["ratio"] >= 0.7) & ~aside]
    assert frame.loc[frame["picked"], "auc"].item() == meeting["auc"].max()


def test_rows_held_out_change_nothing_but_their_measures(
    run: Run, loans: Path, folder: Path, log: dict[str, Any], tmp_path: Path
) -> None:
    data = pd.read_csv(loans)
    rows = held_out().index
    data.loc[rows, "duration_months"] = data.loc[rows, "duration_months"].to_numpy()[::-1]
    data.loc[rows, "credit_amount"] = 1
    data.to_csv(tmp_path / "other.csv", index=False)
    assert run("search", tmp_path / "other.csv", *QUICK, "-o", tmp_path / "found").exit_code == 0
    for path in (folder / "models").iterdir():
        assert (tmp_path / "found" / "models" / path.name).read_bytes() == path.read_bytes()
    for name in ("model.json", "frontier.csv", "frontier.svg"):
        assert (tmp_path / "found" / name).read_bytes() == (folder / name).read_bytes()
    changed = json.loads((tmp_path / "found" / "search.json").read_text())
    assert changed.pop("held_out") != log["held_out"]
    assert changed == {key: value for key, value in log.items() if key != "held_out"}


# --- what it shows ------------------------------------------------------------------------------------------


def test_json_says_what_a_script_needs(folder: Path, log: dict[str, Any]) -> None:
    said = json.loads((folder / "said.json").read_text())
    assert said["rows"] == {"learned_from": 525, "validation": 175, "held_out": 300}
    assert said["picked"] == log["candidates"][log["picked"] - 1]
    assert said["baseline"] == log["candidates"][0]
    assert said["held_out"] == log["held_out"]
    assert (said["requirement_met"], said["why"]) == (log["requirement_met"], log["why"])
    assert {Path(path).name for path in said["written"][:5]} == FIXED
    assert len(said["written"]) == 5 + said["candidates"] == 5 + len(log["candidates"])


def test_the_page_shows_every_candidate_the_pick_and_why_and_the_files_are_the_same(
    run: Run, loans: Path, folder: Path, log: dict[str, Any], tmp_path: Path
) -> None:
    result = run("search", loans, *QUICK, "-o", tmp_path / "again")
    assert result.exit_code == 0
    written = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    written.remove(Path("said.json"))
    assert sorted(p.relative_to(tmp_path / "again") for p in (tmp_path / "again").rglob("*") if p.is_file()) == written
    for path in written:
        assert (tmp_path / "again" / path).read_bytes() == (folder / path).read_bytes()
    text = result.stdout
    assert all(len(line.rstrip()) <= 110 for line in text.splitlines() if "wrote" not in line)
    assert f"lda-xgb1: {len(log['candidates'])} models learned from 525 rows, compared on 175; 300 held out" in text
    table, _, rest = text.partition("At fixed approval rates")
    lines = {int(line.split()[1 + ("pick" in line)]): line for line in table.splitlines() if line.startswith(" *")}
    for number, line in lines.items():
        candidate = log["candidates"][number - 1]
        assert candidate["on_frontier"]
        assert f"{candidate['performance']['auc']:.4f}" in line
        assert ("pick" in line) == (number == log["picked"])
    assert len(lines) == sum(each["on_frontier"] for each in log["candidates"])
    assert "at 50%" in rest
    squeezed = " ".join(text.split())
    picked = log["candidates"][log["picked"] - 1]
    assert f"Picked: {log['picked']}, {picked['name']}: {picked['why']}." in squeezed
    baseline = log["candidates"][0]
    aucs = [candidate["performance"]["auc"] for candidate in (picked, baseline)]
    assert f"Its AUC is {aucs[0]:.4f}, the baseline's {aucs[1]:.4f}." in squeezed
    meets = baseline["at_cutoff"]["ratio"]["value"] >= 0.7
    verdict = "meets the required ratio already" if meets else "misses the required ratio"
    assert f"The baseline {verdict}: its four-fifths ratio, {baseline['at_cutoff']['ratio']['value']:.4f}" in squeezed
    assert "On the rows held out" in text
    ratio = log["held_out"]["picked"]["ratio"]
    assert f"the pick's smallest four-fifths ratio is {ratio['value']:.3f} " in squeezed
    low, high = ratio["interval"]
    assert f"its 90% interval {low:.3f} to {high:.3f}." in squeezed
    assert f"{log['held_out']['picked']['performance']['auc']:.3f} [" in text


@pytest.mark.parametrize("width", [60, 80, 110])
def test_every_figure_is_whole_however_narrow_the_terminal(run: Run, loans: Path, tmp_path: Path, width: int) -> None:
    rates = [f"--at={rate}" for rate in (0.3, 0.4, 0.6, 0.655)]
    result = run("search", loans, *QUICK, *rates, "-o", tmp_path / "found", "--no-picture", COLUMNS=str(width))
    assert result.exit_code == 0, result.output
    first, _, rest = result.stdout.partition("At fixed approval rates")
    log = json.loads((tmp_path / "found" / "search.json").read_text())
    for candidate in log["candidates"]:
        [line] = [line for line in first.splitlines() if f" {candidate['performance']['auc']:.4f} " in line]
        words = [word for word in line.split() if word not in ("*", "aside", "pick")]
        assert words[0] == str(candidate["number"])
        assert candidate["name"].startswith(words[1][:8])
        assert f" {candidate['at_cutoff']['ratio']['value']:.3f} " in line
        assert f" {candidate['at_approval_rates'][0]['ratio']['value']:.3f} " in rest
    assert ("attri" in first) == (width >= 80)
    assert ("all columns: frontier.csv" in " ".join(first.split())) == (width < 80)
    assert "others are in frontier.csv" in " ".join(rest.split())
    assert max(len(line.rstrip()) for line in first.splitlines()) <= width


def test_the_reference_group_can_be_named(run: Run, loans: Path, tmp_path: Path) -> None:
    """Who names a reference is told whether a group fares worse than it; another one that fares better is no fault."""
    options = [*ALONE, "--reference", "sex=female", "--no-picture"]
    result = run("search", loans, *options, "-o", tmp_path / "found")
    assert result.exit_code == 0, result.output
    log = json.loads((tmp_path / "found" / "search.json").read_text())
    assert {each["attribute"]: each["reference"] for each in log["groups"]}["sex"] == "female"
    assert log["groups"][0]["compared"] == ["male"]
    assert log["groups"][0]["ratio"] == "adverse-impact"
    told = "sex: a group's approval rate divided by that of 'female', and 1 for a group that is approved more often"
    assert told in log["ratio_in_words"]
    assert told in " ".join(result.stdout.split())
    ratios = [each["at_cutoff"]["ratio"] for each in log["candidates"]]
    assert all(each["value"] <= 1 for each in ratios)
    assert {each["kind"] for each in ratios if each["attribute"] == "sex"} <= {"adverse-impact"}
    evidence = json.loads((tmp_path / "found" / "evidence.json").read_text())
    assert evidence["search_log"][0]["ratio_in_words"] == log["ratio_in_words"]
    sides = {each["group"]: each["reference"] for each in log["held_out"]["picked"]["at_cutoff"]["groups"]}
    assert sides["male"] == "female"


def test_the_groups_that_are_compared_can_be_named(run: Run, loans: Path, tmp_path: Path) -> None:
    options = [*ALONE, "--compare-groups", "sex=female,male", "--min-group-size", "40", "--no-picture"]
    result = run("search", loans, *options, "-o", tmp_path / "found")
    assert result.exit_code == 0, result.output
    log = json.loads((tmp_path / "found" / "search.json").read_text())
    assert log["settings"]["compared_groups"] == {"sex": ["female", "male"]}
    assert "divided by the highest, of 'female', 'male'; age_group: " in log["ratio_in_words"]
    assert log["ratio_in_words"].endswith("; groups of 40 rows or more")
    refused = run("search", loans, *ALONE, "--compare-groups", "sex=femal", "-o", tmp_path / "other")
    assert refused.exit_code == 2
    assert "groups to compare, attribute 'sex' got: 'femal'" in " ".join(refused.stderr.split())


def test_several_learners_are_searched_with_options_of_their_own(run: Run, loans: Path, tmp_path: Path) -> None:
    several = ["--learner", "scorecard:ridge=0.001", "--learner", "fairgbm:n_estimators=10,max_leaves=3"]
    plain = [*ROLES, "--id", "loan", "--binner", "quantile", "--require", "0.7", "--margin", "0"]
    result = run("search", loans, *plain, *several, "-o", tmp_path / "found")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("scorecard, fairgbm: ")
    log = json.loads((tmp_path / "found" / "search.json").read_text())
    first, second = log["learners"]
    assert (first["name"], first["parameters"]["ridge"]) == ("scorecard", 0.001)
    assert (second["name"], second["parameters"]["n_estimators"]) == ("fairgbm", 10)
    names = [each["name"] for each in log["candidates"]]
    assert names[0] == "scorecard: baseline"
    repeats = [each["name"] for each in log["repeats"] if each["learner"] == "fairgbm"]
    assert "fairgbm: smaller-trees max_leaves=2" in names
    assert any("bounded allowance=1" in name for name in [*names, *repeats])
    table = pd.read_csv(tmp_path / "found" / "frontier.csv")
    assert set(table["learner"]) == {"scorecard", "fairgbm"}
    assert (tmp_path / "found" / "models" / "01-scorecard-baseline.json").exists()
    refused = run("search", loans, *ROLES, *several, "--option", "ridge=1", "-o", tmp_path / "other")
    assert refused.exit_code == 2
    assert "--learner scorecard:ridge=1" in refused.stderr
    one = [*ROLES, "--learner", "rug", "--learner", "fairgbm", "--binner", "quantile"]
    untaken = run("search", loans, *one, "-o", tmp_path / "other")
    assert (untaken.exit_code, "none of the learners takes binner" in untaken.stderr) == (2, True)


def test_a_requirement_that_is_not_met_is_said(run: Run, loans: Path, tmp_path: Path) -> None:
    options = [*ALONE, "--require", "1", "--no-picture", "--test-size", "0"]
    result = run("search", loans, *options, "-o", tmp_path / "found")
    assert result.exit_code == 0
    assert "Note: no candidate meets the required ratio of 1: the closest is" in result.stderr
    assert "Closest: " in result.stdout
    assert "It is the baseline itself." in result.stdout
    assert "rows held out" not in result.stdout
    assert not (tmp_path / "found" / "frontier.svg").exists()
    log = json.loads((tmp_path / "found" / "search.json").read_text())
    assert (log["requirement_met"], log["held_out"]) == (False, {"rows": 0, "picked": None, "baseline": None})


def test_hostile_names_stay_names(run: Run, loans: Path, tmp_path: Path) -> None:
    names = {"duration_months": "=cmd()", "purpose": "[red]<b>", "sex": "\x1b[31m&"}
    pd.read_csv(loans).rename(columns=names).to_csv(tmp_path / "odd.csv", index=False)
    options = [name if name != "sex" else names["sex"] for name in ALONE]
    result = run("search", tmp_path / "odd.csv", *options, "-o", tmp_path / "found")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    assert "\\x1b[31m&" in result.stdout
    assert not any(
        cell.startswith("=") for cell in pd.read_csv(tmp_path / "found" / "frontier.csv").map(str).to_numpy().flat
    )


def test_files_of_an_earlier_search_are_kept_or_named(run: Run, loans: Path, tmp_path: Path) -> None:
    folder = tmp_path / "found"
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "99-old.json").write_text("{}")
    refused = run("search", loans, *ALONE, "-o", folder)
    assert refused.exit_code == 2
    assert "99-old.json" in refused.stderr
    assert "--overwrite" in refused.stderr
    result = run("search", loans, *ALONE, "-o", folder, "--overwrite")
    assert result.exit_code == 0
    assert "models holds models that this search did not write: 99-old.json" in " ".join(result.stderr.split())
    assert (folder / "models" / "99-old.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("value", "low", "verdict"),
    [
        (0.79, 0.7, "is not met:"),
        (0.8, 0.7, "is met, but not by the low end of the interval:"),
        (0.9, 0.8, "is met, by the low end of the interval too:"),
    ],
)
def test_the_requirement_is_held_against_the_rows_held_out(value: float, low: float, verdict: str) -> None:
    titles: dict[RatioKind, str] = {"four-fifths": "four-fifths ratio", "adverse-impact": "adverse impact ratio"}
    for kind, title in titles.items():
        said = on_held_out(Ratio(value, (low, 0.95), "sex", "f", "m", kind), Settings(required_ratio=0.8))
        assert said.startswith(f"The required ratio of 0.8 {verdict} the pick's smallest {title} is {value:.3f}")
        assert "(sex: f / m), its 90% interval" in said


def test_groups_too_small_on_the_rows_held_out_are_not_judged() -> None:
    groups = Groups.from_frame({"sex": ["f"] * 29 + ["m"] * 40}, min_group_size=0)
    assert not Compared.among(groups)
    assert Compared.among(groups).small == {"sex": ("f",)}
    assert on_held_out(None, Settings()).startswith("No group has rows enough held out")


# --- what it refuses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*ROLES[:4]], "a search compares protected groups"),
        ([*ROLES, "--learner", "scorecord"], "did you mean 'scorecard'"),
        ([*ROLES, "--option", "cutoff=500"], "can be bought by approving more"),
        ([*ROLES, "--require", "1.5"], "where: --require"),
        ([*ROLES, "--reference", "sex=none"], "'none'"),
        ([*ROLES, "--reference", "sax=male"], "'sax'"),
        ([*ROLES, "--reference", "male"], "allowed: ATTRIBUTE=GROUP"),
        ([*ROLES, "--at", "50"], "where: --at"),
        ([*ROLES, "--validation-size", "0"], "where: --validation-size"),
        ([*ROLES, "--test-size", "1"], "test_size"),
        ([*ROLES, "--learner", "rug", "--binner-option", "max_bins=3"], "learner 'rug' has no binner by default"),
    ],
)
def test_what_cannot_be_searched(run: Run, loans: Path, tmp_path: Path, options: list[str], message: str) -> None:
    result = run("search", loans, *options, "--drop", "loan", "-o", tmp_path / "found")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert not any((tmp_path / "found").rglob("*.json"))


def test_weights_that_are_all_zero_are_refused(run: Run, loans: Path, tmp_path: Path) -> None:
    pd.read_csv(loans).assign(weight=0).to_csv(tmp_path / "loans.csv", index=False)
    result = run("search", tmp_path / "loans.csv", *ALONE, "--weight", "weight", "-o", tmp_path / "found")
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    path = str(tmp_path / "loans.csv")
    assert f"weights may not be negative, nor all be zero where: file {path!r}, column 'weight' got: 0.0" in said


def test_without_matplotlib_it_says_so_before_the_work(
    run: Run, loans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(
        "scrutable_lifecycle.commands.options.find_spec", lambda name: None if name == "matplotlib" else known(name)
    )
    result = run("search", loans, *QUICK, "-o", tmp_path / "found")
    assert result.exit_code == 2
    assert "scrutable[plots]" in result.stderr
    assert "--no-picture" in result.stderr
    assert not (tmp_path / "found").exists()


def test_the_data_may_not_be_overwritten(run: Run, loans: Path, tmp_path: Path) -> None:
    data = tmp_path / "frontier.csv"
    data.write_bytes(loans.read_bytes())
    result = run("search", data, *QUICK, "-o", tmp_path, "--overwrite")
    assert result.exit_code == 2
    assert "the file has two uses" in result.stderr
    assert data.read_bytes() == loans.read_bytes()


def test_a_column_that_is_no_input_is_dropped_by_the_option_named(run: Run, loans: Path, tmp_path: Path) -> None:
    result = run("search", loans, *ROLES, "-o", tmp_path / "found")
    assert result.exit_code == 2
    assert "leave the column out (here: --drop loan)" in result.stderr


@pytest.mark.parametrize(
    ("margin", "ratio", "hinted"), [(None, 0.85, True), (None, 0.75, False), (0.0, 0.75, False), (None, 0.95, False)]
)
def test_a_baseline_that_only_its_interval_keeps_from_meeting_the_ratio(
    margin: float | None, ratio: float, hinted: bool
) -> None:
    def candidate(number: int) -> SimpleNamespace:
        known = Ratio(value=ratio, interval=(ratio - 0.1, 1.0), attribute="sex", group="female")
        return SimpleNamespace(number=number, auc=0.7, ratio=known)

    result: Any = SimpleNamespace(
        settings=Settings(margin=margin), baseline=candidate(1), picked=candidate(2), requirement_met=True
    )
    assert ("--margin 0 asks for the ratio alone" in beside_baseline(result, name="baseline")) == hinted
