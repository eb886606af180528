"""Applicants of whom nothing is known: what fit says of them, and knock-outs that decline them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create, evaluate
from scrutable.data.datasets import Dataset, load_german_credit, make_credit
from scrutable.errors import InputError
from scrutable.model import Clause, KnockOut, Missing, Override, Policy, dumps, fingerprint
from scrutable.plugins.nothing_known import AllMissing, UnseenMissingWarning, refusing_missing

EXPORTERS: list[tuple[str, dict[str, Any]]] = [("sql", {"dialect": "duckdb", "table": "applicants"}), ("python", {})]


@pytest.fixture(scope="module")
def german() -> Dataset:
    return load_german_credit()


def _nothing(model: Any, rows: int = 1) -> pd.DataFrame:
    kinds = {feature.name: float if feature.kind == "numeric" else object for feature in model.features}
    empty = {name: np.full(rows, np.nan if kind is float else None, dtype=kind) for name, kind in kinds.items()}
    return pd.DataFrame(empty)


def test_fit_says_what_becomes_of_an_applicant_of_whom_nothing_is_known(german: Dataset) -> None:
    learner = create("learner", "scorecard").fit(german.X, german.y)
    found = AllMissing.of(learner.evidence_)
    nothing = evaluate(learner.model_, _nothing(learner.model_))
    assert found is not None
    assert (found.score, found.approved) == (nothing.score[0], True)
    assert found.unlearned
    assert len(found.never_missing) == found.read == len(learner.model_.features)


def test_another_cutoff_decides_as_the_model_that_has_it(german: Dataset) -> None:
    learner = create("learner", "scorecard").fit(german.X, german.y)
    data = learner.read(german.X, german.y, sensitive_features=None, sample_weight=None)
    card = replace(learner.model_, reasons=None)
    score = evaluate(card, _nothing(card)).score[0]
    nothing = (Clause(card.features[0].name, (Missing(),)),)
    policies = [
        Policy(),
        Policy(knock_outs=(KnockOut(code="K1", reason="declined", when=nothing),)),
        Policy(overrides=(Override(code="O1", reason="approved", decision="approve", when=nothing),)),
    ]
    decided = []
    for policy in policies:
        for cutoff in (score - 1, score, score + 1):
            model = replace(card, policy=policy)
            known = AllMissing.measured(model, data, cutoff=cutoff)
            assert known == AllMissing.measured(replace(model, cutoff=cutoff), data)
            decided.append(known.approved)
    assert decided == [True, True, False, False, False, False, True, True, True]


@pytest.mark.parametrize("name", ["scorecard", "lda-xgb1", "segmented"])
def test_fit_warns_of_their_approval_in_python_once(name: str) -> None:
    data = make_credit(800, seed=2)
    X = data.X.dropna(axis="columns")
    with pytest.warns(
        UnseenMissingWarning, match=r"every input is missing .* approved.* Nothing is needed .*refusing_missing\("
    ) as told:
        learner = create("learner", name, favourable=data.favourable).fit(X, data.y)
    assert [each.category for each in told].count(UnseenMissingWarning) == 1
    assert next(each for each in told if each.category is UnseenMissingWarning).filename == __file__
    assert evaluate(learner.model_, _nothing(learner.model_)).approved.tolist() == [True]


def test_missing_values_that_were_learned_of_need_no_warning() -> None:
    data = make_credit(1500, seed=1)
    X = data.X.mask(np.random.default_rng(0).random(data.X.shape) < 0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnseenMissingWarning)
        learner = create("learner", "scorecard", favourable=data.favourable).fit(X, data.y)
    assert not AllMissing.of(learner.evidence_).unlearned


@pytest.mark.parametrize("name", ["scorecard", "fairgbm", "rug", "segmented"])
def test_refusal_declines_and_moves_nobody_else(name: str) -> None:
    data = make_credit(800, seed=2)
    complete = [column for column in data.X if not data.X[column].isna().any()]
    learner = create("learner", name, favourable=data.favourable).fit(data.X, data.y)
    before = evaluate(learner.model_, data.X)
    for refused in ("all", "unseen"):
        model, evidence = refusing_missing(learner.model_, learner.evidence_, refused)
        assert evidence.model_sha256 == fingerprint(model)
        assert not AllMissing.of(evidence).approved
        nothing = evaluate(model, _nothing(model))
        assert nothing.knock_out.tolist() == ["M01"]
        assert np.array_equal(evaluate(model, data.X).approved, before.approved)
        one = data.X.head(20).assign(**{complete[0]: np.nan})
        if complete[0] in {feature.name for feature in model.features} and name != "segmented":
            assert evaluate(model, one).knocked_out.all() == (refused == "unseen")


@pytest.mark.parametrize(("exporter", "options"), EXPORTERS)
def test_engines_refuse_alike(german: Dataset, exporter: str, options: dict[str, Any]) -> None:
    learner = create("learner", "scorecard").fit(german.X, german.y)
    model, _ = refusing_missing(learner.model_, learner.evidence_, "unseen")
    rows = pd.concat([german.X.head(5)[[f.name for f in model.features]], _nothing(model)], ignore_index=True)
    made = create("exporter", exporter, **options)
    found = made.run(made.export(model), rows)
    assert list(found["knock_out"][-1:]) == ["M01"]
    assert list(found["approved"].astype(bool)) == evaluate(model, rows).approved.tolist()
    assert "Not given: " in dumps(model)


def test_more_than_two_classes_have_no_refusal() -> None:
    x = np.arange(90.0)
    learner = create("learner", "rug", max_depth=1).fit({"x": x}, (x // 30).astype(int))
    with pytest.raises(InputError, match="missing values are refused by a model of two classes"):
        refusing_missing(learner.model_, learner.evidence_, "all")
