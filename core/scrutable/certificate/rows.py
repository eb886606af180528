"""The rows of a certificate: edge values of the model, random draws of them, and applicants of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.model import Model
from scrutable.testing.edge_rows import edge_rows

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRows:
    """Rows to verify with, and where they come from.

    Parameters
    ----------
    frame : all rows, those of the data last.
    edge : rows of edge values; every cut with the doubles beside it, missing, infinities, special codes, unseen texts.
    drawn : rows of edge values drawn at random, one for each feature.
    data : rows of the given data.
    seed : of the draws.
    """

    frame: pd.DataFrame
    edge: int
    drawn: int
    data: int
    seed: int


def verification_rows(
    model: Model, data: pd.DataFrame | None = None, *, n_random: int = 10_000, max_data: int = 100_000, seed: int = 0
) -> VerificationRows:
    """Edge rows, `n_random` draws, and at most `max_data` rows of the data, drawn without replacement.

    Examples
    --------
    >>> from scrutable.model import *
    >>> young = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome=0)
    >>> rules = RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(Feature(name="age", kind="numeric"),),
    ...     rules=(young,), fallback=(Rule(when=(), outcome=1),))
    >>> rows = verification_rows(rules, n_random=100)
    >>> rows.drawn, len(rows.frame) == rows.edge + 100
    (100, True)
    """
    import pandas as pd

    from scrutable.model.evaluator import read_inputs

    edge = edge_rows(model, n_random=n_random, seed=seed)
    parts = [edge]
    if data is not None:
        kept = data if len(data) <= max_data else data.sample(max_data, random_state=seed)
        columns, _ = read_inputs(model, kept)
        parts.append(pd.DataFrame({name: column.values for name, column in columns.items()})[list(edge)])
    return VerificationRows(
        frame=pd.concat(parts, ignore_index=True),
        edge=len(edge) - n_random,
        drawn=n_random,
        data=len(parts[1]) if data is not None else 0,
        seed=seed,
    )
