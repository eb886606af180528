"""Whether a booster and its trees in the core send rows to the same leaves, asked of the library itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Table
from scrutable.model import Calibration, Node, Outcome, TreeEnsemble
from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.handover.lightgbm_trees import from_lightgbm
from scrutable_fairgbm.handover.xgboost_trees import from_xgboost

if TYPE_CHECKING:
    import lightgbm
    import xgboost

_OUTCOME = Outcome(classes=(0, 1), favourable=1)


def misrouted_by_lightgbm(booster: lightgbm.Booster, inputs: BoosterInputs, table: Table) -> NDArray[np.intp]:
    """Rows of a table, any values allowed, that some tree of the core sends to another leaf than LightGBM does.

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
    >>> booster = lightgbm.train(options, rows, 1)
    >>> later = as_table({"age": [40.5, 40.50000000000001, float("inf"), None]})
    >>> misrouted_by_lightgbm(booster, inputs, later).tolist()
    []
    """
    import lightgbm

    numbered = lightgbm.Booster(model_str=booster.model_to_string(num_iteration=-1))
    for position, tree in enumerate(booster.dump_model(num_iteration=-1)["tree_info"]):
        for leaf in range(tree["num_leaves"]):
            numbered.set_leaf_output(position, leaf, float(leaf))
    theirs = booster.predict(inputs.encode(table), pred_leaf=True, num_iteration=-1)
    return _differing(from_lightgbm(numbered, inputs).trees, inputs, table, np.asarray(theirs))


def misrouted_by_xgboost(booster: xgboost.Booster, inputs: BoosterInputs, table: Table) -> NDArray[np.intp]:
    """Rows of a table, any values allowed, that some tree of the core sends to another leaf than XGBoost does.

    XGBoost tells the leaf of a row only from a DMatrix, which takes no infinity, so each leaf gets its number as its
    value and the trees are asked one by one.
    """
    import xgboost

    text = json.loads(booster.save_raw("json"))
    model = text["learner"]["gradient_booster"]["model"]
    model["iteration_indptr"] = list(range(len(model["trees"]) + 1))
    model["gbtree_model_param"]["num_parallel_tree"] = "1"
    for tree in model["trees"]:
        leaf = np.array(tree["left_children"]) == -1
        numbers = np.where(leaf, np.arange(len(leaf)), np.array(tree["split_conditions"]))
        tree["split_conditions"] = numbers.tolist()
    numbered = xgboost.Booster(model_file=bytearray(json.dumps(text).encode()))
    trees, matrix, zeros = from_xgboost(numbered, inputs).trees, inputs.encode(table), np.zeros(table.n_rows)
    theirs = [
        numbered.inplace_predict(matrix, iteration_range=(at, at + 1), predict_type="margin", base_margin=zeros)
        for at in range(len(trees))
    ]
    return _differing(trees, inputs, table, np.stack(theirs, axis=1))


def _differing(
    trees: tuple[Node, ...], inputs: BoosterInputs, table: Table, leaves: NDArray[np.generic]
) -> NDArray[np.intp]:
    """Rows in which a tree whose leaves are worth their numbers is not worth the number of the leaf."""
    wrong = np.zeros(table.n_rows, dtype=bool)
    for position, tree in enumerate(trees):
        model = TreeEnsemble(
            outcome=_OUTCOME,
            features=inputs.read_by([tree]),
            trees=(tree,),
            base_score=0.0,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
        )
        wrong |= evaluate(model, table).score != leaves[:, position]
    return np.flatnonzero(wrong)
