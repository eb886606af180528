"""A certificate as JSON and as a page of HTML."""

from __future__ import annotations

import functools
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrutable.proof.certificate import Certificate
from scrutable.proof.comparison import ULP
from scrutable.writing.files import json_text
from scrutable.writing.templating import document_templates

if TYPE_CHECKING:
    import jinja2


def to_dict(certificate: Certificate) -> dict[str, Any]:
    """Plain values, with the outcome of each engine beside its counts."""
    found = asdict(certificate)
    for run, plain in zip(certificate.runs, found["runs"], strict=True):
        plain |= {"passed": run.passed, "differing": run.differing(), "probability_ulp": run.ulp}
    return {"passed": certificate.passed, **found}


def to_json(certificate: Certificate) -> str:
    """JSON text; the same certificate gives the same bytes."""
    return json_text(to_dict(certificate))


def to_html(certificate: Certificate) -> str:
    """A page that stands alone: no script, no font or picture from elsewhere; all that comes from data is escaped."""
    return _template().render(certificate=certificate, allowed_ulp=ULP)


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    templates = document_templates(jinja2.PackageLoader("scrutable.proof"))
    return templates.get_template("certificate.html.jinja")
