"""How often rules are right: beside the paper's tables, the package ruleopt, and the paper's loss."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from report import Row
from sklearn.model_selection import StratifiedKFold

from rules.data import Problem, encoded, problem
from rules.options import Setting

Floats = NDArray[np.float64]

TARGETS = tomllib.loads((Path(__file__).parents[1] / "targets" / "rug.toml").read_text())
PAPERS = {**TARGETS["accuracy"]["table_10"], **TARGETS["accuracy"]["table_2"]}
#: Predictions after which an accuracy is taken for settled.
ENOUGH = 10_000
GRID = [
    Setting(depth=depth, calls=calls, penalty=penalty)
    for depth, calls, penalty in product((3, 5), (5, 10, 15), (0.1, 1.0, 10.0))
]


def rows_of_the_tables(names: Sequence[str], seeds: int, grid: Sequence[Setting]) -> Iterator[Row]:
    """The paper's accuracies, on the authors' split, with options chosen by cross-validation on the training rows."""
    for name in names:
        train, test = problem(name).split()
        setting = chosen(train, grid)
        found = 100 * np.array([of_learner(shuffled(train, seed), test, setting, seed) for seed in range(seeds)])
        difference = found.mean() - PAPERS[name]
        note = (
            f"ours {found.mean():.2f} ({found.min():.2f} to {found.max():.2f}), paper {PAPERS[name]:.2f}; "
            f"1 of {len(test.y)} test rows is {100 / len(test.y):.2f}; depth {setting.depth}, {setting.calls} calls, "
            f"penalty {setting.penalty:g}"
        )
        yield Row(
            name=f"accuracy, {name}: from the paper's",
            value=abs(difference),
            unit="points",
            relation="<=",
            bound=2.0,
            note=f"{difference:+.2f}: {note}",
        )


def chosen(train: Problem, grid: Sequence[Setting]) -> Setting:
    """The setting that is right most often in five folds; the first of equals.

    Of few rows the folds are drawn several times: drawn once, chance decides between settings that are points apart on
    other rows.
    """
    if len(grid) == 1:
        return grid[0]
    parts = [
        (train.rows(train.X.iloc[a], train.y.iloc[a]), train.rows(train.X.iloc[b], train.y.iloc[b]))
        for seed in range(_times(train, ENOUGH, 1, 5))
        for a, b in StratifiedKFold(5, shuffle=True, random_state=seed).split(train.X, train.y)
    ]
    right = [np.mean([of_learner(first, second, setting) for first, second in parts]) for setting in grid]
    return grid[int(np.argmax(right))]


def shuffled(train: Problem, seed: int) -> Problem:
    """Columns in another order, which decides between equal splits of a tree, as a seed does in scikit-learn's."""
    return train.rows(train.X.sample(frac=1, axis=1, random_state=seed), train.y)


def of_learner(train: Problem, test: Problem, setting: Setting, seed: int = 0, **options: str) -> float:
    """Accuracy of the learner."""
    learner = setting.learner(train, seed=seed, **options).fit(train.X, train.y)
    return test.accuracy(learner.predict(test.X[list(train.X.columns)]))


def of_package(train: Problem, test: Problem, setting: Setting) -> float:
    """Accuracy of the package, on rows that `encoded` made."""
    package = setting.package().fit(np.array(train.X), np.array(train.y))
    return test.accuracy(package.predict(np.array(test.X)))


def beside_package(names: Sequence[str], splits: int, setting: Setting) -> tuple[list[Row], list[list[str]]]:
    """Accuracies less the package's at the same options: what is lost at most, and the mean of the data sets.

    Few rows are split up to twenty times as often, since a mean of five splits of 36 test rows is off by a point.
    """
    found = {name: 100 * np.array(_both(name, splits, setting)) for name in names}
    gains = {name: both[:, 0] - both[:, 1] for name, both in found.items()}
    settled = np.mean([each.mean() for each in gains.values()])
    rows = [
        _lowest("accuracy less ruleopt's, the lowest", gains, setting),
        _lowest(
            f"accuracy less ruleopt's, the lowest of {splits} splits",
            {name: each[:splits] for name, each in gains.items()},
            setting,
        ),
        Row(
            name="accuracy less ruleopt's, mean of the data sets",
            value=float(np.mean([each[:splits].mean() for each in gains.values()])),
            unit="points",
            relation=">=",
            bound=-0.5,
            note=f"{splits} splits; {settled:+.2f} with more of the small ones; {_words(setting)}",
        ),
    ]
    table = [
        [name, *(f"{mean:.2f}" for mean in found[name].mean(axis=0)), _mean(each), str(len(each)), _mean(each[:splits])]
        for name, each in gains.items()
    ]
    return rows, table


def rows_of_losses(names: Sequence[str], splits: int, setting: Setting) -> Iterator[Row]:
    """What a wrong vote of -1 gains on the paper's -1 / (K - 1), with more than two classes."""
    for name in names:
        whole = problem(name)
        parts = _splits(whole, _often(whole, splits))
        unit, paper = (
            100 * np.array([of_learner(*part, setting, loss=loss) for part in parts]) for loss in ("unit", "paper")
        )
        note = f"unit {unit.mean():.2f}, paper {paper.mean():.2f}; {len(parts)} splits, standard error "
        yield Row(
            name=f"accuracy gained by the loss, {name}",
            value=float((unit - paper).mean()),
            unit="points",
            relation=">=",
            bound=0.0,
            note=f"{note}{_error(unit - paper):.2f}; {_words(setting)}",
        )


def _both(name: str, splits: int, setting: Setting) -> list[tuple[float, float]]:
    """Accuracy of the learner and of the package on each split."""
    whole = problem(name)
    often = _often(whole, splits)
    pairs = zip(_splits(whole, often), _splits(encoded(whole), often), strict=True)
    return [(of_learner(*raw, setting), of_package(*numbers, setting)) for raw, numbers in pairs]


def _lowest(name: str, gains: Mapping[str, Floats], setting: Setting) -> Row:
    means = {of: each.mean() for of, each in gains.items()}
    worst = min(means, key=lambda of: means[of])
    below = [of for of in means if means[of] < -0.5]
    return Row(
        name=name,
        value=float(means[worst]),
        unit="points",
        relation=">=",
        bound=-0.5,
        note=f"{worst}, {len(gains[worst])} splits, standard error {_error(gains[worst]):.2f}; "
        f"below: {', '.join(below) or 'none'} of {len(gains)}; {_words(setting)}",
    )


def _mean(values: Floats) -> str:
    return f"{values.mean():+.2f} ({_error(values):.2f})"


def _error(values: Floats) -> float:
    """Standard error of the mean."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _often(whole: Problem, splits: int) -> int:
    """Splits of which a fifth of the rows each gives enough predictions; twenty times as many as asked for at most."""
    return _times(whole, 5 * ENOUGH, splits, 20 * splits)


def _times(rows: Problem, enough: int, least: int, most: int) -> int:
    """How often rows are predicted until there are enough predictions."""
    return int(np.clip(enough // len(rows.y), least, most))


def _splits(whole: Problem, count: int) -> list[tuple[Problem, Problem]]:
    return [whole.split(seed) for seed in range(count)]


def _words(setting: Setting) -> str:
    return f"depth {setting.depth}, {setting.calls} calls, penalty {setting.penalty:g}"
