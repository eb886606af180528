"""Functions that stand in a file where it calls them, from one source of all helpers of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CALLED = re.compile(r"(\w+)\(")
#: What the first line that is no comment and no annotation defines.
_DEFINED = re.compile(r"^(?![/@]).*?(\w+)\(", re.MULTILINE)


def used(source: str, lines: Iterable[str]) -> list[str]:
    """Those helpers, parted by blank lines, whose names lines call, in their order; no helper calls another.

    >>> used("function a(x) {\\n}\\n\\nfunction b(x) {\\n}", ["y = b(2)"])
    ['function b(x) {\\n}']
    """
    called = {name for line in lines for name in _CALLED.findall(line)}
    return [helper for helper in source.strip().split("\n\n") if _DEFINED.findall(helper)[0] in called]
