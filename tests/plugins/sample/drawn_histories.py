"""Random accounts and histories with all that is odd in them, and what is to come of them, told row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable_sample import OutcomeDefinition

MONTHS = [f"{2018 + month // 12}-{month % 12 + 1:02d}" for month in range(36)]
#: Where the months of these tests stand among those of all years.
FIRST = 2018 * 12


def drawn(seed: int, accounts: int = 40) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A history with gaps, repeated months, missing days and strangers, and accounts of which some have none."""
    chance = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    people = []
    for number in range(accounts):
        opened = int(chance.integers(0, 30))
        people.append({"account": f"A{number}", "observed": MONTHS[opened], "status": chance.choice(["ok", "fraud"])})
        days, chronic = 0.0, chance.random() < 0.4
        for month in range(max(opened - 2, 0), 36):
            days = max(0.0, days + 30 * chance.choice([-2, 0, 1, 1] if chronic else [-1, -1, 0, 1]))
            for _ in range(int(chance.choice([0, 1, 1, 1, 2]))):
                late = None if chance.random() < 0.05 else days + float(chance.integers(0, 3))
                rows.append({"account": f"A{number}", "month": MONTHS[month], "days_past_due": late})
    rows.append({"account": "stranger", "month": MONTHS[3], "days_past_due": 0.0})
    people += [{"account": "without", "observed": MONTHS[3], "status": "ok"}]
    people += [{"account": "undated", "observed": None, "status": "ok"}]
    history = pd.DataFrame(rows).sample(frac=1, random_state=seed, ignore_index=True)
    return history, pd.DataFrame(people)


def months_seen(history: pd.DataFrame) -> dict[str, dict[int, float]]:
    """Worst days past due of each account by month."""
    seen: dict[str, dict[int, float]] = {}
    row: Any
    for row in history.itertuples():
        if not pd.isna(row.days_past_due):
            months = seen.setdefault(str(row.account), {})
            at = MONTHS.index(str(row.month))
            months[at] = max(months.get(at, 0.0), float(row.days_past_due))
    return seen


def expected(history: pd.DataFrame, accounts: pd.DataFrame, definition: OutcomeDefinition) -> dict[str, str]:
    """Outcome of each account, or why it has none; fraud is left out."""
    seen = months_seen(history)
    last = max(max(months) for months in seen.values())
    return {str(row.account): _of(seen.get(str(row.account)), row, last, definition) for row in accounts.itertuples()}


def _of(months: dict[int, float] | None, row: Any, last: int, definition: OutcomeDefinition) -> str:
    if row.status == "fraud":
        return "status = 'fraud'"
    if pd.isna(row.observed):
        return "no date of observation"
    if months is None:
        return "no history"
    at = MONTHS.index(row.observed)
    if at + definition.window > last:
        return "window not over"
    if months.get(at, 0.0) >= definition.bad:
        return "bad in the month of observation"
    window = [months[month] for month in range(at + 1, at + definition.window + 1) if month in months]
    if not window:
        return "not seen in the window"
    if max(window) >= definition.bad:
        return "bad"
    if len(window) < definition.least_months:
        return f"seen in fewer than {definition.least_months} months, and not bad"
    if definition.indeterminate is not None and max(window) >= definition.indeterminate:
        return "indeterminate"
    return "good"
