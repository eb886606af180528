"""Errors about inputs that are allowed, in the words of the command line."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from scrutable.errors import InputError

_ALLOW = "--allow-protected"
#: How a fix of the core names inputs to allow.
_ALLOWED = re.compile(r"\ballow_protected=(\[.*\])$")


@contextmanager
def in_flags() -> Iterator[None]:
    """Tell of options of `review_bins` by their flags."""
    try:
        yield
    except InputError as error:
        if error.where == "allow_protected":
            error.where = _ALLOW
        allowed = _ALLOWED.search(error.fix or "")
        if allowed is not None and error.fix is not None:
            names = shlex.join(ast.literal_eval(allowed[1]))
            error.fix = f"{error.fix[: allowed.start()]}{_ALLOW} {names}"
        raise
