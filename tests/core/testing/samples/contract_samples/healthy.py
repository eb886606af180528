"""A component of every kind, as small as the contract lets it be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from scrutable import create
from scrutable.binning import Sample, build_scorecard
from scrutable.data import TrainingData
from scrutable.errors import UnsupportedModel
from scrutable.errors.checks import check_number
from scrutable.fairness import RateBound
from scrutable.model import Evidence, Model, RuleSet, Scaling, Scorecard, dumps, loads, refuse_extras
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Binner, Explainer, Export, Exporter, FairnessConstraint, Learner


class TinyBinner(Binner):
    """Two attributes for numbers, and one for each text."""

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        finite = sample.values[np.isfinite(sample.values)]
        return [] if len(finite) == 0 else [float(finite.min() / 2 + finite.max() / 2)]

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Any]]:
        return [[value] for value in sample.values.tolist()]


class TinyLearner(Learner):
    """Weights of evidence as points.

    Parameters
    ----------
    special_codes : codes that are no measurement.
    favourable : the favourable class.
    allow_protected : inputs that may be protected.
    """

    def __init__(self, *, special_codes: Any = None, favourable: Any = None, allow_protected: Any = ()) -> None:
        self.special_codes = special_codes
        self.favourable = favourable
        self.allow_protected = allow_protected

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        tables = create("binner", "quantile").bin(data).tables
        share = np.average(data.good, weights=data.weight)
        odds, values = float(np.log(share / (1 - share))), [table.woe for table in tables]
        return build_scorecard(data.outcome, tables, odds, values, Scaling()), Evidence(model_sha256="")


@dataclass(frozen=True)
class TinyConstraint(FairnessConstraint):
    """Approval rates that differ by a slack at most.

    Parameters
    ----------
    slack : the largest difference.
    attributes, min_group_size : as in `FairnessConstraint`.
    """

    slack: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.slack, "slack", "a difference of rates", high=1.0)

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
        reference = self.reference_of(attribute)
        yield RateBound(rate="approval", attribute=attribute.name, group=group, reference=reference, slack=self.slack)


@dataclass(frozen=True, kw_only=True)
class TinyExplanation:
    approved: bool
    score: float
    baseline: float = 0.0
    contributions: dict[str, float] = field(default_factory=dict)

    def describe(self) -> str:
        return f"{'Approved' if self.approved else 'Declined'}: score {self.score:.1f}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class TinyExplainer(Explainer):
    """Points beyond the reference's average; beyond nothing without one.

    Parameters
    ----------
    words : what it is called.
    """

    words: str = "score"

    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[Any]:
        if not isinstance(model, Scorecard):
            raise UnsupportedModel("only scorecards are explained", got=type(model).__name__)
        refuse_extras(model, but=("overrides", "grades"), by="points by feature")
        found = evaluate(model, X)
        average = {each.feature: 0.0 for each in model.characteristics}
        if reference is not None:
            average = {name: float(points.mean()) for name, points in evaluate(model, reference).points.items()}
        baseline = model.base_points + sum(average.values())
        return [
            TinyExplanation(
                approved=bool(found.approved[row]),
                score=float(found.score[row]),
                baseline=baseline,
                contributions={name: float(found.points[name][row]) - average[name] for name in average},
            )
            for row in range(len(found.predicted))
        ]


class TinyExporter(Exporter):
    """The model file, which the evaluator runs."""

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        if not isinstance(model, Scorecard | RuleSet):
            raise UnsupportedModel("only scorecards and rule sets are written", got=type(model).__name__)
        return Export(model=model, files={"model.json": dumps(model)})

    def run(self, export: Export, X: Any) -> OutputFrame:
        return evaluate(loads(export.text), X).frame()

    def engine(self) -> str:
        return "Tiny 1.0"
