"""Models as Perl: the checks of every exporter, whatever a model is made of, and what is particular to Perl."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from scrutable.errors import PluginError
from scrutable.model import Calibration, Model
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof import verification_rows
from scrutable.testing import ExporterSuite, card
from scrutable.testing.strategies import models

from scrutable_perl.exporter import PerlExporter


class TestPerl(ExporterSuite):
    component = "perl"


@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(models())
def test_any_model_gives_the_same(model: Model) -> None:
    assert_equal(model)


def test_products_beyond_2_to_the_53_are_rounded_as_doubles_are() -> None:
    """Perl multiplies integers up to 2^64 without rounding, unless it is told to round."""
    slope = 3002399751580331
    assert 3 * slope == 2**53 + 1
    assert_equal(replace(card(), base_points=3, calibration=Calibration(slope=slope, intercept=1 - 2**53)))


def test_the_function_takes_a_hash_and_refuses_what_is_no_number(tmp_path: Path) -> None:
    PerlExporter().export(card()).write(tmp_path)
    asked = "print Score::score({amount => $ARGV[0], job => undef})->{score}"
    assert _perl(tmp_path, asked, "12").stdout == "508"
    assert 'Argument "many" isn\'t numeric' in _perl(tmp_path, asked, "many").stderr
    assert "column 'amount' is not there" in _perl(tmp_path, "Score::score({})").stderr


def test_perl_warns_of_nothing(tmp_path: Path) -> None:
    PerlExporter().export(card(categories=("\u20ac", "\U0001f600", "$x@y", "\\'"), words="=cut\n__END__")).write(
        tmp_path
    )
    assert _perl(tmp_path, "print ref Score::score({amount => 'nan', job => undef})").stdout == "HASH"
    assert _perl(tmp_path, "1").stderr == ""


def test_without_perl_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PluginError, match="apt-get install perl-base"):
        PerlExporter().engine()


def assert_equal(model: Model) -> None:
    exporter = PerlExporter()
    rows = verification_rows(model, n_random=20).frame
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def _perl(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["perl", "-w", f"-I{folder}", "-MScore", "-e", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
