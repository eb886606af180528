"""Selection on the rows of a file or a frame, by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Cohort, DataConfig, SplitConfig, favourable_class, read_cohort, split_known
from scrutable.data.frames import rows_like
from scrutable.plugins import Choice, Selection
from scrutable.plugins.bases import Candidate, Candidates, Selector, selector_of
from scrutable_selection.periods import periods_of

#: What makes attributes where no binner is named.
DEFAULT_BINNER = "optimal"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Selected:
    """A selection, the characteristics that there were, and the rows that it looked at; made by `select`.

    Parameters
    ----------
    n_held_out : rows that were not looked at.
    """

    selection: Selection
    every: tuple[Candidate, ...]
    rows: Cohort
    n_held_out: int

    def records(self) -> Iterator[dict[str, Any]]:
        """For each characteristic whether it stays, its information value, and its last entry of the log."""
        last = {entry.feature: entry for entry in self.selection.log}
        for each in self.every:
            entry = last.get(each.name)
            yield {
                "feature": each.name,
                "kept": each.name in self.selection.kept,
                "iv": each.iv,
                "attributes": int(np.count_nonzero(each.table.counts_seen)),
                "step": "" if entry is None else entry.step,
                "reason": "" if entry is None else entry.reason,
                "figure": None if entry is None else entry.figure,
                "threshold": None if entry is None else entry.threshold,
                "other": "" if entry is None else entry.other,
            }

    def frame(self) -> Any:
        """A row for each characteristic, in the order of the inputs."""
        return rows_like(self.records(), self.rows.kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "rows": {"looked_at": self.rows.rows, "held_out": self.n_held_out},
            **self.selection.to_dict(),
            "characteristics": [*self.records()],
        }

    def __repr__(self) -> str:
        return f"Selected({self.selection!r}, {self.rows.rows:,} rows)"


def select(
    data: Any,
    config: DataConfig,
    *,
    selector: str | Selector = "standard",
    binner: Choice | None = None,
    split: SplitConfig | None = None,
    allow_protected: Sequence[str] = (),
) -> Selected:
    """Select characteristics by the rows that a fit with this split learns from.

    Parameters
    ----------
    data : a frame of any kind or a path; the path of the config when None.
    config : which column is the outcome, the weight and so on; the others are inputs. With a date, what moves over
        time leaves, too.
    selector : its name, alone or with options, or one that is made.
    binner : what makes attributes; `optimal` when None.
    split : which rows are held out, and not looked at; as `scrutable fit` has it when None.
    allow_protected : input columns that may be protected or tell a protected attribute.

    Raises
    ------
    InputError : data, columns or options that cannot be used.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> inputs = load_german_credit().frame[["credit_risk", "telephone", "housing", "duration_months"]]
    >>> config = DataConfig(target="credit_risk", favourable="good")
    >>> selected = select(inputs, config, selector="iv:floor=0.05")
    >>> selected
    Selected(Selection(iv, 2 of 3 kept), 700 rows)
    >>> selected.frame()["kept"].tolist()
    [False, True, True]
    """
    everyone = read_cohort(config, data)
    known = everyone.subset(everyone.known)
    learn, held_out = split_known(split or SplitConfig(), everyone)
    rows = known.subset(learn)
    made = (binner or Choice(name=DEFAULT_BINNER)).create("binner")
    training = made.read(
        rows.columns,
        rows.values,
        sensitive_features=rows.groups,
        sample_weight=rows.sample_weight,
        favourable=favourable_class(rows.values, config.favourable),
        allow_protected=allow_protected,
    )
    tables = made.bin(training).tables
    coded = training.coded([table.coding for table in tables])
    periods = None if rows.dates is None else periods_of(rows.dates)
    candidates = Candidates.of(tables, coded, [table.woe for table in tables], training, periods)
    chosen = selector_of(selector, made.edits)
    assert chosen is not None
    return Selected(selection=chosen.select(candidates), every=candidates.every, rows=rows, n_held_out=len(held_out))
