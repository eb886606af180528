"""Discovery over entry points that point at real module files, some of them broken."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.errors import PluginError
from scrutable.plugins.bases import Binner, Explainer, Exporter, FairnessConstraint, Learner
from scrutable.plugins.component import KINDS, Component
from scrutable.plugins.registry import GROUP, Registry

PluginMaker = Callable[..., EntryPoint]
HEAD = """
from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl
from scrutable.plugins import bases

class Made(bases.{base}):
    __abstractmethods__ = frozenset()

    def __init__(self, bins=5):
        self.bins = bins + 0
"""
BASES = dict(zip(KINDS, (Binner, Learner, FairnessConstraint, Explainer, Exporter), strict=True))
HOOK = "@hookimpl\ndef scrutable_binners():\n    "
LEARNER = "return [Component(name='x', kind='learner', path='', summary='')]"


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> PluginMaker:
    """Write a module that offers one component, and return its entry point."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(
        name: str, body: str | None = None, *, offers: str = "fine", kind: str = "binner", more: str = ""
    ) -> EntryPoint:
        module = f"plugin_{name}"
        hook = f"""
            @hookimpl
            def scrutable_{kind}s():
                return [Component(name={offers!r}, kind={kind!r}, path="{module}:Made", summary="A test."{more})]
        """
        (tmp_path / f"{module}.py").write_text(
            HEAD.format(base=BASES[kind].__name__) + textwrap.dedent(hook if body is None else body)
        )
        request.addfinalizer(lambda: sys.modules.pop(module, None))
        return EntryPoint(name=name, value=module, group=GROUP)

    return make


def test_a_component_is_found_loaded_and_made(plugin: PluginMaker) -> None:
    registry = Registry([plugin("one"), plugin("two", offers="other", kind="exporter")])
    assert registry.failures == []
    assert [(f.plugin, f.component.name) for f in registry.listings()] == [("one", "fine"), ("two", "other")]
    assert [found.component.name for found in registry.listings("exporter")] == ["other"]
    assert {kind: registry.names(kind) for kind in KINDS if registry.names(kind)} == {
        "binner": ["fine"],
        "exporter": ["other"],
    }
    assert registry.load("binner", "fine").__name__ == "Made"
    assert registry.create("binner", "fine", bins=7).bins == 7


def test_wrong_parameters(plugin: PluginMaker) -> None:
    with pytest.raises(PluginError, match=r"binner 'fine': unknown parameter; got 'bin'. Fix: did you mean 'bins'"):
        Registry([plugin("one")]).create("binner", "fine", bin=7)
    needing = f"class Needing(Made):\n    def __init__(self, bins): pass\n{HOOK}"
    needing += "return [Component(name='fine', kind='binner', path='plugin_two:Needing', summary='')]"
    with pytest.raises(PluginError, match=r"binner 'fine': wrong parameters; got .missing a required argument: 'bins'"):
        Registry([plugin("two", needing)]).create("binner", "fine")


def test_an_error_in_a_constructor_is_its_own(plugin: PluginMaker) -> None:
    """It was told as wrong parameters, and nobody's."""
    with pytest.raises(TypeError, match="can only concatenate"):
        Registry([plugin("one")]).create("binner", "fine", bins="many")


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_that_is_not_of_its_kind_is_refused(plugin: PluginMaker, kind: str) -> None:
    body = f"class Bare:\n    pass\n@hookimpl\ndef scrutable_{kind}s():\n"
    body += f"    return [Component(name='bare', kind={kind!r}, path='plugin_one:Bare', summary='')]\n"
    with pytest.raises(PluginError) as raised:
        Registry([plugin("one", body)]).load(kind, "bare")  # type: ignore[arg-type]  # a kind by its name
    told = str(raised.value)
    assert told.startswith(
        f"{kind} 'bare', plugin 'one': its class is not derived from the base of its kind; got 'plugin_one:Bare'"
    )
    assert f"allowed: a subclass of scrutable.plugins.bases.{BASES[kind].__name__}" in told


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def (", "SyntaxError: "),
        (HOOK + "raise RuntimeError('no')", "RuntimeError: no"),
        (HOOK + "return ['x']", "the hook scrutable_binners must return Components of kind 'binner'; got 'x'"),
        (HOOK + LEARNER, "must return Components of kind 'binner'; got Component(name='x', kind='learner'"),
        ("", "it implements no hook; got 'plugin_broken'. Fix: decorate the function with @hookimpl"),
        (HOOK + "pass", "scrutable_binners: a hook that returns nothing; got None. Fix: return a list of Components"),
        (HOOK + "return [Component(name=['u'], kind='binner', path='', summary='')]", "Component, name: a descriptor"),
        (
            HOOK + "return [Component(name='x', kind='binner', path='', summary='', requires='numpy')]",
            "a tuple of texts",
        ),
        (HOOK + "return [Component(name='x', kind='bin', path='', summary='')]", "Component, kind: a descriptor that"),
        (HOOK + "return 1", "TypeError: 'int' object is not iterable"),
        (HOOK.replace("binners", "biners") + "return []", "there is no such hook; got 'scrutable_biners'"),
        ("SCRUTABLE_HOOKS = 2", "written for other hooks; got 2; allowed: 1. Fix: upgrade scrutable"),
        ("SCRUTABLE_HOOKS = 0", "written for other hooks; got 0; allowed: 1. Fix: upgrade the plugin"),
        ("SCRUTABLE_HOOKS = '1'", "written for other hooks; got '1'"),
        ("raise SystemExit(3)", "its code raised SystemExit; got '3'"),
        ("raise KeyboardInterrupt", "its code raised KeyboardInterrupt, and nobody pressed Ctrl-C"),
        ("raise BaseException('over')", "its code raised BaseException; got 'over'"),
        (HOOK + "return [Component(name='a:b', kind='binner', path='', summary='')]", "a text without a colon"),
    ],
)
def test_a_broken_plugin_is_kept_with_its_reason_and_breaks_no_other(
    plugin: PluginMaker, body: str, reason: str
) -> None:
    registry = Registry([plugin("broken", body), plugin("works")])
    assert registry.names("binner") == ["fine"]
    assert [failure.plugin for failure in registry.failures] == ["broken"]
    assert reason in registry.failures[0].reason
    with pytest.raises(PluginError, match=r"^binner 'x': plugin 'broken' cannot be used, which may have offered"):
        registry.component("binner", "x")


def test_a_missing_module_is_a_failure(plugin: PluginMaker) -> None:
    gone = EntryPoint(name="gone", value="plugin_that_is_gone", group=GROUP)
    registry = Registry([gone, plugin("works")])
    assert registry.names("binner") == ["fine"]
    assert registry.failures[0].reason == "ModuleNotFoundError: No module named 'plugin_that_is_gone'"


def test_one_plugin_that_offers_a_name_twice(plugin: PluginMaker) -> None:
    twice = HOOK + "return [Component(name='x', kind='binner', path='', summary='')] * 2"
    registry = Registry([plugin("twice", twice)])
    assert registry.names("binner") == []
    assert [(failure.plugin, failure.reason) for failure in registry.failures] == [
        ("twice", "binner 'x' is offered more than once by twice, so it is nobody's")
    ]


def test_an_unknown_name_gets_a_suggestion(plugin: PluginMaker) -> None:
    registry = Registry([plugin("one", offers="optimal"), plugin("two", offers="quantile")])
    with pytest.raises(PluginError, match=r"unknown binner; got 'optimla'. Fix: did you mean 'optimal'\?"):
        registry.load("binner", "optimla")
    with pytest.raises(PluginError, match=r"unknown learner; got 'optimal'. Fix: none is known"):
        registry.load("learner", "optimal")
    with pytest.raises(PluginError, match=r"unknown binner; got 'zzz'. Fix: one of 'optimal', 'quantile'"):
        registry.component("binner", "zzz")


def test_a_package_that_cannot_be_imported_is_no_library(plugin: PluginMaker, tmp_path: Path) -> None:
    """Whether a module within it is there would be found out by importing it."""
    (tmp_path / "raising").mkdir()
    (tmp_path / "raising" / "__init__.py").write_text("raise RuntimeError('imported')")
    registry = Registry([plugin("one", more=", requires=('raising.part', 'no_such.part', ''), extra='heavy'")])
    assert registry.component("binner", "fine").absent == ("no_such.part", "")


def test_a_missing_library_names_its_extra(plugin: PluginMaker) -> None:
    registry = Registry([plugin("one", more=", requires=('json', 'no_such_library'), extra='heavy'")])
    assert registry.component("binner", "fine").extra == "heavy"
    with pytest.raises(PluginError) as raised:
        registry.load("binner", "fine")
    assert str(raised.value) == (
        "binner 'fine': a library it needs is not installed; got 'no_such_library'. "
        "Fix: pip install 'scrutable[heavy]'."
    )


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("plugin_one:Gone", "AttributeError: module 'plugin_one' has no attribute 'Gone'"),
        ("no_such_module:Made", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_class_that_cannot_be_imported(plugin: PluginMaker, path: str, reason: str) -> None:
    plugin("one")
    component = Component(name="x", kind="binner", path=path, summary="A test.")
    with pytest.raises(PluginError, match=f"binner 'x': its code cannot be imported; got .*{reason}.*look for"):
        component.load()


def test_entry_points_are_loaded_one_by_one_in_order_of_name(
    plugin: PluginMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = [plugin("b", offers="b"), plugin("c", "raise ImportError('no')"), plugin("a", offers="a")]
    loaded = []
    original = EntryPoint.load

    def load(self: EntryPoint) -> object:
        loaded.append(self.name)
        return original(self)

    monkeypatch.setattr(EntryPoint, "load", load)
    registry = Registry(reversed(points))
    assert loaded == ["a", "b", "c"]
    assert registry.names("binner") == ["a", "b"]


def test_removing_an_entry_point_removes_its_components_only(plugin: PluginMaker) -> None:
    points = [plugin("one", offers="one"), plugin("two", offers="two"), plugin("three", offers="three")]
    for gone in points:
        left = [point for point in points if point is not gone]
        assert Registry(left).names("binner") == sorted(point.name for point in left)
