"""Encodings of text files: the one that is named, the one that a byte-order mark tells, or else UTF-8."""

from __future__ import annotations

import codecs
import gzip
import re
from pathlib import Path
from typing import TextIO

from scrutable.errors import InputError, ScrutableWarning, warn_caller

#: What a file begins with that says its own encoding; UTF-32 first, whose mark begins as that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Letters and signs of cp1252 that Western languages write; others show that a file has another encoding.
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿŒœ€£¥§©®°²³·«»“”„…•½¼¿¡ªº±".encode("cp1252")
    + b"\x91\x92\x96\x97\xa0\xb4"  # single quotes, dashes, the blank that does not break, the acute accent
)
#: Words of three such letters on end, or with a sign in their midst, as of Cyrillic, Polish or DOS texts.
_FOREIGN = re.compile(
    rb"[\xc0-\xff]{3}"
    rb"|[A-Za-z\xc0-\xff][\x80-\x8b\x8d-\x91\x93-\x95\x98-\x9b\x9d-\x9f\xa1-\xb6\xb8-\xbf]+[a-z\xc0-\xff]"
)
_ASCII, _BLOCK, _TAIL = 127, 2**20, 2


class GuessedEncodingWarning(ScrutableWarning):
    """A file without a known encoding was read as cp1252."""


def open_text(file: Path, encoding: str | None) -> TextIO:
    """The text of a file, unzipped where its name ends in .gz, its line ends unchanged.

    Raises
    ------
    InputError : no encoding of that name; a file without a byte-order mark that is most likely UTF-16.
    """
    if encoding is not None:
        check_encoding(encoding)
        used = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
    else:
        used = _marked(file)
    if _is_gzip(file):
        return gzip.open(file, "rt", encoding=used, newline="")
    return open(file, encoding=used, newline="")


def check_encoding(encoding: str) -> None:
    """Refuse what is no encoding of text.

    >>> check_encoding("cp1252")
    """
    try:
        "a".encode(encoding)
    except (LookupError, TypeError):
        raise InputError(
            "unknown encoding",
            where="encoding",
            got=encoding,
            allowed="a name that Python knows, such as 'utf-8', 'cp1252', 'latin-1' or 'utf-16'",
            fix="correct the name, or save the file in UTF-8",
        ) from None


def not_in_encoding(file: Path, encoding: str | None, got: object) -> InputError:
    """The error for bytes that are no text of an encoding."""
    if encoding is not None:
        fix = "name the encoding that the file is saved in, or save it as CSV in UTF-8"
        return InputError(f"not {encoding} text", where=f"file {str(file)!r}", got=got, fix=fix)
    return InputError(
        "not UTF-8 text",
        where=f"file {str(file)!r}",
        got=got,
        fix="save the file as CSV in UTF-8, or name its encoding, which is mostly cp1252 where Windows or Excel wrote "
        "it: --encoding cp1252 (in Python encoding='cp1252')",
    )


def western_letters(file: Path) -> str:
    """The letters of a file that is no UTF-8 and surely cp1252; none of UTF-8, of what a mark tells, and where unsure.

    Sure is text whose further letters are those of Western languages and stand among plain ones: read as cp1252, texts
    of other encodings have signs within words, or words of such letters alone.

    Raises
    ------
    InputError : as of `open_text`.
    """
    if _marked(file) != "utf-8-sig":
        return ""
    decoder, is_utf8, seen, tail = codecs.getincrementaldecoder("utf-8")(), True, set[int](), b""
    with gzip.open(file, "rb") if _is_gzip(file) else open(file, "rb") as handle:
        while block := handle.read(_BLOCK):
            if is_utf8:
                is_utf8 = _decodes(decoder, block)
            if not block.isascii():
                seen.update(byte for byte in set(block) if byte > _ASCII)
                if _FOREIGN.search(tail + block):
                    return ""
            tail = block[-_TAIL:]
    if (is_utf8 and _decodes(decoder, b"", final=True)) or not seen <= _WESTERN:
        return ""
    return bytes(sorted(seen)).decode("cp1252")


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(block, final)
    except UnicodeDecodeError:
        return False
    return True


def warn_of_western(file: Path, letters: str) -> None:
    """Tell that a file is read as cp1252, with the letters that it has then."""
    warn_caller(
        f"file {file.name!r}: not UTF-8 text, and read as cp1252, in which it has the letters {letters!r}. Fix: none "
        "if they are right, and --encoding cp1252 (in Python encoding='cp1252') says so; else name its encoding.",
        GuessedEncodingWarning,
    )


def _marked(file: Path) -> str:
    with gzip.open(file, "rb") if _is_gzip(file) else open(file, "rb") as handle:
        head = handle.read(max(map(len, _MARKS)))
    encoding = next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)
    if encoding is None and b"\0" in head[:2]:
        order = "be" if head.startswith(b"\0") else "le"
        raise InputError(
            "begins with a NUL, as UTF-16 does without a byte-order mark",
            where=f"file {str(file)!r}",
            got=head,
            fix=f"name its encoding: --encoding utf-16-{order} (in Python encoding='utf-16-{order}')",
        )
    return encoding or "utf-8-sig"


def _is_gzip(file: Path) -> bool:
    return file.name.lower().endswith(".gz")
