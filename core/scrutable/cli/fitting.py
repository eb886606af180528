"""One run of `scrutable fit`: read, split, learn, measure on what was held out."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.bases import Binner, Learner, RegressionLearner
from scrutable.cli.choices import Choice
from scrutable.cli.classes import ClassMeasured, measure_classes
from scrutable.cli.config import DataConfig, Recipe, Run, SplitConfig
from scrutable.cli.grouping import columns_of, read_groups
from scrutable.cli.kept import KeptBound, measure_kept
from scrutable.cli.learned import RULES, rules_entry
from scrutable.cli.population import (
    Population,
    PopulationMeasured,
    infer_rejects,
    measure_population,
    read_population,
)
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
from scrutable.review import ReviewHeader
from scrutable.review.file import read_whole
from scrutable.search.rows import hold_out
from scrutable.validation import out_of_time
from scrutable.validation.dates import date_or_share

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
    errors. `kept` has the bounds on rates. `cutoff` is None where the model has none or several, and `approved` is the
    share of the rows learned from that it approves, None of more than two classes. `population` says who was left out;
    None where nobody is.
    """

    model: Model
    evidence: Evidence
    measured: AnyMeasured | None
    kept: tuple[KeptBound, ...]
    inputs: tuple[str, ...]
    cutoff: float | None
    approved: float | None
    population: PopulationMeasured | None
    n_fit: int
    n_held_out: int

    @property
    def left_out(self) -> tuple[str, ...]:
        """Inputs that the model does not read."""
        read = {feature.name for feature in self.model.features}
        return tuple(name for name in self.inputs if name not in read)


def read_applicants(config: DataConfig, *, text: Iterable[str] = ()) -> Applicants:
    """The rows of `read_everyone` that have an outcome."""
    everyone, population = read_everyone(config, text=text)
    return everyone.subset(population.known)


def read_everyone(config: DataConfig, *, text: Iterable[str] = ()) -> tuple[Applicants, Population]:
    """Read a data file, give each column its role, and say which rows have an outcome.

    Parameters
    ----------
    text : columns to read as text even where every value looks like a number.

    Raises
    ------
    InputError : the file cannot be read, lacks a column that is named, or no column is left as an input.
    """
    frame = read_file(config.path, text=text)
    protected = [*config.protected, *columns_of(config.protected_probabilities)]
    aside = [config.target, *protected, *config.drop]
    single = (config.id, config.weight, config.date, config.accepted)
    aside += dict.fromkeys(name for name in single if name is not None and name not in aside)
    for name in aside:
        known_column(name, frame.columns, f"file {config.path!r}")
    if config.target in protected:
        raise InputError("the target cannot be a protected attribute", where=f"column {config.target!r}")
    X = frame.drop(columns=aside)
    if not len(X.columns):
        raise InputError("no column is left as an input", where=f"file {config.path!r}", fix="drop fewer columns")
    population = read_population(frame, config)
    everyone = Applicants(
        X=X,
        y=_target(frame[config.target], population),
        groups=read_groups(frame, config.protected, config.protected_probabilities, reference=config.reference),
        weight=None if config.weight is None else weights_of(frame, config.weight),
    )
    return everyone, population


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


def split_known(
    split: SplitConfig, y: pd.Series, population: Population, *, of_classes: bool = True
) -> tuple[Positions, Positions]:
    """Positions among the rows with an outcome: the earlier and the later ones, or drawn at random.

    Raises
    ------
    InputError : a split by time without a column of dates or beside a share to draw, or as in `split_rows`.
    """
    if split.out_of_time is None:
        return split_rows(y, split.test_size, split.seed, of_classes=of_classes)
    if split.test_size != SplitConfig().test_size:
        raise InputError(
            "the rows held out are said twice",
            where="--test-size, --out-of-time",
            got=(split.test_size, split.out_of_time),
            fix="leave one of them out",
        )
    if population.dates is None:
        raise InputError("there is no column to split by", where="--out-of-time", fix="name it with --date")
    found = out_of_time(population.dates.iloc[population.known], **date_or_share(split.out_of_time))
    return found.learn, found.held_out


def fit_run(run: Run) -> Fitted:
    """Learn the model of a run, and measure it on the rows held out."""
    everyone, population = read_everyone(run.data)
    applicants = everyone.subset(population.known)
    learner = create_learner(run, applicants.y)
    if isinstance(learner, RegressionLearner) and run.report.approval_rate is not None:
        fix = "leave it out"
        raise InputError("a prediction approves nobody", where="--approval-rate", got=run.report.approval_rate, fix=fix)
    of_classes = isinstance(learner, Learner)
    learn, held_out = split_known(run.split, applicants.y, population, of_classes=of_classes)
    part = applicants.subset(learn)
    learner = _learned(run, learner, part, everyone, population.known[learn], _inferred(run, population))
    rest = applicants.subset(held_out) if len(held_out) else None
    measured = None if rest is None else _measure(learner.model_, rest, run)
    cutoff = getattr(learner.model_, "cutoff", None)
    kept, approved = _decisions(run, learner, part, rest) if isinstance(learner, Learner) else ((), None)
    model, found = learner.model_, None
    if not isinstance(model, RegressionScorecard):
        found = measure_population(population, everyone, model, run.reject_inference)
    return Fitted(
        model=model,
        evidence=_with_population(_with_rules(with_measures(learner.evidence_, measured), model, part), found),
        measured=measured,
        kept=kept,
        inputs=tuple(applicants.X.columns),
        cutoff=cutoff,
        approved=approved,
        population=found,
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


def _with_population(evidence: Evidence, found: PopulationMeasured | None) -> Evidence:
    """Evidence with who was not learned from, and what that means."""
    if found is None:
        return evidence
    return replace(evidence, metrics=FrozenMapping({**evidence.metrics, "population": freeze(found.to_dict())}))


def _inferred(run: Run, population: Population) -> Positions:
    """The declined whose outcomes may be inferred: none from the time that is held out, if it is one."""
    if run.reject_inference is None or run.split.out_of_time is None or population.dates is None:
        return population.rejected
    dates, known = population.dates, len(population.known)
    since = out_of_time(dates.iloc[population.known], **date_or_share(run.split.out_of_time)).since
    earlier = out_of_time(dates.iloc[np.concatenate([population.known, population.rejected])], since=since).learn
    rejected = population.rejected[earlier[earlier >= known] - known]
    if len(population.rejected) and not len(rejected):
        what, fix = f"there is no declined applicant before {since}", "infer none, or hold out later rows"
        raise InputError(what, where="--reject-inference", fix=fix)
    return rejected


def _learned(
    run: Run,
    learner: Learner | RegressionLearner,
    part: Applicants,
    everyone: Applicants,
    learn: Positions,
    rejected: Positions,
) -> Learner | RegressionLearner:
    """The learner fitted on a part, and where rejects are inferred, another one like it fitted on these as well."""
    learner.fit(part.X, part.y, sensitive_features=part.groups, sample_weight=part.weight)
    inference = run.reject_inference
    if inference is None:
        return learner
    if not isinstance(learner, Learner):
        raise InputError("reject inference needs two classes", where="--reject-inference", fix="leave it out")
    if not len(rejected):
        fix = "name the column that says who was accepted with --accepted"
        raise InputError("there is no declined applicant", where="--reject-inference", fix=fix)
    rows = infer_rejects(everyone, learn, rejected, learner.model_, inference, run.split.seed)
    again = create_learner(run, part.y)
    again.fit(rows.X, rows.y, sensitive_features=rows.groups, sample_weight=rows.weight)
    return again


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
        further["favourable"] = class_named(y, run.data.favourable)
    if run.binner is not None or run.review.edits is not None:
        _refuse_untaken(run.learner.name, ["binner"])
        further["binner"] = create_binner(run, further.get("favourable"))
    if run.constraints:
        further["constraints"] = tuple(each.create("constraint") for each in run.constraints)
        if not run.data.attributes:
            fix = "name their columns with --protected or --protected-probabilities"
            raise InputError("a constraint needs protected attributes", where="constraint", fix=fix)
    _refuse_untaken(run.learner.name, further)
    _refuse_of_binner(run)
    learner: Learner | RegressionLearner = run.learner.create("learner", **further)
    return learner


def create_binner(run: Recipe, favourable: Any = None) -> Binner:
    """The binner of a run, or else of its learner, with the edits of a review.

    Parameters
    ----------
    favourable : the favourable class if it is chosen, which a review must share.

    Raises
    ------
    InputError : edits in the options of the binner, too, a review of other bins, or as in `read_review`.
    """
    default = inspect.signature(registry().load("learner", run.learner.name)).parameters["binner"].default
    chosen = run.binner or Choice(name=default)
    if run.review.edits is None:
        made: Binner = chosen.create("binner")
        return made
    if "edits" in chosen.all_options:
        fix = "put them into the file"
        raise InputError("edits are given twice", where="--edits", got=run.review.edits, fix=fix)
    header, edits = read_whole(run.review.edits)
    reviewed: Binner = chosen.create("binner", edits=edits)
    if header is not None:
        header.check(ReviewHeader.of(reviewed, favourable), f"--edits, file {run.review.edits!r}")
    return reviewed


def _measure(model: Model, rows: Applicants, run: Run) -> AnyMeasured:
    if isinstance(model, RegressionScorecard):
        return measure_quantity(model, rows.X, rows.y, rows.weight)
    measured = measure_on(rows, model, run.report.approval_rate, run.split.seed)
    return measured or measure_classes(model, rows.X, rows.y, rows.weight)


def _decisions(
    run: Run, learner: Learner, part: Applicants, rest: Applicants | None
) -> tuple[tuple[KeptBound, ...], float | None]:
    """What became of the bounds, and the share of the rows learned from that is approved; None of many classes."""
    kept = measure_kept(learner, [each.create("constraint") for each in run.constraints], part, rest)
    if not learner.model_.outcome.binary:
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


def _refuse_of_binner(run: Recipe) -> None:
    """Refuse an option of the binner among the learner's, and say where it goes."""
    taken = inspect.signature(registry().load("learner", run.learner.name)).parameters
    if "binner" not in taken:
        return
    binner = taken["binner"].default if run.binner is None else run.binner.name
    of_binner = inspect.signature(registry().load("binner", binner)).parameters
    for option in run.learner.all_options:
        if option not in taken and option in of_binner:
            name = f"--binner {binner} " if run.binner is None else ""
            raise InputError(
                "an option of the binner, not of the learner",
                where=f"learner {run.learner.name!r}",
                got=option,
                fix=f"{name}--binner-option {option}=…",
            )


def class_named(y: pd.Series, wanted: str | int | float | bool) -> Any:
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


def _target(y: pd.Series, population: Population) -> pd.Series:
    """The target, whose outcomes are all there but for those of the declined."""
    missing = y.isna().to_numpy()
    there = np.ones(len(y), dtype=bool)
    there[population.rejected] = False
    if (missing & there).any():
        raise InputError(
            "the outcome is missing",
            where=f"column {y.name!r}, row {int((missing & there).argmax()) + 1} below the header",
            got=f"{int((missing & there).sum())} rows without an outcome",
            fix="drop these rows, or name the column that says who was accepted with --accepted",
        )
    if missing.any() and y.dtype.kind == "f" and (y[~missing] % 1 == 0).all():
        return y.where(~missing, y[~missing].iloc[0]).astype(np.int64)  # whole numbers beside gaps are read as doubles
    return y


def weights_of(frame: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """(n,) sample weights in a column of numbers.

    Raises
    ------
    InputError : a weight that is missing or no number, or none above 0.
    """
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
