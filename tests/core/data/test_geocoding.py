"""Bayesian improved surname geocoding against hand-computed rows, a second formula, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, KindError, ScrutableError
from scrutable.fairness import Groups, bisg

PRIOR = {"black": 0.2, "white": 0.8}
SURNAME = {"black": [0.4], "white": [0.6]}
PLACE = {"black": [0.03], "white": [0.01]}


def test_by_hand() -> None:
    """0.4 x 0.03 against 0.6 x 0.01 is 2 to 1; 0.2 x 0.03 against 0.8 x 0.01 is 3 to 4."""
    surname = pd.DataFrame({"black": [0.4, None, 0.4, None], "white": [0.6, None, 0.6, None]})
    place = pl.DataFrame({"white": [0.01, 0.01, None, None], "black": [0.03, 0.03, None, None]})
    found = bisg(surname, place, prior=PRIOR)
    assert list(found) == ["black", "white"]
    assert found["black"].tolist() == pytest.approx([2 / 3, 3 / 7, 0.4, 0.2])
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-15)
    groups = Groups.from_probabilities({"race": found}, min_group_size=0)
    assert groups["race"].sizes["black"] == pytest.approx(2 / 3 + 3 / 7 + 0.6)


def test_tables_are_joined_by_surname_and_place() -> None:
    census = pd.DataFrame({"black": [40.0, 90.0], "white": [60.0, 10.0]}, index=["SMITH", "JONES"])  # per cent
    people = pd.DataFrame({"black": [300, 100], "white": [100, 1900]}, index=["t1", "t2"])
    shares = people / people.sum()
    loans = pd.DataFrame({"surname": ["JONES", "SMITH", "UNKNOWN"], "tract": ["t2", "t1", "t1"]})
    found = bisg(census.reindex(loans["surname"]), shares.reindex(loans["tract"]), prior=PRIOR)
    odds = [0.9 * (1 / 4) / (0.1 * (19 / 20)), 0.4 * (3 / 4) / (0.6 / 20), 0.2 * (3 / 4) / (0.8 / 20)]
    assert (found["black"] / found["white"]).tolist() == pytest.approx(odds)


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.floats(0.001, 1)] * 6), min_size=1, max_size=8), st.tuples(*[st.floats(0.01, 1)] * 3))
def test_it_is_bayes_rule_over_the_joint_distribution(rows: list[tuple[float, ...]], prior: tuple[float, ...]) -> None:
    """With P(g | s) made of P(g) P(s | g), the result is P(g) P(s | g) P(z | g) over its sum."""
    likelihood, place = np.array(rows)[:, :3], np.array(rows)[:, 3:]
    of_group = np.array(prior) / sum(prior)
    surname = of_group * likelihood
    surname /= surname.sum(axis=1, keepdims=True)
    joint = of_group * likelihood * place
    names = list("abc")
    found = bisg(
        pd.DataFrame(surname, columns=names),
        pd.DataFrame(place, columns=names),
        prior=dict(zip(names, prior, strict=True)),
    )
    np.testing.assert_allclose(found, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)


@settings(deadline=None)
@given(st.floats(0.01, 100), st.floats(0.01, 33))
def test_only_proportions_within_a_row_count(one: float, other: float) -> None:
    assume(one != 1)
    scaled = [
        {name: [values[0] * by] for name, values in table.items()} for table, by in ((SURNAME, one), (PLACE, other))
    ]
    np.testing.assert_allclose(bisg(*scaled, prior=PRIOR), bisg(SURNAME, PLACE, prior=PRIOR), rtol=1e-12)


def test_counts_of_people_are_refused() -> None:
    """They would weigh a group by its size once more."""
    people = pd.DataFrame({"black": [300, 100], "white": [100, 1900]})
    surname = {"black": [0.4, 0.4], "white": [0.6, 0.6]}
    with pytest.raises(InputError, match=r"geography, row 0, group 'black'.*got 300.*divide counts by column totals"):
        bisg(surname, people, prior=PRIOR)
    assert len(bisg(surname, people / people.sum(), prior=PRIOR)) == 2


def test_contradictory_rows_are_counted_or_get_the_prior() -> None:
    surname = {"black": [0.4, 1.0, 0.0], "white": [0.6, 0.0, 1.0]}
    place = {"black": [0.03, 0.0, 0.5], "white": [0.01, 0.1, 0.0]}
    with pytest.raises(InputError, match=r"surname and geography, row 1: .* in 2 of 3 rows, .*contradictory='prior'"):
        bisg(surname, place, prior=PRIOR)
    found = bisg(surname, place, prior=PRIOR, contradictory="prior")
    assert found["black"].tolist() == pytest.approx([2 / 3, 0.2, 0.2])
    with pytest.raises(InputError, match="unknown treatment of contradictory rows; got 'priors'; allowed: did you"):
        bisg(surname, place, prior=PRIOR, contradictory="priors")  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize(
    ("surname", "place", "prior", "kind", "message"),
    [
        (
            {"black": [-0.1], "white": [1]},
            PLACE,
            PRIOR,
            InputError,
            "surname, row 0, group 'black': .*negative.*got -0.1",
        ),
        (SURNAME, {"black": [np.inf], "white": [1]}, PRIOR, InputError, "geography, row 0, group 'black': .*got inf"),
        ({"black": [None], "white": [1]}, PLACE, PRIOR, InputError, "surname, row 0, group 'black': .*missing beside"),
        ({"black": [0], "white": [0]}, PLACE, PRIOR, InputError, "surname, row 0: no group has a probability above 0"),
        (
            {"black": [1], "white": [0]},
            {"black": [0], "white": [1]},
            PRIOR,
            InputError,
            "surname and geography, row 0: no",
        ),
        (
            SURNAME,
            {"black": [1], "wite": [1]},
            PRIOR,
            InputError,
            "geography: .*prior does not have; got 'wite'.*'white'",
        ),
        ({"black": [1]}, PLACE, PRIOR, InputError, "surname: a group is missing; got 'white'"),
        (
            SURNAME,
            {"black": [1, 1], "white": [1, 1]},
            PRIOR,
            InputError,
            "geography: the number of rows differs; got 2",
        ),
        ({"black": ["x"], "white": [1]}, PLACE, PRIOR, KindError, "surname, group 'black': probabilities are numbers"),
        (SURNAME, PLACE, {"black": 0, "white": 0}, InputError, "prior, row 0: no group has a probability above 0"),
        (SURNAME, PLACE, {"black": -1, "white": 2}, InputError, "prior, row 0, group 'black': .*negative"),
        (SURNAME, PLACE, {"black": np.nan, "white": np.nan}, InputError, "prior: a share is missing"),
        (SURNAME, PLACE, 0.5, KindError, "prior: expected a number for each group; got 0.5"),
    ],
)
def test_what_is_no_probability_is_refused(
    surname: Any, place: Any, prior: Any, kind: type[ScrutableError], message: str
) -> None:
    with pytest.raises(kind, match=message if ".*" in message else re.escape(message)):
        bisg(surname, place, prior=prior)
