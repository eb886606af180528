"""The page's own script, and the data that it reads."""

from __future__ import annotations

import functools
import json
from importlib import resources

from scrutable.model import Model
from scrutable.writing import escaped_in_json, javascript, visible
from scrutable_documents.report.words import words

#: What reads the form, calls the model and shows what it gives.
_FILES = ("rows", "form", "result", "main")


@functools.cache
def script() -> str:
    """The script of the page; it holds nothing of any model."""
    folder = resources.files("scrutable_documents.report").joinpath("templates")
    parts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in _FILES]
    return "\n".join([*parts, javascript()])


def words_block(model: Model) -> str:
    """Names, sentences and texts, as a script block of data may hold them."""
    return block(json.dumps(words(model), ensure_ascii=False, allow_nan=False))


def block(text: str) -> str:
    """JSON that ends no block of a page, and of which a page changes nothing.

    >>> block('"</script>"')
    '"\\\\u003c/script>"'
    """
    return visible(text, keep="\n", how=escaped_in_json).replace("<", "\\u003c")
