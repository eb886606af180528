"""Literals and comments of pure ASCII that nothing in a model's texts can end, join or turn into code."""

from __future__ import annotations

import re

from scrutable.plugins import one_line

#: What stands for itself in a text literal of each language: no quote, backslash, or part of a trigraph or a tag.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+=.,:;()[]{}#!|~^@$%&*/'")

_TAG = re.compile("<(?=[A-Za-z/!])")
_MARK_BEFORE_ANOTHER = re.compile(r"\?(?=\?)")


def comment(words: str) -> str:
    """Words for a comment that ends with its line, or nothing where there are no words.

    A backslash would join the line with the next in C, and begin an escape that is read before all else in Java; two
    question marks begin a trigraph, and a tag may end the script of a page.

    >>> comment("a" + chr(92) + "u000a ???/ </script>" + chr(10))
    ' // a/u000a ? ? ?/ < /script>/n'
    """
    told = _TAG.sub("< ", one_line(words).replace("\\", "/"))
    told = _MARK_BEFORE_ANOTHER.sub("? ", told)
    return f" // {told}" if told.strip() else ""


def plain(letter: str) -> bool:
    """Whether a letter stands for itself in a text literal of each language."""
    return letter in _PLAIN
