"""The exporter that `scrutable new exporter` writes gives the evaluator's results from its file alone."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from scrutable.data.frames import as_table
from scrutable.errors import UnsupportedModel
from scrutable.model import Adjustment, Categories, Clause, Grade, Override, Policy, Scorecard
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.cards import card
from scrutable.testing.scaffold import Names, new_plugin
from scrutable.testing.strategies import scorecards


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The package of a new exporter, on the path."""
    names = Names("exporter", "csv-table-tried")
    made = new_plugin(names, folder=tmp_path_factory.mktemp("new") / "exporter")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(made.folder / "src")
        yield names.package


@pytest.fixture(scope="module")
def table(package: str) -> ModuleType:
    return importlib.import_module(f"{package}.table")


@pytest.fixture(scope="module")
def exporter(package: str) -> Any:
    return importlib.import_module(f"{package}.exporter").CsvTableTriedExporter()


def plain(model: Scorecard) -> Scorecard:
    """A scorecard without what the table does not hold."""
    read = {each.feature for each in model.characteristics}
    features = tuple(feature for feature in model.features if feature.name in read)
    return replace(model, features=features, interactions=(), policy=Policy(), reasons=None)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(model=scorecards())
def test_hostile_scorecards_are_read_back_to_the_last_bit(table: ModuleType, model: Scorecard) -> None:
    model = plain(model)
    rows = edge_rows(model, n_random=20)
    ours = evaluate(model, rows).frame()
    theirs = table.read_table(table.write_table(model)).score(as_table(rows))
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}
    for name, values in ours.items():
        assert values.dtype == theirs[name].dtype
        assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name


def test_the_table_reads_well(exporter: Any) -> None:
    assert exporter.export(plain(card())).text.split("\r\n") == [
        "characteristic,kind,condition,lower,upper,value,points",
        ",,base points,,,500.0,",
        ",,cutoff,,,510.0,",
        ",,slope,,,0.01,",
        ",,intercept,,,-5.0,",
        ",,link,,,logit,",
        "amount,numeric,interval,-inf,10.0,,0.0",
        "amount,numeric,interval,10.0,20.0,,10.0",
        "amount,numeric,interval,20.0,inf,,20.0",
        "amount,numeric,missing,,,,5.0",
        "job,categorical,value,,,cook,0.0",
        "job,categorical,other,,,,-1.0",
        "job,categorical,missing,,,,-2.0",
        "",
    ]


def test_a_written_file_scores_the_same(exporter: Any, tmp_path: Path) -> None:
    model = plain(card(amount='a\r\nb,"c"', categories=("x\ry", " z ", "")))
    export = exporter.export(model)
    [path] = export.write(tmp_path)
    again = replace(export, files={path.name: path.read_bytes()})
    rows = {'a\r\nb,"c"': [1.0, math.nan, math.inf], "job": ["x\ry", "", None]}
    assert differences(evaluate(model, rows).frame(), exporter.run(again, rows)) == {}


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (card(), r"the table has no column for knock-outs; got \['Kc'\]"),
        (replace(card(), policy=Policy()), "the table has no column for reasons; got 'fixed'"),
        (plain(card(amount="=1+1")), "a spreadsheet would take the text for a formula; got '=1.1'"),
        (plain(card(categories=("cook", "@x"))), "a spreadsheet would take the text for a formula; got '@x'"),
    ],
)
def test_what_the_table_does_not_hold_is_refused(exporter: Any, model: Scorecard, what: str) -> None:
    with pytest.raises(UnsupportedModel, match=rf"csv-table-tried: {what}. Fix: "):
        exporter.export(model)


def test_nothing_around_the_score_is_left_out_in_silence(exporter: Any) -> None:
    rule: dict[str, Any] = {"reason": "A cook", "when": (Clause("job", (Categories(("cook",)),)),)}
    for policy, what in (
        (Policy(adjustments=(Adjustment(code="A", points=-5, **rule),)), "score adjustments"),
        (Policy(overrides=(Override(code="O", decision="decline", **rule),)), "overrides"),
        (Policy(grades=(Grade(name="A"),)), "grades"),
    ):
        with pytest.raises(UnsupportedModel, match=f"the table has no place for {what}"):
            exporter.export(replace(plain(card()), policy=policy))


def test_other_kinds_of_model_are_refused(exporter: Any, every_kind: tuple[Any, ...]) -> None:
    for model in every_kind:
        if not isinstance(model, Scorecard):
            with pytest.raises(UnsupportedModel, match="the table holds a scorecard"):
                exporter.export(model)
