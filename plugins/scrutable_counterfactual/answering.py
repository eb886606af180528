"""From what the search finds to explanations, each answer scored again by the evaluator."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scrutable.errors import PluginError
from scrutable.model import RegressionScorecard
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate
from scrutable_counterfactual.answers import Answer, Change, Obstacle, Status
from scrutable_counterfactual.arrays import Positions
from scrutable_counterfactual.compiling import compile_loops
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.reading import Applicants
from scrutable_counterfactual.search import Clock, Found
from scrutable_counterfactual.solving import Task, obstacle, solve

Values = dict[str, float | str | None]
Scores = Evaluation | RegressionEvaluation

_LARGEST_BLOCK = 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solved:
    """What the search found for a row; `found` is None where there is nothing to change."""

    row: int
    problem: Problem
    terms: dict[str, Term]
    result: Found | None = None
    obstacle: Obstacle | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """An answer before it is scored."""

    cells: Positions
    changes: tuple[Change, ...]
    values: Values


class Answering:
    """Explains one applicant after another.

    Parameters
    ----------
    applicants : as read for the scorecard.
    evaluation : of the applicants.
    task : what is asked for each.
    seconds, nodes : what the search may take for each.
    """

    def __init__(
        self, applicants: Applicants, evaluation: Scores, task: Task, seconds: float | None, nodes: int | None
    ) -> None:
        self.applicants, self.evaluation, self.task = applicants, evaluation, task
        self.seconds, self.nodes = seconds, nodes
        if seconds is not None:
            compile_loops()

    def explanations(self) -> Iterator[Counterfactuals]:
        """The explanation of every row, in blocks that grow, since the evaluator is fast on many rows only."""
        start, size = 0, 1
        while start < self.applicants.n_rows:
            rows = range(start, min(start + size, self.applicants.n_rows))
            yield from self._block([self._solved(row) for row in rows])
            start, size = start + size, min(2 * size, _LARGEST_BLOCK)

    def _solved(self, row: int) -> Solved:
        problem = self.applicants.problem(row)
        terms = self.applicants.terms(row)
        # where an outcome is aimed at, another may be nearer than the applicant's
        if self.applicants.distance.kind == "none" and self._has_what_is_wanted(row):
            return Solved(row=row, problem=problem, terms=terms)
        clock = Clock(self.seconds, self.nodes)
        result = solve(self.task, problem, terms, clock)
        why = None
        if result.complete and not len(result.cells):
            why = obstacle(partial(self.applicants.problem, row), self.applicants.limited, clock)
        return Solved(row=row, problem=problem, terms=terms, result=result, obstacle=why)

    def _has_what_is_wanted(self, row: int) -> bool:
        """Whatever rules say of what the applicant has now."""
        score, _, approved = _said(self.evaluation, row)
        if self.applicants.wanted.kind in ("approval", "decline"):
            return approved is (self.applicants.wanted.kind == "approval")
        return self.applicants.low <= score <= self.applicants.high

    def _block(self, block: Sequence[Solved]) -> Iterator[Counterfactuals]:
        drafts = [
            [self._draft(solved, cells) for cells in solved.result.cells] if solved.result else [] for solved in block
        ]
        rows = [draft.values for drafted in drafts for draft in drafted]
        names = self.applicants.names
        columns = {name: _column([row[name] for row in rows]) for name in names}
        scores = evaluate(self.applicants.card, columns) if rows else self.evaluation
        at = 0
        for solved, own in zip(block, drafts, strict=True):
            answers = [self._answer(solved, draft, scores, at + k) for k, draft in enumerate(own)]
            at += len(own)
            yield self._explanation(solved, tuple(answers))

    def _draft(self, solved: Solved, cells: Positions) -> Draft:
        values = self.applicants.values(solved.row)
        places = np.flatnonzero(cells != solved.problem.current).tolist()
        changes = [self._change(solved.row, i, int(cells[i]), values) for i in places]
        changes.sort(key=lambda change: -change.points_gained)
        return Draft(
            cells=cells,
            changes=tuple(changes),
            values=values | {change.feature: change.nearest for change in changes},
        )

    def _change(self, row: int, i: int, cell: int, values: Values) -> Change:
        domain, reach = self.applicants.domains[i], self.applicants.reaches[i]
        nearest, seen = reach.nearest(row, cell)
        return Change(
            feature=domain.feature.name,
            title=domain.feature.title,
            value=values[domain.feature.name],
            required=reach.required(row, cell),
            nearest=nearest,
            in_data=seen,
            points_before=float(domain.points[reach.current[row]]),
            points_after=float(domain.points[cell]),
            turns=domain.turns,
        )

    def _answer(self, solved: Solved, draft: Draft, scores: Scores, at: int) -> Answer:
        score, probability, approved = _said(scores, at)
        if score != solved.problem.score(draft.cells):
            raise PluginError("an answer has another score than its cells", where=f"row {solved.row}", got=score)
        costs = {
            name: solved.problem.cost(term, draft.cells) for name, term in solved.terms.items() if self._counts(name)
        }
        return Answer(
            changes=draft.changes,
            score=score,
            probability=probability,
            approved=approved,
            costs=costs,
            values=draft.values,
        )

    def _counts(self, name: str) -> bool:
        """Whether an objective says something: closeness needs a reference, the outcome's distance a target."""
        if name == "closeness":
            return self.applicants.reference is not None
        return name != "outcome" or self.applicants.distance.kind != "none"

    def _explanation(self, solved: Solved, answers: tuple[Answer, ...]) -> Counterfactuals:
        score, probability, approved = _said(self.evaluation, solved.row)
        card, result = self.applicants.card, solved.result
        cost = None if result is None or not answers else float(result.costs.sum())
        stopped = result is not None and not result.complete
        return Counterfactuals(
            row=solved.row,
            score=score,
            cutoff=None if isinstance(card, RegressionScorecard) else card.cutoff,
            probability=probability,
            approved=approved,
            wanted=self.applicants.wanted.describe(),
            low=self.applicants.low,
            high=self.applicants.high,
            status=_status(result),
            objective=self.task.objective.describe(),
            answers=answers,
            cost=cost,
            gap=max(0.0, cost - result.bound) if stopped and result is not None and cost is not None else 0.0,
            obstacle=solved.obstacle,
            values=self.applicants.values(solved.row),
        )


def _status(result: Found | None) -> Status:
    if result is None:
        return "met"
    if len(result.cells):
        return "optimal" if result.complete else "stopped"
    return "infeasible" if result.complete else "unknown"


def _said(scores: Scores, row: int) -> tuple[float, float | None, bool | None]:
    """Score, probability and decision of a row, as far as there are any."""
    assert scores.score is not None  # there are two classes, or a quantity
    score = float(scores.score[row])
    if isinstance(scores, RegressionEvaluation):
        return score, None, None
    return score, float(scores.probability[row]), bool(scores.approved[row])


def _column(values: list[float | str | None]) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    """Texts as objects, numbers as doubles, missing as None or NaN; a column without a value fits either kind."""
    if any(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    return np.array([math.nan if value is None else value for value in values], dtype=float)
