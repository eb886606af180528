"""Evaluation of every kind of model over a table: its program, run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column, as_table, select
from scrutable.data.outcome import CLAMP, Calibration
from scrutable.model.evaluator.outputs import Evaluation, Floats, RegressionEvaluation
from scrutable.model.evaluator.programs import program_for, program_of
from scrutable.model.program import DECLINED, INPUTS, OUT_OF_RANGE_IN, UNSEEN_IN
from scrutable.model.program.running import run
from scrutable.model.regression import RegressionScorecard
from scrutable.model.segments import DecisionModel, Model

Values = Mapping[str, NDArray[Any]]

#: How the names of outputs begin that say why.
_WHY = ("reason_", "short_")
#: How the names of outputs begin that no evaluation holds.
_ON_DEMAND = ("shortfall_", DECLINED, *INPUTS, UNSEEN_IN, OUT_OF_RANGE_IN)


@overload
def evaluate(model: DecisionModel, X: Any, *, reasons: bool = True) -> Evaluation: ...


@overload
def evaluate(model: RegressionScorecard, X: Any, *, reasons: bool = True) -> RegressionEvaluation: ...


@overload
def evaluate(model: Model, X: Any, *, reasons: bool = True) -> Evaluation | RegressionEvaluation: ...


def evaluate(model: Model, X: Any, *, reasons: bool = True) -> Evaluation | RegressionEvaluation:
    """Everything a model says of each row of a table.

    Parameters
    ----------
    model : any model of the representation.
    X : a frame (pandas, polars, pyarrow), a dict of columns or a `Table`, n rows. Columns the model does not read are
        ignored.
    reasons : whether to say why: ranked reasons, where the model has a reason policy, or the rules that apply. It
        takes as long as all the rest.

    Raises
    ------
    InputError : a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> found = evaluate(card, {"age": [19.0, 25.0, None]})
    >>> found.score.tolist(), found.approved.tolist()
    ([510.0, 540.0, 520.0], [False, True, False])
    """
    columns, n_rows = read_inputs(model, X)
    values = run(program_for(model, _names(model, reasons)), columns, n_rows)
    if isinstance(model, RegressionScorecard):
        return RegressionEvaluation(outcome=model.outcome, score=values["score"], **_added(values))
    return _evaluation(model, values)


def read_inputs(model: Model, X: Any) -> tuple[dict[str, Column], int]:
    """The columns that a model reads, checked for presence and kind, and the number of rows."""
    table = as_table(X)
    return select(table, ((feature.name, feature.kind) for feature in model.features)), table.n_rows


def probability(calibration: Calibration, score: Floats) -> Floats:
    """Probability of the favourable class, in the order of operations that `Calibration` declares."""
    z = calibration.intercept + calibration.slope * score
    if calibration.link == "identity":
        return np.minimum(1.0, np.maximum(0.0, z))
    return 1.0 / (1.0 + np.exp(-np.clip(z, -CLAMP, CLAMP)))


def _names(model: Model, reasons: bool) -> list[str]:
    """The outputs that an evaluation is made of; without reasons those that do not say why."""
    names = [name for name in program_of(model).names if not name.startswith(_ON_DEMAND)]
    return names if reasons else [name for name in names if name != "rules" and not name.startswith(_WHY)]


def _evaluation(model: DecisionModel, values: Values) -> Evaluation:
    outcome = model.outcome
    if outcome.binary:
        good = outcome.favourable_index
        shares = [values["unfavourable"], values["probability"]][:: 1 if good else -1]
        predicted = np.where(values["approved"], good, 1 - good)
    else:
        shares, predicted = _each(values, "probability_"), values["predicted"]
    votes = _each(values, "votes_" if outcome.binary else "score_")
    reasons, short = _each(values, "reason_"), _each(values, "short_")
    return Evaluation(
        outcome=outcome,
        predicted=predicted,
        class_probability=np.stack(shares, axis=1),
        knock_out=values.get("knock_out", np.full(len(predicted), None, dtype=object)),
        score=values.get("score"),
        class_scores=np.stack(votes, axis=1) if votes else None,
        reasons=np.stack(reasons, axis=1) if reasons else None,
        shortfalls=np.stack(short, axis=1) if short else None,
        rules=values.get("rules"),
        segment=values.get("segment"),
        override=values.get("override"),
        adjustment=values.get("adjustment"),
        grade=values.get("grade"),
        **_added(values),
    )


def _added(values: Values) -> dict[str, Any]:
    """The points and attributes of characteristics, by feature."""
    return {
        "points": _by_feature(values, "points_"),
        "attribute": {name: each.astype(np.intp) for name, each in _by_feature(values, "attribute_").items()},
    }


def _by_feature(values: Values, prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): each for name, each in values.items() if name.startswith(prefix)}


def _each(values: Values, prefix: str) -> list[NDArray[Any]]:
    """The outputs whose names are a prefix and a number."""
    return [each for name, each in values.items() if name.startswith(prefix)]
