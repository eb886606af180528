"""Target models as arrays are the models that scikit-learn trained, to the last row beside a threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC

from scrutable.data.training import read_training
from scrutable.errors import InputError
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import Doubles, Linear, Trees
from scrutable_fcca.training import TargetKind, TargetOptions, train_target

RNG = np.random.default_rng(0)
POINTS = np.unique(np.round(RNG.random((400, 5)), 3), axis=0)
LABEL = POINTS[:, 0] + POINTS[:, 1] ** 2 + RNG.normal(0, 0.3, len(POINTS)) > 0.8
# The last bit of sums over rows decides between equal splits, so scikit-learn gets them in the order of our boosting.
POINTS, LABEL = POINTS[np.argsort(LABEL, kind="stable")], np.sort(LABEL)
WEIGHT = RNG.integers(1, 4, len(POINTS)).astype(float)


def beside_thresholds(target: Trees) -> Doubles:
    """Points at the thresholds of a column, at the next doubles, and at the next singles; elsewhere in the middle."""
    made = []
    for j, cuts in enumerate(target.thresholds()):
        singles = cuts.astype(np.float32)
        neighbours = [np.nextafter(singles, np.float32(side)).astype(float) for side in (0, 1)]
        near = [cuts, np.nextafter(cuts, 0), np.nextafter(cuts, 1), singles.astype(float), *neighbours]
        points = np.full((len(cuts) * len(near), len(target.thresholds())), 0.5)
        points[:, j] = np.concatenate(near)
        made.append(points)
    return np.concatenate(made)


@pytest.mark.parametrize("depth", [1, 3])
def test_boosting_scores_as_scikit_learn_does(depth: int) -> None:
    theirs = GradientBoostingClassifier(max_depth=depth, random_state=7).fit(POINTS, LABEL)
    ours = train_target(POINTS, LABEL, np.ones(len(POINTS)), TargetOptions(max_depth=depth), seed=7)
    assert isinstance(ours.target, Trees)
    assert ours.target.depth == depth
    for points in (POINTS, beside_thresholds(ours.target)):
        assert ours.target.score(points) == pytest.approx(theirs.decision_function(points), abs=1e-9)
        assert ours.probability(points) == pytest.approx(theirs.predict_proba(points)[:, 1], abs=1e-9)


def test_a_forest_scores_as_scikit_learn_does() -> None:
    theirs = RandomForestClassifier(n_estimators=30, max_depth=4, random_state=7)
    theirs.fit(POINTS, LABEL, sample_weight=WEIGHT)
    ours = train_target(POINTS, LABEL, WEIGHT, TargetOptions(kind="forest", n_estimators=30), seed=7)
    assert isinstance(ours.target, Trees)
    for points in (POINTS, beside_thresholds(ours.target)):
        assert ours.probability(points) == pytest.approx(theirs.predict_proba(points)[:, 1], abs=1e-9)
        away = np.abs(ours.target.score(points)) > 1e-9
        assert ((ours.target.score(points) > 0) == theirs.predict(points))[away].all()


def test_a_linear_model_scores_as_scikit_learn_does() -> None:
    theirs = LinearSVC(C=1, random_state=7).fit(POINTS, LABEL)
    ours = train_target(POINTS, LABEL, np.ones(len(POINTS)), TargetOptions(kind="linear"), seed=7)
    assert isinstance(ours.target, Linear)
    assert ours.target.score(POINTS) == pytest.approx(theirs.decision_function(POINTS), abs=1e-6)
    margin = theirs.decision_function(POINTS)
    assert ours.probability(POINTS) == pytest.approx(1 / (1 + np.exp(-margin)), abs=1e-6)
    assert len(ours.gain) == 0


@pytest.mark.parametrize("kind", ["boosting", "forest"])
def test_gains_by_column_are_the_importances_of_scikit_learn(kind: TargetKind) -> None:
    options = TargetOptions(kind=kind, n_estimators=20)
    ours = train_target(POINTS, LABEL, np.ones(len(POINTS)), options)
    if kind == "boosting":
        theirs = GradientBoostingClassifier(n_estimators=20, max_depth=1, random_state=0).fit(POINTS, LABEL)
        assert isinstance(ours.target, Trees)
        gain = np.bincount(np.maximum(ours.target.column, 0), ours.gain, 5)
        assert gain / gain.sum() == pytest.approx(theirs.feature_importances_)
    assert (ours.gain >= -1e-12).all()
    assert ours.gain.sum() > 0


def test_boosting_takes_weights_for_repeated_rows_in_any_order() -> None:
    rounded = np.round(POINTS, 1)
    weighted = train_target(rounded, LABEL, WEIGHT, TargetOptions())
    order = RNG.permutation(np.repeat(np.arange(len(POINTS)), WEIGHT.astype(int)))
    repeated = train_target(rounded[order], LABEL[order], np.ones(len(order)), TargetOptions())
    assert isinstance(weighted.target, Trees)
    assert isinstance(repeated.target, Trees)
    assert weighted.target.threshold.tolist() == repeated.target.threshold.tolist()
    assert weighted.target.value.tolist() == repeated.target.value.tolist()


@pytest.mark.parametrize("kind", ["boosting", "linear"])
def test_weights_that_add_up_to_one_train_as_equal_ones_do(kind: TargetKind) -> None:
    options, n = TargetOptions(kind=kind), len(POINTS)
    shares, ones = (train_target(POINTS, LABEL, weight, options) for weight in (np.full(n, 1 / n), np.ones(n)))
    assert shares.target.score(POINTS) == pytest.approx(ones.target.score(POINTS), abs=1e-6)


@pytest.mark.parametrize("options", [TargetOptions(), TargetOptions(max_depth=2), TargetOptions(kind="forest")])
def test_one_outlier_does_not_blind_the_trees(options: TargetOptions) -> None:
    """A share of credit used, with one value of 50,000: scaled, all others are within 2e-5 of 0."""
    used, other = RNG.random(400), RNG.random(400)
    label = used + 0.2 * (other > 0.5) > 0.6
    plain = np.stack([used, other], axis=1)
    squeezed = np.concatenate([plain * [2e-9, 1], [[1.0, 0.5]]])
    trained = train_target(squeezed, np.append(label, True), np.ones(401), options)
    found = trained.target.score(squeezed[:-1]) > 0
    assert (found == label).mean() > 0.97
    same = train_target(plain, label, np.ones(400), options).target.score(plain) > 0
    assert (found == same).mean() > 0.97


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"kind": "tree"}, "target: unknown target model; got 'tree'; allowed: 'boosting', 'forest' or 'linear'"),
        ({"n_estimators": 0}, "n_estimators: unusable number; got 0; allowed: a whole number from 1"),
        ({"max_depth": 17}, "max_depth: unusable number; got 17; allowed: a whole number from 1 to 16"),
        ({"learning_rate": 0}, "learning_rate: unusable number; got 0; allowed: above 0, up to 1"),
        ({"C": -1}, "C: unusable number; got -1; allowed: above 0"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        TargetOptions(**options)


@pytest.mark.real_data
@pytest.mark.filterwarnings("ignore:column '.*'. every value")
@pytest.mark.parametrize(
    ("name", "header", "accuracy"), [("boston", 0, 82.81), ("arrhythmia", 0, 79.44), ("ionosphere", None, 91.46)]
)
def test_accuracies_of_table_2(data_dir: Path, name: str, header: int | None, accuracy: float) -> None:
    """Mean over five stratified folds, not shuffled, to the two decimals that the paper prints."""
    frame = pd.read_csv(data_dir / f"{name}.csv.gz", header=header, skipinitialspace=True)
    X, y = frame.iloc[:, :-1].astype(float), frame.iloc[:, -1]
    X.columns = X.columns.astype(str)
    data = read_training(X, y)
    points = Inputs.of(data).encode(data.columns)
    found = []
    for fold, held in StratifiedKFold(5).split(X, y):
        trained = train_target(points[fold], data.good[fold], np.ones(len(fold)), TargetOptions())
        found.append(((trained.target.score(points[held]) > 0) == data.good[held]).mean())
    assert round(100 * float(np.mean(found)), 2) == accuracy
