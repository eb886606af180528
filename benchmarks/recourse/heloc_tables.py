"""Tables 2 to 6 of the paper: one applicant of HELOC, single answers and several, weighted and in order."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from report import Row, lines

from recourse.heloc import heloc
from recourse.peers import in_peers_units
from recourse.scenarios import CHANGES, Scenario
from scrutable.model.evaluator import evaluate

_PAPERS_PD = 0.742
_FIRST = {"H(1, 0)": ("proximity", "closeness"), "H(0, 1)": ("closeness", "proximity")}

#: Proximity, closeness, probability of default and seconds of the paper's table 4, by S and approach.
_TABLE_4 = {
    (1, "W"): (1.134, 9.356, 0.484, 0.3),
    (2, "W"): (1.672, 7.544, 0.436, 0.3),
    (3, "W"): (1.767, 5.524, 0.478, 0.4),
    (4, "W"): (1.816, 5.406, 0.489, 0.5),
    (2, "H(1, 0)"): (0.993, 8.742, 0.489, 0.5),
    (2, "H(0, 1)"): (1.504, 8.206, 0.476, 0.9),
}

#: Mean proximity and closeness, the two diversities, and the probabilities of default of table 6, by K, S and approach.
_TABLE_6 = {
    (3, 2, "W"): (1.638, 7.901, 4, 12, "0.422 to 0.457"),
    (4, 3, "W"): (1.807, 7.494, 16, 36, "0.455 to 0.487"),
    (3, 2, "H(1, 0)"): (1.096, 8.895, 4, 12, "0.477 to 0.495"),
    (3, 2, "H(0, 1)"): (1.203, 8.561, 4, 12, "0.477 to 0.489"),
}


def rows_of_heloc() -> Iterator[Row]:
    """Print the tables; scenarios that are not proven best, and what must hold between them."""
    applicant = heloc().papers_applicant()
    pd = 1 - float(evaluate(heloc().card, applicant).probability[0])
    single = {(s, how): _ask(how, 1, s) for s, how in _TABLE_4}
    several = {(k, s, how): _ask(how, k, s, diverse="values") for k, s, how in _TABLE_6}
    for scenario in (*single.values(), several[3, 2, "W"]):
        lines(f"HELOC, {scenario.heading}", CHANGES, scenario.lines())
    title = f"Table 4, in brackets the paper's; probability of default {pd:.3f} ({_PAPERS_PD})"
    lines(title, ("S", "approach", "proximity", "closeness", "default", "CPU s"), [*map(_line_4, single.values())])
    columns = ("K", "S", "approach", "proximity", "closeness", "features", "values", "default")
    lines("Table 6, in brackets the paper's", columns, [*map(_line_6, several.values())])
    yield from _rows(single, several)


def _rows(single: dict[tuple[int, str], Scenario], several: dict[tuple[int, int, str], Scenario]) -> Iterator[Row]:
    every = [*single.values(), *several.values()]
    unproven = sum(each.found.status not in ("optimal", "infeasible") for each in every)
    none = "; ".join(each.heading for each in every if each.found.status == "infeasible")
    seconds = statistics.median(each.seconds for each in every)
    note = f"of {len(every)}; {none}; median {1000 * seconds:.0f} ms CPU, {len(heloc().X):,} rows of reference read"
    name = "HELOC, tables 2 to 6: scenarios without a proof"
    yield Row(name=name, value=unproven, unit="scenarios", relation="<=", bound=0, note=note)
    closeness = [single[s, "W"].mean("closeness") for s in range(1, 5)]
    costs = [math.inf if (cost := single[s, "W"].found.cost) is None else cost for s in range(1, 5)]
    rises = sum(not after <= before for before, after in pairwise(costs))
    told = ", ".join(f"{value:.3f}" for value in closeness)
    note = f"the weighted sum for S = 1 to 4: {', '.join(f'{cost:.3f}' for cost in costs)}; closeness {told}"
    name = "HELOC, table 4: costs that rise with S"
    yield Row(name=name, value=rises, unit="steps", relation="<=", bound=0, note=note)
    first, last = single[2, "H(1, 0)"], single[2, "H(0, 1)"]
    wrong = int(not first.mean("proximity") <= last.mean("proximity") * 1.1)
    wrong += int(not last.mean("closeness") <= first.mean("closeness") * 1.1)
    note = "each objective, where it comes first, is within a tenth of what it is where it comes second"
    name = "HELOC, table 4: orders that do not hold"
    yield Row(name=name, value=wrong, unit="orders", relation="<=", bound=0, note=note)
    same = sum(not each.differ(features=False, values=True) for each in several.values())
    name = "HELOC, tables 5 and 6: sets in which a value comes twice"
    yield Row(name=name, value=same, unit="sets", relation="<=", bound=0, note=f"of {len(several)}")


def _ask(how: str, number: int, changes: int, **options: Any) -> Scenario:
    data, first = heloc(), _FIRST.get(how)
    options |= in_peers_units() | ({"priorities": first, "tolerance": 0.1} if first else {})
    return Scenario.ask(how, number, changes, data.card, data.papers_applicant(), data.X, **options)


def _line_4(its: Scenario) -> Sequence[str]:
    proximity, closeness, pd, seconds = _TABLE_4[its.changes, its.name]
    return (
        str(its.changes),
        its.name,
        f"{its.mean('proximity'):.3f} ({proximity})",
        f"{its.mean('closeness'):.3f} ({closeness})",
        f"{_default(its)} ({pd})",
        f"{its.seconds:.3f} ({seconds})",
    )


def _line_6(its: Scenario) -> Sequence[str]:
    proximity, closeness, features, values, default = _TABLE_6[its.number, its.changes, its.name]
    differences = its.differences()
    return (
        str(its.number),
        str(its.changes),
        its.name,
        f"{its.mean('proximity'):.3f} ({proximity})",
        f"{its.mean('closeness'):.3f} ({closeness})",
        f"{differences[0]} ({features})",
        f"{differences[1]} ({values})",
        f"{_default(its)} ({default})",
    )


def _default(its: Scenario) -> str:
    """Probability of default, or its range."""
    found = sorted(1 - answer.probability for answer in its.found.answers if answer.probability is not None)
    return "-" if not found else " to ".join(f"{value:.3f}" for value in dict.fromkeys((found[0], found[-1])))
