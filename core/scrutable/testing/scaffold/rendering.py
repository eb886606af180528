"""From a plugin's names to the text of each of its files."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.plugins.component import Kind
from scrutable.testing.scaffold.names import Names

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True, slots=True)
class Example:
    """What a new plugin of a kind is an example of.

    Parameters
    ----------
    summary : one line of what it does.
    modules : its code, beside `__init__.py`; the first holds the component's class.
    requires : what its code imports beside scrutable.
    """

    summary: str
    modules: tuple[str, ...]
    requires: tuple[str, ...] = ("numpy>=2.0",)


EXAMPLES: Mapping[Kind, Example] = {
    "binner": Example("Attributes of equal width; rare categories pooled", ("binner.py",)),
    "learner": Example("A naive Bayes scorecard: points are the attributes' weights of evidence", ("learner.py",)),
    "constraint": Example(
        "Approval among good payers, in each group at least this share of the reference group's", ("constraint.py",), ()
    ),
    "explainer": Example("The characteristic whose points fall furthest below its best", ("explainer.py",), ()),
    "exporter": Example("A scorecard as one CSV table that scores rows by itself", ("exporter.py", "table.py")),
}

#: Files of every plugin beside its package and its tests, by the template that makes them.
_COMMON = {
    "pyproject.toml.jinja": "pyproject.toml",
    "readme.md.jinja": "README.md",
    "licence.jinja": "LICENSE",
    "gitignore.jinja": ".gitignore",
    "ci.yml.jinja": ".github/workflows/ci.yml",
}


def render(names: Names, author: str) -> dict[str, str]:
    """Text by path of every file; the same names and author give the same bytes.

    Parameters
    ----------
    author : a line of text, as `check_author` returns it.
    """
    example = EXAMPLES[names.kind]
    package = f"src/{names.package}"
    own = {f"{names.kind}/{each}.jinja": f"{package}/{each}" for each in ("__init__.py", *example.modules)}
    tests = {f"{names.kind}/test.py.jinja": f"tests/test_{names.module}.py"}
    templates = _environment()
    texts = {
        path: templates.get_template(template).render(names=names, author=author, example=example)
        for template, path in {**_COMMON, **own, **tests}.items()
    }
    return dict(sorted({**texts, f"{package}/py.typed": ""}.items()))


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable.testing.scaffold"),
        autoescape=False,  # this is no HTML; the only free text is the author, which is quoted where that matters
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["toml"] = _toml
    return environment


def _toml(text: str) -> str:
    """A TOML string; what JSON escapes in a text of printable characters, TOML escapes alike."""
    return json.dumps(text, ensure_ascii=False)
