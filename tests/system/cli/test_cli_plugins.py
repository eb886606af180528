"""`scrutable plugins`: found by entry point alone, nothing heavy imported, failures shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from scrutable.plugins.component import ADDITIONS, KINDS
from scrutable.plugins.registry import GROUP, Listing, Registry, registry

HEAVY = {"sklearn", "pandas", "numpy", "scipy", "pyarrow", "xgboost", "lightgbm", "optbinning", "onnx", "fairlearn"}


def list_process(*site: Path) -> subprocess.CompletedProcess[str]:
    """A new process that lists, with these folders before all others on the path."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, site))}
    command = [sys.executable, "-m", "scrutable.cli", "plugins", "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def listed(*site: Path) -> dict[str, Any]:
    """What a new process lists."""
    done = list_process(*site)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def keys(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(component["kind"], component["name"]) for component in found["components"]]


def install(site: Path, name: str, code: str, *requires: str) -> None:
    """A plugin package and the metadata of a distribution that names it."""
    (site / f"{name}.py").write_text(code)
    info = site / f"{name}-1.5.dist-info"
    info.mkdir()
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n{needs}")
    (info / "entry_points.txt").write_text(f"[scrutable]\n{name} = {name}\n")


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    return listed()


def test_every_first_party_component_is_listed_by_its_entry_point(everything: dict[str, Any]) -> None:
    points = {point.name for point in metadata.entry_points(group="scrutable") if point.dist.name == "scrutable"}
    offered = [each for part in ("components", "additions", "commands") for each in everything[part]]
    assert {each["plugin"] for each in offered} == points
    assert keys(everything) == [(each.component.kind, each.component.name) for each in registry().listings()]
    assert {kind for kind, _ in keys(everything)} == set(KINDS)
    assert {each["kind"] for each in everything["additions"]} == set(ADDITIONS)
    assert {component["version"] for component in everything["components"]} == {metadata.version("scrutable")}
    assert everything["failures"] == []


def test_the_list_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom scrutable.cli import main\nsys.argv = ['scrutable', 'plugins']\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "fairness-information-value" in done.stdout
    imported = set(done.stderr.split())
    assert {"scrutable.plugins.registry", "typer", "scrutable_scorecard"} <= imported
    assert imported & HEAVY == set()


def test_removing_one_entry_point_removes_exactly_that_plugin(tmp_path: Path, everything: dict[str, Any]) -> None:
    [source] = [Path(str(f.locate())) for f in metadata.files("scrutable") or () if f.name == "entry_points.txt"]
    lines = source.read_text().splitlines()
    assert "fairness = scrutable_fairness" in lines
    shadow = tmp_path / source.parent.name
    shadow.mkdir()
    (shadow / "METADATA").write_text((source.parent / "METADATA").read_text())
    (shadow / "entry_points.txt").write_text("\n".join(line for line in lines if not line.startswith("fairness =")))
    rest = listed(tmp_path)
    assert rest["components"] == [each for each in everything["components"] if each["plugin"] != "fairness"]
    assert rest["components"] != everything["components"]
    assert rest["failures"] == []


POINTS = metadata.entry_points(group=GROUP)


@pytest.mark.parametrize("gone", sorted(POINTS.names))
def test_no_plugin_needs_another_to_be_found(gone: str) -> None:
    rest = Registry(point for point in POINTS if point.name != gone)
    before, after = ([*each.listings(), *each.additions(), *each.commands()] for each in (registry(), rest))
    assert after == [each for each in before if each.plugin != gone] != before
    assert rest.failures == []


def test_a_plugin_that_ends_the_process_or_prints_as_it_is_imported_harms_nothing(
    tmp_path: Path, everything: dict[str, Any]
) -> None:
    install(tmp_path, "quitter", "raise SystemExit(3)")
    nothing = "from scrutable.plugins.hookspecs import hookimpl\n@hookimpl\ndef scrutable_binners():\n    return []\n"
    install(tmp_path, "chatty", f"print('hello')\n{nothing}")
    done = list_process(tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "hello\n")
    assert found["components"] == everything["components"]
    assert found["failures"] == [{"plugin": "quitter", "reason": "its code raised SystemExit; got '3'."}]


def test_a_plugin_that_fails_and_one_with_a_taken_name_break_nothing_else(
    tmp_path: Path, everything: dict[str, Any]
) -> None:
    install(tmp_path, "broken", "import no_such_library")
    install(
        tmp_path,
        "rival",
        "from scrutable.plugins.component import Component\n"
        "from scrutable.plugins.hookspecs import hookimpl\n"
        "@hookimpl\n"
        "def scrutable_learners():\n"
        "    made = [Component(name=n, kind='learner', path='rival:C', summary='s') for n in ('scorecard', 'own')]\n"
        "    return made\n",
    )
    done = list_process(tmp_path)
    found = json.loads(done.stdout)
    own = "learner 'scorecard' is Scrutable's own; plugin 'rival' of rival 1.5 is reached as 'rival:scorecard'"
    assert (done.returncode, " ".join(done.stderr.split())) == (0, f"Note: {own}")
    assert sorted(keys(found)) == sorted([*keys(everything), ("learner", "own"), ("learner", "rival:scorecard")])
    assert found["failures"] == [
        {"plugin": "broken", "reason": "ModuleNotFoundError: No module named 'no_such_library'"}
    ]
    assert found["conflicts"] == [{"what": "learner", "name": "scorecard", "reason": own}]
    [own] = [component for component in found["components"] if component["name"] == "own"]
    assert (own["plugin"], own["distribution"], own["version"]) == ("rival", "rival", "1.5")


def test_the_table_names_components_extras_and_failures(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrutable.plugins.registry import Failure

    monkeypatch.setattr(registry(), "failures", [Failure("broken", "ImportError: no such thing")])
    result = run("plugins")
    assert result.exit_code == 0
    assert [name for kind in KINDS for name in registry().names(kind) if name not in result.stdout] == []
    assert "sql ✓" in result.stdout
    assert "Failed (1)" in result.stdout
    assert "ImportError: no such thing" in result.stdout


def test_a_missing_extra_is_shown_with_what_installs_it(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrutable.plugins.component._found", lambda module: module != "sqlglot")
    result = run("plugins")
    assert "sql missing" in result.stdout
    assert "exporter sql lacks sqlglot: pip install 'scrutable[sql]'" in result.stdout


def test_one_component_is_shown_with_its_options(run: Callable[..., Any]) -> None:
    result = run("plugins", "show", "quantile")
    assert result.exit_code == 0
    assert "binner quantile" in result.stdout
    assert "max_bins" in result.stdout
    [described] = json.loads(run("plugins", "show", "quantile", "--json").stdout)["components"]
    option = described["options"]["min_share"]
    assert option["default"] == "0.02"
    assert option["meaning"] in " ".join(result.stdout.split())
    assert described["installed"] is True


@pytest.mark.parametrize("listing", registry().listings(), ids=lambda listing: listing.component.name)
def test_every_option_says_what_it_means(run: Callable[..., Any], listing: Listing) -> None:
    described = json.loads(run("plugins", "show", listing.component.name, "--json").stdout)["components"]
    [entry] = [each for each in described if each["kind"] == listing.component.kind]
    assert [name for name, option in entry["options"].items() if not option["meaning"]] == []


@pytest.mark.parametrize("name", ["opportunity", "demographic-parity", "adverse-impact-ratio", "equal-opportunity"])
def test_options_of_a_base_say_what_they_mean(run: Callable[..., Any], name: str) -> None:
    [described] = json.loads(run("plugins", "show", name, "--json").stdout)["components"]
    assert [option for option, its in described["options"].items() if its["meaning"].startswith("as in")] == []
    assert described["options"]["compare"]["meaning"].startswith('"reference" bounds every group against')


def test_an_unknown_component_gets_a_suggestion(run: Callable[..., Any]) -> None:
    result = run("plugins", "show", "quantil")
    assert result.exit_code == 2
    assert "did you mean 'quantile'?" in result.stderr


def test_a_component_says_what_it_does_by_default(run: Callable[..., Any]) -> None:
    printed = " ".join(run("plugins", "show", "adverse-impact-ratio").stdout.split())
    assert "By default this is one-sided" in printed
    assert 'compare="pairs" bounds the quotient of any two groups both ways' in printed
    assert "Raises" not in printed
    [entry] = json.loads(run("plugins", "show", "adverse-impact-ratio", "--json").stdout)["components"]
    assert entry["about"][0] == "Approval rates that are at least `ratio` times the reference's."


def test_a_component_is_checked_with_a_line_for_each_check(run: Callable[..., Any]) -> None:
    result = run("plugins", "check", "demographic-parity")
    assert result.exit_code == 0, result.output
    assert "constraint demographic-parity passes" in result.stdout
    [report] = json.loads(run("plugins", "check", "demographic-parity", "--json").stdout)
    assert report["passed"] is True
    assert report["name"] == "demographic-parity"
    assert [each["check"] for each in report["outcomes"] if each["check"] not in result.stdout] == []


def test_a_failed_check_says_why_and_how_to_mend_it(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    wordless = replace(registry().component("constraint", "opportunity"), summary="two\nlines")
    listing = replace(registry().listing("constraint", "opportunity"), descriptor=wordless)
    monkeypatch.setattr(registry(), "listings", lambda _: [listing])
    result = run("plugins", "check", "--kind", "constraint")
    assert result.exit_code == 1
    assert "constraint opportunity fails" in result.stdout
    assert "its-summary-is-a-line" in result.stdout
    assert "Hint: " in result.stdout
    assert "it-can-be-made" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["oportunity"], "did you mean 'opportunity'?"),
        (["opportunity", "--kind", "learner"], "unknown learner"),
        (["opportunity", "--kind", "lerner"], "did you mean 'learner'?"),
        (["no-such-thing-at-all"], "a package of your own is found once it is installed"),
    ],
)
def test_what_cannot_be_checked_is_refused(run: Callable[..., Any], arguments: list[str], said: str) -> None:
    result = run("plugins", "check", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_old_hooks_are_remarked_upon(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from scrutable.plugins.registry import Failure

    monkeypatch.setattr(registry(), "deprecations", [Failure("aged", "the hook scrutable_scorers is replaced")])
    assert "plugin aged: the hook scrutable_scorers is replaced" in run("plugins", "list").stderr
    diagnosed = run("plugins", "doctor")
    assert diagnosed.exit_code == 0
    assert "old hook" in diagnosed.stdout


def test_the_doctor_finds_nothing_here(run: Callable[..., Any]) -> None:
    result = run("plugins", "doctor")
    assert (result.exit_code, result.stdout) == (0, "Nothing is wrong.\n")
    assert json.loads(run("plugins", "doctor", "--json").stdout) == []


def test_the_doctor_names_failures_conflicts_and_clashes(tmp_path: Path) -> None:
    rival = (
        "from scrutable.plugins.component import Component\nfrom scrutable.plugins.hookspecs import hookimpl\n"
        "@hookimpl\ndef scrutable_learners():\n"
        "    return [Component(name='scorecard', kind='learner', path='rival:C', summary='s')]\n"
    )
    lacking = rival.replace("scorecard", "own").replace("summary", "requires=('no_such_library',), summary")
    for name, code in {"broken": "import no_such_library", "rival": rival, "lacking": lacking}.items():
        install(tmp_path, name, code)
    with (tmp_path / "lacking-1.5.dist-info" / "METADATA").open("a") as metadata_file:
        metadata_file.write("Requires-Dist: numpy>=99\nRequires-Dist: no-such-distribution\nRequires-Dist: pandas<9\n")
        metadata_file.write("Requires-Dist: no-such-library; extra == 'own'\nRequires-Dist: rich[no-extra]\n")
        metadata_file.write("Requires-Dist: not a requirement !\nRequires-Dist: rich[jupyter]>=1\n")
    (tmp_path / "half_removed-1.0.dist-info").mkdir()
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "scrutable.cli", "plugins", "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1, done.stderr
    told = [each for each in json.loads(done.stdout) if not each["reason"].startswith("the machine lacks")]
    found = {(each["severity"], each["what"], each["where"]): each for each in told}
    assert sorted(found) == [
        ("fault", "failure", "plugin 'broken'"),
        ("fault", "version clash", "distribution 'lacking'"),
        ("remark", "conflict", "learner 'scorecard'"),
        ("remark", "missing library", "learner 'own'"),
    ]
    clashes = [each["reason"] for each in json.loads(done.stdout) if each["what"] == "version clash"]
    assert clashes == [
        f"it requires numpy>=99, and {metadata.version('numpy')} is installed",
        "it requires no-such-distribution, and none is installed",
        "a requirement that cannot be read: not a requirement !",
        "it requires rich[jupyter]>=1, which needs ipywidgets<9,>=7.5.1, and none is installed",
    ]


def test_the_advice_of_the_doctor_does_not_contradict_the_reason(tmp_path: Path) -> None:
    """It said "upgrade the plugin" of plugins that were too new for this release."""
    install(tmp_path, "newer", "SCRUTABLE_HOOKS = 9", "rich<2")
    install(tmp_path, "wanting", "from scrutable.plugins.bases import NotYetThere", "scrutable>=9")
    install(tmp_path, "hoping", "import scrutable.not_yet_there")
    install(tmp_path, "faulty", "1 / 0", "numpy<1")
    install(tmp_path, "lacking", "import no_such_library", "no-such-library>=1", "numpy<1")
    install(tmp_path, "mute", "raise OSError('libgomp.so.1: cannot open shared object file: No such file')")
    install(tmp_path, "interrupting", "raise KeyboardInterrupt")
    with (tmp_path / "interrupting-1.5.dist-info" / "METADATA").open("a") as metadata_file:
        metadata_file.write("Project-URL: Issues, https://example.org/issues\n")
    install(tmp_path, "unwanted", "raise RuntimeError('loaded')")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "SCRUTABLE_DISABLE": "unwanted"}
    command = [sys.executable, "-m", "scrutable.cli", "plugins", "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1, done.stderr
    advice = {each["where"]: (each["reason"], each["fix"]) for each in json.loads(done.stdout)}
    reason, fix = advice["plugin 'newer'"]
    assert (reason.endswith("Fix: upgrade scrutable."), fix) == (True, "upgrade scrutable")
    assert {name: advice[f"plugin '{name}'"][1] for name in ("wanting", "hoping", "faulty", "lacking", "mute")} == {
        "wanting": "pip install 'scrutable>=9'",
        "hoping": "upgrade scrutable, or hoping if that is the older of them",
        "faulty": "upgrade or uninstall faulty; report it to its makers",
        "lacking": "pip install 'no-such-library>=1'",
        "mute": "install it, on Debian or Ubuntu: apt-get install libgomp1",
    }
    command = [sys.executable, "-m", "scrutable.cli", "plugins", "show", "lacking-bins"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "pip install 'no-such-library>=1'; scrutable plugins doctor tells more" in " ".join(shown.stderr.split())
    assert advice["plugin 'interrupting'"] == (
        "its code raised KeyboardInterrupt, and nobody pressed Ctrl-C.",
        "upgrade or uninstall interrupting; report it to its makers: https://example.org/issues",
    )
    assert advice["plugin 'unwanted'"] == ("it is blocked by SCRUTABLE_DISABLE", "take it out of SCRUTABLE_DISABLE")
