"""Decisions of a review which characteristics stay: what learners make of them, and what evidence tells."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable import create
from scrutable.binning import BinEdit
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.plugins import Selection
from scrutable_selection.iv import IVSelector

GERMAN = load_german_credit()
X = GERMAN.X[["checking_status", "duration_months", "telephone", "dependants"]]


def decided(feature: str, stays: Any, who: str = "ana", why: str = "policy") -> BinEdit:
    return BinEdit(feature=feature, action="select", stays=stays, who=who, why=why)


def fitted(select: Any, *edits: BinEdit, learner: str = "scorecard") -> Any:
    binner = create("binner", "quantile", edits=edits)
    return create("learner", learner, select=select, binner=binner).fit(X, GERMAN.y).evidence_


def selected(select: Any, *edits: BinEdit) -> Selection:
    chosen = Selection.of(fitted(select, *edits))
    assert chosen is not None
    return chosen


def test_decisions_hold_before_the_selector_and_its_lists() -> None:
    assert selected("iv:floor=0.1").kept == ("checking_status", "duration_months")
    chosen = selected("iv:floor=0.1", decided("telephone", "must"), decided("checking_status", "never", why="volatile"))
    assert chosen.kept == ("duration_months", "telephone")
    entries = {entry.feature: entry for entry in chosen.log}
    assert entries["checking_status"].describe() == "checking_status: volatile (by hand, ana)"
    kept = entries["telephone"]
    assert (kept.kept, kept.who, kept.step) == (True, "ana", "floor")
    assert kept.reason.startswith("it must stay (policy), although its information value")
    lists = IVSelector(floor=0.1, must=["dependants"], never=["telephone"])
    chosen = selected(lists, decided("telephone", "must"), decided("dependants", "never"))
    assert "telephone" in chosen.kept
    assert "dependants" not in chosen.kept


def test_the_last_decision_of_a_characteristic_holds() -> None:
    first, later = decided("telephone", "must"), decided("telephone", "never", who="ben")
    assert selected("iv:floor=0.1", first, later).kept == ("checking_status", "duration_months")
    assert selected("iv:floor=0.1", first, decided("telephone", "free")) == selected("iv:floor=0.1")


def test_alternatives_keep_what_must_stay_and_lists_may_name_what_they_leave_out() -> None:
    lists = 'iv:floor=0,must=telephone,never=dependants,prefer=["duration_months","checking_status"]'
    groups = GERMAN.sensitive_features
    made = list(create("learner", "scorecard", select=lists).alternatives(X, GERMAN.y, sensitive_features=groups))
    read = [{feature.name for feature in each.model.features} for each in made]
    assert all("telephone" in names and "dependants" not in names for names in read)
    assert any("duration_months" not in names or "checking_status" not in names for names in read)


def test_the_audit_trail_has_each_decision_once() -> None:
    trail = fitted("iv:floor=0.1", decided("checking_status", "never")).binning["audit"]
    of_it = [(each["action"], each["detail"], each["who"]) for each in trail if each["feature"] == "checking_status"]
    assert of_it == [("select", "never stays", "ana")]
    assert {each["action"] for each in trail if each["feature"] == "telephone"} == {"left out"}


def test_decisions_that_the_selector_alone_is_given_are_in_the_audit_trail_and_name_columns() -> None:
    trail = fitted(IVSelector(edits=[decided("checking_status", "never")])).binning["audit"]
    of_it = [(each["action"], each["detail"], each["who"], each["why"]) for each in trail]
    assert ("left out", "by hand", "ana", "policy") in of_it
    with pytest.raises(InputError, match=r"edits: no such characteristic; got 'telefone'.*did you mean 'telephone'"):
        fitted(IVSelector(edits=[decided("telefone", "must")]))


def test_decisions_are_heard_where_nothing_else_selects() -> None:
    chosen = selected(None, decided("checking_status", "never"))
    assert chosen.kept == ("duration_months", "telephone", "dependants")
    assert next(chosen.lines()) == "Selection by hand: 3 of 4 characteristics kept"
    assert Selection.of(fitted(None, decided("telephone", "free"))) is None


def test_decisions_move_no_bin() -> None:
    plain, chosen = create("binner", "quantile").fit(X, GERMAN.y), create("binner", "quantile")
    chosen.set_params(edits=[decided("telephone", "must")]).fit(X, GERMAN.y)
    assert [table.conditions for table in chosen.binning_.tables] == [t.conditions for t in plain.binning_.tables]
    [entry] = chosen.binning_.audit
    assert entry.iv_before == entry.iv_after


def test_learners_that_do_not_select_refuse_them() -> None:
    binner = create("binner", "fine", edits=[decided("telephone", "must")])
    with pytest.raises(InputError, match=r"this learner does not select any; got 'telephone'.*scorecard"):
        create("learner", "additive", binner=binner).fit(X, GERMAN.y)


def test_a_decision_names_a_column_and_says_what_it_is() -> None:
    with pytest.raises(InputError, match=r"unknown column; got 'telefone'.*did you mean 'telephone'"):
        fitted("standard", decided("telefone", "must"))
    with pytest.raises(InputError, match=r"unknown stays; got 'always'; allowed: 'must', 'never', 'free'"):
        decided("telephone", "always")
    with pytest.raises(InputError, match="the action needs a field"):
        BinEdit(feature="telephone", action="select")
