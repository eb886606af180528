"""What is timed as data grow: binners, learners, explainers and exporters by name, and commands on files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from growing.data import applicants
from growing.fit import fit
from scrutable import create, dump


class Shape(NamedTuple):
    """Sizes of the data."""

    rows: int
    columns: int
    categories: int
    groups: int


class Subject:
    """Applicants of a shape, a scorecard that was fitted on them, and both as files; each made when asked for."""

    def __init__(self, shape: Shape, folder: Path) -> None:
        self.applicants = applicants(*shape)
        self._folder = folder

    @cached_property
    def model(self) -> Any:
        """A scorecard of quantile bins."""
        people = self.applicants
        return create("learner", "scorecard", binner="quantile").fit(people.X, people.y).model_

    @cached_property
    def files(self) -> dict[str, str]:
        """Where the model and the applicants are, and room for results."""
        people = self.applicants
        dump(self.model, self._folder / "model.json", overwrite=True)
        whole = people.X.assign(paid=people.y, group=people.groups)
        whole.to_csv(self._folder / "data.csv", index=False)
        return {"model": f"{self._folder}/model.json", "data": f"{self._folder}/data.csv", "folder": f"{self._folder}"}


class Call(NamedTuple):
    """Something to be timed.

    work : on a subject.
    grows_by : the sizes that it depends on; exports, for example, do not on rows.
    needs : what of the subject is made before.
    """

    name: str
    work: Callable[[Subject], object]
    grows_by: tuple[str, ...]
    needs: str = "applicants"


LEARNERS = ("scorecard", "scorecard-regressor", "segmented", "lda-xgb1", "fairgbm", "rug", "fcca-tree")
BINNERS = ("optimal", "quantile", "optbinning", "xgb1", "fcca")
EXPORTERS = ("sql", "r", "python", "onnx", "excel", "json")
_WITHOUT_GROUPS = ("rows", "columns", "categories")
_OF_THE_MODEL = ("columns", "categories")
_TARGET = ("--target", "paid", "--favourable", "1")
_INTO = ("--overwrite", "-o")
COMMANDS = {
    "fit": ("fit", "{data}", *_TARGET, "--protected", "group", *_INTO, "{folder}/own.json"),
    "bins": ("bins", "{data}", *_TARGET, "--protected", "group", *_INTO, "{folder}/bins"),
    "score": ("score", "{model}", "{data}", *_INTO, "{folder}/scores.csv"),
    "explain": ("explain", "{model}", "{data}", "--only-declined"),
    "validate": ("validate", "{model}", "{data}", "--target", "paid", "--protected", "group"),
    "calibrate": ("calibrate", "{model}", "{data}", "--target", "paid", *_INTO, "{folder}/calibrated.json"),
    "monitor": ("monitor", "{model}", "{data}", "{data}", *_INTO, "{folder}/monitor.html"),
    "strategy bands": ("strategy", "bands", "{model}", "{data}", "--target", "paid"),
    "report": ("report", "{model}", "--data", "{data}", "--target", "paid", *_INTO, "{folder}/report.html"),
}


def calls() -> Iterator[Call]:
    """Everything that is timed."""
    everything = Shape._fields
    for name in LEARNERS:
        by = everything if name == "lda-xgb1" else _WITHOUT_GROUPS
        yield Call(f"learner {name}", partial(_fit, name), by)
    for name in BINNERS:
        yield Call(f"binner {name}", partial(_bin, name), _WITHOUT_GROUPS)
    yield Call("binner fiv-bounded", _bin_within, everything)
    yield Call("explainer reason-codes", _explain, _WITHOUT_GROUPS, "model")
    yield Call("explainer counterfactual, 100 people", _answer, _OF_THE_MODEL, "model")
    for name in EXPORTERS:
        yield Call(f"exporter {name}", partial(_export, name), _OF_THE_MODEL, "model")
    for name, words in COMMANDS.items():
        yield Call(f"command {name}", partial(_run, words), everything, "files")


def _fit(name: str, subject: Subject) -> object:
    return fit(name, *subject.applicants)


def _bin(name: str, subject: Subject) -> object:
    return create("binner", name).fit(subject.applicants.X, subject.applicants.y)


def _bin_within(subject: Subject) -> object:
    people = subject.applicants
    bound = create("constraint", "fairness-information-value", bound=0.05)
    binner = create("binner", "fiv-bounded", constraints=[bound])
    return binner.fit(people.X, people.y, sensitive_features=people.groups)


def _explain(subject: Subject) -> object:
    return create("explainer", "reason-codes").explain(subject.model, subject.applicants.X)


def _answer(subject: Subject) -> object:
    people = subject.applicants.X
    return create("explainer", "counterfactual").explain(subject.model, people.head(100), reference=people.head(2000))


def _export(name: str, subject: Subject) -> object:
    return create("exporter", name).export(subject.model)


def _run(words: tuple[str, ...], subject: Subject) -> object:
    command = [sys.executable, "-m", "scrutable.cli", *(word.format(**subject.files) for word in words)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode > (words[0] == "monitor"):  # which ends with 1 where something drifted
        raise RuntimeError(f"{words[0]}: {ended.stderr[-500:]}")
    return ended
