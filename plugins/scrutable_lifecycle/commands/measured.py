"""Measures of one or more models as a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.table import Table

from scrutable.cli import heading, table
from scrutable.data import MIN_GROUP_SIZE, MIN_OUTCOMES, DataConfig
from scrutable.fairness import GroupMetrics, Measured, OperatingPoint
from scrutable.model import Outcome, Quantity
from scrutable_lifecycle.commands.names import listed
from scrutable_lifecycle.commands.wording import percent, with_interval

#: What stands below such a table.
INTERVALS = (
    "In brackets: 95% intervals from resampling, the thresholds held fixed. AUC, Gini and KS of fewer than "
    f"{MIN_GROUP_SIZE} rows, or {MIN_OUTCOMES} of the scarcer outcome, have none."
)
#: The same where groups are compared.
RATIOS = (
    "Adverse impact ratio: a group's approval rate by its reference's. Four-fifths ratio: the lowest rate by the "
    f"highest, of groups of {MIN_GROUP_SIZE} rows or more. Few rows: fewer than that, too few for an interval."
)
#: What separates, where it is not the score.
_RANKED_BY = {"probability": "of the probability, across segments"}
#: An approved share that lies further than this from what was asked for is remarked upon.
_FAR = 0.02


def side_by_side(names: Sequence[str], measured: Sequence[Measured]) -> Table:
    """A table with a column for each model, 95% intervals in brackets."""
    first = measured[0]
    by = [each.ranked_by for each in measured]
    rows: list[list[object]] = [[heading("Separation"), *(_RANKED_BY.get(each, "") for each in by)]]
    for name in ("auc", "gini", "ks"):
        cells = [
            with_interval(getattr(m.performance, name), getattr(m.performance, f"{name}_interval"))
            + (" (few rows)" if m.performance.small else "")
            for m in measured
        ]
        rows.append([f"  {name.upper() if name != 'gini' else 'Gini'}", *cells])
    own = "At the cutoff of each segment" if set(by) == {"probability"} else "At the model's own cutoff"
    titles = (own, f"At an approval rate of {first.requested_approval_rate:.0%}")
    for position, title in enumerate(titles):
        points = [each.points[position] for each in measured]
        rows.append([heading(title), *(_ties(m) if position else "" for m in measured)])
        rows.append(["  approved", *(percent(point.approval_rate) for point in points)])
        rows.append(["  bad rate among the approved", *(percent(point.bad_rate_among_approved) for point in points)])
        rows += _ratios(points)
    return table(("", *names), rows, right=range(1, len(measured) + 1))


def about_data(
    config: DataConfig, outcome: Outcome | Quantity, inputs: Sequence[str], left_out: Collection[str] = ()
) -> Iterator[str]:
    """Lines that say which outcome is favourable, or what else is learned, and which columns are inputs.

    Parameters
    ----------
    left_out : inputs that the model does not read, which are named elsewhere.
    """
    if isinstance(outcome, Quantity):
        yield f"{outcome.title}: the score is the prediction"
    elif config.favourable is None and not outcome.binary:
        yield f"{outcome.target}: {len(outcome.classes)} classes, {', '.join(map(repr, outcome.classes))}"
    else:
        how = "" if config.favourable is not None else ", as the labels say; --favourable names another"
        yield f"{outcome.target}: the favourable outcome is {outcome.favourable!r}{how}"
    named = [*config.protected, *(f"{name} (probabilities)" for name in config.protected_probabilities)]
    protected = f"; protected, and no input: {', '.join(named)}" if named else ""
    read = [name for name in inputs if name not in left_out]
    some = f", of which the model reads {len(read):,}" if left_out else ""
    yield f"{len(inputs):,} inputs{some}{': ' if read else ''}{listed(read)}{protected}"
    if named:
        yield "Copies of these are refused, proxies are not: `scrutable bins` shows what each input tells of a group."


def _ties(measured: Measured) -> str:
    """A remark where equal scores keep the approved share from what was asked for, and not one row's weight."""
    approved = measured.points[1].approval_rate
    far = abs(approved - measured.requested_approval_rate) > max(_FAR, 1 / measured.n_rows)
    return f"the {measured.ranked_by}'s ties approve {approved:.1%} instead" if far else ""


def legend(measured: Measured) -> str:
    """What stands below a table of `side_by_side`."""
    return INTERVALS if measured.fairness is None else f"{INTERVALS} {RATIOS}"


def _ratios(points: Sequence[OperatingPoint]) -> list[list[object]]:
    rows: list[list[object]] = []
    for i, group in enumerate(points[0].groups):
        if not group.is_reference:
            label = f"  adverse impact ratio, {group.attribute}: {group.group} / {group.reference}"
            rows.append([label, *(_ratio(point.groups[i]) for point in points)])
    for i, ratio in enumerate(points[0].four_fifths):
        ratios = [point.four_fifths[i] for point in points]
        titles = {each.title for each in ratios}
        label = f"  four-fifths ratio, {ratio.title if len(titles) == 1 else ratio.attribute}"
        rows.append([label, *(with_interval(each.ratio, each.interval) for each in ratios)])
    return rows


def _ratio(group: GroupMetrics) -> str:
    few = " (few rows)" if group.small else ""
    return with_interval(group.adverse_impact_ratio, group.intervals.get("adverse_impact_ratio")) + few
