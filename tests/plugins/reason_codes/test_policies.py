"""Reason policies read, told in other words and compared, without a shell."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pandas as pd
import polars as pl
import pytest

from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.plugins import DataDictionary
from scrutable.testing.contract.examples.models import models_named
from scrutable_reason_codes.policies import reason_policies


@pytest.fixture(scope="module")
def reasoned() -> Scorecard:
    model = models_named()["scorecard"]
    assert isinstance(model, Scorecard)
    return model


def test_a_dictionary_may_be_a_mapping(reasoned: Scorecard) -> None:
    assert reasoned.reasons is not None
    code = reasoned.reasons.order[0]
    told = reason_policies(reasoned, dictionary={"reasons": {"texts": {code: "In other words"}}})
    rows = told.frame()
    assert set(rows.loc[rows["code"] == code, "text"]) == {"In other words"}
    assert (
        DataDictionary.of(tomllib.loads(told.toml())).reason_options(reasoned.reasons.codes)["texts"][code]
        == "In other words"
    )
    assert told.model.reasons.baselines == reasoned.reasons.baselines
    with pytest.raises(InputError, match=r"dictionary: .*'txets'"):
        reason_policies(reasoned, dictionary={"reasons": {"txets": {}}})


def test_segments_have_policies_of_their_own() -> None:
    model = models_named()["segmented-model"]
    policies = reason_policies(model)
    assert list(policies.to_dict()) == [segment.name for segment in model.segments]
    assert set(policies.frame()["segment"]) <= {segment.name for segment in model.segments}


def test_a_model_without_a_policy_takes_one_from_applicants_of_any_kind(reasoned: Scorecard) -> None:
    bare = replace(reasoned, reasons=None)
    with pytest.raises(InputError, match="here: the model holds no reason policy"):
        reason_policies(bare, where="here")
    rows = {"amount": [1.0, 9.0], "job": ["x", "cook"], "age": [10.0, 40.0], "region": [1.0, 1.0]}
    taken = reason_policies(bare, pl.DataFrame(rows), population="two of them")
    assert isinstance(taken.frame(), pl.DataFrame)
    assert taken.to_dict()["population"] == "two of them"
    assert taken.to_dict() == reason_policies(bare, pd.DataFrame(rows), population="two of them").to_dict()
    with pytest.raises(InputError, match="a weight without a reference"):
        reason_policies(reasoned, weight=[1.0])
