"""Binning tables of a review as tables of text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from scrutable.cli import table
from scrutable_review import ReviewRow, ReviewTable


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
