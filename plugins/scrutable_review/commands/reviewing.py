"""A review of bins from what a command line says, and its tables as lines of text."""

from __future__ import annotations

import ast
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from scrutable.cli.output import table
from scrutable.data.cohort import Cohort
from scrutable.data.cohort_file import read_cohort
from scrutable.data.config import DataConfig, SplitConfig
from scrutable.data.favourable import favourable_class
from scrutable.data.splits import split_known
from scrutable.errors import InputError
from scrutable.plugins.choices import Choice
from scrutable.plugins.review_file import read_whole
from scrutable_review import Review, ReviewRow, ReviewTable
from scrutable_review.default import DEFAULT_BINNER

_ALLOW = "--allow-protected"
#: How a fix of the core names inputs to allow.
_ALLOWED = re.compile(r"\ballow_protected=(\[.*\])$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A review, the rows that it is about, and how many rows of the file it leaves out."""

    review: Review
    rows: Cohort
    n_held_out: int
    n_indeterminate: int
    n_declined: int

    def to_dict(self) -> dict[str, int]:
        """Numbers of rows, for JSON."""
        return {
            "reviewed": self.rows.rows,
            "held_out": self.n_held_out,
            "indeterminate": self.n_indeterminate,
            "declined": self.n_declined,
        }

    def describe(self) -> str:
        """Which rows of the file the review is about."""
        counts = {"held out": self.n_held_out, "indeterminate": self.n_indeterminate, "declined": self.n_declined}
        left_out = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        shown = f"{self.rows.rows:,} rows"
        return f"{shown}; not among them: {left_out}" if left_out else f"all {shown}"


def start_review(
    config: DataConfig,
    split: SplitConfig,
    binner: Choice | None,
    edits: Path | None = None,
    who: str = "",
    allow_protected: Sequence[str] = (),
) -> Started:
    """A review of all inputs of a file, on the rows that a fit with this split learns from.

    The binner is `optimal` where none is chosen. Inferred outcomes of declined applicants are no part of a review.

    Raises
    ------
    InputError : as in `read_cohort`, `split_known`, `favourable_class`, `Review` and `read_review`.
    """
    everyone = read_cohort(config)
    known = everyone.subset(everyone.known)
    learn, held_out = split_known(split, everyone)
    rows = known.subset(learn)
    header, made = (None, ()) if edits is None else read_whole(edits)
    with _in_flags():
        review = Review(
            rows.columns,
            rows.values,
            binner=(binner or Choice(name=DEFAULT_BINNER)).create("binner"),
            sensitive_features=rows.groups,
            sample_weight=rows.sample_weight,
            favourable=favourable_class(rows.values, config.favourable),
            allow_protected=allow_protected,
            edits=made,
            who=who,
        )
    if header is not None:
        header.check(review.header, f"file {str(edits)!r}")
    return Started(
        review=review,
        rows=rows,
        n_held_out=len(held_out),
        n_indeterminate=int(everyone.indeterminate.sum()),
        n_declined=int(everyone.declined.sum()),
    )


def summary_table(found: Sequence[ReviewTable]) -> Table:
    """A line for each feature: information values, trends, and how many attributes were seen."""
    fiv = list(dict.fromkeys(name for each in found for name in each.fiv))
    rows = [
        [
            each.feature,
            f"{each.iv_used:.4f}",
            each.strength,
            sum(row.count > 0 for row in each.rows),
            each.observed_trend,
            each.trend or "",
            *(_fiv(each, name) for name in fiv),
        ]
        for each in found
    ]
    headers = ("feature", "IV", "strength", "bins", "trend", "asked for", *(f"FIV {name}" for name in fiv))
    return table(headers, rows, right=(1, 3, *range(6, 6 + len(fiv))))


def binning_table(found: ReviewTable) -> Table:
    """The attributes of a feature; WoE that learners use has a column where a policy changes it."""
    policies = any(row.policy != "own" for row in found.rows)
    headers = ["condition", "count", "share", "good", "bad", "bad rate", "WoE", "IV"]
    headers += ["WoE used", "policy"] if policies else []
    rows = [_cells(row, policies) for row in found.rows]
    numbers = [at for at in range(1, len(headers)) if headers[at] != "policy"]
    return table(headers, rows, title=f"{found.feature}: {_headline(found)}", right=numbers)


def group_table(found: ReviewTable) -> Table | None:
    """How the rows of each group spread over the attributes, and their bad rates; None without groups."""
    pairs = [(attribute, label) for attribute, its in found.rows[0].groups.items() for label in its]
    if not pairs:
        return None
    rows = []
    for row in found.rows:
        groups = [row.groups[attribute][label] for attribute, label in pairs]
        rows.append([row.condition, *(f"{_percent(its.share)} / {_percent(its.bad_rate)}" for its in groups)])
    headers = ["share of the group / bad rate", *(f"{attribute}: {label}" for attribute, label in pairs)]
    return table(headers, rows, right=range(1, len(headers)))


@contextmanager
def _in_flags() -> Iterator[None]:
    """Errors about inputs that are allowed in the words of the command line."""
    try:
        yield
    except InputError as error:
        if error.where == "allow_protected":
            error.where = _ALLOW
        found = _ALLOWED.search(error.fix or "")
        if found is not None and error.fix is not None:
            names = shlex.join(ast.literal_eval(found[1]))
            error.fix = f"{error.fix[: found.start()]}{_ALLOW} {names}"
        raise


def _headline(found: ReviewTable) -> str:
    fiv = "".join(f", FIV {name} {_fiv(found, name)}" for name in found.fiv)
    fiv += f", too few rows for an FIV: {'; '.join(found.few)}" if found.few else ""
    asked = f", {found.trend} asked for" if found.trend else ""
    plain = f", {found.iv:.4f} without policies" if found.iv_used != found.iv else ""
    return f"IV {found.iv_used:.4f} ({found.strength}){plain}, trend {found.observed_trend}{asked}{fiv}"


def _cells(row: ReviewRow, policies: bool) -> list[Any]:
    cells = [
        row.condition,
        f"{row.count:,.6g}",
        _percent(row.share),
        f"{row.good:,.6g}",
        f"{row.bad:,.6g}",
        _percent(row.bad_rate),
        f"{row.woe:.4f}",
        f"{row.iv:.4f}",
    ]
    if policies:
        said = f"with {row.counted_with}" if row.counted_with else row.policy
        cells += [f"{row.woe_used:.4f}", "" if row.policy == "own" else said]
    return cells


def _fiv(found: ReviewTable, name: str) -> str:
    value = found.fiv.get(name, math.nan)
    return "" if math.isnan(value) else "no bound" if math.isinf(value) else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
