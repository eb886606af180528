"""What is timed as data grow: binners, learners, explainers and exporters by name, and commands on files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from growing.commands import COMMANDS, OF_THE_MODEL, RULES, review, run
from growing.data import applicants
from growing.fit import fit
from scrutable import create


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
        """Where the applicants are, two models with reasons, a points table, a lender, rules, and room for results."""
        import pyarrow as pa
        from pyarrow import csv

        people = self.applicants
        names = ("model.json", "challenger.json", "data.csv", "points.csv", "lender.toml", "rules.toml")
        files = {name.partition(".")[0]: f"{self._folder}/{name}" for name in names} | {"folder": f"{self._folder}"}
        whole = people.X.assign(paid=people.y, group=people.groups)
        csv.write_csv(pa.Table.from_pandas(whole, preserve_index=False), files["data"])
        roles = ("--target", "paid", "--favourable", "1", "--protected", "group")
        learned = ("fit", "{data}", *roles, "--learner", "scorecard", "--binner", "quantile")
        run((*learned, "-o", "{model}"), files)
        run((*learned, "--binner-option", "max_bins=4", "-o", "{challenger}"), files)
        run(("export", "{model}", "--to", "points-table", "-o", "{points}"), files)
        Path(files["rules"]).write_text(RULES)
        Path(files["lender"]).write_text(run(("notices", "--example-lender"), files))
        return files


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
EXPORTERS = ("sql", "r", "python", "onnx", "excel", "json", "points-table", "reason-document", "report")
_WITHOUT_GROUPS = ("rows", "columns", "categories")
_OF_THE_MODEL = ("columns", "categories")


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
        sizes = _OF_THE_MODEL if name in OF_THE_MODEL else everything
        yield Call(f"command {name}", partial(_run, words), sizes, "files")
    yield Call("command review", lambda subject: review(subject.files), everything, "files")


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
    return run(words, subject.files)
