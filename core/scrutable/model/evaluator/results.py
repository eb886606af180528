"""Some of the columns that exporters return, without working out the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.model.evaluator.evaluate import read_inputs
from scrutable.model.evaluator.outputs import OutputFrame, kind_of
from scrutable.model.evaluator.programs import program_for, program_of
from scrutable.model.program import run
from scrutable.model.segments import Model


def results(model: Model, X: Any, names: Sequence[str], *, threads: int = 1) -> OutputFrame:
    """Some columns of `evaluate(model, X).frame()`, in the order in which they are named.

    Scores and decisions of millions of rows take about as long as copying the rows, where numba is installed.

    Parameters
    ----------
    X : as in `evaluate`.
    names : of the columns, for example `["score", "approved"]`; see `OutputFrame`. On request there are `status` too,
        which is "scored" or says what is unusual about the row, and how many inputs that is: `unseen_inputs`, of
        categories that the model never saw, and `out_of_range_inputs`, of numbers outside of `Feature.observed`; and
        as `declined_reason_1` and so on the reasons of declined rows alone; `attribute_<characteristic>`, the position
        of its attribute, and `adjusting_<code>`, the points of a score adjustment.
    threads : how many blocks of rows are worked out at a time.

    Raises
    ------
    InputError : the model has no such result, or a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> X = {"age": [19.0, 40.0], "income": [1000.0, None]}
    >>> results(models_named()["stumps"], X, ["approved", "score"])["approved"].tolist()
    [1, 0]
    """
    _check(model, names)
    columns, n_rows = read_inputs(model, X)
    values = run(program_for(model, names), columns, n_rows, threads=threads)
    return OutputFrame({name: values[name].astype(kind_of(name), copy=False) for name in names})


def coded_results(model: Model, X: Any, names: Sequence[str], *, in_all: int) -> dict[str, Any]:
    """What `results` gives of some of many rows, with texts as `Texts` and points as `Listed`, by their places.

    Parameters
    ----------
    in_all : about how many rows there are, of which X has some.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> X = {"amount": [1.0, 9.0], "job": ["x", "cook"], "age": [10.0, 40.0], "region": [1.0, 1.0]}
    >>> points = coded_results(models_named()["scorecard"], X, ["points_age"], in_all=2)["points_age"]
    >>> [points.table[place] for place in points.places]
    [20.700000000186265, 20.700000000186265]
    """
    _check(model, names)
    columns, n_rows = read_inputs(model, X)
    values = run(program_for(model, names), columns, n_rows, coded=True, in_all=in_all)
    return {name: values[name] for name in names}


def _check(model: Model, names: Iterable[str]) -> None:
    if isinstance(names, str):
        raise InputError("expected several names", where="results", got=names, fix=f"results(model, X, [{names!r}])")
    program = program_of(model)
    there = (*program.results, *program.on_request)
    for name in names:
        if name not in there:
            advice = did_you_mean(name, there)
            raise InputError("the model has no such result", where="results", got=name, fix=advice)
