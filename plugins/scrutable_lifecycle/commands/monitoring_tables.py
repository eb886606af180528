"""What a monitoring tells, on a terminal: the verdict, a table of traffic lights, and periods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from scrutable.cli import console, line, remark, table
from scrutable_lifecycle.commands.wording import between, percent

if TYPE_CHECKING:
    from rich.table import Table

    from scrutable_lifecycle.monitoring import Check, Monitoring, Period

_LIGHTS = {"ok": ("ok", "green"), "note": ("note", "cyan"), "warn": ("warn", "yellow"), "alert": ("ALERT", "bold red")}
_SHOWN = 12


def show(monitoring: Monitoring) -> None:
    """The verdict, the checks as a table of traffic lights, periods, and what was not measured."""
    out = console()
    out.print(f"{monitoring.model_kind} {monitoring.model_sha256[:12]} for {monitoring.target}", soft_wrap=True)
    out.print(
        f"{monitoring.baseline.rows:,} applicants of the baseline, {monitoring.new.rows:,} new ones", soft_wrap=True
    )
    checks = monitoring.checks
    beyond = [check for status in ("alert", "warn", "note") for check in checks if check.status == status]
    out.print(_lights(beyond, "Beyond a threshold", _SHOWN * 4))
    fine = [check for check in checks if check.status == "ok"]
    if fine:
        out.print(_lights(fine, "Within the thresholds", _SHOWN))
    out.print(_periods([monitoring.baseline, monitoring.new, *monitoring.periods]))
    if monitoring.ranked_by == "probability":
        out.print(remark("Of segments, AUC and KS are those of the probability."), soft_wrap=True)
    for text in monitoring.missing:
        out.print(remark(text), soft_wrap=True)
    word, style = _LIGHTS[monitoring.status]
    count = len(monitoring.alerts)
    out.print(line(("Status: ", "bold"), (word, style), f"; {count} alert{'' if count == 1 else 's'}"))


def _lights(checks: Sequence[Check], title: str, most: int) -> Table | Text:
    if not checks:
        return line("No figure is beyond its threshold.")
    rows = [
        [
            line(_LIGHTS[check.status]),
            check.title,
            check.subject,
            check.period,
            "" if check.value != check.value else f"{check.value:.3f}",
            f"{check.threshold:.2f}",
            "" if check.status == "ok" else check.note,
        ]
        for check in checks[:most]
    ]
    title += f", {most} of {len(checks)} shown" if len(checks) > most else ""
    headers = ("", "figure", "of", "applicants", "value", "threshold", "note")
    return table(headers, rows, title=title, right=(4, 5), whole=(0,))


def _periods(periods: Sequence[Period]) -> Table:
    rows = []
    for each in periods:
        auc, calibrated = each.performance, each.calibrated
        rows.append(
            [
                each.name,
                f"{each.rows:,}",
                percent(each.approval_rate, undefined=""),
                "" if each.mean_score != each.mean_score else f"{each.mean_score:.1f}",
                percent(each.mean_pd, undefined=""),
                percent(each.bad_rate, undefined=""),
                "" if calibrated is None or calibrated.ratio != calibrated.ratio else f"{calibrated.ratio:.2f}",
                "" if auc is None else f"{auc.auc:.3f} {'(few rows)' if auc.small else between(auc.auc_interval)}",
                "" if auc is None else f"{auc.ks:.3f}",
            ]
        )
    headers = ("applicants", "rows", "approved", "score", "PD", "bad rate", "obs./exp.", "AUC", "KS")
    return table(headers, rows, title="Decisions and outcomes", right=range(1, 9))
