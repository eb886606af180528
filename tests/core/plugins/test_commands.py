"""Commands by the hook: found, isolated and claimed as components are, and described as their functions are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.errors import PluginError
from scrutable.plugins.component import Command
from scrutable.plugins.disabling import VARIABLE
from scrutable.plugins.registry import GROUP, Registry

Third = Callable[..., EntryPoint]
MODULE = """
from scrutable.plugins.component import Command
from scrutable.plugins.hookspecs import hookimpl

@hookimpl
def scrutable_commands():
    return [Command(path="third:run", summary="A test.", **each) for each in {commands!r}]
"""
OURS = [point for point in metadata.entry_points(group=GROUP) if point.dist and point.dist.name == "scrutable"]


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Third]:
    """Write a distribution whose plugin offers commands, and return its entry point."""
    monkeypatch.syspath_prepend(tmp_path)
    written: list[str] = []

    def make(distribution: str, *commands: str, code: str | None = None, **more: object) -> EntryPoint:
        module = f"third_{distribution.replace('-', '_')}"
        written.append(module)
        text = MODULE.format(commands=[{"name": name, **more} for name in commands]) if code is None else code
        (tmp_path / f"{module}.py").write_text(text)
        info = tmp_path / f"{module}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text(f"[scrutable]\ntheir = {module}\n")
        [point] = metadata.Distribution.at(info).entry_points
        return point

    yield make
    for module in written:
        sys.modules.pop(module, None)


def names(registry: Registry, group: str = "") -> list[str]:
    return [each.name for each in registry.commands(group)]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": ["x"]}, "Command, name: a descriptor that cannot be used; got \\['x'\\]; allowed: a text"),
        ({"name": "a:b"}, "Command, name: .*lower-case words with hyphens between"),
        ({"name": "--help"}, "Command, name: .*lower-case words"),
        ({"summary": None}, "Command, summary: .*a text"),
        ({"group": 1}, "Command, group: .*a text"),
        ({"order": "first"}, "Command, order: .*a whole number"),
    ],
)
def test_a_descriptor_is_checked(wrong: dict[str, object], told: str) -> None:
    right: dict[str, object] = {"name": "run", "path": "third:run", "summary": "A test."}
    with pytest.raises(PluginError, match=told):
        Command(**(right | wrong))  # type: ignore[arg-type]  # what is tested


def test_commands_are_listed_in_their_order_and_groups(third: Third) -> None:
    points = [third("a-lender", "second", "first"), third("b-lender", "zeroth", order=1)]
    registry = Registry([*points, third("c-lender", "part", group="first")])
    assert names(registry) == ["zeroth", "first", "second"]
    assert names(registry, "first") == ["part"]
    assert [each.descriptor.words for each in registry.commands()][-1] == "first part"
    assert registry.failures == []


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        (MODULE.format(commands=[{"name": "A"}]), "Command, name: a descriptor that cannot be used; got 'A'"),
        (MODULE.partition("    return")[0] + "    pass", "scrutable_commands: a hook that returns nothing"),
        (MODULE.partition("    return")[0] + "    return ['x']", "the hook scrutable_commands must return Commands"),
        ("SCRUTABLE_HOOKS = 99", "written for other hooks"),
    ],
)
def test_a_plugin_that_fails_breaks_no_other(third: Third, code: str, reason: str) -> None:
    registry = Registry([*OURS, third("a-lender", code=code), third("b-lender", "works")])
    assert {"fit", "works"} < set(names(registry))
    [failure] = registry.failures
    assert reason in failure.reason
    told = str(registry.cause("broken-one", "command"))
    assert told.startswith("command 'broken-one': plugin 'their' of a-lender cannot be used, which may have offered it")


def test_a_newcomer_does_not_take_a_name_of_ours(third: Third) -> None:
    said = r"command 'fit' is Scrutable's own; plugin 'their' of a-lender 1\.5 is reached as 'a-lender:fit'"
    with pytest.warns(UserWarning, match=said):
        registry = Registry([*OURS, third("a-lender", "fit")])
    owners = {each.name: each.distribution for each in registry.commands("")}
    assert (owners["fit"], owners["a-lender:fit"]) == ("scrutable", "a-lender")
    assert [each.name for each in registry.commands() if each.is_called("A_Lender:fit")] == ["a-lender:fit"]


def test_the_same_name_in_another_group_is_another(third: Third) -> None:
    registry = Registry([*OURS, third("a-lender", "fit", group="strategy")])
    assert registry.conflicts == ()
    assert names(registry, "strategy") == ["bands", "cutoff", "swap", "rounding", "fit"]
    said = r"strategy command 'bands' is Scrutable's own; .* reached as 'b-lender:bands'"
    with pytest.warns(UserWarning, match=said):
        Registry([*OURS, third("b-lender", "bands", group="strategy")])


def test_third_parties_that_claim_one_name_are_both_shown(third: Third) -> None:
    registry = Registry([third(home, "fine") for home in ("a-lender", "b-lender")])
    assert names(registry) == ["a-lender:fine", "b-lender:fine"]
    assert str(registry.cause("fine", "command")) == (
        "command 'fine': claimed by plugin 'their' of a-lender 1.5 and plugin 'their' of b-lender 1.5. "
        "Fix: say which: 'a-lender:fine' or 'b-lender:fine'."
    )
    assert registry.cause("other", "command") is None


def test_a_name_of_ours_that_is_blocked_is_nobody_elses(third: Third) -> None:
    with pytest.warns(UserWarning, match="command 'report' is Scrutable's own"):
        registry = Registry([*OURS, third("a-lender", "report")], blocked={"documents": VARIABLE})
    assert "report" not in names(registry)
    assert "a-lender:report" in names(registry)
    told = str(registry.cause("report", "command"))
    assert told.startswith("command 'report': plugin 'documents' of scrutable cannot be used, which offers it: it is b")


def test_a_command_of_a_group_that_there_is_not(third: Third) -> None:
    point = third("a-lender", "part", group="no-such")
    registry = Registry([*OURS, point])
    assert [each.reason for each in registry.failures] == ["command 'no-such part' is of a group that there is not"]
    assert names(registry, "no-such") == []
    point = third("b-lender", "part", group="strategy")
    assert Registry([*OURS, point], blocked={"shell": VARIABLE}).failures == []


def test_what_cannot_be_imported_says_whose_it_is(third: Third) -> None:
    third("a-lender", "fine")
    with pytest.raises(PluginError, match=r"^strategy command 'x': its code cannot be imported; got .*ModuleNotFound"):
        Command(name="x", group="strategy", path="no_such_module:run", summary="").load()
