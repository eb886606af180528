"""How the search for rules ended is told as far as it is known."""

from __future__ import annotations

import pytest

from scrutable.model import Evidence, FrozenMapping
from scrutable.plugins.bases.learner_by_name import recorded_learner
from scrutable_rug.learner import RUGClassifier


@pytest.mark.parametrize(
    ("ending", "gap", "end"),
    [
        ("optimal", 0.0, "7 rules were weighed"),
        ("time", 0.25, "; further ones could lower the objective by 25.0% at most"),
        ("iterations", 0.75, "; how far from the optimum is not known, --option exact=true looks (small data only)"),
    ],
)
def test_what_further_rules_could_do_is_said_where_it_is_known(ending: str, gap: float, end: str) -> None:
    metrics = FrozenMapping({"ending": ending, "gap": gap, "rules_weighed": 7})
    [line] = RUGClassifier.about_learning(Evidence(model_sha256="", metrics=metrics))
    assert line.endswith(end)


def test_nothing_is_told_where_the_evidence_has_no_ending() -> None:
    assert list(RUGClassifier.about_learning(Evidence(model_sha256=""))) == []


def test_the_learner_is_known_by_the_name_that_provenance_has() -> None:
    assert recorded_learner("RUGClassifier") is RUGClassifier
