"""The importer `house-card`, and `scrutable import` with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scrutable.errors import InputError
from scrutable.testing import check_import

from scrutable_house_rules.house_card import HouseCardImporter

INCOME = {"from": [None, 1500, 4000], "points": [10, 45, 80], "missing": 15}


def written(folder: Path, **changes: Any) -> Path:
    card = {"format": "house-card", "base": 400, "cutoff": 450, "characteristics": {"income": INCOME}, **changes}
    (folder / "card.json").write_text(json.dumps(card))
    return folder / "card.json"


def test_the_model_has_the_points_of_the_file(tmp_path: Path) -> None:
    X = {"income": [0.0, 1499.9, 1500.0, 4000.0, None]}
    imported = check_import(HouseCardImporter(), written(tmp_path), X, [410, 410, 445, 480, 415])
    assert [each.kind for each in imported.report.findings] == ["assumption", "note"]
    assert check_import(HouseCardImporter(cutoff=500), written(tmp_path), X, [410, 410, 445, 480, 415]) != imported


def test_what_is_no_house_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    assert not HouseCardImporter().recognises(tmp_path / "model.json")
    assert not HouseCardImporter().recognises(tmp_path / "none.json")
    with pytest.raises(InputError, match="no house card"):
        HouseCardImporter().read(tmp_path / "model.json")


@pytest.mark.parametrize(
    ("income", "fault"),
    [
        ({"from": [None], "points": [1]}, "no points for missing values"),
        ({"from": [0], "points": [1], "missing": 0}, "not one start for each points, the first null"),
    ],
)
def test_a_card_with_a_gap_is_refused(tmp_path: Path, income: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        HouseCardImporter().read(written(tmp_path, characteristics={"income": income}))
