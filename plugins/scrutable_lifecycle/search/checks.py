"""Checks of learners that produce alternatives: that a search can use them."""

from __future__ import annotations

from scrutable.testing.contract import (
    RATE,
    Subject,
    check,
    makes_them,
    require,
    unequal,
    varied_learner,
)
from scrutable_lifecycle.search.search import LDASearch


@check(
    "learner",
    of=makes_them,
    decides=True,
    hint="keep to what Learner.vary says: models of the rows given, the baseline first",
)
def a_search_can_use_it(subject: Subject) -> None:
    """A search for less discriminatory alternatives runs with it."""
    learner, sample = varied_learner(subject), unequal("f")
    search = LDASearch(learner, approval_rate=RATE, n_boot=20)
    search.fit(sample.X, sample.y, sensitive_features=sample.sensitive_features)
    names = [each.alternative.name for each in search.result_.candidates]
    require(search.result_.picked.alternative.name in names, "what a search picks is none of its candidates")
