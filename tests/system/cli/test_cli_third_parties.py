"""A third party's distribution beside ours: claimed names, faults in its code, names in files, policies of its own."""

from __future__ import annotations

import json
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from scrutable.model import load, load_evidence
from scrutable.plugins import origins
from scrutable.plugins.registry import registry

Run = Callable[..., Any]
LIGHT = """
from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl

def offered(name, kind, cls, **more):
    return Component(name=name, kind=kind, path=f"third_party_lender.code:{cls}", summary="A test.", **more)

@hookimpl
def scrutable_learners():
    return [offered("their-card", "learner", "TheirCard"), offered("failing", "learner", "Failing")]

@hookimpl
def scrutable_binners():
    return [offered("quantile", "binner", "TheirBinner"), offered("their-bins", "binner", "TheirBinner")]

@hookimpl
def scrutable_explainers():
    named = {"weakest-last": "Weakest"}
    named |= {name: name.capitalize() for name in ("plain", "unwilling", "leaving", "empty", "careless")}
    return [offered(name, "explainer", cls) for name, cls in named.items()]

@hookimpl
def scrutable_exporters():
    elsewhere = [
        Component(name=name, kind="exporter", path=f"lender_elsewhere:{cls}", summary="A test.", engines=(name,))
        for name, cls in {
            "far": "Far",
            "far-leaving": "FarLeaving",
            "far-odd": "FarOdd",
            "far-interrupting": "FarInterrupting",
            "far-pressed": "FarPressed",
            "far-reading": "FarReading",
        }.items()
    ]
    return [offered("zz-files", "exporter", "Boasting", engines=("duckdb",)), *elsewhere]
"""
ELSEWHERE = """
import signal
import sys

from third_party_lender.code import Boasting


class Far(Boasting):
    pass


class FarLeaving(Boasting):
    def run(self, export, X):
        sys.exit(0)


class FarOdd(Boasting):
    def run(self, export, X):
        raise BaseException("odd")


class FarInterrupting(Boasting):
    def run(self, export, X):
        raise KeyboardInterrupt


class FarPressed(Boasting):
    def run(self, export, X):
        signal.raise_signal(signal.SIGINT)


class FarReading(Boasting):
    def run(self, export, X):
        return open("/no/such/file")
"""
CODE = """
from dataclasses import replace

from scrutable.plugins.bases import Explainer, Export, Exporter
from scrutable.errors import InputError
from scrutable.model.evaluator import evaluate
from scrutable_quantile.binner import QuantileBinner
from scrutable_reason_codes.explainer import ReasonCodes
from scrutable_scorecard.learner import ScorecardClassifier


class TheirBinner(QuantileBinner):
    pass


class TheirCard(ScorecardClassifier):
    pass


class Failing(ScorecardClassifier):
    def learn(self, data):
        return {}["nothing"]


class Weakest(Explainer):
    def __init__(self, k=3):
        self.k = k

    def explain(self, model, X, *, reference=None):
        return []

    def policy(self, model, reference, *, weight=None):
        return replace(ReasonCodes(k=self.k).policy(model, reference), method="weakest-last")


class Plain(Explainer):
    def explain(self, model, X, *, reference=None):
        return []

    def policy(self, model, reference, *, weight=None):
        if reference is None:
            raise InputError("its baselines come from applicants", where="reference", fix="name some")
        policy = ReasonCodes(codes={}, k=1).policy(model, reference)
        return replace(policy, method="plain")


class Careless(Plain):
    def policy(self, model, reference, *, weight=None):
        return evaluate(model, reference).points


class Empty(Plain):
    def policy(self, model, reference, *, weight=None):
        return None


class Unwilling(Explainer):
    def explain(self, model, X, *, reference=None):
        raise RuntimeError("not today")


class Leaving(Explainer):
    def explain(self, model, X, *, reference=None):
        raise SystemExit(0)


class Boasting(Exporter):
    def export(self, model, *, evidence=None):
        return Export(model=model, files={"nothing.txt": "nothing"})

    def run(self, export, X):
        return evaluate(export.model, X).frame()

    def engine(self):
        return "DuckDB 9.9.9"
"""
METADATA = """Metadata-Version: 2.1
Name: third-party-lender
Version: 2.5
Project-URL: Issues, https://example.org/lender/issues
"""
_MODULES = ("third_party_lender", "lender_elsewhere")
WHOSE = "plugin 'lender' of third-party-lender 2.5"


@pytest.fixture(scope="module", autouse=True)
def lender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The distribution, on the path of this process for as long as these tests run."""
    site = tmp_path_factory.mktemp("site")
    package, info = site / "third_party_lender", site / "third_party_lender-2.5.dist-info"
    for folder in (package, info):
        folder.mkdir()
    (package / "__init__.py").write_text(LIGHT)
    (package / "code.py").write_text(CODE)
    (site / "lender_elsewhere.py").write_text(ELSEWHERE)
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text("[scrutable]\nlender = third_party_lender\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        _forget()
        yield
    _forget()
    for name in [name for name in sys.modules if name.partition(".")[0] in _MODULES]:
        del sys.modules[name]


def _forget() -> None:
    registry.cache_clear()
    origins._packages.cache_clear()


def test_an_engine_stays_with_its_owner_and_the_certificate_names_who_ran(run: Run, model: Path) -> None:
    """The exporter that came last in the alphabet took the name, and "DuckDB … passed" without any engine."""
    result = run("verify", model, "--engine", "duckdb", "--rows", 20, "--json")
    assert result.exit_code == 0, result.output
    [ran] = json.loads(result.stdout)["runs"]
    assert (ran["exporter"], ran["distribution"], ran["attested"]) == (
        "scrutable_sql.exporter.SQLExporter",
        "scrutable",
        True,
    )
    theirs = run("verify", model, "--engine", "third-party-lender:duckdb", "--rows", 20)
    said = " ".join(theirs.stdout.split())
    assert "DuckDB 9.9.9 is unattested: only the exporter held the connection, and says what it is" in said
    assert "third_party_lender.code.Boasting of third-party-lender 2.5" in said


def test_a_conflict_is_noted_by_every_command_that_looks_for_plugins(run: Run) -> None:
    registry.cache_clear()
    said = " ".join(run("plugins", "list").stderr.split())
    for name in ("binner 'quantile'", "engine 'duckdb'"):
        assert f"{name} is Scrutable's own; {WHOSE} is reached as 'third-party-lender:" in said


@pytest.mark.parametrize(
    ("arguments", "raised"),
    [
        (["fit", "{loans}", "--learner", "failing"], "KeyError in "),
        (["explain", "{model}", "{loans}", "--explainer", "unwilling"], "RuntimeError in "),
    ],
)
def test_an_error_in_the_code_of_a_plugin_is_told_as_the_plugins(
    run: Run, loans: Path, model: Path, fit_options: list[str], tmp_path: Path, arguments: list[str], raised: str
) -> None:
    asked = [each.format(loans=loans, model=model) for each in arguments]
    more = [*fit_options, "--output", tmp_path / "model.json"] if asked[0] == "fit" else []
    result = run(*asked, *more)
    said = " ".join(result.stderr.split())
    assert result.exit_code == 1
    assert f"the code of a plugin failed where: {WHOSE} got:" in said
    assert raised in said
    assert "third-party-lender; report it to its makers: https://example.org/lender/issues" in said
    assert "please report it" not in said


def test_a_plugin_that_ends_the_program_does_not_seem_to_have_succeeded(run: Run, loans: Path, model: Path) -> None:
    result = run("explain", model, loans, "--explainer", "leaving")
    assert result.exit_code == 2
    assert f"the code of a plugin ended the program where: {WHOSE} got:" in " ".join(result.stderr.split())


def test_code_in_another_package_than_the_entry_point_is_the_plugins(run: Run, model: Path) -> None:
    """It was nobody's: a certificate named no distribution, and who ended the program seemed to have succeeded."""
    result = run("verify", model, "--engine", "far", "--rows", 20, "--json")
    [ran] = json.loads(result.stdout)["runs"]
    assert (ran["exporter"], ran["distribution"], ran["version"]) == (
        "lender_elsewhere.Far",
        "third-party-lender",
        "2.5",
    )


@pytest.fixture
def heeding_ctrl_c() -> Iterator[None]:
    """Handles the signal as a terminal's processes do; those that a shell starts in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
@pytest.mark.parametrize(
    ("engine", "code", "what", "got"),
    [
        ("far-leaving", 2, "ended the program", "SystemExit: 0"),
        ("far-odd", 2, "ended the program", "BaseException: odd"),
        ("far-interrupting", 2, "ended the program", "KeyboardInterrupt, and nobody pressed Ctrl-C"),
        ("far-reading", 1, "failed", "FileNotFoundError in "),
    ],
)
def test_whatever_the_code_of_a_plugin_raises_names_the_plugin(
    run: Run, model: Path, engine: str, code: int, what: str, got: str
) -> None:
    result = run("verify", model, "--engine", engine, "--rows", 20)
    said = " ".join(result.stderr.split())
    assert result.exit_code == code
    assert f"the code of a plugin {what} where: {WHOSE} got:" in said
    assert got in said


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_ctrl_c_in_the_code_of_a_plugin_ends_the_command_quietly(run: Run, model: Path) -> None:
    result = run("verify", model, "--engine", "far-pressed", "--rows", 20)
    assert (result.exit_code, result.stderr) == (130, "")


def test_files_name_a_third_party_with_its_distribution(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    options = [*fit_options]
    options[options.index("quantile")] = "third-party-lender:quantile"
    paths = [tmp_path / name for name in ("model.json", "evidence.json", "fit.toml")]
    files = ["--output", paths[0], "--evidence", paths[1], "--save-config", paths[2]]
    result = run("fit", loans, *options, "--learner", "their-card", *files)
    assert result.exit_code == 0, result.output
    provenance = load(paths[0]).provenance
    assert provenance.learner == "third-party-lender:TheirCard"
    assert provenance.parameters["binner"]["class"] == "third-party-lender:TheirBinner"  # type: ignore[index,call-overload]  # JSON is of any shape
    config = tomllib.loads(paths[2].read_text())
    assert config["learner"]["name"] == "third-party-lender:their-card"
    assert config["binner"]["name"] == "third-party-lender:quantile"
    assert load_evidence(paths[1]).model_sha256


SEGMENTS = """
[learner]
name = "segmented"

[learner.options]
learner = { short = "their-card", long = "scorecard" }
options = { binner = "their-bins" }
segment_options = { short = { explainer = "weakest-last" }, long = { explainer = "reason-codes" } }

[learner.options.segments]
short = "duration_months < 18"
long = "else"
"""


def _segmented(loans: Path) -> str:
    """The config of a model of two segments, some of whose components are the third party's."""
    data = f'[data]\npath = {str(loans)!r}\ntarget = "credit_risk"\nfavourable = "good"\n'
    drop = 'protected = ["sex"]\ndrop = ["loan", "age", "personal_status", "marital_status", "foreign_worker"]\n'
    return f'{data}{drop}{SEGMENTS}[output]\nmodel = "whole.json"\n'


def test_files_name_a_third_party_within_options_with_its_distribution(run: Run, loans: Path, tmp_path: Path) -> None:
    """Only names at the top had it: what a segment learned by would have changed its meaning one day."""
    (tmp_path / "run.toml").write_text(_segmented(loans))
    saved = tmp_path / "saved.toml"
    result = run("fit", tmp_path / "run.toml", "--save-config", saved)
    assert result.exit_code == 0, result.output
    for options in (
        tomllib.loads(saved.read_text())["learner"]["options"],
        json.loads((tmp_path / "whole.json").read_text())["provenance"]["parameters"],
    ):
        assert options["learner"] == {"short": "third-party-lender:their-card", "long": "scorecard"}
        assert options["options"]["binner"] == "third-party-lender:their-bins"
        assert options["segment_options"]["short"]["explainer"] == "third-party-lender:weakest-last"
        assert options["segment_options"]["long"]["explainer"] == "reason-codes"


def test_a_policy_of_a_third_partys_explainer_is_taken_anew(run: Run, model: Path, loans: Path, tmp_path: Path) -> None:
    """Its method is none of reason codes, and there was no way to name the explainer."""
    theirs, again = tmp_path / "theirs.json", tmp_path / "again.json"
    first = run("reasons", model, "--reference", loans, "--explainer", "weakest-last", "--output", theirs)
    assert first.exit_code == 0, first.output
    policy = load(theirs).reasons
    assert (policy.method, policy.k) == ("weakest-last", load(model).reasons.k)
    bare = run("reasons", theirs, "--reference", loans)
    assert bare.exit_code == 2
    said = " ".join(bare.stderr.split())
    assert "the model's policy is not of reason codes, and which explainer made it is not known" in said
    assert "--explainer" in said
    result = run("reasons", theirs, "--reference", loans, "--explainer", "weakest-last", "--output", again)
    assert result.exit_code == 0, result.output
    assert load(again).reasons == policy
    words = tmp_path / "words.toml"
    words.write_text("[reasons]\nk = 2")
    told = run("reasons", theirs, "--dictionary", words, "--output", tmp_path / "worded.json")
    assert told.exit_code == 0, told.output
    assert (load(tmp_path / "worded.json").reasons.method, load(tmp_path / "worded.json").reasons.k) == (
        "weakest-last",
        2,
    )
    assert run("reasons", theirs, "--reference", loans, "--method", "near-cutoff").exit_code == 0


def test_a_policy_that_is_none_names_the_plugin(run: Run, model: Path, loans: Path) -> None:
    result = run("reasons", model, "--reference", loans, "--explainer", "empty")
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert f"it gives something else than it has to where: {WHOSE}, Empty.policy got: 'NoneType'" in said


def test_a_policy_that_needs_a_reference_asks_for_one(run: Run, model: Path) -> None:
    """It was told of the shape of an array that nobody had given."""
    result = run("reasons", model, "--explainer", "careless")
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert f"{WHOSE}, Careless makes no policy without applicants to take baselines from where: reference" in said


def test_the_explainer_that_the_file_records_is_named(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "theirs.json"
    options = [*fit_options, "--option", "explainer=weakest-last", "--output", path]
    assert run("fit", loans, *options).exit_code == 0
    said = " ".join(run("reasons", path, "--reference", loans).stderr.split())
    assert "the model's policy is not of reason codes where:" in said
    assert "name third-party-lender:weakest-last, by which the model was fitted, with --explainer" in said


def test_segments_get_policies_of_a_third_partys_explainer(run: Run, loans: Path, tmp_path: Path) -> None:
    """Only reason codes gave them, and others were refused."""
    (tmp_path / "run.toml").write_text(_segmented(loans))
    assert run("fit", tmp_path / "run.toml").exit_code == 0
    whole, theirs = tmp_path / "whole.json", tmp_path / "theirs.json"
    result = run("reasons", whole, "--reference", loans, "--explainer", "plain", "--output", theirs)
    assert result.exit_code == 0, result.output
    policies = [each.model.reasons for each in load(theirs).segments]
    assert [policy.method for policy in policies] == ["plain", "plain"]
    assert policies[0].baselines != policies[1].baselines
    short = pd.read_csv(loans).query("duration_months < 18")
    short.to_csv(tmp_path / "short.csv", index=False)
    lacking = run("reasons", whole, "--reference", tmp_path / "short.csv", "--explainer", "plain")
    said = " ".join(lacking.stderr.split())
    assert lacking.exit_code == 2
    assert "nobody to take baselines from where: segment 'long', reference" in said


def test_words_stay_where_a_third_partys_explainer_has_no_options_for_them(
    run: Run, model: Path, loans: Path, tmp_path: Path
) -> None:
    worded, words, theirs = tmp_path / "worded.json", tmp_path / "words.toml", tmp_path / "theirs.json"
    feature = next(iter(load(model).reasons.codes))
    words.write_text(f'[reasons]\nk = 2\ncodes = {{{feature} = "OLD"}}\ntexts = {{OLD = "How old it is"}}\n')
    assert run("reasons", model, "--dictionary", words, "--output", worded).exit_code == 0
    before = load(worded).reasons
    first = run("reasons", worded, "--reference", loans, "--explainer", "plain", "--output", theirs)
    assert first.exit_code == 0, first.output
    after = load(theirs).reasons
    assert (after.method, after.k, after.codes, dict(after.texts)) == ("plain", 2, before.codes, dict(before.texts))
    words.write_text('[reasons]\nk = 3\ntexts = {OLD = "Its age"}\n')
    options = ["--explainer", "plain", "--dictionary", words, "--overwrite"]
    assert run("reasons", worded, "--reference", loans, *options, "--output", theirs).exit_code == 0
    again = load(theirs).reasons
    assert (again.method, again.k, again.texts["OLD"], again.codes) == ("plain", 3, "Its age", before.codes)
    lacking = run("reasons", worded, "--explainer", "plain")
    assert (lacking.exit_code, "its baselines come from applicants" in " ".join(lacking.stderr.split())) == (2, True)
