"""From a tree of binary features to the model that stands: a tree ensemble of the core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrutable.data import TrainingData
from scrutable.model import Calibration, Clause, Leaf, Node, Split, TreeEnsemble, splits
from scrutable.model.evaluator import ClauseMasks
from scrutable_fcca.target import LEAF, Flags
from scrutable_fcca.trees.grown import BinaryTree

#: The score just below the cutoff, of leaves that predict bad although good payers weigh as much in them or more.
_JUST_BELOW = -(2.0**-30)


def binary_features(clauses: Sequence[Clause], data: TrainingData) -> Flags:
    """(n, F) which clauses hold for which training rows, as the core evaluates them."""
    masks = ClauseMasks(data.features, data.columns, len(data.label))
    return np.stack([masks.clause(clause) for clause in clauses], axis=1)


def standing(tree: BinaryTree, clauses: Sequence[Clause], data: TrainingData) -> TreeEnsemble:
    """The model that decides as the tree does; its score is the log-odds of the leaf, 0 or more where it predicts good.

    Half of the lightest row is added to both classes of a leaf, so that pure leaves have finite log-odds. Where a leaf
    predicts the class that weighs less in it, which bounds on groups can ask for, its score is just on the other side
    of the cutoff.
    """
    half = 0.5 * float(data.weight[data.weight > 0].min())

    def node(at: int) -> Node:
        if tree.feature[at] != LEAF:
            clause = clauses[tree.feature[at]]
            return Split(clause, node(int(tree.present[at])), node(int(tree.absent[at])))
        bad, good = (tree.weight[at] + half).tolist()
        odds = float(np.log(good / bad))
        return Leaf(max(odds, 0.0) if tree.good[at] else min(odds, _JUST_BELOW))

    root = node(0)
    used = {split.when.feature for split in splits(root)}
    return TreeEnsemble(
        outcome=data.outcome,
        features=tuple(feature for feature in data.features if feature.name in used),
        trees=(root,),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )
