"""Templates: escaped, strict, in a sandbox, and the lender's first."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest

from scrutable.errors import InputError
from scrutable_documents.common.environment import environment, rendered

PACKAGE = "scrutable_documents.notices"


def test_the_lenders_folder_comes_first_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / "notice.html").write_text('{% include "style.css" %}<p>{{ name }}</p>')
    made = rendered(environment(PACKAGE, templates=tmp_path), "notice.html", {"name": "<b>&"})
    assert made.endswith("<p>&lt;b&gt;&amp;</p>")
    assert "font-family" in made
    assert rendered(environment(PACKAGE, templates=tmp_path), "notice.xx.html", {"name": "x"}, "notice.html")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("{{ nmae }}", "'nmae' is undefined"),
        ("{{ name.__class__.__mro__ }}", "unsafe"),
        ("{{ items.append(1) }}", "unsafe"),
        ("{% if %}", r"template notice.html, line 1"),
        ('{% include "../../etc/passwd" %}', "etc/passwd"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ name + 1 }}", "template notice.html"),
    ],
)
def test_a_broken_or_hostile_template_is_refused(tmp_path: Path, source: str, says: str) -> None:
    (tmp_path / "notice.html").write_text(source)
    with pytest.raises(InputError, match=says):
        rendered(environment(PACKAGE, templates=tmp_path), "notice.html", {"name": "x", "items": []})


def test_the_template_that_is_taken_is_the_one_named(tmp_path: Path) -> None:
    (tmp_path / "notice.html").write_text("{{ nmae }}")
    with pytest.raises(InputError, match=r"template notice\.html: the template cannot be filled"):
        rendered(environment(PACKAGE, templates=tmp_path), "notice.xx.html", {}, "notice.html")


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder of templates"):
        environment(PACKAGE, templates=tmp_path / "none")


def test_every_template_of_ours_is_there() -> None:
    found = environment(PACKAGE)
    assert {"notice.html", "index.html", "style.css"} <= set(found.list_templates())
    assert found.undefined is jinja2.StrictUndefined
