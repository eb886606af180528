"""What a page says, as blocks, as text and as a Word document."""

from __future__ import annotations

import io

import docx
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

from scrutable.writing.visible_text import visible
from scrutable_documents.common.blocks import Block, TableRows, blocks
from scrutable_documents.common.docx import to_docx
from scrutable_documents.common.text import to_text

PAGE = """<html><head><title>T</title><style>p { color: red }</style></head><body><h1>One
 two</h1><p>We are <b>un</b>able.<ol><li>first<li><p>second</p></ol><ul><li>a<ol><li>n</ol></ul>
<ol><li>anew</ol><table><tr><th>Name</th><td>x<br>y</td></tr></table><script>no()</script>tail</body></html>"""


def test_blocks_come_in_order_with_end_tags_left_out_and_unseen_parts_gone() -> None:
    found = blocks(PAGE)
    said = [(each.kind, each.level, each.number, each.text) for each in found if isinstance(each, Block)]
    assert said == [
        ("heading", 1, None, "One two"),
        ("paragraph", 0, None, "We are unable."),
        ("item", 1, 1, "first"),
        ("item", 1, 2, "second"),
        ("item", 1, None, "a"),
        ("item", 2, 1, "n"),
        ("item", 1, 1, "anew"),
        ("paragraph", 0, None, "tail"),
    ]
    [table] = [each for each in found if isinstance(each, TableRows)]
    assert [[(cell.text, cell.header) for cell in row] for row in table.rows] == [[("Name", True), ("x\ny", False)]]


def test_bold_stays_bold_and_numbered_lists_begin_anew_in_word() -> None:
    document = docx.Document(io.BytesIO(to_docx(PAGE, title="T", paper="A4")))
    assert [(run.text, run.bold) for run in document.paragraphs[1].runs] == [
        ("We are ", None),
        ("un", True),
        ("able.", None),
    ]
    numbered = [each for each in document.paragraphs if each.style is not None and each.style.name == "List Number"]
    lists = [each._p.pPr.numPr.numId.val for each in numbered]
    assert lists[0] == lists[1]
    assert len(set(lists)) == 3
    assert document.tables[0].cell(0, 1).text == "x\ny"
    assert document.core_properties.title == "T"


def test_languages_of_the_page_and_of_lists_come_along() -> None:
    page = "<html lang='en'><p>a<ol lang=de><li>b<ul><li>c</ul><ul lang=''><li>d</ul></ol><ul><li>e</ul>"
    found = [each.language for each in blocks(page) if isinstance(each, Block)]
    assert found == [None, "de", "de", "", None]
    document = docx.Document(io.BytesIO(to_docx(page, title="T")))
    marked = [[each.get(qn("w:val")) for each in line._p.iter(qn("w:lang"))] for line in document.paragraphs]
    assert marked == [[], ["de"], ["de"], ["x-none"], []]
    for lang, expected in ((" class='x' lang='de-AT'", "de-AT"), ("", "x-none")):
        styles = docx.Document(io.BytesIO(to_docx(f"<html{lang}><p>a", title="T"))).styles
        [normal] = styles["Normal"].element.iter(qn("w:lang"))
        assert normal.get(qn("w:val")) == expected


def test_text_keeps_long_words_whole_and_wraps_the_rest() -> None:
    word = "x" * 100
    lines = to_text(f"<p>{'a b ' * 40}{word}</p>").split("\n")
    assert word in lines
    assert all(len(line) <= 76 for line in lines if line != word)


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"])), min_size=1, max_size=4))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_any_escaped_text_is_read_back_whatever_it_holds(texts: list[str]) -> None:
    page = "".join(f"<p>{escape(text)}</p>" for text in texts)
    plain = [visible(" ".join(part for part in text.split(" ") if part)) for text in texts]
    assert [each.text for each in blocks(page) if isinstance(each, Block)] == [text for text in plain if text]
