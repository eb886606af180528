"""German credit, end to end: two scorecards, SQL that gives the same scores, and reasons."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from scrutable import registry
from scrutable.data import Positions, split_rows
from scrutable.data.datasets import Dataset, load_german_credit
from scrutable.data.frames import PANDAS
from scrutable.errors import ScrutableError
from scrutable.fairness import Groups, Measured, measure
from scrutable.model import Evidence, FrozenMapping, Scaling, Scorecard, dumps, dumps_evidence, freeze
from scrutable.plugins import told_otherwise
from scrutable.plugins.bases import Export, Learner
from scrutable.proof import Certificate, certify, exporter_at, to_html, verification_rows
from scrutable_lifecycle.config import DEFAULT_LEARNER
from scrutable_lifecycle.development.developing import with_measures
from scrutable_lifecycle.figures import frame_of, measured_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Told of what is done next, and entered while that lasts.
Progress = Callable[[str], AbstractContextManager[Any]]

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
#: Rows of edge values drawn at random, on which the SQL is run besides the applicants.
N_DRAWN = 1000


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """What the demo made and measured.

    Parameters
    ----------
    learn, held_out : positions of the rows learned from, and of the others.
    plain, bounded : the scorecards; `measured` has both on the rows held out, `evidence` and `export` are the second's.
    about_plain : what its learner says of the first.
    certificate : the export run in an engine beside the model.
    declined : explanations of a few applicants that the second declines.
    """

    data: Dataset
    seed: int
    learn: Positions
    held_out: Positions
    plain: Scorecard
    bounded: Scorecard
    about_plain: tuple[str, ...]
    measured: tuple[Measured, Measured]
    evidence: Evidence
    export: Export
    certificate: Certificate
    declined: list[Any]

    def __repr__(self) -> str:
        plain, bounded = (each.performance.auc for each in self.measured)
        passed = "passed" if self.certificate.passed else "failed"
        return f"Demonstration(AUC {plain:.3f} plain, {bounded:.3f} bounded; certificate {passed})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain, bounded = (each.to_dict() for each in self.measured)
        return {
            "rows": {"all": len(self.data.frame), "fit": len(self.learn), "held_out": len(self.held_out)},
            "seed": self.seed,
            "not_inputs": not_inputs(self.data),
            "held_out": {"plain": plain, "bounded": bounded},
            "certificate": self.certificate.to_dict(),
            "declined": [asdict(each) for each in self.declined],
        }

    def frame(self) -> pd.DataFrame:
        """A row for each figure of both scorecards on the rows held out."""
        frames = (frame_of(measured_figures(each), PANDAS) for each in self.measured)
        return pd.concat(dict(zip(("plain", "bounded"), frames, strict=True)), names=["scorecard"]).reset_index(level=0)

    def plot(self) -> Figure:
        """The second scorecard: how much each characteristic matters, and what its values are worth.

        Raises
        ------
        InputError : matplotlib is not installed.
        """
        from scrutable.plots import plot_model

        return plot_model(self.bounded)

    def files(self) -> dict[str, str | bytes]:
        """Models, evidence, SQL and certificate by file name."""
        return {
            "model.json": dumps(self.bounded),
            "plain.json": dumps(self.plain),
            "evidence.json": dumps_evidence(self.evidence),
            **self.export.files,
            "certificate.html": to_html(self.certificate),
        }


def demonstrate(seed: int = 0, progress: Progress = nullcontext) -> Demonstration:
    """Learn, measure, export, certify in DuckDB, explain.

    Parameters
    ----------
    seed : of the split, the learners and the bootstrap.
    progress : called with what is done next; what it gives is entered while that lasts.

    Raises
    ------
    PluginError : a library that is missing, such as duckdb.

    Examples
    --------
    >>> demonstrate()
    Demonstration(AUC 0... plain, 0... bounded; certificate passed)
    """
    data = load_german_credit()
    groups = Groups.from_frame(data.sensitive_features)
    learn, held_out = split_rows(data.y, TEST_SIZE, seed)
    with progress("Fitting the plain scorecard"), told_otherwise():
        plain = _fit(_plain(data), data, groups, learn)
    with progress("Fitting the disparity-bounded scorecard"), told_otherwise():
        bounded = _fit(_bounded(data), data, groups, learn)
    with progress("Measuring on the rows held out"):
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
    with progress("Running score.sql in DuckDB"):
        exporter = exporter_at("duckdb", table="applicants")
        rows = verification_rows(model, data.X, n_random=N_DRAWN, seed=seed)
        certificate = certify(model, [exporter], rows)
    explained = registry().create("explainer", "reason-codes").explain(model, data.X.iloc[held_out])
    first, second = (_given(each) for each in measured)
    return Demonstration(
        data=data,
        seed=seed,
        learn=learn,
        held_out=held_out,
        plain=_scorecard(plain),
        bounded=model,
        about_plain=tuple(plain.about_learning(plain.evidence_)),
        measured=(first, second),
        evidence=_evidence(bounded, first, second),
        export=exporter.export(model),
        certificate=certificate,
        declined=[
            replace(each, row=int(row)) for each, row in zip(explained, held_out, strict=True) if not each.approved
        ][:N_EXPLAINED],
    )


def not_inputs(data: Dataset) -> list[str]:
    """Columns that no model gets: protected attributes, and columns that tell them."""
    return [name for name in data.frame.columns if name not in (*data.inputs, data.target)]


def _plain(data: Dataset) -> Learner:
    learner: Learner = registry().create("learner", DEFAULT_LEARNER, scaling=SCALING, favourable=data.favourable)
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
