"""The catalogue as Markdown: what a plugin says of itself is text there, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from packaging.utils import canonicalize_name

from scrutable.errors import InputError
from scrutable.plugins.component import KINDS
from scrutable.testing.catalogue.sources import ThirdParty
from scrutable.writing.templating import document_templates

_OURS = "scrutable"
_MARKS = re.compile(r"([\\`*_\[\]<>|~&])")


def page(results: Sequence[Mapping[str, Any]], third_parties: Mapping[str, ThirdParty]) -> str:
    """The catalogue of components, by kind and name: our own, then each third party's.

    Parameters
    ----------
    results : entries of `scrutable.testing.catalogue.read_results`.
    third_parties : by distribution.

    Raises
    ------
    InputError : results of a distribution that is not listed, or a listed one without results.
    """
    ordered = sorted(results, key=lambda each: (KINDS.index(each["kind"]), each["name"]))
    ours = [each for each in ordered if each["distribution"] == _OURS]
    theirs = [each for each in ordered if each["distribution"] != _OURS]
    checked = {canonicalize_name(each["distribution"]) for each in theirs}
    for name in sorted(checked ^ set(third_parties)):
        raise InputError(
            "a third party that is listed has results, and the other way round",
            where=f"distribution {name!r}",
            got="results and no entry" if name in checked else "an entry and no results",
            fix="list it and give its results, or neither",
        )
    template = _template()
    return template.render(kinds=KINDS, ours=ours, theirs=theirs, third_parties=third_parties)


def text(value: object) -> str:
    r"""A text within Markdown, on one line and without a mark of Markdown or HTML in it.

    >>> print(text("a|b <script>"))
    a\|b \<script\>
    """
    return _MARKS.sub(r"\\\1", " ".join(str(value).split()))


def _template() -> jinja2.Template:
    filters = {"text": text, "canonical": canonicalize_name}  # the first escapes the marks of Markdown and HTML
    templates = document_templates(jinja2.PackageLoader(__package__), escape=False, filters=filters)
    return templates.get_template("catalogue.md.jinja")
