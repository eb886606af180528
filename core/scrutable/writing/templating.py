"""Templates of documents: what comes from data is text in them, and steers nothing that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrutable.writing.visible_text import visible

if TYPE_CHECKING:
    import jinja2

#: Blanks between words, of whatever kind, are those of the layout.
_BLANKS = "\t\n\r"


def document_templates(
    loader: jinja2.BaseLoader, *, escape: bool = True, sandboxed: bool = False, filters: dict[str, Any] | None = None
) -> jinja2.Environment:
    """Templates whose values are escaped for HTML and made visible, and in which a name that is not there is an error.

    Parameters
    ----------
    loader : of the templates.
    escape : whether values are escaped for HTML; if not, the template has to do what its format needs.
    sandboxed : whether the templates may be somebody else's, and reach nothing of Python's.
    filters : more of them, by name.

    Examples
    --------
    >>> import jinja2
    >>> page = document_templates(jinja2.BaseLoader()).from_string("<p>{{ name }}</p>")
    >>> print(page.render(name="<b>" + chr(0x202e)))
    <p>&lt;b&gt;\\u202e</p>
    """
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = (ImmutableSandboxedEnvironment if sandboxed else jinja2.Environment)(
        loader=loader,
        autoescape=escape,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= filters or {}
    return made


def _shown(value: Any) -> Any:
    """What a template writes of a value, of which markup stays markup."""
    from jinja2.filters import do_mark_safe

    if hasattr(value, "__html__"):
        return do_mark_safe(visible(value.__html__(), keep=_BLANKS))
    return visible(value, keep=_BLANKS)
