"""Random rows with ties, unknown outcomes, weights, knock-outs and membership probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from scrutable.fairness import Groups


@dataclass(frozen=True)
class Drawn:
    """Random rows; `good` has None where the outcome is not known."""

    score: NDArray[np.float64]
    good: list[bool | None]
    weight: NDArray[np.float64]
    knocked_out: NDArray[np.bool_]
    membership: NDArray[np.float64]

    @property
    def groups(self) -> Groups:
        both = {"a": self.membership, "b": 1 - self.membership}
        return Groups.from_probabilities({"race": both}, reference={"race": "b"}, min_group_size=0)


@st.composite
def drawn(draw: st.DrawFn, *, unknown: bool = True) -> Drawn:
    """Few levels of the score, so that there are ties; at least one row in play."""
    n = draw(st.integers(1, 12))
    outcome = st.sampled_from([True, False, None]) if unknown else st.booleans()
    lists = [draw(st.lists(each, min_size=n, max_size=n)) for each in (st.integers(0, 5), st.integers(0, 3))]
    good = draw(st.lists(outcome, min_size=n, max_size=n))
    out = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    quarters = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    lists[1][0], out[0] = 1, False
    return Drawn(
        score=np.array(lists[0], dtype=float),
        good=good,
        weight=np.array(lists[1], dtype=float),
        knocked_out=np.array(out),
        membership=np.array(quarters) / 4,
    )
