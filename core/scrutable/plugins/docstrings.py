"""What a component says of itself and of its options, from its docstring."""

from __future__ import annotations

import inspect
import re
from typing import Any

#: A meaning that only says whose it is.
_ELSEWHERE = re.compile(r"as in `(\w+)`")
_SECTION = re.compile(r"\n(Parameters|Raises|Attributes|References|Examples)\n-+\n")


def about(code: Any) -> list[str]:
    """What comes before its parameters: paragraphs, each a line; lists stay as they are.

    >>> about(int)[0]
    'int([x]) -> integer int(x, base=10) -> integer'
    """
    before = _SECTION.split(_text(code))[0]
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n|\n(?=\* )", before) if paragraph.strip()]


def meanings(code: type) -> dict[str, str]:
    """What each parameter means, by name, from the class or the nearest base that says more than "as in" another base.

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
    here: dict[str, str] = {}
    elsewhere: dict[str, str] = {}
    bases = {each.__name__ for each in code.__mro__}
    for each in code.__mro__:
        sections = _SECTION.split(_text(each))
        said = dict(zip(sections[1::2], sections[2::2], strict=True)).get("Parameters", "")
        for entry in re.split(r"\n(?=\S)", said.strip()):
            names, _, meaning = entry.partition(" : ")
            meaning = " ".join(meaning.split()).rstrip(".")
            refers = _ELSEWHERE.fullmatch(meaning)
            kept = elsewhere if refers and refers[1] in bases else here
            for name in names.split(", "):
                kept.setdefault(name, meaning)
    here.pop("", None)
    return elsewhere | here


def _text(code: Any) -> str:
    return f"{inspect.cleandoc(vars(code).get('__doc__') or '')}\n"
