"""Answers of the peer that are not what was asked, and ours to the same questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import optbinning
import pandas as pd
from optbinning import BinningProcess
from report import Row
from sklearn.linear_model import LogisticRegression

from recourse.heloc import SPECIAL, Heloc, heloc
from recourse.peers import Advice, Peer, peer
from recourse.reading import card_of
from scrutable import create
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate

#: The highest probabilities of a bad outcome that are asked for.
_ASKED = (0.4, 0.6, 0.7)
_ROUNDING = 1e-6
_INTERVAL = re.compile(r"\[?\(?(-inf|[-\d.]+), (inf|[-\d.]+)\)")


def rows_of_faults(count: int) -> Iterator[Row]:
    """Four questions to the same declined applicants."""
    data, applicants = heloc(), heloc().drawn(count)
    yield _closeness(data, applicants)
    yield _probability(data, applicants)
    yield _special(data, applicants)
    yield _zero_coefficient(data, applicants)


def _closeness(data: Heloc, applicants: pd.DataFrame) -> Row:
    theirs = _asked(peer(), applicants, objectives={"closeness": 1})
    wrong = sum(each.status == "OPTIMAL" and each.score < -_ROUNDING for each in theirs)
    ours = _ours(data.card, data.X, applicants, weights={"closeness": 1.0}, closeness_from="mean")
    failed = sum(not answer.approved for each in ours for answer in each.answers)
    return _row("closeness alone: best answers that do not flip", failed, wrong, len(applicants), "declined")


def _probability(data: Heloc, applicants: pd.DataFrame) -> Row:
    wrong, failed, answers, over = 0, 0, 0, 0.0
    for asked in _ASKED:
        question = {"y": asked, "outcome": "probability", "hard_constraints": ["max_outcome"]}
        theirs = [each for each in _asked(peer(), applicants, **question) if each.row is not None]
        above = 1 / (1 + np.exp(np.array([each.score for each in theirs]))) - asked
        wrong, answers = wrong + int((above > _ROUNDING).sum()), answers + len(theirs)
        over = max(over, float(above.max(initial=0.0)))
        ours = _ours(data.card, data.X, applicants, wanted={"kind": "probability", "at_least": 1 - asked})
        failed += sum((answer.probability or 0.0) < 1 - asked for each in ours for answer in each.answers)
    note = f"declined, {answers} answers of the peer to {_ASKED}; above it by up to {over:.4f}"
    return _row("a probability is asked for: answers that miss it", failed, wrong, len(applicants), note)


def _special(data: Heloc, applicants: pd.DataFrame) -> Row:
    """Codes and missing values allowed: what is advised is put in place and scored."""
    theirs = [each for each in _asked(Peer(data.peer, data.X, special_missing=True), applicants) if each.row]
    scored = evaluate(data.card, pd.DataFrame([_in_place(each.row or {}) for each in theirs]))
    off = np.abs(scored.score - np.array([each.score for each in theirs]))
    action = {"missing": True, "special": True}
    ours = _ours(data.card, data.X, applicants, actions=dict.fromkeys(data.X.columns, action))
    found = [answer for each in ours for answer in each.answers]
    own = evaluate(data.card, pd.DataFrame([dict(answer.values) for answer in found])).score
    failed = int((np.abs(own - np.array([answer.score for answer in found])) > _ROUNDING).sum())
    unflipped = int((~scored.approved).sum())
    note = f"declined; {unflipped} of the peer's do not flip, log-odds are off by up to {off.max():.2f}"
    wrong = int((off > _ROUNDING).sum())
    return _row(
        "codes and missing values allowed: scores that are not the card's", failed, wrong, len(applicants), note
    )


def _zero_coefficient(data: Heloc, applicants: pd.DataFrame) -> Row:
    """A scorecard in which a penalty has set coefficients to 0."""
    process = BinningProcess(list(data.X), special_codes=list(SPECIAL))
    estimator = LogisticRegression(l1_ratio=1.0, solver="liblinear", C=0.005)
    card = optbinning.Scorecard(binning_process=process, estimator=estimator).fit(data.X, data.bad)
    model = card_of(card, SPECIAL)
    declined = applicants[~evaluate(model, applicants).approved]
    with np.errstate(divide="ignore"):
        theirs = _asked(Peer(card, data.X), declined)
    ours = _ours(model, data.X, declined)
    refuted = sum(a.status == "INFEASIBLE" and bool(b.answers) for a, b in zip(theirs, ours, strict=True))
    failed = sum(each.status == "infeasible" and a.row is not None for a, each in zip(theirs, ours, strict=True))
    zeros, others = int((card.estimator_.coef_ == 0).sum()), sum(a.row is None for a in theirs) - refuted
    note = f"declined, {zeros} of 12 coefficients are 0; the peer is without an answer for {others} more"
    return _row("coefficients of 0: answers that are there, but are denied", failed, refuted, len(declined), note)


def _row(name: str, ours: int, theirs: int, count: int, note: str) -> Row:
    note = f"of {count} {note}"
    return Row(name=name, value=ours, unit="answers", relation="<=", bound=0, peer=theirs, note=note)


def _asked(asked: Peer, applicants: pd.DataFrame, **options: Any) -> list[Advice]:
    return [asked.ask(applicants.iloc[[i]], **options) for i in range(len(applicants))]


def _ours(card: Scorecard, X: pd.DataFrame, applicants: pd.DataFrame, **options: Any) -> list[Any]:
    explainer = create("explainer", "counterfactual", needed=False, **options)
    found: list[Any] = explainer.explain(card, applicants, reference=X)
    return found


def _in_place(row: Mapping[str, Any]) -> dict[str, float]:
    """A value of each interval that the peer's table shows."""
    return {name: _value(shown) for name, shown in row.items()}


def _value(shown: Any) -> float:
    if not isinstance(shown, str):
        return float(shown)
    if shown in ("Special", "Missing"):
        return SPECIAL[0] if shown == "Special" else np.nan
    found = _INTERVAL.fullmatch(shown)
    assert found is not None
    low, high = map(float, found.groups())
    return low if np.isfinite(low) else high - 0.5
