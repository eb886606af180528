"""What a component says of itself and of its options, from its docstring."""

from __future__ import annotations

import inspect
import re
from typing import Any

_SECTION = re.compile(r"\n(Parameters|Raises|Attributes|References|Examples)\n-+\n")


def about(code: Any) -> list[str]:
    """What comes before its parameters: paragraphs, each a line; lists stay as they are.

    >>> about(int)[0]
    'int([x]) -> integer int(x, base=10) -> integer'
    """
    before = _SECTION.split(_text(code))[0]
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n|\n(?=\* )", before) if paragraph.strip()]


def meanings(code: type) -> dict[str, str]:
    """What each parameter means, by name, from the class or the nearest base that says it.

    >>> class Named:
    ...     '''An example.
    ...
    ...     Parameters
    ...     ----------
    ...     first, last : names,
    ...         as they are spoken.
    ...     '''
    >>> meanings(Named)
    {'first': 'names, as they are spoken', 'last': 'names, as they are spoken'}
    """
    found: dict[str, str] = {}
    for each in code.__mro__:
        sections = _SECTION.split(_text(each))
        said = dict(zip(sections[1::2], sections[2::2], strict=True)).get("Parameters", "")
        for entry in re.split(r"\n(?=\S)", said.strip()):
            names, _, meaning = entry.partition(" : ")
            for name in names.split(", "):
                found.setdefault(name, " ".join(meaning.split()).rstrip("."))
    found.pop("", None)
    return found


def _text(code: Any) -> str:
    return f"{inspect.cleandoc(vars(code).get('__doc__') or '')}\n"
