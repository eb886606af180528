"""`compare_models`: every model at one approval rate, measured by hand; the pick is that of the rules of a search."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.disclosure.smallest_count import told_from
from scrutable.errors import InputError
from scrutable.fairness import Groups, approval_threshold, auc
from scrutable.fairness.measuring import measure
from scrutable.measures import model_reliability
from scrutable.model import (
    Clause,
    Evidence,
    Interval,
    KnockOut,
    Policy,
    Scorecard,
    Segment,
    SegmentedModel,
    fingerprint,
    load,
)
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.search import RatioAsked, compare_models
from scrutable_lifecycle.search.beside_champion import Swapped
from scrutable_lifecycle.strategy import score_rows, swap_set
from scrutable_lifecycle.strategy.rounding import rounded_points

INPUTS = ["wealth", "income", "thrift", "age"]
GROUPS = ["sex", "area"]
PAGE = Path(__file__).parents[4] / "docs" / "challengers.md"


@pytest.fixture(scope="module")
def halves(people: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    return people.iloc[::2], people.iloc[1::2]


@pytest.fixture(scope="module")
def models(leaving_out: Any, halves: Any) -> dict[str, Scorecard]:
    learn, _ = halves
    kept = {"champion": ["thrift"], "whole": INPUTS, "without wealth": INPUTS[1:]}
    return {
        name: leaving_out(approval_rate=0.6).fit(learn[columns], learn["paid"]).model_ for name, columns in kept.items()
    }


def compared(models: Any, halves: Any, **options: Any) -> Any:
    learn, new = halves
    given = {"development": learn, "n_boot": 50, "required_ratio": 0.5, "margin": 0} | options
    return compare_models(models, new[INPUTS], new["paid"], sensitive_features=new[GROUPS], **given)


def test_every_model_approves_what_the_champion_does(models: Any, halves: Any) -> None:
    learn, new = halves
    result = compared(models, halves)
    rate = float(evaluate(models["champion"], learn).approved.mean())
    assert result.settings.approval_rate == rate
    good = (new["paid"] == "yes").to_numpy()
    for candidate, model in zip(result.candidates, models.values(), strict=True):
        cutoff = approval_threshold(evaluate(model, learn).score, rate)
        assert candidate.model.cutoff == cutoff
        assert candidate.auc == auc(good, evaluate(model, new).score)
        approved = evaluate(model, new).score >= cutoff
        assert candidate.approval_rate == pytest.approx(approved.mean())
        by_sex = pd.Series(approved).groupby(new["sex"].to_numpy()).mean()
        reference = Groups.from_frame(new[GROUPS])["sex"].reference
        ratios = by_sex / by_sex[reference]
        assert candidate.ratio.value <= min(*ratios, *(1 / ratios)) + 1e-12


def test_the_champion_keeps_its_cutoff_and_its_bytes(models: Any, halves: Any) -> None:
    result = compared(models, halves)
    assert fingerprint(result.baseline.model) == fingerprint(models["champion"])
    assert result.baseline.name == "champion"


def test_the_pick_is_the_most_accurate_that_meets_the_ratio(models: Any, halves: Any) -> None:
    free = compared(models, halves, required_ratio=0.01)
    assert free.picked.auc == max(each.auc for each in free.candidates)
    ratios = sorted(each.ratio.value for each in free.candidates)
    assert len(set(ratios)) == len(ratios)
    strict = compared(models, halves, required_ratio=ratios[-1])
    assert strict.picked.ratio.value == ratios[-1]
    assert strict.requirement_met


def test_the_log_names_every_model_and_why(models: Any, halves: Any) -> None:
    result = compared(models, halves, approval_rate=0.5, approval_rates=[0.3])
    log = result.to_dict()
    assert log["models"] == {name: fingerprint(model) for name, model in models.items()}
    assert [each["name"] for each in log["candidates"]] == list(models)
    assert all(each["why"] for each in log["candidates"])
    assert log["rows"] == {"development": len(halves[0]), "validation": len(halves[1])}
    assert log["settings"]["approval_rate"] == 0.5
    assert [each["method"] for each in log["candidates"]] == list(models)


def test_evidence_of_the_pick_holds_what_was_known(models: Any, halves: Any) -> None:
    known = {"whole": Evidence(model_sha256="x", reference={"note": "kept"})}
    result = compared(models, halves, required_ratio=0.01, evidence=known)
    assert result.picked.name == "whole"
    evidence = result.evidence()
    assert evidence.reference["note"] == "kept"
    assert evidence.model_sha256 == fingerprint(result.picked.model)
    assert evidence.search_log[0]["picked"] == result.picked.number


def test_the_same_model_under_two_names_is_measured_once(models: Any, halves: Any) -> None:
    result = compared({"champion": models["champion"], "copy": models["champion"]}, halves)
    assert len(result.candidates) == 1
    assert result.baseline.also == ("copy",)
    assert result.repeats[0].equals == 1


def test_whom_a_knock_out_declines_is_not_approved(models: Any, halves: Any) -> None:
    learn, _ = halves
    young = KnockOut(
        code="AGE", reason="Too young", when=(Clause("age", (Interval(upper=float(learn["age"].median())),)),)
    )
    strict = replace(models["whole"], policy=Policy(knock_outs=(young,)))
    result = compared({"champion": models["champion"], "strict": strict}, halves, approval_rate=0.3)
    cut = result.candidates[1].model
    assert float(evaluate(cut, learn).approved.mean()) == pytest.approx(0.3, abs=0.01)
    assert result.candidates[1].judgement.approval_rate_learned == float(evaluate(cut, learn).approved.mean())


def knocking_out(model: Scorecard, learn: pd.DataFrame, share: float) -> Scorecard:
    """The model with a knock-out of this share of the rows, of whom it says nothing else."""
    limit = float(learn["income"].quantile(share))
    poor = KnockOut(code="POOR", reason="Too little", when=(Clause("income", (Interval(upper=limit),)),))
    return replace(model, policy=Policy(knock_outs=(poor,)))


def test_a_challenger_whose_knock_outs_leave_too_few_is_set_aside_as_it_is(models: Any, halves: Any) -> None:
    learn, _ = halves
    strict = knocking_out(models["whole"], learn, 0.598)
    left = float(1 - (learn["income"] < learn["income"].quantile(0.598)).mean())
    result = compared(
        {"champion": models["champion"], "strict": strict}, halves, approval_rate=0.8, required_ratio=0.01
    )
    aside = result.candidates[1]
    assert result.picked.name == "champion"
    assert not aside.comparable
    assert not aside.on_frontier
    assert aside.why == (
        f"its knock-outs and overrides leave only {left:.1%} of the development rows, less than the 80.0% asked, "
        "so that no cutoff makes it comparable; it is shown at its own"
    )
    assert fingerprint(aside.model) == fingerprint(strict)
    assert "(1 left aside for approving too few)" in result.picked.why
    assert result.to_dict()["candidates"][1]["comparable"] is False


def test_a_champion_whose_knock_outs_leave_too_few_is_an_error(models: Any, halves: Any) -> None:
    learn, _ = halves
    both = {"champion": knocking_out(models["whole"], learn, 0.6), "other": models["champion"]}
    with pytest.raises(
        InputError,
        match=r"model .champion., approval_rate: the champion cannot approve so many, because its knock-outs or "
        r"overrides decline the others; got 0\.8; allowed: at most 0\.4.*Fix: ask for fewer",
    ):
        compared(both, halves, approval_rate=0.8)


def test_what_knock_outs_leave_can_be_approved_to_the_last(models: Any, halves: Any) -> None:
    learn, _ = halves
    clause = Clause("thrift", (Interval(upper=float(learn["thrift"].quantile(0.3))),))
    rule = KnockOut(code="LOW", reason="Too little", when=(clause,))
    champion = replace(models["champion"], cutoff=-1e3, policy=Policy(knock_outs=(rule,)))
    challenger = replace(models["whole"], policy=Policy(knock_outs=(rule,)))
    result = compared({"champion": champion, "challenger": challenger}, halves)
    assert all(each.comparable for each in result.candidates)
    shares = [each.judgement.approval_rate_learned for each in result.candidates]
    assert shares == [result.settings.approval_rate] * 2
    assert result.candidates[0].model.cutoff == -1e3


def test_a_further_rate_that_knock_outs_put_out_of_reach_has_no_reading(models: Any, halves: Any) -> None:
    learn, _ = halves
    both = {"champion": models["champion"], "strict": knocking_out(models["whole"], learn, 0.6)}
    result = compared(both, halves, approval_rate=0.3, approval_rates=[0.2, 0.7])
    strict = result.candidates[1]
    assert strict.comparable
    assert strict.judgement.at_rates[0.7] is None
    near = strict.judgement.at_rates[0.2]
    assert near is not None
    assert near.point.approval_rate == pytest.approx(0.2, abs=0.01)
    said = result.to_dict()["candidates"][1]["at_approval_rates"]
    assert [each["requested_approval_rate"] for each in said] == [0.2, 0.7]
    assert set(said[1]) == {"requested_approval_rate"} < set(said[0])
    assert pd.isna(result.frame()["ratio_at_0.7"]).tolist() == [False, True]


def test_the_champion_keeps_a_cutoff_between_two_scores(models: Any, halves: Any) -> None:
    learn, _ = halves
    scores = np.unique(evaluate(models["champion"], learn).score)
    place = np.searchsorted(scores, models["champion"].cutoff)
    between = replace(models["champion"], cutoff=float(scores[place - 1 : place + 1].mean()))
    result = compared({"champion": between, "whole": models["whole"]}, halves)
    assert fingerprint(result.baseline.model) == fingerprint(between)


def test_cutoffs_of_segments_decide_as_score_minus_cutoff_does(models: Any, halves: Any) -> None:
    learn, _ = halves
    card = rounded_points(models["whole"], 0)
    card = replace(card, base_points=card.base_points - 520)
    feature = next(each for each in card.features if each.name == "age")
    older = (Clause("age", (Interval(lower=float(learn["age"].median())),)),)
    segments = SegmentedModel(
        segments=(
            Segment(name="older", when=older, model=replace(card, cutoff=-19.9)),
            Segment(name="others", model=replace(card, cutoff=3.3)),
        ),
        routing=(feature,),
    )
    scored = score_rows(segments, learn)
    # In doubles -19.9 + (50 - -19.9) is above 50: as a sum, the cutoff would decline whoever has 50 points.
    missed = [by for by in np.unique(scored.score) if -19.9 + by > round(-19.9 + by)]
    shares = [float((scored.score >= by).mean()) for by in missed]
    assert len(missed) >= 3
    for by, rate in list(zip(missed, shares, strict=True))[:3]:
        result = compared({"champion": models["champion"], "own": segments}, halves, approval_rate=rate, n_boot=2)
        assert (evaluate(result.candidates[1].model, learn).approved == scored.approved_from(by)).all()


def in_two_segments(model: Scorecard, learn: pd.DataFrame) -> SegmentedModel:
    """The model for those of higher age, and the same for the others with a cutoff ten points above."""
    feature = next(each for each in model.features if each.name == "age")
    older = (Clause("age", (Interval(lower=float(learn["age"].median())),)),)
    return SegmentedModel(
        segments=(
            Segment(name="older", when=older, model=model),
            Segment(name="others", model=replace(model, cutoff=model.cutoff + 10)),
        ),
        routing=(feature,),
    )


@pytest.mark.parametrize("kind", ["knock-out", "segments"])
def test_separation_is_that_which_a_model_is_measured_by_elsewhere(models: Any, halves: Any, kind: str) -> None:
    learn, new = halves
    whole = models["whole"]
    other = knocking_out(whole, learn, 0.2) if kind == "knock-out" else in_two_segments(whole, learn)
    result = compared({"champion": models["champion"], "other": other}, halves, approval_rate=0.4)
    found = measure(other, new[INPUTS], new["paid"], groups=Groups.from_frame(new[GROUPS]))
    assert found is not None
    assert found.fairness is not None
    judged = result.candidates[1].judgement
    assert judged.performance.auc == found.performance.auc
    assert [each.auc for each in judged.at_cutoff.point.groups] == [
        each.auc for each in found.fairness.at_cutoff.groups
    ]


def test_segments_move_all_their_cutoffs_alike(models: Any, halves: Any) -> None:
    learn, _ = halves
    whole = in_two_segments(models["whole"], learn)
    result = compared({"champion": models["champion"], "segments": whole}, halves, approval_rate=0.4)
    first, second = (segment.model.cutoff for segment in result.candidates[1].model.segments)
    assert second - first == pytest.approx(10)
    assert result.candidates[1].judgement.approval_rate_learned == pytest.approx(0.4, abs=0.01)


def test_weights_count_as_repeated_rows(models: Any, halves: Any) -> None:
    learn, new = halves
    weight = np.arange(len(new)) % 3
    repeated = new.iloc[np.repeat(np.arange(len(new)), weight)]
    options: dict[str, Any] = {"development": learn, "n_boot": 20, "required_ratio": 0.5, "margin": 0}
    one = compare_models(
        models, new[INPUTS], new["paid"], sensitive_features=new[GROUPS], sample_weight=weight, **options
    )
    other = compare_models(models, repeated[INPUTS], repeated["paid"], sensitive_features=repeated[GROUPS], **options)
    for mine, theirs in zip(one.candidates, other.candidates, strict=True):
        assert mine.auc == pytest.approx(theirs.auc, abs=1e-12)
        assert mine.ratio.value == pytest.approx(theirs.ratio.value, abs=1e-12)


def test_what_cannot_be_compared_is_refused(models: Any, halves: Any, leaving_out: Any) -> None:
    learn, _ = halves
    with pytest.raises(InputError, match=r"nothing to compare.*give the champion and at least one challenger"):
        compared({"champion": models["champion"]}, halves)
    turned = leaving_out(favourable="no").fit(learn[INPUTS], learn["paid"]).model_
    with pytest.raises(
        InputError, match=r"model 'turned': the models decide about different outcomes.*favourable 'no'"
    ):
        compared(models | {"turned": turned}, halves)
    with pytest.raises(InputError, match=r"evidence of no model.*whole"):
        compared(models, halves, evidence={"whol": Evidence(model_sha256="")})
    with pytest.raises(InputError, match=r"development_weight: weights of development rows that are not given"):
        compared(models, halves, development=None, development_weight=np.ones(len(learn)))
    everybody = replace(models["champion"], cutoff=-1e6)
    with pytest.raises(InputError, match=r"the champion decides alike about all.*100% approved.*give approval_rate"):
        compared(models | {"champion": everybody}, halves)


def test_without_groups_the_most_accurate_is_picked_and_no_ratio_is_told(models: Any, halves: Any) -> None:
    learn, new = halves
    result = compare_models(models, new[INPUTS], new["paid"], development=learn, n_boot=50, approval_rates=[0.3])
    assert repr(result) == "SearchResult(3 candidates, picked 2, 'whole')"
    assert result.picked.auc == max(each.auc for each in result.candidates)
    log, frame = result.to_dict(), result.frame()
    assert not [name for name in [*log["settings"], *frame.columns] if "ratio" in name.split("_")]
    assert "ratio" not in log["candidates"][0]["at_cutoff"]
    assert "groups" not in log
    assert frame["bad_rate_at_0.3"].between(0, 1).all()
    assert [axes.get_xlabel() != "" for axes in result.plot().axes] == [True]
    [shown] = result.notebook_tables()
    assert len(shown.rows) == 3


def test_calibration_and_swap_sets_are_those_that_are_measured_elsewhere(models: Any, halves: Any) -> None:
    _, new = halves
    for options in ({}, {"sensitive_features": new[GROUPS], "required_ratio": 0.01}):
        result = compare_models(models, new[INPUTS], new["paid"], n_boot=2, **options)
        champion, whole, _ = result.candidates
        good = (new["paid"] == "yes").to_numpy()
        swapped = swap_set(champion.model, whole.model, new[INPUTS], good)
        calibration = model_reliability(whole.model, new[INPUTS], new["paid"]).overall
        figures = whole.beside.figures()
        assert figures["swapped_in"] == swapped.swapped_in.counts.share > 0
        assert figures["swapped_out_bad_rate"] == swapped.swapped_out.counts.bad_rate
        assert (figures["brier"], figures["calibration_slope"]) == (calibration.brier.score, calibration.slope)
        said = result.to_dict()["candidates"]
        assert said[0]["swapped"] is None
        assert said[1]["swapped"]["swapped_out"] == figures["swapped_out"]
        assert said[1]["calibration"]["hosmer_lemeshow_p"] == calibration.hosmer_lemeshow_p


def test_swap_sets_of_a_few_are_not_told(models: Any, halves: Any) -> None:
    _, new = halves
    whole = models["whole"]
    scores = evaluate(whole, new).score
    below = np.unique(scores[scores < whole.cutoff])[-20]
    between = (scores >= below) & (scores < whole.cutoff)
    champion, other = (score_rows(each, new) for each in (whole, replace(whole, cutoff=below)))
    assert Swapped.of(champion, other).figures()["swapped_in"] == pytest.approx(between.mean())
    with told_from(int(between.sum()) + 1):
        assert all(np.isnan(each) for each in Swapped.of(champion, other).figures().values())


def test_groups_to_compare_without_groups_are_refused(models: Any, halves: Any) -> None:
    _, new = halves
    asked = RatioAsked(groups={"sex": ["female", "male"]})
    with pytest.raises(InputError, match="compared_groups: a ratio is of groups") as refused:
        compare_models(models, new[INPUTS], new["paid"], ratio=asked)
    assert refused.value.got == str({"sex": ("female", "male")})


@pytest.mark.parametrize("asked", [{"required_ratio": 0.9}, {"margin": 0}, {"ratio": "four-fifths"}])
def test_a_ratio_without_groups_is_refused(models: Any, halves: Any, asked: dict[str, Any]) -> None:
    _, new = halves
    with pytest.raises(InputError, match=f"{next(iter(asked))}: a ratio is of groups, and no protected attribute"):
        compare_models(models, new[INPUTS], new["paid"], **asked)


def test_rows_without_an_outcome_are_refused(models: Any, halves: Any) -> None:
    learn, new = halves
    unknown = new["paid"].where(np.arange(len(new)) % 4 != 2)
    with pytest.raises(InputError, match=r"y, row 2: an outcome is missing.*Fix: drop the rows without an outcome"):
        compare_models(models, new[INPUTS], unknown, sensitive_features=new[GROUPS], development=learn)


def test_a_model_that_is_stored_and_read_compares_alike(models: Any, halves: Any, tmp_path: Any) -> None:
    from scrutable.model import dump

    again = {}
    for number, (name, model) in enumerate(models.items()):
        dump(model, tmp_path / f"{number}.json")
        again[name] = load(tmp_path / f"{number}.json")
    assert compared(again, halves).to_dict() == compared(models, halves).to_dict()


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    exec(compile(code, PAGE.name, "exec"), {})
    champion, challenger = capsys.readouterr().out.splitlines()
    assert champion.startswith("champion: AUC 0.")
    assert challenger.startswith("all columns: AUC 0.")
