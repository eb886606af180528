"""Templates of documents: the lender's own first, then the package's, in a sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from scrutable.errors import InputError
from scrutable.model import Model, fingerprint
from scrutable.writing import document_templates

#: What a page without scripts has of them.
_NO_SCRIPT: dict[str, Any] = {"calculator": False, "lacking": "", "scripts": (), "blocks": {}}


def environment(package: str, *, templates: str | Path | None = None) -> jinja2.Environment:
    """Templates of a package, with what every document shares, such as `style.css`.

    Values are escaped for HTML, and cannot steer what shows them. A name that is not there is an error. A template
    reaches the values that it is given and nothing of Python's.

    Parameters
    ----------
    package : the package whose folder `templates` holds them, for example "scrutable_documents.notices".
    templates : a folder whose templates come before those of the same name in the package.

    Raises
    ------
    InputError : `templates` is no folder.

    Examples
    --------
    >>> page = environment("scrutable_documents.notices").from_string("<p>{{ name }}</p>")
    >>> page.render(name="<b>")
    '<p>&lt;b&gt;</p>'
    """
    loaders: list[jinja2.BaseLoader] = [jinja2.PackageLoader(package), jinja2.PackageLoader(__package__)]
    if templates is not None:
        if not Path(templates).is_dir():
            raise InputError(
                "not a folder of templates", where="option templates", got=str(templates), fix="give a folder"
            )
        loaders.insert(0, jinja2.FileSystemLoader(templates))
    return document_templates(jinja2.ChoiceLoader(loaders), sandboxed=True)


def style_sheet(templates: jinja2.Environment, *names: str) -> str:
    """Style sheets as one, that of every document first."""
    return "\n".join(templates.get_template(name).render() for name in ("style.css", "document.css", *names))


def document(templates: jinja2.Environment, model: Model, style: str, **values: Any) -> str:
    """A page about a model that stands alone: HTML of sections under a head; `values` are the template's others."""
    about = {"kind": kind_words(model), "fingerprint": fingerprint(model), "style": Markup(style)}
    return rendered(templates, "document.html.jinja", {**_NO_SCRIPT, **about, **values})


def rendered(templates: jinja2.Environment, template: str, values: Mapping[str, Any], *others: str) -> str:
    """A template filled with values; where there is none of the name, the first of `others` that there is.

    Raises
    ------
    InputError : the template cannot be read, or does not get along with the values.
    """
    return "".join(pieces(templates, template, values, *others))


def pieces(templates: jinja2.Environment, template: str, values: Mapping[str, Any], *others: str) -> Iterator[str]:
    """What `rendered` gives piece by piece, for pages that are too long to be held; errors as there."""
    where = f"template {template}"
    try:
        chosen = templates.select_template([template, *others])
        where = f"template {chosen.name}"
        yield from chosen.generate(values)
        return
    except jinja2.TemplateSyntaxError as error:
        where, got = f"template {error.name or template}, line {error.lineno}", error.message
    except (jinja2.TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        got = str(error)
    raise InputError("the template cannot be filled", where=where, got=got, fix="correct the template")


def kind_words(model: Model) -> str:
    """What kind of model it is.

    >>> from scrutable.model import Calibration, Outcome, Scorecard
    >>> kind_words(Scorecard(outcome=Outcome(classes=(0, 1), favourable=1), features=(), characteristics=(),
    ...                      base_points=600, cutoff=500, calibration=Calibration(slope=0.05)))
    'scorecard'
    """
    return model.kind.replace("-", " ")
