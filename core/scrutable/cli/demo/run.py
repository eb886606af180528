"""What `scrutable demo` does; `page` shows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from typing import Any

import numpy as np

from scrutable.bases import Export, Learner
from scrutable.cli.fitting import Positions, split_rows, with_measures
from scrutable.datasets import Dataset, load_german_credit
from scrutable.errors import ScrutableError
from scrutable.fairness import Groups
from scrutable.measures import Measured, measure
from scrutable.model import Evidence, FrozenMapping, Scaling, Scorecard, dumps, dumps_evidence
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.model.values import freeze
from scrutable.registry import registry

TEST_SIZE = 0.3
APPROVAL_RATE = 0.7
#: Largest information value that any characteristic may have about sex or age group; by the field's rule of thumb,
#: below 0.1 is weak (Siddiqi 2006, chapter 5).
BOUND = 0.1
#: Points never rise with a loan's duration.
TRENDS = {"duration_months": "descending"}
#: Whole points, as scorecards on paper have; what is shown is then exactly what the model holds.
SCALING = Scaling(decimals=0)
N_EXPLAINED = 3


@dataclass(frozen=True, kw_only=True)
class Parity:
    """On how many of n rows a database gave exactly what Python gives, by what was compared."""

    engine: str
    n_rows: int
    equal: dict[str, int]

    @property
    def exact(self) -> bool:
        """Whether nothing differed anywhere."""
        return all(count == self.n_rows for count in self.equal.values())


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """Everything the demo found."""

    data: Dataset
    seed: int
    learn: Positions
    held_out: Positions
    plain: Scorecard
    bounded: Scorecard
    measured: tuple[Measured, Measured]
    evidence: Evidence
    export: Export
    parity: Parity
    declined: list[Any]


def run(seed: int, working: Callable[[str], AbstractContextManager[Any]]) -> Demonstration:
    """Learn, measure, export, run in DuckDB, compare, explain."""
    data = load_german_credit()
    groups = Groups.from_frame(data.sensitive_features)
    learn, held_out = split_rows(data.y, TEST_SIZE, seed)
    with working("Fitting the plain scorecard"):
        plain = _fit(_plain(data), data, groups, learn)
    with working("Fitting the disparity-bounded scorecard"):
        bounded = _fit(_bounded(data), data, groups, learn)
    with working("Measuring on the rows held out"):
        measured = [
            measure(
                learner.model_,
                data.X.iloc[held_out],
                data.y.iloc[held_out],
                groups=groups.subset(held_out),
                approval_rate=APPROVAL_RATE,
                seed=seed,
            )
            for learner in (plain, bounded)
        ]
    model = _scorecard(bounded)
    with working("Running score.sql in DuckDB"):
        exporter = registry().create("exporter", "sql", dialect="duckdb", table="applicants")
        export: Export = exporter.export(model)
        theirs = exporter.run(export, data.X)
    explained = registry().create("explainer", "reason-codes").explain(model, data.X.iloc[held_out])
    first, second = (_given(found) for found in measured)
    return Demonstration(
        data=data,
        seed=seed,
        learn=learn,
        held_out=held_out,
        plain=_scorecard(plain),
        bounded=model,
        measured=(first, second),
        evidence=_evidence(bounded, first, second),
        export=export,
        parity=compare(evaluate(model, data.X).frame(), theirs, f"DuckDB {metadata.version('duckdb')}"),
        declined=[
            replace(found, row=int(row)) for found, row in zip(explained, held_out, strict=True) if not found.approved
        ][:N_EXPLAINED],
    )


def compare(ours: OutputFrame, theirs: OutputFrame, engine: str) -> Parity:
    """Rows on which two results are equal to the last bit: score, decision, points, reasons.

    A row counts only if every column of the kind is equal; a column that is not there is equal nowhere.
    """
    kinds = {"scores": "score", "decisions": "approved", "points": "points_", "reasons": "reason_"}
    n_rows = len(ours["score"])
    equal = {}
    for kind, prefix in kinds.items():
        names = [name for name in ours if name == prefix or (prefix.endswith("_") and name.startswith(prefix))]
        same = np.ones(n_rows, dtype=bool)
        for name in names:
            same &= np.asarray(ours[name] == theirs[name]) if name in theirs else False
        equal[kind] = int(same.sum())
    return Parity(engine=engine, n_rows=n_rows, equal=equal)


def files(shown: Demonstration) -> dict[str, str | bytes]:
    """Models, evidence and SQL by file name."""
    return {
        "model.json": dumps(shown.bounded),
        "plain.json": dumps(shown.plain),
        "evidence.json": dumps_evidence(shown.evidence),
        **shown.export.files,
    }


def to_json(shown: Demonstration, written: list[str]) -> dict[str, Any]:
    """Plain values for JSON."""
    plain, bounded = (found.to_dict() for found in shown.measured)
    return {
        "rows": {"all": len(shown.data.frame), "fit": len(shown.learn), "held_out": len(shown.held_out)},
        "seed": shown.seed,
        "not_inputs": not_inputs(shown.data),
        "held_out": {"plain": plain, "bounded": bounded},
        "sql": {**asdict(shown.parity), "exact": shown.parity.exact},
        "declined": [asdict(found) for found in shown.declined],
        "written": written,
    }


def not_inputs(data: Dataset) -> list[str]:
    """Columns that no model gets: protected attributes, and columns that tell them."""
    return [name for name in data.frame.columns if name not in (*data.inputs, data.target)]


def _plain(data: Dataset) -> Learner:
    learner: Learner = registry().create("learner", "scorecard", scaling=SCALING, favourable=data.favourable)
    return learner


def _bounded(data: Dataset) -> Learner:
    bound = registry().create("constraint", "fairness-information-value", bound=BOUND)
    learner: Learner = registry().create(
        "learner",
        "lda-xgb1",
        constraints=(bound,),
        trends=TRENDS,
        scaling=SCALING,
        favourable=data.favourable,
    )
    return learner


def _fit(learner: Learner, data: Dataset, groups: Groups, rows: Positions) -> Learner:
    return learner.fit(data.X.iloc[rows], data.y.iloc[rows], sensitive_features=groups.subset(rows))


def _scorecard(learner: Learner) -> Scorecard:
    if not isinstance(learner.model_, Scorecard):
        raise ScrutableError("the demo needs a scorecard", where=type(learner).__name__)
    return learner.model_


def _given(measured: Measured | None) -> Measured:
    if measured is None:
        raise ScrutableError("the demo needs a model with a score")
    return measured


def _evidence(bounded: Learner, plain: Measured, own: Measured) -> Evidence:
    known = with_measures(bounded.evidence_, own)
    return replace(known, metrics=FrozenMapping({**known.metrics, "held_out_plain": freeze(plain.to_dict())}))
