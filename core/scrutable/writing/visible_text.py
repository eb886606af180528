"""Texts that show what they hold, and steer nothing that shows them.

By Unicode's properties, and not by a list: letters, marks, numbers, punctuation, symbols and blanks stand as they are,
in whichever direction they are written, and so does what Python's Unicode does not know yet. Control and format
characters, the marks of direction among them, separators of lines and paragraphs, halves of surrogate pairs and what
Unicode says is no character are shown escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

#: Categories of Unicode whose characters are no part of what is read, but may say how it is laid out.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))

#: Line ends and tabs, for texts of several lines.
LAYOUT = "\n\t"

# Unicode's property Join_Control, which `unicodedata` does not have.
_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # a combining class
_JOINED = ("AL", "R")  # bidirectional classes of the scripts whose letters join
_NOT_PLAIN = re.compile(r"[^ -~]")


def escaped(character: str) -> str:
    r"""A character as Python writes it in a text: "\x1b", "\u202e"."""
    return character.encode("unicode_escape").decode()


def escaped_in_json(character: str) -> str:
    r"""A character as JSON writes it in a text, where "\x1b" means nothing.

    >>> print(escaped_in_json("\x9b"), escaped_in_json("\U000e0001"))
    \u009b \udb40\udc01
    """
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


def visible(value: object, *, keep: str = "", how: Callable[[str], str] = escaped) -> str:
    r"""A value as a text in one line, in which whatever would not be seen is shown escaped.

    Made visible again, it stays the same. The joiners of Persian, Hindi and other scripts stand within words.

    Parameters
    ----------
    keep : characters that stand although they are not seen, such as `LAYOUT`.
    how : what stands for a character that would not be seen.

    Examples
    --------
    >>> print(visible("a\x1b[31mb\n\u202ec"))
    a\x1b[31mb\n\u202ec
    >>> visible("دخل شهري، größe") == "دخل شهري، größe"
    True
    """
    text = str(value)
    if text.isprintable():
        return text

    def shown(match: re.Match[str]) -> str:
        character = match[0]
        return character if character in keep or _stands(text, match.start()) else how(character)

    return _NOT_PLAIN.sub(shown, text)


def javascript() -> str:
    """The function `visible` of pages, as a text of JavaScript."""
    from importlib import resources

    return resources.files(__package__).joinpath("visible.js").read_text(encoding="utf-8")


def _stands(text: str, place: int) -> bool:
    character = text[place]
    if unicodedata.category(character) in _UNSEEN:
        return character in _JOINERS and _within_word(text, place)
    return not _is_noncharacter(ord(character))


def _is_noncharacter(code: int) -> bool:
    """Unicode's property Noncharacter_Code_Point, which stays as it is, and which `unicodedata` does not have."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def _within_word(text: str, place: int) -> bool:
    """Whether a joiner stands before a letter, after one of a script that joins or after a virama (RFC 5892, A.1)."""
    if place == 0 or not _is_letter(text[place + 1 : place + 2]):
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return True
    letter = next((each for each in map(text.__getitem__, range(place - 1, -1, -1)) if not _is_mark(each)), "")
    return _is_letter(letter) and unicodedata.bidirectional(letter) in _JOINED


def _is_letter(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] == "L"


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) == "Mn"
