"""Answers and certificates of random cases beside the mixed-integer program and an enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import metadata

import numpy as np
from report import Row

from recourse.cases import Case, drawn
from recourse.enumerated import has_answer
from recourse.heloc import heloc
from recourse.rescoring import Ledger
from scrutable import create
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.mixed_integer import Solution, solve

#: What the program's own bound may be below its objective, for it to count as a proof.
_PROOF = 1e-6


def rows_of_agreement(count: int, seed: int = 0) -> Iterator[Row]:
    """The worst difference of objectives, certificates that are false, answers that fail."""
    rng, tally = np.random.default_rng(seed), _Tally()
    for _ in range(count):
        case = drawn(rng)
        tally.add(case, case.explain(), _program(case))
    yield from tally.rows()
    for found in _declined(2 * count):
        tally.ledger.add(heloc().card, found, "approval")
    yield tally.ledger.row()


class _Tally:
    """What was seen so far."""

    def __init__(self) -> None:
        self.differences: list[float] = []
        self.answered: Counter[str] = Counter()
        self.infeasible: Counter[str] = Counter()
        self.false = self.missed = self.unproven = self.enumerated = 0
        self.ledger = Ledger()

    def add(self, case: Case, ours: Counterfactuals, program: Solution) -> None:
        """One case; where a program's bound is below its objective, it proves nothing and is only counted."""
        self.ledger.add(case.population.card, ours, case.wanted["kind"])
        if ours.status == "infeasible":
            self.infeasible[case.asked] += 1
            single = case.options["number"] == 1
            self.enumerated += single
            self.false += program.cells is not None or (single and has_answer(case.problem()[0]))
        elif program.status == "infeasible" or ours.status != "optimal":
            self.missed += 1
        elif program.objective - program.bound > _PROOF * max(1.0, abs(program.objective)):
            self.unproven += 1
        else:
            assert ours.cost is not None
            self.answered[case.asked] += 1
            self.differences.append(abs(ours.cost - program.objective))

    def rows(self) -> Iterator[Row]:
        """The figures."""
        scipy = f"scipy {metadata.version('scipy')}, HiGHS"
        yield Row(
            name="objective less the mixed-integer program's, the worst",
            value=max(self.differences),
            unit="",
            relation="<=",
            bound=1e-5,
            note=f"{len(self.differences)} cases with an answer ({_told(self.answered)}); {self.unproven} more where "
            f"the program's own bound is below its objective; {scipy}",
        )
        note = "the program has an answer, or none where ours has; or ours is not proven"
        yield Row(name="statuses that differ", value=self.missed, unit="cases", relation="<=", bound=0, note=note)
        yield Row(
            name="false certificates of infeasibility",
            value=self.false,
            unit="cases",
            relation="<=",
            bound=0,
            note=f"of {self.infeasible.total()} infeasible cases ({_told(self.infeasible)}), each checked by the "
            f"program, {self.enumerated} by enumeration too",
        )


def _program(case: Case) -> Solution:
    problem, term = case.problem()
    diverse = case.options["diverse"]
    diversity = Diversity(features=diverse in ("features", "both"), values=diverse in ("values", "both"))
    return solve(problem, Joint(term=term), case.options["number"], diversity)


def _declined(count: int) -> Iterator[Counterfactuals]:
    """Answers for declined applicants of HELOC, three each."""
    data = heloc()
    applicants = data.drawn(count)
    for number in (1, 3):
        explainer = create("explainer", "counterfactual", number=number, diverse="features", needed=False)
        yield from explainer.explain(data.card, applicants, reference=data.X)


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
