"""A fold discretised: its rows as binary features, for thresholds that are chosen in one way or another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from compressing import streed
from compressing.data import Flags, Fold
from compressing.streed import Streed
from scrutable_fcca.counterfactuals.search import SearchOptions
from scrutable_fcca.discretising.algorithm import Discretisation, DiscretisingOptions, discretise
from scrutable_fcca.discretising.compression import rates
from scrutable_fcca.discretising.refitted import refitted_thresholds
from scrutable_fcca.discretising.thresholds import Thresholds, gain_thresholds
from scrutable_fcca.target import Doubles
from scrutable_fcca.training import TargetOptions
from scrutable_fcca.trees.exact import grow
from scrutable_fcca.trees.grown import BinaryTree

#: Splits on a path of the trees, and the rows more that a leaf of the optimal one must get right.
DEPTH, PENALTY = 3, 10.0
#: Objectives that differ by no more than rounding are equal.
EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Figures of trees on one choice of thresholds: accuracies on test rows, the rest on training rows.

    `worse` and `better` say (1 or 0) how the objective of the optimal tree is beside that of STreeD's.
    """

    optimal: float
    cart: float
    features_of_optimal: float
    features_of_cart: float
    streed: float = np.nan
    worse: float = np.nan
    better: float = np.nan
    thresholds: float = np.nan
    features: float = np.nan
    compression: float = np.nan
    inconsistency: float = np.nan


@dataclass(frozen=True, kw_only=True, eq=False)
class Discretised:
    """A fold with its target model and the thresholds that counterfactuals cross."""

    fold: Fold
    found: Discretisation
    options: TargetOptions

    @classmethod
    def of(cls, fold: Fold, options: TargetOptions | None = None) -> Discretised:
        """Discretised at Q = 0, as all other choices are selections of it."""
        options = options or TargetOptions()
        chosen = DiscretisingOptions(target=options, search=SearchOptions(probability=fold.probability))
        return cls(fold=fold, found=discretise(fold.train.data, (), chosen), options=options)

    @cached_property
    def train_points(self) -> Doubles:
        """Training rows as the target model reads them."""
        return self.found.inputs.encode(self.fold.train.columns)

    @cached_property
    def test_points(self) -> Doubles:
        """Test rows as the target model reads them."""
        return self.found.inputs.encode(self.fold.test.columns)

    @property
    def accuracy(self) -> float:
        """Of the target model, on test rows."""
        return _share((self.found.trained.target.score(self.test_points) > 0) == self.fold.test.y)

    @cached_property
    def by_gain(self) -> Thresholds:
        """The thresholds of the target model, ranked by gain."""
        return gain_thresholds(self.found.trained, self.found.inputs)

    @property
    def refitted(self) -> Thresholds:
        """The thresholds that refits of the target model are left with."""
        y = self.fold.train.y
        trained, inputs = self.found.trained, self.found.inputs
        return refitted_thresholds(trained, inputs, self.train_points, y, np.ones(len(y)), self.options)

    def on(self, thresholds: Thresholds) -> Measured:
        """Trees on the binary features of these thresholds."""
        bits, y = thresholds.binary(self.train_points), self.fold.train.y
        tested, expected = thresholds.binary(self.test_points), self.fold.test.y
        optimal, cart = grown(bits, y), _cart(bits, y)
        theirs = Streed.of(bits, y, DEPTH, PENALTY / len(y)) if streed.present() else None
        lost = optimal.objective - theirs.objective if theirs else np.nan
        compression, inconsistency = rates(bits, y, np.ones(len(y)))
        return Measured(
            optimal=_share(optimal.predict(tested) == expected),
            cart=_share(cart.predict(tested) == expected),
            features_of_optimal=_different(thresholds.column[optimal.feature[optimal.feature >= 0]]),
            features_of_cart=_different(thresholds.column[_asked(cart)]),
            streed=theirs.accuracy(tested, expected) if theirs else np.nan,
            worse=float(lost > EQUAL) if theirs else np.nan,
            better=float(lost < -EQUAL) if theirs else np.nan,
            thresholds=len(thresholds),
            features=_different(thresholds.column),
            compression=compression,
            inconsistency=inconsistency,
        )

    def undiscretised(self) -> Measured:
        """CART on the numbers themselves; an optimal tree would need a threshold between any two of them."""
        cart = _cart(self.train_points, self.fold.train.y)
        right = _share(cart.predict(self.test_points) == self.fold.test.y)
        return Measured(
            optimal=np.nan, cart=right, features_of_optimal=np.nan, features_of_cart=_different(_asked(cart))
        )


def grown(bits: Flags, y: Flags) -> BinaryTree:
    """The optimal tree, with the paper's depth and penalty."""
    return grow(bits, y, np.ones(len(y)), max_depth=DEPTH, leaf_penalty=PENALTY / len(y))


def mean_of(measured: Iterable[Measured]) -> Measured:
    """Means over folds."""
    found = list(measured)
    return Measured(**{name: float(np.mean([getattr(each, name) for each in found])) for name in vars(found[0])})


def _cart(rows: NDArray[np.float64] | Flags, y: Flags) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(rows, y)


def _asked(cart: DecisionTreeClassifier) -> NDArray[np.int64]:
    """Columns that the tree asks about."""
    asked: NDArray[np.int64] = cart.tree_.feature[cart.tree_.feature >= 0]
    return asked


def _different(columns: NDArray[np.int64]) -> float:
    return float(len(np.unique(columns)))


def _share(right: Flags) -> float:
    return float(right.mean())
