"""Files as their authors published them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scrutable.data.frames import as_table, read_file
from scrutable.data.frames.files import read_header
from scrutable.errors import InputError

pytestmark = pytest.mark.real_data


@pytest.mark.parametrize(
    ("name", "rows", "first", "last"),
    [
        ("simucredit", 20_000, "Mortgage", "Approved"),
        ("simucredit_v2", 20_000, "Mortgage", "Status"),
        ("taiwan_default", 30_000, "X_1", "y"),
        ("boston", 506, "CRIM", "Class"),
    ],
)
def test_tables_of_numbers(data_dir: Path, name: str, rows: int, first: str, last: str) -> None:
    path = data_dir / f"{name}.csv.gz"
    table = as_table(read_file(path))
    assert table.n_rows == rows
    assert (table.names[0], table.names[-1]) == (first, last)
    assert read_header(path) == table.names
    assert {table.column(column).kind for column in table} == {"numeric"}


def test_simucredit_values_are_the_nearest_doubles(data_dir: Path) -> None:
    table = as_table(read_file(data_dir / "simucredit.csv.gz"))
    assert table.column("Utilization").values[0] == 0.759069081
    assert set(np.unique(table.column("Approved").values)) == {0, 1}


def test_semicolons_and_a_byte_order_mark(data_dir: Path) -> None:
    table = as_table(read_file(data_dir / "attrition.csv.gz"))
    assert table.names[0] == "Gender"
    assert table.column("Gender").kind == "numeric"
    assert table.column("BusinessTravel").kind == "categorical"
    assert set(table.column("BusinessTravel").values) == {"Travel_Rarely", "Travel_Frequently", "Non-Travel"}


def test_spaces_before_separators_do_not_make_numbers_text(data_dir: Path) -> None:
    table = as_table(read_file(data_dir / "transfusion.csv.gz"))
    assert table.names[2:] == (
        "Monetary (c.c. blood)",
        "Time (months)",
        "whether he/she donated blood in March 2007",
    )
    assert {table.column(column).kind for column in table} == {"numeric"}


def test_duplicate_headers_are_refused(data_dir: Path) -> None:
    with pytest.raises(InputError, match="duplicate column names: 'decile_score', 'priors_count'"):
        read_file(data_dir / "compas_two_years.csv.gz")
