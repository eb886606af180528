"""From a model's parts to the text of the file."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jinja2

from scrutable.model import CLAMP
from scrutable_python.common import Body
from scrutable_python.options import PythonOptions
from scrutable_python.text import literal


def render(header: Sequence[str], body: Body, options: PythonOptions) -> str:
    """The text of the file; `header` is lines of cleaned words."""
    return _laid_out(
        body,
        "layout.jinja",
        header=header,
        module=options.module,
        function=options.function,
        columns=[literal(name) for name in body.columns],
    )


def part_of_segment(body: Body) -> str:
    """The function of a segment's model, with what it needs."""
    return _laid_out(body, "segment.jinja")


def _laid_out(body: Body, layout: str, **words: Any) -> str:
    template = _environment().get_template(body.template)
    return template.render(layout=layout, own=body.own, **words, **body.context)


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_python"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["clamp"] = int(CLAMP)
    environment.filters["literal"] = literal
    return environment
