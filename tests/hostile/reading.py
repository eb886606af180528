"""What is done with a hostile file of each kind, and what has to hold if it is read at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.data.frames import as_table, read_file
from scrutable.data.inputs import read_columns
from scrutable.errors import LONGEST, ScrutableError
from scrutable.model import Model, Scorecard, dumps, dumps_evidence, load, load_evidence, loads
from scrutable.model.evaluator import evaluate
from scrutable.plugins import DataDictionary, actions_by_dictionary, in_words_of
from scrutable.plugins.dictionary_roles import completed
from scrutable.plugins.options import check_options
from scrutable.plugins.reading_values import coerce
from scrutable.plugins.registry import registry
from scrutable.testing.contract.examples.models import models_named
from scrutable.writing.decoder import from_toml, read_toml
from scrutable_lifecycle.config import Run, dump_run
from scrutable_points_table.tables import read_points_table
from scrutable_policy import add_rules, policy_edits, read_rules
from scrutable_reason_codes.policy_request import Wanted
from scrutable_review import dump_review, read_review


class PromiseError(AssertionError):
    """What was read does not keep what files promise, or an error is none that people can read."""


def refused(kind: str, path: Path) -> bool:
    """Whether a file is refused, by an error of ours; if not, what was read is as it should be.

    Raises
    ------
    PromiseError : it is not.
    Exception : whatever else reading ends in, which is a fault, too.
    """
    try:
        _READERS[kind](path)
    except ScrutableError as error:
        told = str(error)
        told.encode()
        _hold(bool(error.what.strip()) and len(told) < 5 * LONGEST, f"an error that nobody can read: {told[:200]!r}")
        return True
    return False


def _read_model(path: Path) -> None:
    _use(load(path))


def _use(model: Model) -> None:
    """Write a model, read it back, and score with it."""
    text = dumps(model)
    text.encode()
    again = loads(text)
    _hold(again == model and dumps(again) == text, "the model reads back as another")
    columns: dict[str, Any] = {
        feature.name: np.array([0.0, 25.0, -9.0, np.nan, np.inf])
        if feature.kind == "numeric"
        else np.array(["own", "cook", "", None, "?"], dtype=object)
        for feature in model.features
    }
    found = evaluate(model, columns or {"nothing": np.zeros(5)}).frame()
    for name in ("score", "probability"):
        if name in found:
            _hold(bool(np.isfinite(found[name].astype(float)).all()), f"the model gives a {name} that is no number")


def _read_evidence(path: Path) -> None:
    evidence = load_evidence(path)
    dumps_evidence(evidence).encode()
    path.write_text(dumps_evidence(evidence), encoding="utf-8")
    _hold(load_evidence(path) == evidence, "the evidence reads back as another")


def _read_config(path: Path) -> None:
    run: Run = coerce(read_toml(path), Run, "config")
    text = dump_run(run)
    again: Run = coerce(from_toml(text, "config"), Run, "config")
    _hold(dump_run(again) == text, "the config reads back as another")
    for kind, choices in (("learner", [run.learner]), ("binner", [run.binner]), ("constraint", run.constraints)):
        for choice in choices:
            if choice is not None:
                check_options(choice.create(kind))  # type: ignore[arg-type]  # kinds by their names


def _read_dictionary(path: Path) -> None:
    model = models_named()["scorecard"]
    assert isinstance(model, Scorecard)
    explainer, own = Wanted(dictionary=path).explainers(model)
    _use(explainer.with_words(model, by_segment=own))
    known = DataDictionary.read(path)
    _use(in_words_of(model, known))
    actions = actions_by_dictionary(known, model.features)
    registry().create("explainer", "counterfactual", actions=actions)
    names = [feature.name for feature in model.features]
    told = completed({"target": None, "protected": (), "drop": (), "ranges": {}}, known, names, "data")
    _hold(set(told[0]["drop"]) <= known.columns.keys(), "a column is left out that nobody named")


def _read_edits(path: Path) -> None:
    edits = read_review(path)
    path.write_text(dump_review(edits), encoding="utf-8")
    _hold(read_review(path) == edits, "the edits read back as others")


def _read_lender(path: Path) -> None:
    registry().create("exporter", "notices", lender=str(path), date="2026-11-22", applicants={})


def _read_rules(path: Path) -> None:
    rules = read_rules(path)
    model = add_rules(models_named()["scorecard"], rules, who="ana", why="policy").model
    _hold(len(policy_edits(model)) == len(rules), "rules that nobody recorded")
    _use(model)


def _read_rows(path: Path) -> None:
    frame = read_file(path)
    read_columns(as_table(frame))
    evaluate(models_named()["scorecard"], frame).frame()


def _read_table(path: Path) -> None:
    _use(read_points_table(path, cutoff=500).model)


def _hold(promise: bool, otherwise: str) -> None:
    if not promise:
        raise PromiseError(otherwise)


_READERS: Mapping[str, Callable[[Path], None]] = {
    "model": _read_model,
    "evidence": _read_evidence,
    "config": _read_config,
    "dictionary": _read_dictionary,
    "edits": _read_edits,
    "lender": _read_lender,
    "rules": _read_rules,
    "rows": _read_rows,
    "table": _read_table,
}
