"""Binning tables of a review as tables of text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from scrutable.cli import table
from scrutable.data import label
from scrutable.writing import in_digits
from scrutable_review import ReviewRow, ReviewTable


def summary_table(features: Sequence[ReviewTable]) -> Table:
    """A line for each feature: information values, trends, how many attributes were seen, special codes and gaps.

    What no feature has stands in no column.
    """
    columns: dict[str, list[str]] = {
        "feature": [each.feature for each in features],
        "IV": [f"{each.iv_used:.4f}" for each in features],
        "strength": [each.strength for each in features],
        "bins": [str(sum(row.count > 0 for row in each.rows)) for each in features],
        "trend": [each.observed_trend for each in features],
    }
    further: dict[str, list[str]] = {"asked for": [each.trend or "" for each in features]}
    further |= {"special": list(map(_special, features)), "missing": [_held(each, "missing") for each in features]}
    columns |= {name: cells for name, cells in further.items() if any(cells)}
    for name in dict.fromkeys(name for each in features for name in each.fiv):
        columns[f"FIV {name}"] = [_fiv(each, name) for each in features]
    right = [at for at, name in enumerate(columns) if name in _NUMBERS or name.startswith("FIV ")]
    return table(list(columns), list(zip(*columns.values(), strict=True)), right=right)


#: Columns of a summary that are numbers.
_NUMBERS = ("IV", "bins", "missing")


def binning_table(bins: ReviewTable) -> Table:
    """The attributes of a feature; WoE that learners use has a column where a policy changes it."""
    policies = any(row.policy != "own" for row in bins.rows)
    headers = ["condition", "count", "share", "good", "bad", "bad rate", "WoE", "IV"]
    headers += ["WoE used", "policy"] if policies else []
    rows = [_cells(row, policies) for row in bins.rows]
    numbers = [at for at in range(1, len(headers)) if headers[at] != "policy"]
    return table(headers, rows, title=f"{bins.feature}: {_headline(bins)}", right=numbers)


def group_table(bins: ReviewTable) -> Table | None:
    """How the rows of each group spread over the attributes, and their bad rates; None without groups."""
    pairs = [(attribute, label) for attribute, labels in bins.rows[0].groups.items() for label in labels]
    if not pairs:
        return None
    rows = []
    for row in bins.rows:
        groups = [row.groups[attribute][label] for attribute, label in pairs]
        rows.append([row.condition, *(f"{_percent(each.share)} / {_percent(each.bad_rate)}" for each in groups)])
    headers = ["share of the group / bad rate", *(f"{attribute}: {label}" for attribute, label in pairs)]
    return table(headers, rows, right=range(1, len(headers)))


def _headline(bins: ReviewTable) -> str:
    fiv = "".join(f", FIV {name} {_fiv(bins, name)}" for name in bins.fiv)
    fiv += f", too few rows for an FIV: {'; '.join(bins.few)}" if bins.few else ""
    asked = f", {bins.trend} asked for" if bins.trend else ""
    plain = f", {bins.iv:.4f} without policies" if bins.iv_used != bins.iv else ""
    return f"IV {bins.iv_used:.4f} ({bins.strength}){plain}, trend {bins.observed_trend}{asked}{fiv}"


def _cells(row: ReviewRow, policies: bool) -> list[Any]:
    cells = [
        row.condition,
        in_digits(row.count),
        _percent(row.share),
        in_digits(row.good),
        in_digits(row.bad),
        _percent(row.bad_rate),
        f"{row.woe:.4f}",
        f"{row.iv:.4f}",
    ]
    if policies:
        said = f"with {row.counted_with}" if row.counted_with else row.policy
        cells += [f"{row.woe_used:.4f}", "" if row.policy == "own" else said]
    return cells


def _special(bins: ReviewTable) -> str:
    """Special codes with the share of rows that have one."""
    codes = [label(value) for row in bins.rows if row.kind == "special" for value in row.values]
    return f"{', '.join(codes)}: {_held(bins, 'special') or '0.0%'}" if codes else ""


def _held(bins: ReviewTable, kind: str) -> str:
    """The share of rows in attributes of a kind; empty where nobody is."""
    share = sum(row.share for row in bins.rows if row.kind == kind)
    return _percent(share) if share else ""


def _fiv(bins: ReviewTable, name: str) -> str:
    value = bins.fiv.get(name, math.nan)
    return "" if math.isnan(value) else "no bound" if math.isinf(value) else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
