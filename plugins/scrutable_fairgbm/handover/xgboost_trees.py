"""XGBoost's trees as trees of the core.

XGBoost asks float32(x) < t. NaN goes where the split says. A category goes right if it is listed, else left.
See `GetNextNode` and `common::Decision` in its sources.

It refuses to be trained on infinities, so they are clipped to singles before. Its last cut lies beyond the largest
number of a column, and may be infinite: that split sends every clipped number left, and asked of raw infinity it would
not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.errors import InputError
from scrutable.model import Clause, Interval, Leaf, Node, below
from scrutable_fairgbm.handover.inputs import BoosterInputs, Floats
from scrutable_fairgbm.handover.nodes import Boosted, numbers_clause, split, split_categories

if TYPE_CHECKING:
    import xgboost

#: Feature and threshold of a split on numbers, and whether missing goes left; many splits share them.
_Question = tuple[int, float, bool]
_LARGEST = float(np.finfo(np.float32).max)
_LOGISTIC = ("binary:logistic", "binary:logitraw", "reg:logistic")


def clipped(matrix: Floats) -> Floats:
    """The matrix with numbers beyond single precision, infinities too, as its largest number of their sign; NaN stays.

    Examples
    --------
    >>> import numpy as np
    >>> clipped(np.array([[1.5, np.nan, 1e300, -np.inf]])).tolist()
    [[1.5, nan, 3.4028234663852886e+38, -3.4028234663852886e+38]]
    """
    return np.clip(matrix, -_LARGEST, _LARGEST)


def from_xgboost(
    booster: xgboost.Booster, inputs: BoosterInputs, *, n_trees: int | None = None, clips: bool = False
) -> Boosted:
    """The trees that `booster.predict(..., output_margin=True)` adds up, and its base score as a margin.

    XGBoost adds up in single precision, so its margins differ from exact sums.

    Parameters
    ----------
    booster : trained on a matrix of `inputs`, for one score; with a custom objective its built-in one is never asked.
    inputs : what the columns of the matrix stand for.
    n_trees : only the first ones; all of them when None.
    clips : whether the booster is only ever asked of `clipped` rows; else it is asked of raw ones, infinities too.

    Raises
    ------
    InputError : a booster other than gbtree, several scores, or an objective with another link than identity or logit.

    Examples
    --------
    >>> import xgboost
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Feature
    >>> from scrutable_fairgbm.handover.inputs import booster_inputs
    >>> table = as_table({"age": [float(age) for age in range(20, 60)]})
    >>> inputs = booster_inputs([Feature(name="age", kind="numeric")], {"age": table.column("age")})
    >>> rows = xgboost.DMatrix(inputs.encode(table), [age > 40 for age in range(20, 60)])
    >>> booster = xgboost.train({"max_depth": 1, "base_score": 0.0}, rows, 1)
    >>> boosted = from_xgboost(booster, inputs)
    >>> boosted.trees[0].when.describe(), boosted.base_score
    ('age <= 40.99999809265136', 0.0)
    """
    learner = json.loads(booster.save_raw("json"))["learner"]
    parameters = learner["learner_model_param"]
    _refuse_other_kinds(learner["gradient_booster"]["name"], parameters)
    trees = learner["gradient_booster"]["model"]["trees"]
    clauses: dict[_Question, Clause | None] = {}
    below_threshold = _clipped_below if clips else _below
    roots = tuple(_Tree(tree, inputs, clauses, below_threshold).root for tree in trees[:n_trees])
    return Boosted(roots, _margin(learner["objective"]["name"], float(parameters["base_score"].strip("[]"))))


class _Tree:
    """One tree of the JSON, its numbers as XGBoost holds them."""

    def __init__(
        self,
        tree: dict[str, Any],
        inputs: BoosterInputs,
        clauses: dict[_Question, Clause | None],
        below_threshold: Callable[[float], list[Interval]],
    ) -> None:
        self._inputs, self._clauses, self._below = inputs, clauses, below_threshold
        self._left, self._right = tree["left_children"], tree["right_children"]
        self._feature, self._default_left = tree["split_indices"], tree["default_left"]
        # The shortest text that tells two singles apart: a single again before it is a double
        self._value = np.array(tree["split_conditions"]).astype(np.float32).astype(np.float64).tolist()
        self._listed = {
            node: set(tree["categories"][start : start + size])
            for node, start, size in zip(
                tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"], strict=True
            )
        }

    @property
    def root(self) -> Node:
        """The tree as a tree of the core."""
        return self._node(0)

    def _node(self, at: int) -> Node:
        if self._left[at] == -1:
            return Leaf(self._value[at])
        left, right = self._node(self._left[at]), self._node(self._right[at])
        column, missing_left = self._inputs.columns[self._feature[at]], bool(self._default_left[at])
        if at in self._listed:
            return split_categories(column, self._listed[at], not missing_left, right, left)
        question = self._feature[at], self._value[at], missing_left
        if question not in self._clauses:
            self._clauses[question] = numbers_clause(column, self._below(self._value[at]), missing_left)
        return split(self._clauses[question], left, right)


def _below(threshold: float) -> list[Interval]:
    """The doubles whose singles lie below a single."""
    bound = below(threshold)
    return [] if bound == -math.inf else [Interval(upper=math.nextafter(bound, -math.inf), closed="right")]


def _clipped_below(threshold: float) -> list[Interval]:
    """The doubles whose singles, clipped, lie below a single: all or none where the threshold is not among these."""
    if threshold > _LARGEST:
        return [Interval()]
    return [] if threshold <= -_LARGEST else _below(threshold)


def _refuse_other_kinds(name: str, parameters: dict[str, str]) -> None:
    if name != "gbtree":
        raise InputError("not a sum of trees", where="booster", got=name, allowed="gbtree")
    if int(parameters["num_class"]) > 1 or int(parameters["num_target"]) > 1:
        raise InputError("several scores", where="booster", allowed="one score, for two classes")


def _margin(objective: str, base_score: float) -> float:
    """The base score before the objective's link; XGBoost keeps it as a single."""
    base = float(np.float32(base_score))
    if objective in _LOGISTIC:
        return math.log(base / (1 - base))
    if objective != "reg:squarederror":
        raise InputError(
            "the link of the objective is not known",
            where="booster",
            got=objective,
            allowed="reg:squarederror (the one beside a custom objective), " + ", ".join(_LOGISTIC),
        )
    return base
