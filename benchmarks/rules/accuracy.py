"""How often rules are right: beside the paper's tables, the package ruleopt, and the paper's loss."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from report import Row
from sklearn.model_selection import StratifiedKFold

from rules.data import Problem, encoded, problem
from rules.options import Setting

TARGETS = tomllib.loads((Path(__file__).parents[1] / "targets" / "rug.toml").read_text())
PAPERS = {**TARGETS["accuracy"]["table_10"], **TARGETS["accuracy"]["table_2"]}
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
    """The setting that is right most often in five folds; the first of equals."""
    if len(grid) == 1:
        return grid[0]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    parts = [
        (train.rows(train.X.iloc[a], train.y.iloc[a]), train.rows(train.X.iloc[b], train.y.iloc[b]))
        for a, b in folds.split(train.X, train.y)
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
    """Mean accuracies over splits at the same options, and what the learner loses at most."""
    means = {}
    for name in names:
        whole = problem(name)
        pairs = list(zip(_splits(whole, splits), _splits(encoded(whole), splits), strict=True))
        both = [(of_learner(*raw, setting), of_package(*numbers, setting)) for raw, numbers in pairs]
        means[name] = 100 * np.array(both).mean(axis=0)
    gains = {name: ours - theirs for name, (ours, theirs) in means.items()}
    worst = min(gains, key=lambda name: gains[name])
    below = [name for name in gains if gains[name] < -0.5]
    note = f"means of {splits} splits; {_words(setting)}"
    rows = [
        Row(
            name="accuracy less ruleopt's, the lowest",
            value=gains[worst],
            unit="points",
            relation=">=",
            bound=-0.5,
            note=f"{worst}; below: {', '.join(below) or 'none'} of {len(gains)}; {note}",
        ),
        Row(
            name="accuracy less ruleopt's, mean of the data sets",
            value=float(np.mean(list(gains.values()))),
            unit="points",
            relation=">=",
            bound=-0.5,
            note=note,
        ),
    ]
    table = [[name, f"{ours:.2f}", f"{theirs:.2f}", f"{ours - theirs:+.2f}"] for name, (ours, theirs) in means.items()]
    return rows, table


def rows_of_losses(names: Sequence[str], splits: int, setting: Setting) -> Iterator[Row]:
    """What a wrong vote of -1 gains on the paper's -1 / (K - 1), with more than two classes."""
    for name in names:
        parts = _splits(problem(name), splits)
        unit, paper = (
            100 * np.mean([of_learner(*part, setting, loss=loss) for part in parts]) for loss in ("unit", "paper")
        )
        note = f"unit {unit:.2f}, paper {paper:.2f}; mean of {splits} splits; {_words(setting)}"
        yield Row(
            name=f"accuracy gained by the loss, {name}",
            value=float(unit - paper),
            unit="points",
            relation=">=",
            bound=0.0,
            note=note,
        )


def _splits(whole: Problem, count: int) -> list[tuple[Problem, Problem]]:
    return [whole.split(seed) for seed in range(count)]


def _words(setting: Setting) -> str:
    return f"depth {setting.depth}, {setting.calls} calls, penalty {setting.penalty:g}"
