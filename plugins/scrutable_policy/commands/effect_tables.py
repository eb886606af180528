"""What rules do, as tables of text."""

from __future__ import annotations

from rich.table import Table

from scrutable.cli import console, note, table
from scrutable_policy.effect_results import PolicyEffect, RuleEffect

_KEPT_BACK, _UNDEFINED = "few", "-"


def show_effect(effect: PolicyEffect) -> None:
    """Print a table of rules, one of groups where these were measured, and what is remarkable."""
    out = console()
    out.print(f"{effect.rows:,} rows")
    out.print(_rules(effect))
    if effect.before.groups:
        out.print(_groups(effect))
    for line in effect.lines():
        note(line)


def _rules(effect: PolicyEffect) -> Table:
    headers = ("rule", "effect", "hits alone", "in its order", "decisions changed", "approved", "bad rate")
    rates = (_share(effect.before.approval_rate), _share(effect.before.bad_rate))
    first: tuple[str, ...] = ("score alone", *[""] * 4, *rates)
    rows = [first, *(_row(rule) for rule in effect.rules)]
    title = f"Rules one after another; '{_KEPT_BACK}' stands for what would tell of fewer than {effect.least} people"
    return table(headers, rows, title=title, right=range(2, 7))


def _row(rule: RuleEffect) -> tuple[str, ...]:
    counts = ((rule.alone, rule.alone_share), (rule.in_order, rule.in_order_share))
    hits = [_KEPT_BACK if count is None else f"{count:,} ({_share(share)})" for count, share in counts]
    changed = _KEPT_BACK if rule.changed is None else f"{rule.changed:,}"
    rates = (_share(rule.after.approval_rate), _share(rule.after.bad_rate))
    return (rule.code, rule.effect, *hits, changed, *rates)


def _groups(effect: PolicyEffect) -> Table:
    """A row for each group, with approval rate, ratio and bad rate before all rules and after each."""
    steps = [("score alone", effect.before), *((rule.code, rule.after) for rule in effect.rules)]
    rows: list[tuple[str, ...]] = []
    for place, group in enumerate(effect.before.groups):
        own = [each.groups[place] for _, each in steps]
        whose = f"{group.attribute}: {group.group}"
        rows.append((f"approved, {whose}", *(_share(each.approval_rate) for each in own)))
        rows.append((f"  bad rate among them, {whose}", *(_share(each.bad_rate) for each in own)))
        if group.group != group.reference:
            ratios = (_ratio(each.adverse_impact_ratio) for each in own)
            rows.append((f"  adverse impact ratio, {whose} / {group.reference}", *ratios))
    for place, (attribute, _) in enumerate(effect.before.four_fifths):
        rows.append((f"four-fifths ratio, {attribute}", *(_ratio(each.four_fifths[place][1]) for _, each in steps)))
    return table(("", *(name for name, _ in steps)), rows, title="Groups", right=range(1, len(steps) + 1))


def _share(value: float | None) -> str:
    if value is None:
        return _KEPT_BACK
    return _UNDEFINED if value != value else f"{value:.1%}"


def _ratio(value: float | None) -> str:
    if value is None:
        return _KEPT_BACK
    return _UNDEFINED if value != value else f"{value:.3f}"
