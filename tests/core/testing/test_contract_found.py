"""What never becomes a component: plugins that raise on import, claim a name twice, or hide behind a heavy import."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.errors import PluginError
from scrutable.plugins.component import Component
from scrutable.plugins.registry import GROUP, Listing, Registry
from scrutable.testing.contract import Outcome, Subject, checks_for, checks_of, run_check, subject_of

MODULE = """
from scrutable.plugins import Component, hookimpl

@hookimpl
def scrutable_binners():
    return [Component(name="mine", kind="binner", path="contract_samples.healthy:TinyBinner", summary="Mine")]
"""
#: Two components of one name, before it.
TWO = """
from scrutable.plugins import Component, hookimpl

@hookimpl
def scrutable_learners():
    return [Component(name="scorecard", kind="learner", path="a:B", summary="Mine")]

@hookimpl
def scrutable_exporters():
    return [Component(name="scorecard", kind="exporter", path="a:B", summary="Mine")]
"""
Written = Callable[..., EntryPoint]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Written:
    """Write a plugin's module, and return its entry point."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(name: str, before: str = "") -> EntryPoint:
        (tmp_path / f"written_{name}.py").write_text(before + MODULE)
        request.addfinalizer(lambda: sys.modules.pop(f"written_{name}", None))
        return EntryPoint(name=name, value=f"written_{name}", group=GROUP)

    return write


def outcome_of(listing: Listing, check: str) -> Outcome:
    [found] = [each for each in checks_of("binner") if each.name == check]
    return run_check(found, Subject(listing))


def listed(module: str, plugin: str, **more: str) -> Listing:
    component = Component(name="mine", kind="binner", path=f"{module}:TinyBinner", summary="Mine", **more)
    return Listing(component, plugin, "", "")


def test_a_plugin_that_raises_on_import_is_told_with_its_reason(written: Written) -> None:
    registry = Registry([written("broken", "1 / 0")])
    with pytest.raises(PluginError) as raised:
        subject_of("binner", "mine", registry)
    assert str(raised.value) == (
        "binner 'mine': plugin 'broken' cannot be used, which may have offered it: "
        "ZeroDivisionError: division by zero. "
        "Fix: upgrade or uninstall the plugin; report it to its makers; scrutable plugins doctor tells more."
    )


def test_a_plugin_that_raises_on_import_later_fails_the_check(written: Written) -> None:
    written("broken", "1 / 0")
    outcome = outcome_of(listed("written_broken", "broken"), "it-is-found")
    assert outcome.status == "failed"
    assert outcome.reason == "the plugin 'broken' is refused; got ZeroDivisionError: division by zero."
    assert "see that the module of the entry point imports" in outcome.hint


@pytest.mark.parametrize("kind", ["binner", None])
def test_a_name_that_is_claimed_twice_is_told_with_its_rivals(written: Written, kind: str | None) -> None:
    registry = Registry([written("first"), written("second")])
    with pytest.raises(PluginError) as raised:
        subject_of(kind, "mine", registry)
    assert str(raised.value) == (
        f"{kind or 'component'} 'mine': claimed by plugin 'first' and plugin 'second'. "
        "Fix: say which: 'first:mine' or 'second:mine'."
    )


def test_a_plugin_that_claims_a_name_twice_by_itself_fails_the_check(written: Written, tmp_path: Path) -> None:
    written("twice")
    path = tmp_path / "written_twice.py"
    path.write_text(path.read_text().rstrip() + " * 2\n")
    outcome = outcome_of(listed("written_twice", "twice"), "it-is-found")
    assert outcome.status == "failed"
    assert "'twice' is refused; got binner 'mine' is offered more than once by twice" in outcome.reason


def test_an_unknown_name_gets_a_suggestion(written: Written) -> None:
    with pytest.raises(PluginError, match=r"unknown binner; got 'mine1'. Fix: did you mean 'mine'\?"):
        subject_of("binner", "mine1", Registry([written("one")]))


def test_a_name_in_several_kinds_asks_for_the_kind(written: Written) -> None:
    found = Registry([written("two", TWO)])
    head = "components of several kinds have the name; got 'scorecard'. Fix: say which kind: 'learner' or 'exporter'"

    with pytest.raises(PluginError, match=head):
        subject_of(None, "scorecard", found)
    assert subject_of("learner", "scorecard", found).component.kind == "learner"


@pytest.mark.parametrize("library", ["numpy", "pandas", "rich"])
def test_a_heavy_import_is_named(written: Written, library: str) -> None:
    written("heavy", f"import {library}\n")
    outcome = outcome_of(listed("written_heavy", "heavy"), "its-descriptor-imports-nothing-heavy")
    assert outcome.status == "failed"
    assert re.match(rf"listing the plugin 'written_heavy' imports .*\b{library}\b", outcome.reason)


def test_a_heavy_import_in_a_hook_is_named(written: Written, tmp_path: Path) -> None:
    written("hooked")
    path = tmp_path / "written_hooked.py"
    path.write_text(path.read_text().replace("    return [", "    import sklearn\n    return ["))
    outcome = outcome_of(listed("written_hooked", "hooked"), "its-descriptor-imports-nothing-heavy")
    assert outcome.status == "failed"
    assert re.match(r"listing the plugin 'written_hooked' imports .*numpy.*\bsklearn\b", outcome.reason)


def test_the_standard_library_is_not_heavy(written: Written) -> None:
    written("light", "import decimal, html, sqlite3\n")
    assert outcome_of(listed("written_light", "light"), "its-descriptor-imports-nothing-heavy").status == "passed"


def test_names_that_are_not_public_are_listed(written: Written) -> None:
    written("prying", "from scrutable.plugins.registry import registry\nimport scrutable_sql\n")
    outcome = outcome_of(listed("written_prying", "prying"), "it-uses-public-names-only")
    assert outcome.status == "failed"
    named = "scrutable.plugins.registry.registry (in written_prying.py), scrutable_sql (in written_prying.py)"
    assert outcome.reason == f"it uses what is not public; got {named}."


def test_our_own_plugins_are_released_with_what_they_use() -> None:
    names = [each.name for each in checks_for(Subject.of("binner", "quantile").component)]
    assert "it-uses-public-names-only" not in names
    assert "its-name-is-plain" in names
