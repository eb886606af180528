"""How results look in a notebook: short tables in HTML, in which nothing that comes from data is markup."""

from __future__ import annotations

import functools
import itertools
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.writing.templating import document_templates

if TYPE_CHECKING:
    import jinja2

#: Rows of a table that are shown, and letters of a cell.
MOST_ROWS = 60
_LETTERS = 120

#: Notebooks set texts between dollar signs as formulas, but not in these classes.
_PAGE = """<div class="tex2jax_ignore mathjax_ignore">
<p><strong>{{ title }}</strong></p>
{% for table in tables %}
<table>
{% if table.caption %}
<caption style="text-align:left">{{ table.caption }}</caption>
{% endif %}
<thead><tr>{% for name in table.headers %}<th style="text-align:{{ table.side(loop.index0) }}">{{ name }}</th>\
{% endfor %}</tr></thead>
<tbody>
{% for row in table.first %}
<tr>{% for cell in row %}<td style="text-align:{{ table.side(loop.index0) }}">{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
{% if table.more %}
<p>and {{ table.more }} more rows</p>
{% endif %}
{% endfor %}
</div>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookTable:
    """A table of texts.

    Parameters
    ----------
    headers : of each column.
    rows : a cell a column; the first 60 are shown.
    numbers : positions of the columns that are aligned to the right.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    numbers: frozenset[int] = frozenset()

    @property
    def first(self) -> list[list[str]]:
        """The rows that are shown, each cell cut to a readable length."""
        return [[_short(cell) for cell in row] for row in itertools.islice(self.rows, MOST_ROWS)]

    @property
    def more(self) -> int:
        """How many rows are not."""
        return max(0, len(self.rows) - MOST_ROWS)

    def side(self, column: int) -> str:
        """Where the texts of a column stand."""
        return "right" if column in self.numbers else "left"


class ShownInNotebooks:
    """What notebooks show as tables; `repr` is their title.

    Examples
    --------
    >>> class Two(ShownInNotebooks):
    ...     def __repr__(self):
    ...         return "Two(<b>)"
    ...     def notebook_tables(self):
    ...         return [NotebookTable(headers=["name"], rows=[["<script>"]])]
    >>> page = Two()._repr_html_()
    >>> "&lt;script&gt;" in page, "<script>" in page, "Two(&lt;b&gt;)" in page
    (True, False, True)
    """

    __slots__ = ()

    @abstractmethod
    def notebook_tables(self) -> Iterable[NotebookTable]:
        """The tables, in their order."""

    @property
    def notebook_title(self) -> str:
        """What stands above them."""
        return repr(self)

    def _repr_html_(self) -> str:
        return _template().render(title=_short(self.notebook_title), tables=list(self.notebook_tables()))


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    return document_templates(jinja2.BaseLoader()).from_string(_PAGE)


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
