"""Tables 7 to 9 of the paper: several answers for one applicant of Adult, and proofs that there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from clock import timed
from report import Row, lines

from recourse.adult import AS_IN_FILE, AS_WRITTEN, adult
from recourse.enumerated import has_answer
from recourse.scenarios import CHANGES, Scenario
from scrutable_counterfactual.goal import Wanted
from scrutable_counterfactual.joint import Diversity
from scrutable_counterfactual.measuring import Measure, Objective
from scrutable_counterfactual.mixed_integer import Solution, solve
from scrutable_counterfactual.reading import Applicants, actions_of

#: The paper does not say which features its last scenario takes for not actionable.
_NOT_ACTIONABLE = ("sex", "race", "marital-status")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A line of table 9: what it asks for, and what the paper found."""

    number: int
    changes: int
    diverse: str
    immutable: tuple[str, ...] = ()
    chances: str
    seconds: float

    @property
    def name(self) -> str:
        return {"both": "F + FV", "features": "F"}[self.diverse] + (" + NA" if self.immutable else "")


_TABLE_9 = (
    _Asked(number=3, changes=2, diverse="both", chances="infeasible", seconds=0.1),
    _Asked(number=3, changes=3, diverse="both", chances="0.506 to 0.510", seconds=0.6),
    _Asked(number=3, changes=4, diverse="both", chances="0.506 to 0.510", seconds=3.9),
    _Asked(number=4, changes=4, diverse="both", chances="0.502 to 0.521", seconds=2.5),
    _Asked(number=5, changes=3, diverse="both", chances="infeasible", seconds=0.8),
    _Asked(number=5, changes=4, diverse="both", chances="infeasible", seconds=0.4),
    _Asked(number=5, changes=3, diverse="features", chances="0.503 to 0.526", seconds=5.1),
    _Asked(number=5, changes=4, diverse="features", chances="0.503 to 0.526", seconds=13.7),
    _Asked(number=5, changes=5, diverse="features", chances="0.502 to 0.522", seconds=9.7),
    _Asked(number=5, changes=5, diverse="features", immutable=_NOT_ACTIONABLE, chances="0.502 to 0.526", seconds=21.3),
)


def rows_of_adult(seconds: float, program_seconds: float) -> Iterator[Row]:
    """Print the tables; scenarios without a proof, and those where the program says otherwise.

    Parameters
    ----------
    seconds, program_seconds : what a scenario may take, of ours and of the program.
    """
    columns = ("K", "S", "diversity", "status", "probability", "CPU s", "program", "CPU s")
    for title, applicant in (("as written", AS_WRITTEN), ("as in the file", AS_IN_FILE)):
        found = [_ask(each, applicant, seconds=seconds) for each in _TABLE_9]
        if applicant is AS_WRITTEN:
            _print_answers(found, seconds)
        proven = [_program(each, applicant, program_seconds) for each in _TABLE_9]
        table = [_line(*each) for each in zip(_TABLE_9, found, proven, strict=True)]
        lines(f"Table 9, Adult, the applicant {title}, in brackets the paper's", columns, table)
        yield from _rows(title, applicant, found, [solution for _, solution in proven])


def _print_answers(found: Sequence[Scenario], seconds: float) -> None:
    """Tables 7 and 8: four answers of up to four changes; three of them where there are no four."""
    place = 3 if found[3].found.answers else 2
    alone = _ask(_TABLE_9[place], AS_WRITTEN, seconds=seconds, weights={"proximity": 1.0})
    for title, each in (("Table 7, Adult", found[place]), ("Table 8, Adult, without closeness", alone)):
        lines(f"{title}: {each.heading}", CHANGES, each.lines())


def _rows(
    title: str, applicant: Mapping[str, Any], found: Sequence[Scenario], proven: Sequence[Solution]
) -> Iterator[Row]:
    pairs = list(zip(_TABLE_9, found, proven, strict=True))
    unproven = [each.heading for each in found if each.found.status not in ("optimal", "infeasible")]
    infeasible = [each.heading for each in found if each.found.status == "infeasible"]
    note = f"of {len(found)}: {'; '.join(unproven) or 'none'}"
    name = f"Adult {title}, table 9: scenarios without a proof"
    yield Row(name=name, value=len(unproven), unit="scenarios", relation="<=", bound=0, note=note)
    false = sum(its.found.status == "infeasible" and solution.cells is not None for _, its, solution in pairs)
    alone = sum(not has_answer(_problem(asked, applicant).problem(0)) for asked, _, _ in pairs)
    note = f"of {len(infeasible)}: {'; '.join(infeasible) or 'none'}; {alone} have no single answer, by enumeration"
    name = f"Adult {title}, table 9: false certificates"
    yield Row(name=name, value=false, unit="scenarios", relation="<=", bound=0, note=note)
    apart = [
        abs((its.found.cost or 0.0) - solution.objective)
        for _, its, solution in pairs
        if its.found.status == "optimal" and solution.status == "optimal"
    ]
    if apart:
        note = f"{len(apart)} scenarios that both have solved"
        name = f"Adult {title}, table 9: objective less the program's"
        yield Row(name=name, value=max(apart), unit="", relation="<=", bound=1e-5, note=note)


def _ask(asked: _Asked, applicant: Mapping[str, Any], **options: Any) -> Scenario:
    data = adult()
    options |= {"diverse": asked.diverse, "immutable": asked.immutable, "closeness_from": "mean"}
    row = pd.DataFrame([applicant])
    return Scenario.ask(asked.name, asked.number, asked.changes, data.card, row, data.X, **options)


def _problem(asked: _Asked, applicant: Mapping[str, Any]) -> Applicants:
    data, limits = adult(), actions_of(asked.immutable, {}, (), ())
    measure, row = Measure(closeness_from="mean"), pd.DataFrame([applicant])
    return Applicants(
        data.card,
        row,
        wanted=Wanted(),
        actions=limits,
        measure=measure,
        max_changes=asked.changes,
        needed=False,
        reference=data.X,
    )


def _program(asked: _Asked, applicant: Mapping[str, Any], seconds: float) -> tuple[float, Solution]:
    """The mixed-integer program of all K answers (equation 13)."""
    applicants = _problem(asked, applicant)
    (joint,) = Objective(weights={"proximity": 1.0, "closeness": 1.0}).stages(applicants.terms(0))
    return timed(
        lambda: solve(
            applicants.problem(0),
            joint,
            asked.number,
            Diversity(features=True, values=asked.diverse == "both"),
            time_limit=seconds,
        )
    )


def _line(asked: _Asked, its: Scenario, program: tuple[float, Solution]) -> Sequence[str]:
    seconds, solution = program
    return (
        str(asked.number),
        str(asked.changes),
        its.name,
        its.found.status,
        f"{its.chances()} ({asked.chances})",
        f"{its.seconds:.2f} ({asked.seconds})",
        solution.status,
        f"{seconds:.2f}",
    )
