"""LightGBM's trees as trees of the core.

LightGBM asks x <= t of doubles. Before it asks, every number in [-1e-35, 1e-35] becomes 0, and so does NaN where the
column had no missing value in training (missing type "None"). Missing type "NaN" sends NaN, and missing type "Zero"
sends NaN and the numbers that became 0, where the split says. A category goes left if it is listed; any other, negative
or missing one goes right. See `Tree::NumericalDecision` and `RowFunctionFromDenseMatric` in its sources.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scrutable.errors import InputError
from scrutable.model import Clause, Interval, Leaf, Node
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.handover.nodes import Boosted, numbers_clause, split, split_categories

if TYPE_CHECKING:
    import lightgbm

#: The largest number that LightGBM takes for 0.
ZERO = float(np.float32(1e-35))
_BELOW_ZEROS = math.nextafter(-ZERO, -math.inf)

# Bits of a decision type; the two after them hold the missing type.
_CATEGORICAL, _DEFAULT_LEFT = 1, 2
_ZERO_IS_MISSING, _NAN_IS_MISSING = 1, 2

#: Feature, threshold and decision type of a split on numbers; many splits share them.
_Question = tuple[int, float, int]


def from_lightgbm(
    booster: lightgbm.Booster, inputs: BoosterInputs, *, base_score: float = 0.0, n_trees: int | None = None
) -> Boosted:
    """The trees that `booster.predict` adds up.

    Parameters
    ----------
    booster : trained on a matrix of `inputs`, for one score.
    inputs : what the columns of the matrix stand for.
    base_score : the initial score of every row, which a booster with a custom objective does not keep.
    n_trees : only the first ones; all of them when None.

    Raises
    ------
    InputError : several scores, averaged trees, or linear models in the leaves.

    Examples
    --------
    >>> import lightgbm
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Feature
    >>> from scrutable_fairgbm.handover.inputs import booster_inputs
    >>> table = as_table({"age": [float(age) for age in range(20, 60)]})
    >>> inputs = booster_inputs([Feature(name="age", kind="numeric")], {"age": table.column("age")})
    >>> rows = lightgbm.Dataset(inputs.encode(table), [age > 40 for age in range(20, 60)])
    >>> options = {"objective": "binary", "num_leaves": 2, "min_data_in_leaf": 1, "verbose": -1}
    >>> from_lightgbm(lightgbm.train(options, rows, 1), inputs).trees[0].when.describe()
    'age <= 40.5 or missing'
    """
    # The text that LightGBM saves holds every double in 17 digits, and is read many times faster than its JSON.
    head, *texts = booster.model_to_string(num_iteration=-1).split("\nend of trees", 1)[0].split("\nTree=")
    blocks = [_lines(text) for text in texts]
    _refuse_other_kinds(_lines(head), blocks)
    clauses: dict[_Question, Clause | None] = {}
    return Boosted(tuple(_Tree(block, inputs, clauses).root for block in blocks[:n_trees]), base_score)


class _Tree:
    """One tree of the text. A child below 0 is a leaf, whose number is the child's complement."""

    def __init__(
        self, block: Mapping[str, str], inputs: BoosterInputs, clauses: dict[_Question, Clause | None]
    ) -> None:
        self._inputs, self._clauses = inputs, clauses
        self._value = _doubles(block, "leaf_value")
        self._left, self._right = _wholes(block, "left_child"), _wholes(block, "right_child")
        self._feature, self._threshold = _wholes(block, "split_feature"), _doubles(block, "threshold")
        self._decision = _wholes(block, "decision_type")
        self._starts, self._words = _wholes(block, "cat_boundaries"), _wholes(block, "cat_threshold")

    @property
    def root(self) -> Node:
        """The tree as a tree of the core."""
        return self._node(0 if self._left else -1)

    def _node(self, at: int) -> Node:
        if at < 0:
            return Leaf(self._value[~at])
        left, right = self._node(self._left[at]), self._node(self._right[at])
        if self._decision[at] & _CATEGORICAL:
            column = self._inputs.columns[self._feature[at]]
            return split_categories(column, self._listed(int(self._threshold[at])), False, left, right)
        question = self._feature[at], self._threshold[at], self._decision[at]
        if question not in self._clauses:
            column, (inside, missing) = self._inputs.columns[question[0]], _left(*question[1:])
            self._clauses[question] = numbers_clause(column, inside, missing)
        return split(self._clauses[question], left, right)

    def _listed(self, position: int) -> set[int]:
        """The numbers whose bits are set in the words of one categorical split."""
        words = self._words[self._starts[position] : self._starts[position + 1]]
        return {32 * at + bit for at, word in enumerate(words) for bit in range(32) if word >> bit & 1}


def _lines(text: str) -> dict[str, str]:
    """The lines `name=value` of a part of the text; `average_output` stands alone."""
    pairs = (line.partition("=") for line in text.split("\n"))
    return {name: value for name, _, value in pairs}


def _wholes(block: Mapping[str, str], name: str) -> list[int]:
    return list(map(int, block.get(name, "").split()))


def _doubles(block: Mapping[str, str], name: str) -> list[float]:
    return list(map(float, block.get(name, "").split()))


def _refuse_other_kinds(head: Mapping[str, str], blocks: Sequence[Mapping[str, str]]) -> None:
    got = {
        "several scores": head["num_tree_per_iteration"] != "1",
        "averaged trees": "average_output" in head,
        "linear models in the leaves": any(block["is_linear"] != "0" for block in blocks),
    }
    for kind, is_so in got.items():
        if is_so:
            raise InputError(
                "not a sum of trees with constant leaves", where="booster", got=kind, allowed="boosting gbdt or dart"
            )


def _left(threshold: float, decision: int) -> tuple[list[Interval], bool]:
    """The numbers that go left, and whether missing does."""
    default_left, missing_type = bool(decision & _DEFAULT_LEFT), decision >> 2 & 3
    zeros_left = default_left if missing_type == _ZERO_IS_MISSING else threshold >= 0
    missing_left = default_left if missing_type == _NAN_IS_MISSING else zeros_left
    if zeros_left and threshold < _BELOW_ZEROS:
        return [Interval(upper=threshold, closed="right"), Interval(-ZERO, ZERO, "both")], missing_left
    if threshold > ZERO and not zeros_left:
        return [Interval(upper=_BELOW_ZEROS, closed="right"), Interval(ZERO, threshold, "right")], missing_left
    last = max(threshold, ZERO) if zeros_left else min(threshold, _BELOW_ZEROS)
    return [Interval(upper=last, closed="right")], missing_left
