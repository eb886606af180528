"""What developing a model gives: the model, its evidence, and what was measured on rows that it did not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrutable.data import Positions
from scrutable.data.frames import PANDAS, FrameKind
from scrutable.fairness import Measured
from scrutable.measures import RegressionFigures
from scrutable.model import Evidence, Model, Quantity, RuleSet
from scrutable.plugins import CardPath, Selection
from scrutable.writing import plain
from scrutable_lifecycle.config import Run
from scrutable_lifecycle.development.bounds import KeptBound
from scrutable_lifecycle.development.classes import ClassMeasured
from scrutable_lifecycle.development.quantities import QuantityMeasured
from scrutable_lifecycle.figures import Figure, frame_of, measured_figures
from scrutable_lifecycle.population import PopulationMeasured

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

AnyMeasured = Measured | ClassMeasured | QuantityMeasured


@dataclass(frozen=True, kw_only=True)
class Developed:
    """What a run gives; `measured` is None where nothing was held out.

    A model without one score, as of more than two classes, is measured by its classes, and one of a quantity by its
    errors. `held_out` are the places of these rows in the data. `kept` has the bounds on rates. `cutoff` is None where
    the model has none or several, and `approved` is the share of the rows learned from that it approves, None of more
    than two classes. `population` says who was left out; None where nobody is. `before` has the measures of the model
    that was improved, on the same rows; None without one.
    """

    run: Run
    model: Model
    evidence: Evidence
    measured: AnyMeasured | None
    kept: tuple[KeptBound, ...]
    inputs: tuple[str, ...]
    cutoff: float | None
    approved: float | None
    population: PopulationMeasured | None
    n_fit: int
    held_out: Positions = field(repr=False)
    before: Measured | None = None
    kind: FrameKind = field(default=PANDAS, repr=False)

    def __repr__(self) -> str:
        rows = f"{self.n_fit:,} rows to learn from, {self.n_held_out:,} held out"
        return f"Developed({', '.join([self.run.learner.name, rows, *self._in_short()])})"

    @property
    def n_held_out(self) -> int:
        """How many rows were held out."""
        return len(self.held_out)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Inputs that the model does not read."""
        read = {feature.name for feature in self.model.features}
        return tuple(name for name in self.inputs if name not in read)

    @property
    def bounds(self) -> list[dict[str, Any]]:
        """The constraints of the run with the options that they had, defaults included."""
        recorded = plain(self.model.provenance.parameters.get("constraints") or ())
        return [
            {
                "name": choice.name,
                "options": {key: value for key, value in known["parameters"].items() if value is not None},
            }
            for choice, known in zip(self.run.constraints, recorded, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        metrics = self.evidence.metrics
        return {
            "learner": self.run.learner.name,
            "model_sha256": self.evidence.model_sha256,
            **self._target(),
            "inputs": list(self.inputs),
            "left_out": list(self.left_out),
            "bounds": self.bounds,
            "decision": plain(metrics.get("decision")),
            "cutoff": None if self.approved is None else {"score": self.cutoff, "approved": self.approved},
            "all_missing": plain(metrics.get("all_missing")),
            "leak_or_knock_out": plain(metrics.get("leak_or_knock_out", {})),
            "rows": {"fit": self.n_fit, "held_out": self.n_held_out},
            "held_out": None if self.measured is None else self.measured.to_dict(),
            "held_out_before": None if self.before is None else self.before.to_dict(),
            "population": None if self.population is None else self.population.to_dict(),
            "constraints": [each.to_dict() for each in self.kept],
            "cards": None if (path := CardPath.of(self.evidence)) is None else path.to_dict()["cards"],
            "selection": None if (selection := Selection.of(self.evidence)) is None else selection.to_dict(),
            "regression": None if (fit := RegressionFigures.of(self.evidence)) is None else fit.to_dict(),
            "ending": metrics.get("ending"),
            "gap": metrics.get("gap"),
            "rules": len(self.model.rules) if isinstance(self.model, RuleSet) else None,
        }

    def frame(self) -> Any:
        """A row for each figure on the rows held out, none without these; of the kind of frame that went in."""
        return frame_of(self._figures(), self.kind)

    def plot(self) -> Picture:
        """The model: how much each characteristic matters, or the weights of its rules.

        Raises
        ------
        InputError : a kind of model that has no picture, or matplotlib is not installed.
        """
        from scrutable.plots import plot_model, plot_rules

        if isinstance(self.model, RuleSet):
            return plot_rules(self.model)
        return plot_model(self.model)  # type: ignore[arg-type]  # the function refuses others

    def _target(self) -> dict[str, Any]:
        outcome = self.model.outcome
        if isinstance(outcome, Quantity):
            return {"target": outcome.target, "unit": outcome.unit}
        known = outcome.binary or self.run.data.favourable is not None
        return {"classes": list(outcome.classes), "favourable": outcome.favourable if known else None}

    def _figures(self) -> Iterator[Figure]:
        if isinstance(self.measured, Measured):
            yield from measured_figures(self.measured)
        elif self.measured is not None:
            yield from self.measured.figures()

    def _in_short(self) -> Iterator[str]:
        if isinstance(self.measured, Measured):
            yield f"AUC {self.measured.performance.auc:.3f}"
        elif isinstance(self.measured, ClassMeasured):
            yield f"{self.measured.accuracy:.1%} right"
        elif isinstance(self.measured, QuantityMeasured):
            yield f"R² {self.measured.r2:.3f}"
        if self.approved is not None:
            yield f"{self.approved:.1%} approved"
