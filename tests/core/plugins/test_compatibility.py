"""Plugins of older releases: an old hook still loads with a warning, for two minor releases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable import __version__
from scrutable.plugins.compatibility import OLD_HOOKS, OldHook
from scrutable.plugins.component import Component
from scrutable.plugins.registry import GROUP, Registry

#: A plugin of a release in which the hook returned names and paths.
OLD_PLUGIN = """
from scrutable.plugins.hookspecs import hookimpl

@hookimpl
def scrutable_scorers():
    return {"grandfather": "plugin_of_old:Made"}
"""


def as_components(returned: dict[str, str]) -> Iterator[Component]:
    for name, path in returned.items():
        yield Component(name=name, kind="learner", path=path, summary="Of old")


OLD = OldHook(
    name="scrutable_scorers",
    kind="learner",
    instead="scrutable_learners",
    replaced="0.3",
    components=as_components,
)


@pytest.fixture
def old_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EntryPoint:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plugin_of_old", raising=False)
    (tmp_path / "plugin_of_old.py").write_text(OLD_PLUGIN)
    return EntryPoint(name="old", value="plugin_of_old", group=GROUP)


def test_a_plugin_of_an_old_hook_still_loads_with_a_warning(old_plugin: EntryPoint) -> None:
    said = "the hook scrutable_scorers is replaced by scrutable_learners, and gone in scrutable 0.5"
    with pytest.warns(DeprecationWarning, match=f"plugin 'old': {said}"):
        registry = Registry([old_plugin], old_hooks=[OLD])
    assert registry.names("learner") == ["grandfather"]
    assert registry.failures == []
    assert [(each.plugin, each.reason) for each in registry.deprecations] == [("old", said)]


def test_a_plugin_may_serve_the_old_and_the_new_hook(old_plugin: EntryPoint, tmp_path: Path) -> None:
    new = """
from scrutable.plugins.component import Component

@hookimpl
def scrutable_learners():
    return [Component(name="grandfather", kind="learner", path="plugin_of_old:Made", summary="Of both")]
"""
    (tmp_path / "plugin_of_old.py").write_text(OLD_PLUGIN + new)
    registry = Registry([old_plugin], old_hooks=[OLD])
    assert [listing.component.summary for listing in registry.listings()] == ["Of both"]
    assert registry.failures == registry.deprecations == []


def test_a_hook_that_is_gone_is_refused_by_name(old_plugin: EntryPoint) -> None:
    registry = Registry([old_plugin], old_hooks=[])
    assert registry.names("learner") == []
    assert "there is no such hook; got 'scrutable_scorers'" in registry.failures[0].reason


def minor(version: str) -> tuple[int, int]:
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


@pytest.mark.parametrize("replaced", ["0.1", "0.9", "1.10"])
def test_an_old_hook_is_kept_for_two_minor_releases(replaced: str, old_plugin: EntryPoint) -> None:
    old = OldHook(name="scrutable_scorers", kind="learner", instead="scrutable_learners", replaced=replaced)
    assert minor(old.gone)[1] - minor(replaced)[1] == 2
    assert minor(old.gone)[0] == minor(replaced)[0]


def test_no_hook_outlives_its_term() -> None:
    assert [old.name for old in OLD_HOOKS if minor(__version__) >= minor(old.gone)] == []
