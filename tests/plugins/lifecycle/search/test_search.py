"""`LDASearch`: what it measures, picks and records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plugins.lifecycle.search.searched import GROUPS, INPUTS, search, split

import scrutable
from scrutable.errors import InputError, PluginError
from scrutable.fairness import Groups, SmallGroupWarning, auc, fairness_report
from scrutable.measures.numerics.counts import strength
from scrutable.model import dumps, dumps_evidence, fingerprint, loads
from scrutable.plugins.bases import Alternative, Learner
from scrutable_lifecycle.search import Candidate, LDASearch, RatioAsked, SearchWarning


@pytest.fixture(scope="module")
def found(leaving_out: Any, people: pd.DataFrame) -> LDASearch:
    return search(leaving_out(without=[["wealth"], [], ["wealth", "income"], ["age"]]), people, approval_rates=[0.4])


def test_candidates_learn_from_one_part_and_are_measured_on_the_other(
    found: LDASearch, leaving_out: Any, people: pd.DataFrame
) -> None:
    learn, validation = split(people)
    rate = float((learn["paid"] == "yes").mean())
    result = found.result_
    assert result.settings.approval_rate == rate
    for candidate, names in zip(result.candidates, [[], ["wealth"], ["wealth", "income"], ["age"]], strict=True):
        kept = [name for name in INPUTS if name not in names]
        alone = leaving_out(approval_rate=rate).fit(learn[kept], learn["paid"], sensitive_features=learn[GROUPS])
        score = scrutable.evaluate(alone.model_, validation).score
        cutoff = alone.model_.cutoff
        good = (validation["paid"] == "yes").to_numpy()
        report = fairness_report(
            good, score, cutoff, Groups.from_frame(validation[GROUPS]), approval_rate=0.4, n_boot=1
        )
        assert candidate.auc == auc(good, score)
        assert candidate.approval_rate == report.at_cutoff.approval_rate
        assert candidate.bad_rate == report.at_cutoff.bad_rate_among_approved
        rates = [[g.approval_rate for g in report.at_cutoff.groups if g.attribute == name] for name in GROUPS]
        assert candidate.ratio.value == pytest.approx(min(min(each) / max(each) for each in rates), rel=1e-12)
        reading = candidate.judgement.at_rates[0.4]
        assert reading.point.bad_rate_among_approved == report.at_approval_rate.bad_rate_among_approved
        assert reading.point.approval_rate == pytest.approx(0.4, abs=0.02)


# --- candidates, frontier, pick ------------------------------------------------------------------------------


def test_the_same_model_is_measured_once_and_the_log_says_so(found: LDASearch) -> None:
    result = found.result_
    assert [each.number for each in result.candidates] == [1, 2, 3, 4]
    assert result.baseline.also == ("leave-out without=[]",)
    [repeat] = result.to_dict()["repeats"]
    assert (repeat["name"], repeat["equals"]) == ("leave-out without=[]", 1)
    assert repeat["model_sha256"] != result.baseline.alternative.evidence.model_sha256  # the recipe is another


def test_each_candidate_is_a_whole_model_with_its_recipe(found: LDASearch, people: pd.DataFrame) -> None:
    for candidate in found.result_.candidates:
        model = candidate.model
        assert loads(dumps(model)) == model
        assert fingerprint(model) == candidate.alternative.evidence.model_sha256
        recipe = model.provenance.parameters["alternative"]
        assert recipe == candidate.alternative.recipe
        assert model.provenance.parameters["approval_rate"] == found.result_.settings.approval_rate
    assert dict(found.result_.candidates[2].alternative.recipe) == {
        "method": "leave-out",
        "without": ("wealth", "income"),
    }


def test_the_frame_has_a_row_for_each_candidate(found: LDASearch) -> None:
    frame = found.result_.frame()
    assert frame["name"].tolist() == [each.name for each in found.result_.candidates]
    assert frame["picked"].sum() == frame["baseline"].sum() == 1
    assert frame.loc[frame["picked"], "name"].item() == found.result_.picked.name
    assert set(frame.loc[frame["on_frontier"], "number"]) == {each.number for each in found.result_.frontier}
    assert (frame["ratio_low"] <= frame["ratio"]).all()
    assert (frame["ratio"] <= frame["ratio_high"]).all()
    assert ((frame["auc_low"] < frame["auc"]) & (frame["auc"] < frame["auc_high"])).all()
    iv = frame[["iv_none", "iv_weak", "iv_moderate", "iv_strong"]].sum(axis=1)
    assert iv.tolist() == frame["characteristics"].tolist() == [4, 3, 2, 3]
    assert {"ratio_at_0.4", "ratio_at_0.4_low", "bad_rate_at_0.4"} <= set(frame.columns)


def test_model_and_evidence_are_the_picks(found: LDASearch) -> None:
    picked = found.result_.picked
    assert found.model_ is picked.model
    assert found.evidence_.model_sha256 == fingerprint(found.model_)
    validation: Any = found.evidence_.metrics["validation"]
    assert validation["performance"]["auc"] == picked.auc
    assert found.evidence_.binning == picked.alternative.evidence.binning
    tables: Any = found.evidence_.binning["tables"]
    assert {name: table["strength"] for name, table in tables.items()} == {
        name: strength(table["iv"]) for name, table in tables.items()
    }


def test_the_log_holds_everything_that_was_tried(found: LDASearch) -> None:
    log = found.result_.to_dict()
    assert log == json.loads(json.dumps(log, allow_nan=False))
    assert json.loads(dumps_evidence(found.evidence_))["search_log"] == [log]
    names = [entry["name"] for entry in (*log["candidates"], *log["repeats"])]
    assert sorted(names) == sorted(
        ["baseline", "leave-out without=[]", "leave-out without=[\"age\"]", "leave-out without=[\"wealth\"]",
         "leave-out without=[\"wealth\", \"income\"]"]
    )  # fmt: skip
    assert log["candidates"][1]["parameters"] == {"without": ["wealth"]}
    assert all(entry["why"] for entry in log["candidates"])
    assert log["rows"] == {"learned_from": 2250, "validation": 750}
    [learner] = log["learners"]
    assert (learner["name"], learner["class"]) == ("LeavingOut", "LeavingOut")
    assert "alternative" not in learner["parameters"]
    assert {each["learner"] for each in (*log["candidates"], *log["repeats"])} == {"LeavingOut"}
    assert (log["settings"]["required_ratio"], log["settings"]["random_state"]) == (0.5, 0)
    assert [group["reference"] for group in log["groups"]] == ["m", "north"]
    assert log["candidates"][log["picked"] - 1]["picked"]


def test_the_same_search_gives_the_same_bytes(leaving_out: Any, people: pd.DataFrame, found: LDASearch) -> None:
    again = search(leaving_out(without=[["wealth"], [], ["wealth", "income"], ["age"]]), people, approval_rates=[0.4])
    assert dumps_evidence(again.evidence_) == dumps_evidence(found.evidence_)
    assert dumps(again.model_) == dumps(found.model_)
    other = search(leaving_out(), people, random_state=1)
    assert dumps(other.model_) != dumps(found.model_)


def test_each_candidate_is_told_as_it_comes(leaving_out: Any, people: pd.DataFrame) -> None:
    told: list[Candidate] = []
    made = LDASearch(leaving_out(), n_boot=5, required_ratio=0.3, margin=0)
    made.fit(people[INPUTS], people["paid"], sensitive_features=people["sex"], watch=told.append)
    assert [each.name for each in told] == [each.name for each in made.result_.candidates]


def test_the_log_names_a_learner_that_makes_nothing_new(leaving_out: Any, people: pd.DataFrame) -> None:
    alike = search([leaving_out(), leaving_out()], people)
    log = alike.result_.to_dict()
    assert {each["learner"] for each in log["candidates"]} == {"LeavingOut 1"}
    assert [each["name"] for each in log["learners"]] == ["LeavingOut 1", "LeavingOut 2"]


def test_a_requirement_that_is_not_met_is_a_warning_and_a_flag(leaving_out: Any, people: pd.DataFrame) -> None:
    with pytest.warns(SearchWarning, match=r"no candidate meets the required ratio of 1: the closest is 'leave-out"):
        result = search(leaving_out(), people, required_ratio=1.0).result_
    assert not result.requirement_met
    low = [each.ratio.interval[0] for each in result.candidates]
    assert result.picked.ratio.interval[0] == max(low)
    assert result.to_dict()["requirement_met"] is False


def test_a_ratio_that_is_bought_by_approving_more_is_not_picked(leaving_out: Any, people: pd.DataFrame) -> None:
    """One characteristic of two attributes cannot approve 30 %: it approves more, and its ratio is near parity."""
    made = LDASearch(leaving_out(without=[["wealth", "income", "thrift"]], max_bins=2), n_boot=20, margin=0,
                     required_ratio=0.9, approval_rate=0.3)  # fmt: skip
    with pytest.warns(SearchWarning):
        result = made.fit(people[INPUTS], people["paid"], sensitive_features=people["sex"]).result_
    coarse = result.candidates[1]
    assert coarse.ratio.value > 0.9
    assert coarse.judgement.approval_rate_learned > 0.4
    assert result.picked is result.baseline
    assert "approving more lifts a ratio by itself" in coarse.why


def test_the_learners_own_approval_rate_is_respected(leaving_out: Any, people: pd.DataFrame) -> None:
    result = search(leaving_out(approval_rate=0.4), people, required_ratio=0.2).result_
    assert result.settings.approval_rate == 0.4
    assert result.baseline.judgement.approval_rate_learned == pytest.approx(0.4, abs=0.01)


def test_references_are_the_learners(leaving_out: Any, people: pd.DataFrame) -> None:
    learner = leaving_out(reference_groups={"area": "west"})
    log = search(learner, people, required_ratio=0.1, ratio="adverse-impact").result_.to_dict()
    assert log["settings"]["ratio"] == "adverse-impact"
    assert [group["reference"] for group in log["groups"]] == ["m", "west"]
    assert log["groups"][1]["compared"] == ["north", "south"]
    assert learner.reference_groups == {"area": "west"}
    assert learner.approval_rate is None


def test_a_group_above_the_reference_costs_the_pick_nothing(leaving_out: Any, people: pd.DataFrame) -> None:
    """Where wealth lifts one group above the reference, and holds no other down, the pick keeps wealth."""
    data, draw = people.copy(), np.random.default_rng(2)
    race = draw.choice(["asian", "black", "white"], len(data), p=[0.2, 0.2, 0.6])
    data["wealth"] = draw.normal(size=len(data)) + np.where(race == "asian", 1.6, 0.0)
    data["income"], data["race"] = draw.normal(size=len(data)), race
    logit = data["wealth"] + 0.5 * data["income"] + data["thrift"] - 0.4
    data["paid"] = np.where(logit + draw.logistic(size=len(data)) > 0, "yes", "no")
    named = leaving_out(reference_groups={"race": "white"})
    one_sided = search(named, data, groups=["race"], required_ratio=0.8, margin=0).result_
    assert one_sided.requirement_met
    assert "wealth" not in one_sided.picked.name
    assert one_sided.picked.ratio.kind == "adverse-impact"
    unnamed = search(leaving_out(), data, groups=["race"], required_ratio=0.8, margin=0).result_
    assert unnamed.picked.ratio.kind == "four-fifths"
    assert "wealth" in unnamed.picked.name
    assert unnamed.picked.auc < one_sided.picked.auc - 0.05
    asked = RatioAsked(references={"race": "asian"}, groups={"race": ["black"]})
    strict = search(leaving_out(), data, groups=["race"], required_ratio=0.8, margin=0, ratio=asked).result_
    assert (strict.baseline.ratio.group, strict.baseline.ratio.against) == ("black", "asian")
    assert strict.baseline.ratio.value < 0.8
    assert strict.to_dict()["settings"]["compared_groups"] == {"race": ["black"]}


def test_one_group_alone_is_refused(leaving_out: Any, people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="sex"):
        search(leaving_out(), people.assign(sex="f"), groups=["sex"])


def test_a_group_of_three_rows_is_not_compared(leaving_out: Any, people: pd.DataFrame) -> None:
    few = people.assign(sex=people["sex"].where(np.arange(len(people)) > 2, "x"))
    with pytest.warns(SmallGroupWarning, match="fewer than 5 rows"):
        found = search(leaving_out(), few, groups=["sex"], required_ratio=0.5, margin=0).result_
    assert {found.baseline.ratio.group, found.baseline.ratio.against} == {"f", "m"}


def test_hostile_column_names(leaving_out: Any, people: pd.DataFrame) -> None:
    names = {"wealth": "=1+1", "income": '"; DROP', "thrift": "[bold]x", "age": "\x1b[31m", "sex": "<&>", "area": "%s"}
    data = people.rename(columns=names)
    made = LDASearch(leaving_out(without=[["=1+1"], ["\x1b[31m"]]), n_boot=5, required_ratio=0.3, margin=0)
    made.fit(data[["=1+1", '"; DROP', "[bold]x", "\x1b[31m"]], data["paid"], sensitive_features=data[["<&>", "%s"]])
    assert made.result_.candidates[1].name == 'leave-out without=["=1+1"]'
    assert set(made.result_.frame()["ratio_attribute"]) <= {"<&>", "%s"}
    json.dumps(made.result_.to_dict(), allow_nan=False)


# --- what is refused ---------------------------------------------------------------------------------------


def test_learners_that_cannot_be_searched(leaving_out: Any, people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"learner: expected a learner or its name; got 3"):
        LDASearch(3)  # type: ignore[arg-type]  # which is refused
    with pytest.raises(InputError, match=r"LeavingOut, cutoff: .*can be bought by approving more; got 500"):
        LDASearch(leaving_out(cutoff=500))
    with pytest.raises(InputError, match=r"approval_rate: learner and search have different approval rates"):
        LDASearch(leaving_out(approval_rate=0.5), approval_rate=0.6)
    with pytest.raises(InputError, match="there is no learner to search"):
        LDASearch([])

    class Still(leaving_out):  # type: ignore[misc]  # a class that is a fixture
        vary = Learner.vary

    with pytest.raises(InputError, match=r"Still: this learner makes no alternatives\. Fix: use one"):
        search(Still(), people)
    with pytest.raises(InputError, match=r"learner 'LeavingOut 2': learners favour different classes; got 'no'"):
        search([leaving_out(favourable="yes"), leaving_out(favourable="no")], people)


# --- several learners ----------------------------------------------------------------------------------------


def test_several_learners_are_compared_on_the_same_rows(leaving_out: Any, people: pd.DataFrame) -> None:
    few = scrutable.create("learner", "fairgbm", n_estimators=20, max_leaves=4)
    card = scrutable.create("learner", "scorecard", binner="quantile")
    result = search([leaving_out(without=[["wealth"]]), card, few], people, groups=["sex"], margin=0).result_
    alone = search(leaving_out(without=[["wealth"]]), people, groups=["sex"], margin=0).result_
    assert result.candidates[0].name == "LeavingOut: baseline"
    assert [each.auc for each in result.candidates[:2]] == [each.auc for each in alone.candidates]
    assert [each.name for each in alone.candidates] == ["baseline", 'leave-out without=["wealth"]']
    assert list(result.frame()["learner"].unique()) == ["LeavingOut", "scorecard", "fairgbm"]
    log = result.to_dict()
    assert [each["name"] for each in log["learners"]] == ["LeavingOut", "scorecard", "fairgbm"]
    assert log["candidates"][0]["name"] == "LeavingOut: baseline"
    boosted = [each for each in result.candidates if each.learner == "fairgbm"]
    assert all(each.approval_rate == pytest.approx(result.settings.approval_rate, abs=0.03) for each in boosted)
    legend = {text.get_text() for axes in result.plot().axes for text in axes.texts}
    assert "baseline: LeavingOut: baseline" in legend


def test_a_learner_that_keeps_bounds_gets_those_that_are_required(leaving_out: Any, people: pd.DataFrame) -> None:
    """One-sided against a reference that is named, any two groups where none is; its own where it has any."""
    boosted = scrutable.create("learner", "fairgbm", n_estimators=30, max_leaves=4, reference_groups={"sex": "m"})
    result = search(boosted, people, required_ratio=0.9, margin=0).result_
    [learner] = result.to_dict()["learners"]
    given = [each["parameters"] for each in learner["parameters"]["constraints"]]
    stated = {tuple(each["attributes"]): (each["compare"], each["ratio"]) for each in given}
    assert stated == {("sex",): ("reference", 0.9), ("area",): ("pairs", 0.9)}
    by_name = {each.name: each for each in result.candidates}
    assert by_name["bounded allowance=0.5"].ratio.value > result.baseline.ratio.value + 0.1
    assert all(abs(each.approval_rate - result.settings.approval_rate) < 0.05 for each in result.candidates)
    own = boosted.set_params(constraints=scrutable.create("constraint", "demographic-parity", slack=0.1))
    [learner] = search(own, people, required_ratio=0.9, margin=0).result_.to_dict()["learners"]
    assert "slack" in json.dumps(learner["parameters"]["constraints"])


def test_learners_keep_bounds_of_the_compared_groups_alone(people: pd.DataFrame) -> None:
    boosted = scrutable.create("learner", "fairgbm", n_estimators=10, max_leaves=3)

    def bound(ratio: RatioAsked) -> set[tuple[str, str]]:
        result = search(boosted, people, ratio=ratio, margin=0, required_ratio=0.1).result_
        kept = [each.alternative.evidence.metrics["constraints"] for each in result.candidates]
        return {(each["group"], each["reference"]) for bounds in kept for each in bounds if each["attribute"] == "area"}

    named = {"area": ["south", "west"]}
    assert bound(RatioAsked(groups=named)) == {("west", "south"), ("south", "west")}
    assert bound(RatioAsked(groups=named, references={"area": "north"})) == {("south", "north"), ("west", "north")}
    assert len(bound(RatioAsked())) == 6


def test_a_learner_whose_first_alternative_is_not_the_baseline(leaving_out: Any, people: pd.DataFrame) -> None:
    class Headless(leaving_out):  # type: ignore[misc]  # a class that is a fixture
        def vary(self, data: Any) -> Iterator[Alternative]:
            return (replace(each, method="other") for each in super().vary(data))

    class Idle(leaving_out):  # type: ignore[misc]  # a class that is a fixture
        def vary(self, data: Any) -> Iterator[Alternative]:
            return iter(())

    for learner in (Headless(), Idle()):
        with pytest.raises(PluginError, match=r"the first alternative of a learner must be its unconstrained model"):
            search(learner, people)


def test_search_result_and_candidate_are_shown_in_a_line(found: LDASearch) -> None:
    result = found.result_
    assert repr(found) == "LDASearch(LeavingOut, required_ratio=0.5)"
    picked = result.picked
    measures = f"AUC {picked.auc:.4f}, ratio {picked.ratio.value:.3f}"
    assert repr(picked) == f"Candidate({picked.number}, {picked.name!r}, {measures})"
    assert repr(result) == (
        f"SearchResult({len(result.candidates)} candidates, {len(result.frontier)} on the frontier, "
        f"picked {picked.number}, {picked.name!r}, required ratio 0.5 {'met' if result.requirement_met else 'not met'})"
    )
