"""Every answer scored again, by the evaluator and in DuckDB by the exported SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from report import Row

from scrutable import create
from scrutable.model import RegressionScorecard, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable_counterfactual.explanation import Counterfactuals

Card = Scorecard | RegressionScorecard


@dataclass(slots=True, eq=False)
class _Answers:
    """Answers of one card, the scores that were wanted of each, and the decision; None where any will do."""

    card: Card
    values: list[Mapping[str, Any]] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    approved: list[bool | None] = field(default_factory=list)

    def failures(self, outputs: Mapping[str, Any]) -> int:
        """Answers without the outcome that was wanted."""
        score = np.asarray(outputs["score"], dtype=float)
        failed = ~((np.array(self.low) <= score) & (score <= np.array(self.high)))
        if isinstance(self.card, Scorecard):
            decided = np.asarray(outputs["approved"], dtype=bool).tolist()
            pairs = zip(self.approved, decided, strict=True)
            failed |= np.array([wanted is not None and wanted != found for wanted, found in pairs])
        return int(failed.sum())


class Ledger:
    """Answers, gathered card by card."""

    def __init__(self) -> None:
        self._by_card: dict[int, _Answers] = {}

    def add(self, card: Card, found: Counterfactuals, kind: str) -> None:
        """The answers for one applicant, who wanted an "approval", a "decline", or a score between two bounds."""
        answers = self._by_card.setdefault(id(card), _Answers(card))
        for answer in found.answers:
            answers.values.append(answer.values)
            answers.low.append(found.low)
            answers.high.append(found.high)
            answers.approved.append({"approval": True, "decline": False}.get(kind))

    def row(self) -> Row:
        """Answers that fail, by the evaluator or in the database."""
        exporter, failed, total = create("exporter", "sql", dialect="duckdb"), [0, 0], 0
        for answers in self._by_card.values():
            frame = pd.DataFrame([dict(each) for each in answers.values])
            failed[0] += answers.failures(evaluate(answers.card, frame).frame())
            failed[1] += answers.failures(exporter.run(exporter.export(answers.card), frame))
            total += len(frame)
        note = f"of {total:,} answers on {len(self._by_card)} cards; the evaluator {failed[0]}, DuckDB {failed[1]}"
        name = "answers without the wanted outcome, scored again"
        return Row(name=name, value=sum(failed), unit="answers", relation="<=", bound=0, note=note)
