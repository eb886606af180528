"""Names that several distributions claim: ours stay ours, others are reached with their distribution before them."""

from __future__ import annotations

import signal
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.errors import InputError, PluginError
from scrutable.plugins.bases import Exporter, Learner
from scrutable.plugins.disabling import VARIABLE, disabled
from scrutable.plugins.origins import packages
from scrutable.plugins.own_names import own_commands, own_components
from scrutable.plugins.registry import GROUP, Registry
from scrutable.proof.runners import exporter_name
from scrutable.writing.settings import PLACE

Third = Callable[..., EntryPoint]
MODULE = """
from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl
from scrutable.plugins import bases

class Made(bases.{base}):
    __abstractmethods__ = frozenset()

    def __init__(self, bins=5):
        self.bins = bins

@hookimpl
def scrutable_{kind}s():
    return [Component(name={offers!r}, kind={kind!r}, path="{module}:Made", summary="A test."{more})]
"""
BASES = {each.__name__.lower(): each for each in (Exporter, Learner)}
OURS = [point for point in metadata.entry_points(group=GROUP) if point.dist and point.dist.name == "scrutable"]


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Third]:
    """Write a distribution with a plugin, and return its entry point."""
    monkeypatch.syspath_prepend(tmp_path)
    written: list[str] = []

    def make(
        distribution: str,
        offers: str = "scorecard",
        *,
        kind: str = "learner",
        more: str = "",
        before: str = "",
        plugin: str = "their",
        calls_itself: str | None = None,
    ) -> EntryPoint:
        module = f"third_{distribution.replace('-', '_')}_{len(written)}"
        written.append(module)
        code = before + textwrap.dedent(MODULE).format(
            module=module, kind=kind, offers=offers, more=more, base=BASES[kind].__name__
        )
        (tmp_path / f"{module}.py").write_text(code)
        info = tmp_path / f"{distribution.replace('-', '_')}-1.5.dist-info"
        info.mkdir(exist_ok=True)
        name = calls_itself or distribution
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n"
            "Project-URL: Homepage, https://example.org\nProject-URL: Bug Tracker, https://example.org/bugs\n"
        )
        (info / "entry_points.txt").write_text(f"[scrutable]\n{plugin} = {module}\n")
        [point] = metadata.Distribution.at(info).entry_points
        return point

    yield make
    for module in written:
        sys.modules.pop(module, None)


def test_a_newcomer_does_not_take_a_first_party_name(third: Third) -> None:
    with pytest.warns(UserWarning, match=r"learner 'scorecard' is Scrutable's own; plugin 'their' of a-lender 1\.5 is"):
        registry = Registry([*OURS, third("a-lender")])
    assert registry.failures == []
    assert registry.listing("learner", "scorecard").distribution == "scrutable"
    assert registry.load("learner", "A_Lender:scorecard").__name__ == "Made"
    assert registry.create("learner", "a-lender:scorecard", bins=7).bins == 7
    assert registry.listing("learner", "scrutable:scorecard") is registry.listing("learner", "scorecard")
    assert {"scorecard", "a-lender:scorecard"} <= set(registry.names("learner"))


@pytest.mark.parametrize("count", [2, 3])
def test_third_parties_that_claim_one_name_are_both_shown_and_reached(third: Third, count: int) -> None:
    homes = ["a-lender", "b-lender", "c-lender"][:count]
    registry = Registry([third(home, "fine") for home in homes])
    assert registry.names("learner") == [f"{home}:fine" for home in homes]
    for home in homes:
        assert registry.listing("learner", f"{home}:fine").distribution == home
    with pytest.raises(PluginError) as raised:
        registry.component("learner", "fine")
    claimed = " and ".join(f"plugin 'their' of {home} 1.5" for home in homes)
    names = " or ".join(f"'{home}:fine'" for home in homes)
    assert str(raised.value) == f"learner 'fine': claimed by {claimed}. Fix: say which: {names}."
    assert Registry([third("a-lender", "fine")]).listing("learner", "a-lender:fine").name == "fine"


def test_the_order_of_plugins_decides_nothing(third: Third) -> None:
    rivals = [third("a-lender", plugin="aaa"), third("z-lender", plugin="zzz")]
    for points in ([*OURS, *rivals], [*reversed(rivals), *OURS]):
        with pytest.warns(UserWarning, match=r"reached as 'a-lender:scorecard' or 'z-lender:scorecard'"):
            registry = Registry(points)
        assert registry.listing("learner", "scorecard").first_party


def test_files_record_a_name_that_stays(third: Third) -> None:
    registry = Registry([*OURS, third("a-lender", "fine")])
    assert registry.recorded("learner", "fine") == "a-lender:fine"
    assert registry.recorded("learner", "scorecard") == "scorecard"


def test_a_distribution_that_calls_itself_scrutable_is_refused(third: Third) -> None:
    liar = third("honest-cards", "own", calls_itself="Scrutable")
    registry = Registry([*OURS, liar])
    assert [failure.reason for failure in registry.failures] == [
        "its metadata say that it is of scrutable, which does not list it."
    ]
    assert "own" not in registry.names("learner")


def test_an_engine_belongs_to_scrutable_whoever_claims_it(third: Third) -> None:
    """An exporter that came later in the alphabet took `verify --engine duckdb`, and nothing ran."""
    claimant = third("zz-lender", "zz-files", kind="exporter", more=", engines=('DuckDB', 'own')")
    with pytest.warns(UserWarning, match=r"engine 'duckdb' is Scrutable's own; .* reached as 'zz-lender:duckdb'"):
        registry = Registry([*OURS, claimant])
    assert registry.engines["duckdb"].name == "sql"
    assert registry.engines["own"].name == "zz-files"
    assert [conflict.name for conflict in registry.conflicts] == ["duckdb"]


def test_a_blocked_plugin_is_not_loaded_and_says_why(third: Third) -> None:
    points = [third("a-lender", "fine", plugin="one", before="1 / 0\n"), third("b-lender", "other", plugin="two")]
    for blocked in ("one", "A_Lender", "a-lender:one"):
        registry = Registry(points, blocked={blocked: VARIABLE})
        assert registry.failures == []
        assert registry.names("learner") == ["other"]
        with pytest.raises(PluginError, match=r"plugin 'one' of a-lender .*: it is blocked by SCRUTABLE_DISABLE"):
            registry.component("learner", "zzz")


def test_blocked_plugins_are_named_by_the_environment_and_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv(PLACE, str(settings))
    monkeypatch.setenv(VARIABLE, "one, two,")
    with pytest.warns(
        UserWarning, match=r"SCRUTABLE_SETTINGS names '.*settings.toml', which is no file, so no setting"
    ):
        assert disabled() == {"one": VARIABLE, "two": VARIABLE}
    settings.write_text('disable = ["three"]')
    assert disabled()["three"] == f"file {str(settings)!r}"
    for wrong, told in (("disable = 'one'", "not a list of names"), ("enable = []", "no such setting; got 'enable'")):
        settings.write_text(wrong)
        with pytest.raises(InputError, match=told):
            disabled()


def test_the_cause_stands_first_however_many_plugins_there_are(third: Third) -> None:
    long = "raise RuntimeError('it is broken ' * 100)\n"
    registry = Registry([*OURS, third("a-lender", "fine", before=long)])
    with pytest.raises(PluginError) as raised:
        registry.component("learner", "fine")
    told = str(raised.value)
    assert told.startswith(
        "learner 'fine': plugin 'their' of a-lender cannot be used, which may have offered it: RuntimeError: it is "
    )
    assert "report it to its makers: https://example.org/bugs" in told
    assert len(told) < 700


def test_the_cause_stands_first_of_engines_too(third: Third, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exporter that failed or was blocked left "no exporter runs on it", and every engine there is."""
    points = [
        third("a-lender", "fine", kind="exporter", more=", engines=('tiny-db',)", plugin="tiny"),
        third("b-lender", "other", plugin="other", before="raise RuntimeError('it is broken ' * 100)\n"),
    ]
    registry = Registry([*OURS, *points], blocked={"tiny": VARIABLE})
    monkeypatch.setattr("scrutable.proof.runners.registry", lambda: registry)
    told = {}
    for name in ("tiny-db", "b-lender:else", "duckbd", "zebra"):
        with pytest.raises(InputError) as raised:
            exporter_name(name)
        told[name] = str(raised.value)
    blocked = "engine: plugin 'tiny' of a-lender cannot be used, which may have offered it: it is blocked by SCRUTABLE"
    failed = "engine: plugin 'other' of b-lender cannot be used, which may have offered it: RuntimeError: it is broken"
    assert told["tiny-db"].startswith(blocked)
    assert told["b-lender:else"].startswith(failed)
    assert len(told["b-lender:else"]) < 700
    assert "Fix: did you mean 'duckdb'" in told["duckbd"]
    assert "if one that cannot be used was to offer it (plugin 'other' of b-lender and plugin 'tiny'" in told["zebra"]


def test_an_import_that_takes_seconds_is_told(third: Third) -> None:
    point = third("a-lender", "fine")
    times = iter([0.0, 3.25])
    with pytest.warns(UserWarning, match=r"plugin 'their' of a-lender: its import takes 3\.2 s, which every command"):
        registry = Registry([point], clock=lambda: next(times))
    assert [each.plugin for each in registry.slow] == ["their"]
    assert registry.names("learner") == ["fine"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Registry([point], clock=lambda: 0.0).slow == []


@pytest.fixture
def heeding_ctrl_c() -> Iterator[None]:
    """Handles the signal as a terminal's processes do; those that a shell starts in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_ctrl_c_during_an_import_still_ends_it(third: Third) -> None:
    pressed = third("a-lender", "fine", before="import signal\nsignal.raise_signal(signal.SIGINT)\n")
    with pytest.raises(KeyboardInterrupt):
        Registry([pressed])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_plugin_may_not_interrupt_from_another_thread(third: Third) -> None:
    point = third("a-lender", "fine", before="raise KeyboardInterrupt\n")
    found: list[Registry] = []
    thread = threading.Thread(target=lambda: found.append(Registry([point])))
    thread.start()
    thread.join()
    assert [failure.reason for failure in found[0].failures] == [
        "its code raised KeyboardInterrupt, and nobody pressed Ctrl-C."
    ]


def test_the_plugin_that_a_name_is_like_is_the_likeliest_cause(third: Third) -> None:
    points = [third("a-lender", "fine", plugin="aaa", before="1 / 0\n"), third("b-lender", "tiny-card", plugin="tiny")]
    with pytest.warns(
        UserWarning, match="plugin 'no-such': SCRUTABLE_DISABLE names it, and no plugin here is called so"
    ):
        registry = Registry([*OURS, *points], blocked={"tiny": VARIABLE, "no-such": VARIABLE})
    with pytest.raises(PluginError) as raised:
        registry.component("learner", "tiny-card")
    assert str(raised.value) == (
        "learner 'tiny-card': plugin 'tiny' of b-lender cannot be used, which may have offered it: it is blocked "
        "by SCRUTABLE_DISABLE; 2 more cannot be used. "
        "Fix: take it out of SCRUTABLE_DISABLE; scrutable plugins doctor tells more."
    )
    assert registry.blocked[-1].reason == "SCRUTABLE_DISABLE names it, and no plugin here is called so"


def test_a_name_of_ours_that_is_blocked_is_not_given_to_a_newcomer(
    third: Third, monkeypatch: pytest.MonkeyPatch
) -> None:
    rivals = [third("a-lender"), third("b-lender", "b", kind="exporter", more=", engines=('DuckDB',)", plugin="b")]
    with pytest.warns(UserWarning, match="is Scrutable's own"):
        registry = Registry([*OURS, *rivals], blocked={"scorecard": VARIABLE, "sql": VARIABLE})
    assert "scorecard" not in registry.names("learner")
    assert registry.create("learner", "a-lender:scorecard").bins == 5
    for name in ("scorecard", "scrutable:scorecard"):
        with pytest.raises(PluginError, match=r"plugin 'scorecard' of scrutable cannot be used.*SCRUTABLE_DISABLE"):
            registry.load("learner", name)
    monkeypatch.setattr("scrutable.proof.runners.registry", lambda: registry)
    for engine in ("duckdb", "DuckDB", "scrutable:duckdb"):
        with pytest.raises(
            InputError, match=r"plugin 'sql' of scrutable cannot be used, which runs on it: it is block"
        ):
            exporter_name(engine)
    assert exporter_name("b-lender:duckdb") == "b-lender:b" or exporter_name("b-lender:duckdb") == "b"


def test_a_name_of_ours_that_fails_is_not_given_to_a_newcomer(
    third: Third, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half an upgrade gave `duckdb` to whoever claimed it, and a certificate passed without any engine."""
    rivals = [third("a-lender"), third("b-lender", "b", kind="exporter", more=", engines=('DuckDB',)", plugin="b")]
    for plugin in ("scorecard", "sql"):
        (tmp_path / f"scrutable_{plugin}.py").write_text("raise ImportError('half-upgraded')")
        monkeypatch.delitem(sys.modules, f"scrutable_{plugin}", raising=False)
    with pytest.warns(UserWarning, match="is Scrutable's own"):
        registry = Registry([*OURS, *rivals])
    for plugin in ("scorecard", "sql"):
        monkeypatch.delitem(sys.modules, f"scrutable_{plugin}", raising=False)
    assert registry.create("learner", "a-lender:scorecard").bins == 5
    for name in ("scorecard", "scrutable:scorecard"):
        with pytest.raises(
            PluginError, match=r"plugin 'scorecard' of scrutable cannot be used, which offers it: Impor"
        ):
            registry.load("learner", name)
    monkeypatch.setattr("scrutable.proof.runners.registry", lambda: registry)
    with pytest.raises(InputError, match=r"plugin 'sql' of scrutable cannot be used, which runs on it: ImportError: "):
        exporter_name("duckdb")


def test_the_names_of_ours_are_those_of_the_descriptors() -> None:
    registry = Registry(OURS)
    listings = [*registry.listings(), *registry.additions()]
    offered = {(each.plugin, each.component.kind, each.component.name): each.component.engines for each in listings}
    kept = {
        (plugin, each.kind, each.name): each.engines
        for plugin in {point.name for point in OURS}
        for each in own_components(plugin)
    }
    assert kept == offered
    commands = {(each.plugin, each.descriptor.words) for each in registry.commands()}
    assert {(point.name, each.words) for point in OURS for each in own_commands(point.name)} == commands


def test_no_plugin_is_blamed_for_a_name_that_is_like_none(third: Third) -> None:
    registry = Registry([third("a-lender", before="1 / 0\n"), third("b-lender", plugin="other", before="1 / 0\n")])
    with pytest.raises(PluginError) as raised:
        registry.component("learner", "zebra")
    assert str(raised.value) == (
        "unknown learner; got 'zebra'. Fix: if one that cannot be used was to offer it (plugin 'other' of b-lender and "
        "plugin 'their' of a-lender), scrutable plugins doctor tells why."
    )


def test_engines_are_reached_by_name_or_with_their_distribution(third: Third, monkeypatch: pytest.MonkeyPatch) -> None:
    def exporter(home: str, name: str, *engines: str) -> EntryPoint:
        return third(home, name, kind="exporter", more=f", engines={engines!r}")

    points = [exporter("a-lender", "sql", "duckdb"), exporter("b-lender", "b", "tiny")]
    points += [exporter("c-lender", "c", "tiny"), exporter("d-lender", "d", "both"), exporter("d-lender", "e", "both")]
    with pytest.warns(UserWarning, match="is Scrutable's own"):
        found = Registry([*OURS, *points])
    monkeypatch.setattr("scrutable.proof.runners.registry", lambda: found)
    reached = {
        "duckdb": "sql",
        "duckdb:///a.db": "sql",
        "scrutable:duckdb": "sql",
        "a-lender:duckdb": "a-lender:sql",
        "A_Lender:duckdb:///a.db": "a-lender:sql",
        "b-lender:tiny": "b-lender:b",
        "c-lender:tiny": "c-lender:c",
    }
    assert {engine: exporter_name(engine) for engine in reached} == reached
    with pytest.raises(InputError, match=r"engine 'tiny' is claimed by .*; say which: 'b-lender:tiny' or 'c-lender:ti"):
        exporter_name("tiny")
    with pytest.raises(InputError, match="engine 'both' is offered more than once by d-lender, so it is nobody's"):
        exporter_name("both")
    with pytest.raises(InputError, match="no exporter runs on it; got 'z-lender:duckdb'"):
        exporter_name("z-lender:duckdb")


def test_who_names_our_own_module_as_a_plugin_is_not_ours(third: Third, tmp_path: Path) -> None:
    third("a-lender")
    info = tmp_path / "a_lender-1.5.dist-info"
    [ours] = [point for point in OURS if point.name == "quantile"]
    (info / "entry_points.txt").write_text(f"[scrutable]\n{ours.name} = {ours.value}\n")
    [copied] = metadata.Distribution.at(info).entry_points
    for points in ([copied, *OURS], [*OURS, copied]):
        with pytest.warns(UserWarning, match=r"reached as 'a-lender:quantile'"):
            registry = Registry(points)
        assert registry.listing("binner", "quantile").distribution == "scrutable"
        assert not registry.listing("binner", "a-lender:quantile").first_party
        assert packages(points)["scrutable_quantile"].distribution == "scrutable"
