"""What notebooks show: short tables, in which no name or value is markup or a formula."""

from __future__ import annotations

import pytest
from notebook_pages import ELEMENTS, Cells

from scrutable.writing.notebooks import MOST_ROWS, NotebookTable, ShownInNotebooks

HOSTILE = [
    "<script>alert(1)</script>",
    "</td></tr></table><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "$x$ \\(y\\) &amp; \"'",
    "a\u202eb\x00\x1b[31m",
]


class Shown(ShownInNotebooks):
    def __init__(self, title: str, table: NotebookTable) -> None:
        self.title, self.table = title, table

    def __repr__(self) -> str:
        return self.title

    def notebook_tables(self) -> list[NotebookTable]:
        return [self.table]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_is_markup_or_a_formula(text: str) -> None:
    page = Shown(text, NotebookTable(caption=text, headers=[text], rows=[[text]]))._repr_html_()
    read = Cells(page)
    assert read.elements <= ELEMENTS
    assert page.startswith('<div class="tex2jax_ignore mathjax_ignore">')
    assert not {"\u202e", "\x00", "\x1b"} & set(page)
    if text.isprintable():
        assert read.cells[0].startswith(text)


def test_long_tables_and_cells_are_cut_and_say_so() -> None:
    table = NotebookTable(headers=["n"], rows=[[str(number)] for number in range(MOST_ROWS + 7)])
    page = Shown("", table)._repr_html_()
    assert (page.count("<td"), "and 7 more rows" in page) == (MOST_ROWS, True)
    [cell] = Cells(Shown("", NotebookTable(headers=["n"], rows=[["x" * 5000]]))._repr_html_()).cells
    assert len(cell.strip()) == 120
