"""A certificate as JSON and as a page of HTML."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from scrutable.proof.certificate import Certificate
from scrutable.proof.comparison import ULP
from scrutable.writing.files import json_text
from scrutable.writing.templating import document_templates

if TYPE_CHECKING:
    import jinja2


def to_json(certificate: Certificate) -> str:
    """JSON text; the same certificate gives the same bytes."""
    return json_text(certificate.to_dict())


def to_html(certificate: Certificate) -> str:
    """A page that stands alone: no script, no font or picture from elsewhere; all that comes from data is escaped."""
    return _template().render(certificate=certificate, allowed_ulp=ULP)


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    templates = document_templates(jinja2.PackageLoader("scrutable.proof"))
    return templates.get_template("certificate.html.jinja")
