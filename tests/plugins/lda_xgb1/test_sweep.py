"""The candidates of a search: what each method promises holds on the training rows, and each is a whole model."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.fairness import Groups
from scrutable.model import Scorecard, dumps, fingerprint, loads
from scrutable.model.evaluator import differences, evaluate
from scrutable.plugins.bases import Alternative
from scrutable.plugins.registry import registry
from scrutable_lda_xgb1.binners import XGB1Binner
from scrutable_lda_xgb1.learner import LDAXGB1Classifier
from scrutable_lda_xgb1.sweep import Sweep

DATA = make_credit(3000, seed=5)
SWEEP = Sweep(bounds=(0.5, 0.05, 0.01), budgets=(0.2, 0.05), gap_shares=(1, 0.5, 0.1))


def learner(**options: object) -> LDAXGB1Classifier:
    given = {
        "sweep": SWEEP,
        "binner": XGB1Binner(n_estimators=200),
        "special_codes": DATA.special_codes,
        "favourable": DATA.favourable,
        "min_share": 0.02,
    }
    return LDAXGB1Classifier(**given | options)


@functools.cache
def found() -> list[Alternative]:
    return list(learner().alternatives(DATA.X, DATA.y, sensitive_features=one_attribute()))


def one_attribute() -> pd.DataFrame:
    return DATA.sensitive_features.iloc[:, :1]


def of(method: str) -> list[Alternative]:
    return [each for each in found() if each.method == method]


def log_odds(model: object) -> np.ndarray:
    assert isinstance(model, Scorecard)
    return (evaluate(model, DATA.X, reasons=False).score - model.scaling.offset) / model.scaling.factor


def mean_gap(model: object) -> float:
    """Difference of the groups' mean log-odds."""
    groups = Groups.from_frame(one_attribute())
    attribute = groups.attributes[0]
    [other] = set(attribute.known) - {attribute.reference}
    labels, score = groups.labels_of(attribute.name), log_odds(model)
    return float(score[labels == other].mean() - score[labels == attribute.reference].mean())


def test_the_first_is_what_fit_gives_without_constraints() -> None:
    first = found()[0]
    fitted = learner().fit(DATA.X, DATA.y, sensitive_features=one_attribute()).model_
    assert first.method == "baseline"
    assert replace(first.model, provenance=None) == replace(fitted, provenance=None)


def test_a_bound_gives_what_fit_gives_with_it() -> None:
    assert [each.parameters["bound"] for each in of("fiv-bound")] == [0.5, 0.05, 0.01]
    for each in of("fiv-bound"):
        limit = each.parameters["bound"]
        constraint = registry().create("constraint", "fairness-information-value", bound=limit)
        fitted = learner(constraints=constraint).fit(DATA.X, DATA.y, sensitive_features=one_attribute()).model_
        assert replace(each.model, provenance=None) == replace(fitted, provenance=None)
        fiv = each.evidence.metrics["fairness_information_value"]
        assert max(fiv.values()) <= limit


def test_a_budget_buys_at_least_what_one_bound_for_all_buys() -> None:
    def totals(each: Alternative) -> tuple[float, float]:
        fiv = each.evidence.metrics["fairness_information_value"]
        iv = sum(table["iv"] for table in each.evidence.binning["tables"].values())
        return iv, sum(fiv.values())

    assert len(of("fiv-budget")) == 2
    for each in of("fiv-budget"):
        iv, fiv = totals(each)
        assert fiv <= each.parameters["budget"]
        for bounded in of("fiv-bound"):
            bounded_iv, bounded_fiv = totals(bounded)
            if bounded_fiv <= each.parameters["budget"]:
                assert iv >= bounded_iv - 1e-9


def test_a_share_of_the_gap_is_left_on_the_training_rows() -> None:
    whole = mean_gap(of("score-gap")[0].model)
    assert abs(whole) > 0.05
    for each in of("score-gap"):
        left = mean_gap(each.model)
        assert left == pytest.approx(each.parameters["share"] * whole, abs=2e-4)
        [measured] = each.evidence.metrics["score_gap"].values()
        assert left == pytest.approx(measured, abs=1e-6)


def test_no_two_neighbours_have_the_same_points_after_a_gap_was_paid_for() -> None:
    trends = {"income": "ascending"}
    sweep = Sweep(bounds=(), budgets=(), gap_shares=(0.3,))
    made = list(learner(sweep=sweep, trends=trends).alternatives(DATA.X, DATA.y, sensitive_features=one_attribute()))
    [income] = [c for c in made[-1].model.characteristics if c.feature == "income"]
    points = [attribute.points for attribute in income.attributes[:-1]]
    assert len(points) > 2
    assert (np.diff(points) > 0).all()


def test_every_candidate_is_stored_and_scores_the_same_in_a_database(german: Dataset) -> None:
    sweep = {"bounds": [0.05], "budgets": [0.05], "gap_shares": [0.3]}
    made = LDAXGB1Classifier(sweep=sweep, approval_rate=0.6).alternatives(
        german.X, german.y, sensitive_features=german.sensitive_features
    )
    names = []
    for each in made:
        names.append(each.method)
        assert loads(dumps(each.model)) == each.model
        assert each.evidence.model_sha256 == fingerprint(each.model)
        exporter = registry().create("exporter", "sql", dialect="duckdb", table="applicants")
        output = exporter.run(exporter.export(each.model), german.X)
        assert not differences(evaluate(each.model, german.X).frame(), output)
    assert names == ["baseline", "fiv-bound", "fiv-budget", "score-gap"]


def test_every_group_of_every_attribute_keeps_the_bound() -> None:
    frame = DATA.sensitive_features.assign(third=np.array(["a", "b", "c"])[np.arange(3000) % 3])
    sweep = Sweep(bounds=(0.02,), budgets=(0.1,), gap_shares=(0.4,))
    made = {each.method: each for each in learner(sweep=sweep).alternatives(DATA.X, DATA.y, sensitive_features=frame)}
    n_compared = sum(len(attribute.known) - 1 for attribute in Groups.from_frame(frame).attributes)
    assert n_compared >= 4
    assert len(made["score-gap"].evidence.metrics["score_gap"]) == n_compared
    assert max(made["fiv-bound"].evidence.metrics["fairness_information_value"].values()) <= 0.02
    assert made["fiv-budget"].model.features


def test_rows_says_whom_the_gap_compares() -> None:
    sweep = Sweep(bounds=(), budgets=(), gap_shares=(0.2,), rows="events")
    *_, made = learner(sweep=sweep).alternatives(DATA.X, DATA.y, sensitive_features=one_attribute())
    groups = Groups.from_frame(one_attribute())
    attribute, score = groups.attributes[0], log_odds(made.model)
    [other] = set(attribute.known) - {attribute.reference}
    labels, good = groups.labels_of(attribute.name), (DATA.y == DATA.favourable).to_numpy()
    gap = score[good & (labels == other)].mean() - score[good & (labels == attribute.reference)].mean()
    [measured] = made.evidence.metrics["score_gap"].values()
    assert gap == pytest.approx(measured, abs=1e-6)


def test_the_same_rows_give_the_same_bytes() -> None:
    again = learner().alternatives(DATA.X, DATA.y, sensitive_features=one_attribute())
    assert [dumps(each.model) for each in again] == [dumps(each.model) for each in found()]


def test_steps_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError, match=r"sweep: gap_shares: .*a list of numbers from 0 to 1"):
        Sweep(gap_shares=(1.2,))
    with pytest.raises(InputError, match=r"sweep: bounds: .*numbers above 0"):
        Sweep(bounds=(0.0,))
    with pytest.raises(InputError, match=r"sweep: gap_shares: .*got 0.5.*a list of numbers from 0 to 1"):
        Sweep(gap_shares=0.5)
    with pytest.raises(InputError, match=r"sweep: budgets: .*'0.5'.*a list of numbers above 0"):
        Sweep(budgets="0.5")
    with pytest.raises(InputError, match=r"sweep: rows.*'all' or 'events'"):
        Sweep(rows="good")
    with pytest.raises(InputError, match=r"sweep: unknown option.*did you mean 'gap_shares'"):
        options_or_default({"gap_share": [1]}, Sweep, "sweep")


def test_a_search_takes_no_constraints_and_needs_groups() -> None:
    constraint = registry().create("constraint", "fairness-information-value", bound=0.1)
    with pytest.raises(InputError, match=r"constraints: a search sets the bounds itself"):
        next(learner(constraints=constraint).alternatives(DATA.X, DATA.y, sensitive_features=one_attribute()))
    with pytest.raises(InputError, match=r"needs to know the groups"):
        next(learner().alternatives(DATA.X, DATA.y))


@pytest.mark.parametrize("attributes", [1, 2])
def test_a_code_that_one_group_alone_has_is_in_no_bounded_model(attributes: int) -> None:
    frame = DATA.sensitive_features.iloc[:, :attributes]
    label = frame.iloc[:, 0].value_counts().index[-1]
    income = DATA.X["income"].mask((frame.iloc[:, 0] == label) & (np.arange(3000) % 3 == 0), -77.0)
    made = learner(sweep=Sweep(gap_shares=()), special_codes={"income": [-77]}).alternatives(
        DATA.X.assign(income=income), DATA.y, sensitive_features=frame
    )
    first, *bounded = list(made)
    assert "income" in {feature.name for feature in first.model.features}
    assert first.evidence.metrics["fairness_information_value"]["income"] is None
    assert {each.method for each in bounded} == {"fiv-bound", "fiv-budget"}
    assert not any("income" in {feature.name for feature in each.model.features} for each in bounded)


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
def test_groups_too_small_to_compare_make_no_search() -> None:
    few = pd.DataFrame({"group": np.where(np.arange(3000) < 8, "a", "b")})
    with pytest.raises(InputError, match=r"sensitive_features: no group is large enough to be compared"):
        next(learner().alternatives(DATA.X, DATA.y, sensitive_features=few))


def test_attributes_of_every_method_keep_the_options() -> None:
    made = learner(max_bins=3, min_share=0.1).alternatives(DATA.X, DATA.y, sensitive_features=one_attribute())
    sizes: dict[str, int] = {}
    for each in made:
        tables = each.evidence.binning["tables"].values()
        apart = ("missing", "any other value", "special code -9")
        merged = [[a for a in table["attributes"] if a["condition"] not in apart] for table in tables]
        sizes[each.method] = max([sizes.get(each.method, 0), *(len(its) for its in merged)])
        assert all(a["share"] >= 0.1 for its in merged if len(its) > 1 for a in its)
    assert sizes == {"baseline": 3, "fiv-bound": 3, "fiv-budget": 3, "score-gap": 3}


def test_no_candidate_measures_above_its_bound() -> None:
    """The FIV in the evidence is added up in another order than the one that merges are searched by."""
    rng = np.random.default_rng(0)
    weight = rng.uniform(0.1, 3, len(DATA.y))
    groups = one_attribute()
    every = learner(sweep=Sweep(budgets=(), gap_shares=()), special_codes=None).alternatives(
        DATA.X[["income"]], DATA.y, sensitive_features=groups, sample_weight=weight
    )
    found = {each.evidence.metrics["fairness_information_value"]["income"] for each in list(every)}
    exactly = learner(sweep=Sweep(bounds=tuple(sorted(found)), budgets=(), gap_shares=()), special_codes=None)
    for each in exactly.alternatives(DATA.X[["income"]], DATA.y, sensitive_features=groups, sample_weight=weight):
        if each.method == "fiv-bound":
            fiv = each.evidence.metrics["fairness_information_value"]["income"]
            assert fiv <= each.parameters["bound"]
