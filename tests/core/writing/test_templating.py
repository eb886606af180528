"""Templates: whatever way a value takes into a document, it is text there and steers nothing."""

from __future__ import annotations

import html

import jinja2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

from scrutable.writing.templating import document_templates
from scrutable.writing.visible_text import visible

BLANKS = "\t\n\r"
#: Ways of a value through filters, operators, macros and attributes.
WAYS = """{% macro told(text) %}<i>{{ text }}</i>{% endmacro %}{% set kept %}{{ value }}{% endset %}
<p title="{{ value }}">{{ value }}|{{ value | e }}|{{ value | safe | striptags }}|{{ kept }}|{{ told(value) }}</p>
{{ [value, mark] | join(", ") }}{{ mark ~ value }}{{ "%s" | format(value) }}
{{ {"title": value} | xmlattr }}{{ part }}"""


@pytest.mark.parametrize("sandboxed", [False, True])
@given(value=st.text(st.characters()))
@example(value="<b>\x1b[31m\u202e\x9b&")
def test_no_way_into_a_page_leaves_what_steers_it(value: str, sandboxed: bool) -> None:
    page = document_templates(jinja2.BaseLoader(), sandboxed=sandboxed).from_string(WAYS)
    made = page.render(value=value, mark=Markup("<br>"), part=Markup("<b>{}</b>\n").format(value))
    assert visible(made, keep=BLANKS) == made
    told = made.partition("<i>")[2].partition("</i>")[0]
    assert html.unescape(told) == visible(value, keep=BLANKS)


def test_other_formats_escape_nothing_but_what_steers() -> None:
    templates = document_templates(jinja2.BaseLoader(), escape=False, filters={"loud": str.upper})
    assert templates.from_string("{{ 7 }} {{ name | loud }}").render(name="<a>\u2066") == "7 <A>\\u2066"


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError, match="'nmae' is undefined"):
        document_templates(jinja2.BaseLoader()).from_string("{{ nmae }}").render(name="x")
