"""Names of new plugins: what they make, and that none can become code or take another's place."""

from __future__ import annotations

import keyword
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.plugins import bases
from scrutable.plugins.component import KINDS, Kind
from scrutable.plugins.registry import GROUP, Registry, registry
from scrutable.testing.scaffold.names import LONGEST_NAME, Names, check_author

WORDS = "allowed: words of a-z and 0-9 with hyphens between, at most 30 characters"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("", "choose for example 'csv-table'"),
        ("CsvTable", "did you mean 'csv-table'?"),
        ("csv_table", "did you mean 'csv-table'?"),
        ("csv table\n", "did you mean 'csv-table'?"),
        ("-csv", "did you mean 'csv'?"),
        ("../csv", "did you mean 'csv'?"),
        ('csv"\nimport os', "did you mean 'csv-import-os'?"),
        ("2nd", "choose for example 'csv-table'"),
        ("ünder", "did you mean 'nder'?"),
        ("a" * 31, "choose for example 'csv-table'"),
        ("Exporter", "choose for example 'csv-table'"),
    ],
)
def test_anything_but_words_with_hyphens_is_refused(name: str, fix: str) -> None:
    with pytest.raises(InputError, match=rf"name: unusable name; got .*{re.escape(f'{WORDS}. Fix: {fix}.')}$"):
        Names("exporter", name)


def test_keywords_of_python_are_refused() -> None:
    what = "name: the name is a keyword of Python; got 'lambda'. Fix: add a word to it, for example 'my-lambda'"
    with pytest.raises(InputError, match=what):
        Names("exporter", "lambda")


def test_modules_of_python_are_not_in_the_way() -> None:
    assert Names("exporter", "csv").package == "scrutable_csv"


@pytest.mark.parametrize(
    ("kind", "name", "base"),
    [
        ("binner", "binner", "Binner"),
        ("constraint", "fairness-constraint", "FairnessConstraint"),
        ("constraint", "fairness", "FairnessConstraint"),
        ("explainer", "explainer", "Explainer"),
        ("exporter", "exporter", "Exporter"),
    ],
)
def test_a_class_is_not_called_as_its_base(kind: Kind, name: str, base: str) -> None:
    with pytest.raises(InputError, match=f"name: the class would be called as its base, {base}; got '{name}'.* 'my-"):
        Names(kind, name)
    assert Names(kind, f"my-{name}").cls == f"My{base}"


@given(kind=st.sampled_from(KINDS), name=st.from_regex("[a-z]{1,9}(-[a-z]{1,9})?", fullmatch=True))
@example(kind="learner", name="learner")
@example(kind="binner", name="binner")
def test_a_class_is_called_as_nothing_that_plugins_import(kind: Kind, name: str) -> None:
    try:
        names = Names(kind, name)
    except InputError:
        return
    assert names.cls not in bases.__all__


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(InputError, match=r"kind: unknown kind of plugin; got 'exportr'.*did you mean 'exporter'"):
        Names(cast(Kind, "exportr"), "csv-table")


@given(kind=st.sampled_from(KINDS), name=st.one_of(st.text(max_size=40), st.from_regex("[a-z0-9-]{1,40}")))
@example(kind="binner", name="a\n")
@example(kind="binner", name="a-1")
def test_names_are_refused_or_make_identifiers(kind: Kind, name: str) -> None:
    try:
        names = Names(kind, name)
    except InputError:
        return
    assert re.fullmatch("[a-z0-9-]+", name)
    assert len(name) <= LONGEST_NAME
    for word in (names.package, names.module, names.cls, names.camel):
        assert word.isascii()
        assert word.isidentifier()
        assert not keyword.iskeyword(word) or word == names.camel  # which only stands after "Test"


def test_the_kind_is_not_said_twice() -> None:
    assert Names("exporter", "csv-exporter").cls == "CsvExporter"
    assert Names("learner", "csv-exporter").cls == "CsvExporterClassifier"


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("quantile", "the binner 'quantile' of the plugin 'quantile'"),
        ("opportunity", "the constraint 'opportunity' of the plugin 'fairness'"),
        ("fairness", "the constraint '.*' of the plugin 'fairness'"),
    ],
)
def test_a_name_that_is_taken_is_refused_whatever_the_kind(name: str, owner: str) -> None:
    with pytest.raises(InputError, match=f"name: the name is taken by {owner}; got '{name}'. Fix: choose another name"):
        Names("exporter", name).refuse_taken(registry())


def test_the_name_of_a_plugin_that_fails_is_taken() -> None:
    found = Registry([metadata.EntryPoint(name="not-there", value="scrutable_not_there_at_all", group=GROUP)])
    with pytest.raises(InputError, match="taken by the plugin 'not-there', which failed"):
        Names("binner", "not-there").refuse_taken(found)


def test_the_name_of_an_installed_package_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names("binner", "lies-here")
    names.refuse_taken(Registry([]))
    (tmp_path / "scrutable_lies_here.py").write_text("raise RuntimeError('nobody imports it')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="taken by the package scrutable_lies_here"):
        names.refuse_taken(Registry([]))
    assert "scrutable_lies_here" not in sys.modules


@pytest.mark.parametrize("author", ["", "  ", "two\nlines", "bell\a", "\ud800", "\u202e", "x" * 81])
def test_an_author_is_a_line_that_can_be_printed(author: str) -> None:
    with pytest.raises(InputError, match=r"author: unusable author; got .* a line of 1 to 80 printable characters"):
        check_author(author)


@pytest.mark.parametrize(
    "name", ["learner", "learners", "exporter-plugin", "plugin", "test", "scrutable", "scrutable-mine", "learner-core"]
)
def test_a_name_says_what_the_plugin_does(name: str) -> None:
    told = "name: the name does not say what the plugin does; got '.*'. Fix: name the method or the format, for example"
    with pytest.raises(InputError, match=told):
        Names("learner", name)
