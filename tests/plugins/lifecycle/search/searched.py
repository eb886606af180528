"""What the tests of searches search."""

from __future__ import annotations

from typing import Any

import pandas as pd

from scrutable.data.splits import hold_out
from scrutable.fairness import Groups
from scrutable_lifecycle.search import LDASearch

INPUTS = ["wealth", "income", "thrift", "age"]
GROUPS = ["sex", "area"]


def search(learner: Any, data: pd.DataFrame, *, groups: list[str] = GROUPS, **options: Any) -> LDASearch:
    made = LDASearch(learner, **{"n_boot": 50, "required_ratio": 0.5} | options)
    return made.fit(data[INPUTS], data["paid"], sensitive_features=data[groups])


def split(people: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows to learn from and to validate on, by a second reading of how they are drawn."""
    groups = Groups.from_frame(people[GROUPS])
    learn, validation = hold_out(people["paid"].to_numpy(), 0.25, 0, where="", fix="", groups=groups)
    return people.iloc[learn], people.iloc[validation]
