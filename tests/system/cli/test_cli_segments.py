"""A model of segments on the command line: measured, explained, its reasons taken anew, its notices, its document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from scrutable.data.frames import read_file
from scrutable.fairness import auc
from scrutable.model import SegmentedModel, load, load_evidence
from scrutable.model.evaluator import evaluate

Run = Callable[..., Result]

CONFIG = """
[data]
path = {path!r}
target = "credit_risk"
favourable = "good"
protected = ["sex"]
drop = ["loan", "age", "age_group", "personal_status", "marital_status", "foreign_worker"]

[learner]
name = "segmented"

[learner.options]
options = {{ binner = "quantile", select = "standard:must=savings" }}
segment_options = {{ short = {{ approval_rate = 0.5 }} }}

[learner.options.segments]
short = "duration_months < 18"
long = "else"

[output]
model = "whole.json"
evidence = "evidence.json"
"""


@pytest.fixture(scope="module")
def whole(run: Run, loans: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two segments; never written to."""
    folder = tmp_path_factory.mktemp("segments")
    (folder / "run.toml").write_text(CONFIG.format(path=str(loans)))
    done = run("fit", folder / "run.toml", "--json")
    assert done.exit_code == 0, done.output
    (folder / "fit.json").write_text(done.stdout)
    return folder / "whole.json"


def segmented(path: Path) -> SegmentedModel:
    found = load(path)
    assert isinstance(found, SegmentedModel)
    return found


def test_a_fit_measures_separation_and_groups_across_segments(whole: Path) -> None:
    assert segmented(whole).outcome.target == "credit_risk"
    told = json.loads((whole.parent / "fit.json").read_text())
    held_out = told["held_out"]
    assert held_out["ranked_by"] == "probability"
    assert 0.65 < held_out["performance"]["auc"] < 0.9
    assert (held_out["at_cutoff"]["basis"], held_out["at_cutoff"]["threshold"]) == ("cutoffs of segments", None)
    assert {group["group"] for group in held_out["at_cutoff"]["groups"]} == {"female", "male"}
    assert told["cutoff"]["score"] is None
    assert 0 < told["cutoff"]["approved"] < 1
    assert load_evidence(whole.parent / "evidence.json").metrics["held_out"]["ranked_by"] == "probability"


def test_the_table_says_what_ranks(run: Run, whole: Path) -> None:
    shown = run("fit", whole.parent / "run.toml", "--overwrite")
    text = " ".join(shown.output.split())
    assert "Separation of the probability, across segments" in text
    assert "At the cutoff of each segment" in text
    assert "Decided by the cutoffs of the segments: " in text


def test_each_applicant_is_explained_in_their_segment(run: Run, whole: Path, loans: Path) -> None:
    found = json.loads(run("explain", whole, loans, "--json").stdout)
    model = segmented(whole)
    its = evaluate(model, read_file(loans))
    assert its.reasons is not None
    assert its.segment is not None
    cutoffs = {segment.name: segment.model.cutoff for segment in model.segments}
    for place, each in enumerate(found):
        assert (each["row"], each["segment"]) == (place + 1, its.segment[place])
        assert each["cutoff"] == cutoffs[each["segment"]]
        assert [reason["code"] for reason in each["reasons"]] == [code for code in its.reasons[place] if code]
    shown = run("explain", whole, loans, "--row", "2", "--id", "loan")
    assert "segment 'long'" in shown.output
    told = run("explain", whole, loans, "--reference", loans, "--option", "k=1", "--row", "2", "--json")
    assert len(json.loads(told.stdout)[0]["reasons"]) == 1


def test_reasons_are_shown_for_each_segment(run: Run, whole: Path) -> None:
    shown = run("reasons", whole)
    assert shown.exit_code == 0, shown.output
    assert "Segment 'short'. Method below-average" in " ".join(shown.output.split())
    assert "Segment 'long'. Method below-average" in " ".join(shown.output.split())
    plain = json.loads(run("reasons", whole, "--json").stdout)
    assert list(plain) == ["short", "long"]
    policy = segmented(whole).segments[0].model.reasons
    assert policy is not None
    assert plain["short"]["codes"] == dict(policy.codes)


def test_the_dictionary_that_is_printed_changes_nothing(run: Run, whole: Path, tmp_path: Path) -> None:
    words, output = tmp_path / "words.toml", tmp_path / "same.json"
    words.write_text(run("reasons", whole, "--toml").stdout)
    done = run("reasons", whole, "--dictionary", words, "--output", output)
    assert done.exit_code == 0, done.output
    assert segmented(output).segments == segmented(whole).segments


def test_a_policy_is_taken_anew_in_each_segment(run: Run, whole: Path, loans: Path, tmp_path: Path) -> None:
    words, output = tmp_path / "words.toml", tmp_path / "new.json"
    words.write_text(
        '[reasons]\nk = 3\ntexts = { CASH = "Balances" }\n[reasons.codes]\nsavings = "CASH"\nchecking_status = "CASH"\n'
    )
    options = ["--reference", loans, "--method", "near-cutoff", "--dictionary", words]
    done = run("reasons", whole, *options, "--output", output)
    assert done.exit_code == 0, done.output
    before, after = segmented(whole), segmented(output)
    rows = evaluate(before, read_file(loans)).segment
    assert rows is not None
    for old, new in zip(before.segments, after.segments, strict=True):
        assert old.model.reasons is not None
        assert new.model.reasons is not None
        assert (new.model.reasons.method, new.model.reasons.k) == ("near-cutoff", 3)
        assert new.model.reasons.cutoff == new.model.cutoff == old.model.cutoff
        assert new.model.reasons.codes["savings"] == "CASH"
        assert new.model.reasons.codes["purpose"] == old.model.reasons.codes["purpose"]
    refused = run("reasons", whole, "--reference", loans, "--method", "votes-against")
    assert refused.exit_code == 2
    assert "no method for this model, Scorecard" in refused.stderr
    assert "segment 'short', method" in refused.stderr


def test_methods_are_compared_in_each_segment(run: Run, whole: Path, loans: Path) -> None:
    shown = run("reasons", whole, "--compare", loans)
    assert "Segment 'short': " in " ".join(shown.output.split())
    found = json.loads(run("reasons", whole, "--compare", loans, "--json").stdout)
    assert [each["segment"] for each in found] == ["short"] * 5 + ["long"] * 5
    assert all(each["same"] == 1.0 for each in found if each["method"] == "below-average")


def test_notices_have_the_reasons_of_the_segment(run: Run, whole: Path, loans: Path, tmp_path: Path) -> None:
    near, lender = tmp_path / "near.json", tmp_path / "lender.toml"
    done = run("reasons", whole, "--reference", loans, "--method", "near-cutoff", "--output", near)
    assert done.exit_code == 0, done.output
    lender.write_text(run("notices", "--example-lender").stdout)
    arguments: list[Any] = ["notices", near, loans, "--lender", lender, "--date", "2026-11-22", "--format", "json"]
    arguments.append("--draft")
    done = run(*arguments, "--output", tmp_path / "notices")
    assert done.exit_code == 0, done.output
    its = evaluate(segmented(near), read_file(loans))
    assert its.reasons is not None
    written = sorted((tmp_path / "notices").glob("notice-*.json"))
    assert len(written) == (~its.approved).sum() > 100
    for path in written:
        notice = json.loads(path.read_text())
        codes = [code for code in its.reasons[notice["row"] - 1] if code]
        assert [reason["code"] for reason in notice["reasons"]] == codes
    score = {"name": "S", "lowest": 0, "highest": 900, "supplier": "Bank", "created": "2026-11-20"}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in score.items())
    lender.write_text(lender.read_text() + f"[score]\n{lines}ranges = {{ short = [100, 800] }}\n")
    refused = run(*arguments, "--output", tmp_path / "scored")
    assert refused.exit_code == 2
    assert "need a range each" in " ".join(refused.stderr.split())
    lender.write_text(lender.read_text().replace("800] }", "800], long = [200, 900] }"))
    done = run(*arguments, "--output", tmp_path / "scored")
    assert done.exit_code == 0, done.output
    for path in (tmp_path / "scored").glob("notice-*.json"):
        notice = json.loads(path.read_text())
        assert its.segment is not None
        lowest = {"short": 100.0, "long": 200.0}[its.segment[notice["row"] - 1]]
        assert notice["score"]["lowest"] == lowest


def test_the_document_measures_the_whole(run: Run, whole: Path, loans: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run("report", whole, "--data", loans, "--target", "credit_risk", "--protected", "sex", "-o", page)
    assert done.exit_code == 0, done.output
    frame = read_file(loans)
    its = auc((frame["credit_risk"] == "good").to_numpy(), evaluate(segmented(whole), frame).probability)
    text = page.read_text()
    assert "All segments" in text
    assert f"{its:.3f}" in text.partition("Separation of the probability on these applicants")[2][:600]
    assert "sex: at the cutoff of each segment" in text
