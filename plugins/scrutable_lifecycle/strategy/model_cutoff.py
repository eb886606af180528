"""A cutoff for a model: chosen for one aim, and what it means beside the cutoff that the model has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.data import Cohort, DataConfig
from scrutable.data.frames import rows_like
from scrutable.fairness import Groups
from scrutable.measures import Basis, score_cohort
from scrutable.model import DecisionModel
from scrutable.writing import number
from scrutable_lifecycle.measured_rows import in_roles
from scrutable_lifecycle.strategy.cutoff import CutoffChoice, choose_cutoff
from scrutable_lifecycle.strategy.decided import Decided, decided
from scrutable_lifecycle.strategy.moved_cutoff import cut_at
from scrutable_lifecycle.strategy.profit import Profit, profit_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelCutoff:
    """A chosen cutoff of a model, and what the model's own means.

    Parameters
    ----------
    model, cohort : the model as it is, and the applicants that the cutoff was chosen on.
    choice : the cutoff that was chosen.
    basis : what cutoffs are of: the score, or of segments the score minus the applicant's cutoff.
    cutoff, before : the model's own cutoff, and the rates that it has there.
    profit, profit_per_applicant : at the model's own cutoff; None where no profit is asked about.
    """

    model: DecisionModel
    cohort: Cohort
    choice: CutoffChoice
    basis: Basis
    cutoff: float
    before: Decided
    profit: float | None
    profit_per_applicant: float | None

    def recut(self, population: str = "all applicants that the cutoff was chosen on") -> DecisionModel:
        """The model with the chosen cutoff; reasons near the cutoff are taken anew. Errors as in `cut_at`.

        Parameters
        ----------
        population : the applicants in words, for the reason policy.
        """
        cohort = self.cohort
        return cut_at(
            self.model,
            self.choice.cutoff,
            reference=cohort.table,
            sample_weight=cohort.sample_weight,
            population=population,
        )

    def frame(self) -> Any:
        """A row for each alternative: the cutoff, what it approves, overall and by group, and the profit if any."""
        return rows_like(self.choice.curve.rows, self.cohort.kind)

    def plot(self) -> Figure:
        """Rates and profit by cutoff, the chosen one marked; errors as in `plot_cutoffs`."""
        from scrutable_lifecycle.plots.strategy import plot_cutoffs

        return plot_cutoffs(self.choice.curve, cutoff=self.choice.cutoff)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the alternatives; None for what is undefined."""
        profit = {"profit": self.profit, "profit_per_applicant": self.profit_per_applicant}
        before = {"cutoff": self.cutoff, **self.before.to_dict(), **profit}
        return {"basis": self.basis, **self.choice.to_dict(curve=False), "before": before}

    def __repr__(self) -> str:
        old, new = self.before.approval_rate, self.choice.decided.approval_rate
        told = f"{number(self.choice.cutoff)} in place of {number(self.cutoff)}, {old:.1%} to {new:.1%} approved"
        return f"ModelCutoff({told}: {self.choice.why})"


def cutoff_of(
    model: DecisionModel,
    X: Any,
    good: Any = None,
    *,
    approval_rate: float | None = None,
    max_bad_rate: float | None = None,
    profit: Profit | Mapping[str, float | str] | None = None,
    groups: Groups | None = None,
    sample_weight: Any = None,
) -> ModelCutoff:
    """Choose a model's cutoff for one aim, as `choose_cutoff` does, and compare it with the one the model has.

    Parameters
    ----------
    X : n applicants with the columns that the model reads: a frame, or beside a config also a path.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known. Or a `DataConfig`: which columns
        of X are the outcome, the weight and the protected attributes.
    approval_rate, max_bad_rate, groups, sample_weight : as in `choose_cutoff`.
    profit : what each applicant is worth; also a mapping of its amounts, each a number or a column of X, "-loss" being
        minus the column "loss".

    Raises
    ------
    InputError, KindError : as in `in_roles`, `score_cohort`, `profit_by` and `choose_cutoff`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data import DataConfig
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> model = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    >>> profit = {"approved_good": 100, "approved_bad": "-credit_amount"}
    >>> chosen = cutoff_of(model, german.frame, DataConfig(target="credit_risk"), profit=profit)
    >>> chosen.choice.profit > chosen.profit, chosen.recut().cutoff == chosen.choice.cutoff
    (True, True)
    """
    data = good if isinstance(good, DataConfig) else None
    X, good = in_roles((model,), X, good)
    cohort = Cohort.read(X, good, groups=groups, sample_weight=sample_weight)
    scored = score_cohort(model, cohort)
    if isinstance(profit, Mapping):
        profit = profit_by(profit, cohort, "y" if data is None else data.target)
    choice = choose_cutoff(
        scored.score,
        cohort,
        approval_rate=approval_rate,
        max_bad_rate=max_bad_rate,
        profit=profit,
        knocked_out=scored.declined_anyway,
    )
    earned = choice.curve.profit_at(scored.cutoff)
    return ModelCutoff(
        model=model,
        cohort=cohort,
        choice=choice,
        basis=scored.basis,
        cutoff=scored.cutoff,
        before=decided(cohort, scored.approved),
        profit=earned,
        profit_per_applicant=None if earned is None else earned / cohort.total,
    )
