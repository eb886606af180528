"""One run of `scrutable fit`: read, split, learn, measure on what was held out."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.bases import Learner, RegressionLearner
from scrutable.cli.classes import ClassMeasured, measure_classes
from scrutable.cli.config import DataConfig, Recipe, Run
from scrutable.cli.kept import KeptBound, measure_kept
from scrutable.cli.learned import RULES, rules_entry
from scrutable.cli.quantities import QuantityMeasured, measure_quantity
from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups
from scrutable.fairness.labelling import label
from scrutable.frames import as_table, read_file
from scrutable.frames.names import known_column
from scrutable.measures import Measured, measure
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Model, RegressionScorecard, RuleSet
from scrutable.model.evaluator import evaluate
from scrutable.model.values import freeze
from scrutable.registry import registry
from scrutable.search.rows import hold_out

Positions = NDArray[np.intp]
AnyMeasured = Measured | ClassMeasured | QuantityMeasured


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Rows with the role of each column settled; protected columns are no inputs."""

    X: pd.DataFrame
    y: pd.Series
    groups: Groups | None
    weight: NDArray[np.float64] | None

    def subset(self, rows: Positions) -> Applicants:
        """The rows at these positions."""
        return Applicants(
            X=self.X.iloc[rows],
            y=self.y.iloc[rows],
            groups=None if self.groups is None else self.groups.subset(rows),
            weight=None if self.weight is None else self.weight[rows],
        )


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What a run gives; `measured` is None where nothing was held out.

    A model without one score, as of more than two classes, is measured by its classes, and one of a quantity by its
    errors. `kept` has the bounds on rates. `cutoff` is None where the model has none, and `approved` is the share of
    the rows learned from that it approves.
    """

    model: Model
    evidence: Evidence
    measured: AnyMeasured | None
    kept: tuple[KeptBound, ...]
    inputs: tuple[str, ...]
    cutoff: float | None
    approved: float | None
    n_fit: int
    n_held_out: int

    @property
    def left_out(self) -> tuple[str, ...]:
        """Inputs that the model does not read."""
        read = {feature.name for feature in self.model.features}
        return tuple(name for name in self.inputs if name not in read)


def read_applicants(config: DataConfig) -> Applicants:
    """Read a data file and give each column its role.

    Raises
    ------
    InputError : the file cannot be read, lacks a column that is named, or no column is left as an input.
    """
    frame = read_file(config.path)
    aside = [config.target, *config.protected, *config.drop]
    aside += [name for name in (config.id, config.weight) if name is not None]
    for name in aside:
        known_column(name, frame.columns, f"file {config.path!r}")
    if config.target in config.protected:
        raise InputError("the target cannot be a protected attribute", where=f"column {config.target!r}")
    X = frame.drop(columns=aside)
    if not len(X.columns):
        raise InputError("no column is left as an input", where=f"file {config.path!r}", fix="drop fewer columns")
    return Applicants(
        X=X,
        y=_target(frame[config.target]),
        groups=_groups(frame, config) if config.protected else None,
        weight=None if config.weight is None else _weights(frame, config.weight),
    )


def split_rows(y: pd.Series, test_size: float, seed: int, *, of_classes: bool = True) -> tuple[Positions, Positions]:
    """Positions of the rows to learn from and of those held out, with the same share of each class if there are any.

    Raises
    ------
    InputError : too few rows of an outcome to have it on both sides.
    """
    if not test_size:
        rows = np.arange(len(y))
        return rows, rows[:0]
    fix = "give more rows, or test_size 0 to fit on all of them"
    strata = y.astype(str).to_numpy() if of_classes else np.zeros(len(y))
    return hold_out(strata, test_size, seed, where="test_size", fix=fix)


def fit_run(run: Run) -> Fitted:
    """Learn the model of a run, and measure it on the rows held out."""
    applicants = read_applicants(run.data)
    learner = create_learner(run, applicants.y)
    if isinstance(learner, RegressionLearner) and run.report.approval_rate is not None:
        fix = "leave it out"
        raise InputError("a prediction approves nobody", where="--approval-rate", got=run.report.approval_rate, fix=fix)
    of_classes = isinstance(learner, Learner)
    learn, held_out = split_rows(applicants.y, run.split.test_size, run.split.seed, of_classes=of_classes)
    part = applicants.subset(learn)
    learner.fit(part.X, part.y, sensitive_features=part.groups, sample_weight=part.weight)
    rest = applicants.subset(held_out) if len(held_out) else None
    measured = None if rest is None else _measure(learner.model_, rest, run)
    cutoff = getattr(learner.model_, "cutoff", None)
    kept, approved = _decisions(run, learner, part, rest) if isinstance(learner, Learner) else ((), None)
    return Fitted(
        model=learner.model_,
        evidence=_with_rules(with_measures(learner.evidence_, measured), learner.model_, part),
        measured=measured,
        kept=kept,
        inputs=tuple(applicants.X.columns),
        cutoff=cutoff,
        approved=approved,
        n_fit=len(learn),
        n_held_out=len(held_out),
    )


def measure_on(
    rows: Applicants | None, model: DecisionModel, approval_rate: float | None, seed: int
) -> Measured | None:
    """Measures of a model on rows that it did not see; None where there are none, or no score."""
    if rows is None:
        return None
    return measure(
        model,
        rows.X,
        rows.y,
        groups=rows.groups,
        sample_weight=rows.weight,
        approval_rate=approval_rate,
        seed=seed,
    )


def with_measures(evidence: Evidence, measured: AnyMeasured | None) -> Evidence:
    """Evidence with what was measured on the rows held out."""
    if measured is None:
        return evidence
    return replace(evidence, metrics=FrozenMapping({**evidence.metrics, "held_out": freeze(measured.to_dict())}))


def _with_rules(evidence: Evidence, model: Model, rows: Applicants) -> Evidence:
    """Evidence with what each rule of a rule set did on the rows learned from."""
    if not isinstance(model, RuleSet):
        return evidence
    return replace(evidence, metrics=FrozenMapping({**evidence.metrics, RULES: rules_entry(model, rows)}))


def create_learner(run: Recipe, y: pd.Series) -> Learner | RegressionLearner:
    """The learner of a run with its binner, constraints and favourable class.

    Raises
    ------
    InputError : the learner takes no favourable class, binner or constraints; constraints among its options.
    """
    further: dict[str, Any] = {}
    if "constraints" in run.learner.all_options:
        raise InputError(
            "constraints are stated apart from the learner's options",
            where="option 'constraints'",
            got=run.learner.all_options["constraints"],
            allowed="--constraint NAME:KEY=VALUE, or [[constraints]] in a config",
            fix="for example --constraint opportunity:slack=0.05",
        )
    if run.data.favourable is not None:
        _refuse_untaken(run.learner.name, ["favourable"])
        further["favourable"] = _favourable(y, run.data.favourable)
    if run.binner is not None:
        further["binner"] = run.binner.create("binner")
    if run.constraints:
        further["constraints"] = tuple(each.create("constraint") for each in run.constraints)
        if not run.data.protected:
            raise InputError(
                "a constraint needs protected attributes", where="constraint", fix="name their columns with --protected"
            )
    _refuse_untaken(run.learner.name, further)
    learner: Learner | RegressionLearner = run.learner.create("learner", **further)
    return learner


def _measure(model: Model, rows: Applicants, run: Run) -> AnyMeasured:
    if isinstance(model, RegressionScorecard):
        return measure_quantity(model, rows.X, rows.y, rows.weight)
    measured = measure_on(rows, model, run.report.approval_rate, run.split.seed)
    return measured or measure_classes(model, rows.X, rows.y, rows.weight)


def _decisions(
    run: Run, learner: Learner, part: Applicants, rest: Applicants | None
) -> tuple[tuple[KeptBound, ...], float | None]:
    """What became of the bounds, and the share of the rows learned from that is approved; None without a cutoff."""
    kept = measure_kept(learner, [each.create("constraint") for each in run.constraints], part, rest)
    if getattr(learner.model_, "cutoff", None) is None:
        return kept, None
    approved = evaluate(learner.model_, part.X, reasons=False).approved
    return kept, float(np.average(approved, weights=part.weight))


def _refuse_untaken(name: str, further: Iterable[str]) -> None:
    taken = inspect.signature(registry().load("learner", name)).parameters
    for option in further:
        if option not in taken:
            singular = option.removesuffix("s")
            fix = f"leave the {singular} out, or choose another learner; see `scrutable plugins`"
            raise InputError(f"the learner takes no {option}", where=f"learner {name!r}", fix=fix)


def _favourable(y: pd.Series, wanted: str | int | float | bool) -> Any:
    """The class that a text or number of a command line or config names."""
    classes = y.drop_duplicates().sort_values().tolist()
    for value in classes:
        if str(value) == str(wanted) or label(value) == label(wanted):
            return value
    raise InputError(
        "no such class in the target",
        where=f"favourable, column {y.name!r}",
        got=wanted,
        allowed=" or ".join(repr(value) for value in classes[:10]),
        fix="name the class that is good for the applicant",
    )


def _target(y: pd.Series) -> pd.Series:
    missing = y.isna().to_numpy()
    if missing.any():
        raise InputError(
            "the outcome is missing",
            where=f"column {y.name!r}, row {int(missing.argmax()) + 1} below the header",
            got=f"{int(missing.sum())} rows without an outcome",
            fix="drop these rows",
        )
    return y


def _groups(frame: pd.DataFrame, config: DataConfig) -> Groups:
    return Groups.from_frame(frame[list(config.protected)], reference=config.reference)


def _weights(frame: pd.DataFrame, name: str) -> NDArray[np.float64]:
    column = as_table(frame[[name]]).column(name)
    if column.kind != "numeric" or column.missing.any():
        got = "text" if column.kind == "categorical" else f"{int(column.missing.sum())} missing values"
        raise KindError(
            "weights must be numbers",
            where=f"column {name!r}",
            got=got,
            allowed="zero or more",
            fix="correct the column",
        )
    weights: NDArray[np.float64] = column.values
    if not weights.any():
        raise InputError(
            "weights may not all be zero", where=f"column {name!r}", got=0, allowed="zero or more", fix="correct them"
        )
    return weights
