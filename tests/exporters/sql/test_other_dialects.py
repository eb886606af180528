"""Dialects come by the hook: ours as they are declared; those of a third party are written, and run by their URLs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import sqlalchemy
from cards import card, ladder

from scrutable.errors import InputError, PluginError
from scrutable.model.evaluator import differences, evaluate
from scrutable.plugins.registry import GROUP, Registry, registry
from scrutable_sql.dialects import DIALECTS, dialect_named, other_dialects
from scrutable_sql.engines import schemes_of
from scrutable_sql.exporter import SQLExporter

#: A plugin of a third party: one dialect as it should be, and one that is no declaration.
THEIRS = """
from dataclasses import replace

from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl
from scrutable_sql.dialects import DIALECTS

OTHER = replace(DIALECTS["sqlite"], name="otherlite", title="Otherlite", parser="sqlite", schemes=("otherlite",))
NONE = "a text"


@hookimpl
def scrutable_dialects():
    names = {"otherlite": "OTHER", "none": "NONE"}
    return [
        Component(name=name, kind="dialect", path=f"plugin_of_dialect:{where}", summary="Another")
        for name, where in names.items()
    ]
"""
CARD = card(ladder("x", 1.0))


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """What is installed here, and the plugin of a third party."""
    (tmp_path / "plugin_of_dialect.py").write_text(THEIRS)
    monkeypatch.syspath_prepend(tmp_path)
    both = Registry([*metadata.entry_points(group=GROUP), EntryPoint("dialect", "plugin_of_dialect", GROUP)])
    monkeypatch.setattr("scrutable_sql.dialects.registry", lambda: both)
    yield both
    sys.modules.pop("plugin_of_dialect", None)


def test_ours_are_offered_as_they_are_declared() -> None:
    listed = {each.name: each.component for each in registry().listings("dialect")}
    assert set(listed) == set(DIALECTS)
    for name, dialect in DIALECTS.items():
        assert registry().load("dialect", name) is dialect
        assert listed[name].summary == dialect.title
    assert other_dialects() == []


def test_a_dialect_of_a_third_party_is_written(theirs: Registry) -> None:
    assert other_dialects() == ["none", "otherlite"]
    ours, other = (SQLExporter(dialect=name).export(CARD).text for name in ("sqlite", "otherlite"))
    assert "Otherlite" in other
    assert other.splitlines()[2:] == ours.splitlines()[2:]


def test_its_url_tells_it_and_runs_it(theirs: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ("sqlalchemy.dialects.sqlite.pysqlite", "SQLiteDialect_pysqlite")
    sqlalchemy.dialects.registry.register("otherlite", *path)
    exporter = SQLExporter.at("otherlite://")
    assert (exporter.dialect, schemes_of("otherlite")) == ("otherlite", ("otherlite",))
    rows = {"x": [0.0, 1.0, 2.0, None]}
    got, wanted = exporter.run(exporter.export(CARD), rows), evaluate(CARD, rows).frame()
    assert differences(wanted, got) == {}
    with pytest.raises(InputError, match=r"the URL is not of Otherlite; got 'duckdb'; allowed: otherlite"):
        SQLExporter(dialect="otherlite", url="duckdb://").run(exporter.export(CARD), rows)
    with pytest.raises(InputError, match="Otherlite needs a connection"):
        SQLExporter(dialect="otherlite").engine()


def test_what_is_no_declaration_is_refused(theirs: Registry) -> None:
    with pytest.raises(PluginError, match=r"no declaration of its kind; .*a scrutable\.plugins\.bases\.Dialect"):
        SQLExporter(dialect="none")


def test_an_unknown_dialect_is_told_with_all_there_are(theirs: Registry) -> None:
    with pytest.raises(InputError, match=r"trino, none, otherlite.*did you mean 'otherlite'"):
        dialect_named("otherlit")
