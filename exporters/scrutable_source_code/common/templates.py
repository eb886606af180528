"""Templates that lay files out; what they are given must be literals, names or cleaned comments."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jinja2

from scrutable_source_code.common.language import Table
from scrutable_source_code.common.spelling import comment


@functools.cache
def templates(language: str) -> jinja2.Environment:
    """Those of a language, by the name of its folder."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(f"scrutable_source_code.{language}"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def source(language: str, name: str) -> str:
    """A file beside the templates, as it stands."""
    environment = templates(language)
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def headed(header: Sequence[str]) -> list[str]:
    """Lines of words as comments."""
    return [comment(line).strip() or "//" for line in header]


def entries(table: Table) -> list[tuple[str, str]]:
    """The entries of a table, each with what it is in words; of those without words several on a line."""
    titles = [*table.titles, *[""] * (len(table.entries) - len(table.titles))]
    if any(titles):
        return [(entry, comment(title)) for entry, title in zip(table.entries, titles, strict=True)]
    return [(line, "") for line in _filled(table.entries)]


def _filled(items: Sequence[str], width: int = 100) -> list[str]:
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > width:
            lines.append("")
        lines[-1] += f", {item}" if lines[-1] else item
    return lines


def layout(language: str, name: str, /, **words: Any) -> str:
    """A file."""
    return templates(language).get_template(name).render(words)
