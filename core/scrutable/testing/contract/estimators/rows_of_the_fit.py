"""Checks of binners and learners: only the rows of its own fit count, whatever frame they come in and fits before."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.data import FrameSource
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import (
    TrainingSample,
    edge_applicants,
    fit,
    fitted,
    sample_for,
    with_special_codes,
)
from scrutable.testing.contract.examples.known_payers import EACH, X, finds_no_cuts, rows_with, sample_of, worth, worths
from scrutable.testing.contract.results import content, learned
from scrutable.testing.contract.subject import Subject

_SHARES = ({1.0: 0.1, 2.0: 0.9}, {1.0: 0.9, 2.0: 0.1})


@deciding("binner", "learner", hint="keep nothing of a fit but attributes that end in _, set anew by each")
def a_fit_knows_nothing_of_those_before(subject: Subject) -> None:
    """Fitted again on other outcomes it learns what a new one does, and a fit of another one changes nothing here."""
    first, second = (rows_with(subject, shares) for shares in _SHARES)
    estimator = fit(subject.make(), first)
    before = worth(estimator, [1.0, 2.0])
    fresh = fit(subject.make(), second)
    require(worth(estimator, [1.0, 2.0]) == before, "the fit of another estimator changes what this one has learned")
    require(before != worth(fresh, [1.0, 2.0]) or finds_no_cuts(subject), "a new one learns from rows fitted before")
    same = content(fit(estimator, second)) == content(fresh)
    require(same, "fitted a second time it learns something else than a new one does from the same rows")


@deciding("binner", "learner", hint="go by position, not by index labels, and read columns as the base class does")
def index_and_types_do_not_matter(subject: Subject) -> None:
    """Index labels, narrower types of numbers and other types of texts change nothing in what is learned."""
    sample = sample_for(subject)
    usual = content(fit(subject.make(), sample))
    for what, other in _other_frames(sample).items():
        require(content(fit(subject.make(), other)) == usual, f"{what} changes what is learned")
    rows = edge_applicants()
    asked = worths(fitted(subject), rows)
    turned = rows.set_axis(np.arange(len(rows))[::-1], axis=0)
    require(worths(fitted(subject), turned) == asked, "index labels change what rows are worth")


@deciding("binner", "learner", hint="say nothing of a row that depends on the rows beside it")
def rows_are_worth_the_same_alone(subject: Subject) -> None:
    """A row is worth the same alone, in another order, asked again, and after the estimator was stored and read."""
    estimator = fitted(subject)
    rows = pd.concat([sample_for(subject).X.iloc[:40], edge_applicants()], ignore_index=True)
    usual = worths(estimator, rows)
    order = np.random.default_rng(0).permutation(len(rows))
    require(worths(estimator, rows.iloc[order]) == [usual[row] for row in order], "in another order rows differ")
    alone = [worths(estimator, rows.iloc[[row]])[0] for row in range(0, len(rows), 3)]
    require(alone == usual[::3], "a row alone is worth something else than among others")
    require(worths(estimator, rows) == usual, "asked again, rows are worth something else")
    again = pickle.loads(pickle.dumps(estimator))
    require(worths(again, rows) == usual, "after it was pickled and read rows are worth something else")


@deciding("binner", "learner", hint="groups are for constraints and for refusing inputs that tell them")
def groups_change_nothing_unless_asked(subject: Subject) -> None:
    """Without a constraint what is learned is the same with sensitive_features and without."""
    values, sex = [1.0, 2.0] * (2 * EACH), ["f", "m", "m", "f", "f", "m", "f", "m"] * (EACH // 2)
    good = (np.array(values) == 2.0) ^ (np.arange(len(values)) % 10 == 0)
    sample = sample_of(subject, {X: values}, good)
    alone = content(fit(subject.make(), sample))
    for groups in (sex, np.where(good, sex, "f")):
        beside = fit(subject.make(), sample, sensitive_features=pd.DataFrame({"sex": groups}, dtype=object))
        require(content(beside) == alone, "sensitive_features change what is learned, and nothing asked for that")


@deciding("binner", "learner", hint="ask training rows for counts, codes and batches; or leave `needs` at 'rows'")
def rows_elsewhere_teach_the_same(subject: Subject) -> None:
    """From batches of rows in another order it learns what it does from a frame, unless it `needs` the rows."""
    if subject.make().needs == "rows":
        return
    sample = sample_for(subject)
    here = learned(fit(subject.make(**with_special_codes(subject)), sample))
    rows = sample.X.assign(outcome=sample.y).sample(frac=1, random_state=0)
    for size in (97, len(rows)):
        there = subject.make(**with_special_codes(subject))
        try:
            there.fit(FrameSource(rows, size), "outcome")
        except (AttributeError, TypeError) as error:
            require(False, f"it asks for more than rows elsewhere can say: {type(error).__name__}: {error}")
        for what, text in learned(there).items():
            require(text == here[what], f"{what} of rows in batches of {size} differs from that of a frame")


def _other_frames(sample: TrainingSample) -> dict[str, TrainingSample]:
    X, rows = sample.X, len(sample.X)
    frames: dict[str, Any] = {
        "whole numbers in place of doubles": X.assign(late_payments=X["late_payments"].astype("Int64")),
        "texts of type string": X.assign(housing=X["housing"].astype("string")),
        "texts of type category": X.assign(housing=X["housing"].astype("category")),
        "frames without pandas": {name: column.to_numpy() for name, column in X.items()},
    }
    return {
        "an index in another order": sample.labelled(np.arange(rows)[::-1]),
        "an index of texts, none of them unique": sample.labelled(np.repeat("row", rows)),
        "an index with dates": sample.labelled(pd.date_range("2020-01-01", periods=rows)),
        **{what: replace(sample, X=X) for what, X in frames.items()},
    }
