"""Whose code it is, where a plugin's class lies in another package than its entry point."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.plugins import origins
from scrutable.plugins.bases import recording
from scrutable.plugins.origins import Origin, origin_of, packages, raised_by
from scrutable.plugins.registry import Registry

HOOKS = """
from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl

@hookimpl
def scrutable_binners():
    return [Component(name="their-bins", kind="binner", path={path!r}, summary="A test.")]
"""
CODE = """
from scrutable.plugins.bases import Binner

class QuantileBinner(Binner):
    def find_cuts(self, sample):
        return []

    def find_groups(self, sample):
        return 1 / 0

def made():
    class Inner(QuantileBinner):
        pass
    return Inner

Alias = made()
"""
THEIRS = Origin("two-packages", "2.0", "two")
Two = Callable[..., EntryPoint]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:
    """A distribution of two packages: one has the entry point, the other the class."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(origins, "_DESCRIBED", {})

    def make(path: str, record: str = "") -> EntryPoint:
        (tmp_path / "two_hooks.py").write_text(HOOKS.format(path=path))
        (tmp_path / "two_code.py").write_text(CODE)
        info = tmp_path / "two_packages-2.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: two-packages\nVersion: 2.0\n")
        (info / "entry_points.txt").write_text("[scrutable]\ntwo = two_hooks\n")
        (info / "RECORD").write_text(record)
        [point] = metadata.Distribution.at(info).entry_points
        return point

    yield make
    for module in ("two_hooks", "two_code"):
        sys.modules.pop(module, None)


@pytest.mark.parametrize("name", ["QuantileBinner", "Alias"])
def test_a_class_in_another_package_is_recorded_as_its_plugins(
    two: Two, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Files named it as if it were Scrutable's own."""
    registry = Registry([two(f"two_code:{name}")])
    monkeypatch.setattr(recording, "registry", lambda: registry)
    cls = registry.load("binner", "their-bins")
    assert registry.origin_of_class(cls) == THEIRS
    assert recording.recorded_class(cls) == f"two-packages:{cls.__name__}"


def test_an_error_in_another_package_is_its_plugins(two: Two) -> None:
    cls = Registry([two("two_code:QuantileBinner")]).load("binner", "their-bins")
    with pytest.raises(ZeroDivisionError) as raised:
        cls().find_groups(None)
    assert raised_by(raised.tb) == (THEIRS, THEIRS)


def test_a_descriptor_that_names_a_librarys_class_takes_no_library(two: Two) -> None:
    for module in ("json.decoder", "sklearn.linear_model"):
        origins.describe(module, THEIRS)
    assert origin_of("json.decoder") is origin_of("sklearn.linear_model._base") is origin_of("numpy") is None
    origins.describe("scrutable_quantile.binner", THEIRS)
    assert origin_of("scrutable_quantile.binner") != THEIRS


def test_what_is_ours_stays_ours_whoever_describes_it(two: Two) -> None:
    registry = Registry([two("scrutable_quantile.binner:QuantileBinner")])
    its = registry.origin_of_class(registry.load("binner", "their-bins"))
    assert its is not None
    assert its.first_party


def test_modules_that_metadata_list_are_the_distributions(two: Two) -> None:
    record = "two_helpers/__init__.py,,\ntwo_helpers/deep/one.py,,\nscrutable_sql/exporter.py,,\n../bin/two.py,,\n"
    found = packages([two("two_code:QuantileBinner", record), *metadata.entry_points(group="scrutable", name="sql")])
    assert found["two_helpers"] == found["two_helpers.deep.one"] == THEIRS
    assert "scrutable_sql.exporter" not in found
