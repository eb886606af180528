"""Tables on narrow terminals: no column is dropped, cut or squeezed to nothing."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from scrutable.cli.output import table
from scrutable.cli.plain_tables import plain_lines

Run = Callable[..., Any]
WIDTHS = (60, 80, 100, 120)


def _rendered(made: Any, width: int) -> str:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(made)
    return file.getvalue()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("groups", [1, 2, 5, 9])
def test_every_number_and_header_is_there(width: int, groups: int) -> None:
    headers = ["condition", *(f"{what}\n{group}" for group in range(groups) for what in ("share of", "bad rate of"))]
    rows = [[f"[{row}00, {row + 1}00)", *(f"{row + 1}.{i:03d}%" for i in range(2 * groups))] for row in range(4)]
    said = _rendered(table(headers, rows, title="age: IV 0.5", right=range(1, len(headers))), width)
    assert max(map(len, said.splitlines())) <= width
    for row in rows:
        for cell in row[1:]:
            assert cell in said
    words = said.split()
    for what in ("share", "rate"):
        assert words.count(what) == groups
    assert said.count("age: IV 0.5") == 1
    assert said.count("[100, 200)") >= 1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_first_column_folds(width: int) -> None:
    label = "adverse impact ratio, ethnic origin: Amer-Indian-Eskimo / White"
    rows = [[label, "0.812 [0.755, 0.871]", "0.799 [0.741, 0.855]", "0.9"]]
    said = _rendered(table(["", "one", "two", "three"], rows, right=(1, 2, 3)), width)
    assert all(cell in said for cell in rows[0][1:])
    assert all(word in said for word in label.split())


def test_rows_that_two_columns_name_are_named_in_every_block() -> None:
    headers = ["attribute", "group", *(f"a long figure {i}" for i in range(9))]
    rows = [["region", each, *(f"{i}.{each}" for i in range(9))] for each in ("north", "south")]
    said = _rendered(table(headers, rows, right=range(2, 11)), 80)
    lines = [line.split() for line in said.splitlines() if line.startswith(" region") or line.startswith("region")]
    assert len(lines) > 2
    assert [line[1] for line in lines] == ["north", "south"] * (len(lines) // 2)


def test_what_fits_stays_one_table() -> None:
    said = _rendered(table(["a", "b"], [["x", "1"], ["y", "2"]], right=(1,)), 80)
    assert said.split("\n")[1].split() == ["a", "b"]
    assert len(said.split("\n")) < 8


@pytest.mark.parametrize("width", [80, 100, 120])
def test_bins_with_groups(run: Run, loans: Path, fit_options: list[str], width: int) -> None:
    told = run("bins", loans, *fit_options, "--feature", "credit_amount", COLUMNS=str(width))
    assert told.exit_code == 0, told.output
    assert "…" not in told.stdout
    expected = run("bins", loans, *fit_options, "--feature", "credit_amount", COLUMNS="400")
    ruled = {word for word in expected.stdout.split() if set(word) != {"─"}}
    assert ruled <= set(told.stdout.split())


def test_plain_tables_are_those_that_rich_draws() -> None:
    """Random ones: of wide and narrow columns, on wide and narrow terminals, with rows that lack cells."""
    rng, drawn = random.Random(1), 0
    words = [
        "a",
        "word",
        "漢字",
        "longer-word-here",
        "é",
        "x y",
        "",
        "some words that go on and on",
        "  lead",
        "trail  ",
    ]
    for _ in range(400):
        count, width = rng.randint(1, 5), rng.randint(20, 120)
        some = [rng.sample(range(count), rng.randint(0, count)) for _ in range(2)]
        made = table([rng.choice(words) for _ in range(count)], [], right=some[0], whole=some[1])
        for _ in range(rng.randint(0, 5)):
            made.add_row(*(" ".join(rng.choices(words, k=rng.randint(0, 4))) for _ in range(rng.randint(0, count))))
        on = Console(width=width, file=io.StringIO(), color_system=None)
        lines = plain_lines(made, on, width)
        if lines is not None:
            drawn += 1
            by_rich = Table.__rich_console__(made, on, on.options.update(width=width))
            assert "".join(f"{each}\n" for each in lines) == "".join(segment.text for segment in by_rich)
    assert drawn > 100


@pytest.mark.parametrize("change", [{"title": "of it"}, {"caption": "below"}, {"expand": True}, {"box": None}])
def test_other_tables_are_left_to_rich(change: dict[str, Any]) -> None:
    made = table(["a", "b"], [["1", "2"]])
    on = Console(width=80, file=io.StringIO(), color_system=None)
    assert plain_lines(made, on, 80) is not None
    assert plain_lines(made, Console(width=80, file=io.StringIO(), force_terminal=True, color_system="256"), 80) is None
    for name, value in change.items():
        setattr(made, name, value)
    assert plain_lines(made, on, 80) is None
