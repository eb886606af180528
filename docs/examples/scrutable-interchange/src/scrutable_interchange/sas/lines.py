"""Lines that SAS reads to their end.

How long a line may be depends on how a program is submitted: 256 characters in a batch file where LRECL= says no more,
6,000 for %INCLUDE, and 136 at the least in the Program Editor (SAS Usage Note 15883). A statement goes on over lines
wherever it may have a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Where lines are broken if they can be.
WIDTH = 120
#: No line is longer, whatever text it holds: what stands between quotes must stay in one line.
LONGEST_LINE = 256

_QUOTED = r"'(?:[^']|'')*'"
#: Comments, and words up to the next blank that is not quoted.
_WORDS = re.compile(rf"/\*.*?\*/|(?:{_QUOTED}|[^\s'])+", re.DOTALL)


def broken(line: str) -> Iterator[str]:
    """A line as lines, broken at blanks that are neither quoted nor in a name; those that follow stand further in.

    Examples
    --------
    >>> print(*broken(f"  if x = '{'a' * 40} {'b' * 40}' or x = '{'c' * 40}' then do;"), sep="\\n")
      if x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' or x =
        'cccccccccccccccccccccccccccccccccccccccc' then do;
    """
    if len(line) <= WIDTH:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip())]
    now = indent
    for word in (part for found in _WORDS.findall(line) for part in _parts(found)):
        if now.strip() and len(now) + 1 + len(word) > WIDTH:
            yield now
            now = f"{indent}  "
        now += f" {word}" if now.strip() else word
    yield now


def _parts(word: str) -> list[str]:
    """The words of a comment, none of them longer than a line; any other word as it is."""
    if not word.startswith("/*"):
        return [word]
    most = WIDTH // 2
    return [part[at : at + most] for part in word.split() for at in range(0, len(part), most)]
