"""Changes at random: of bytes, whatever they mean, and of the values that a JSON, TOML or CSV text holds."""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from scrutable.errors import InputError
from scrutable.writing.toml import toml_key, toml_value

#: What takes the place of values.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 2**31, 2**63, 10**30, 10**400, 0.5, -0.0, 1e-300, 5e-324, 1e308, -1e308,
    math.nan, math.inf, -math.inf, "", "inf", "-inf", "nan", "numeric", "categorical", "own", "age", "housing",
    "good", "bad", "R1", "K1", "left", "missing", "\x00", "\ud800", "\u202e", "é" * 50, "x" * 5000, "bonität " * 500,
    [], [[]], [1], ["own"], [None], {}, {"type": "missing"}, {"type": []}, {"type": {}}, {"type": "interval"},
    {"value": 1}, {"": 1}, {"\ud800": 1}, [{"type": "missing"}], {"a": {"b": [{}]}},
    [{"feature": "age", "any_of": [{"type": "missing"}]}],
)  # fmt: skip
#: What is put among bytes.
TOKENS: tuple[bytes, ...] = (
    *(token.encode("utf-8", "surrogatepass") for token in ("\x00", "\ud800", "\ufeff", "\u2028", "\u202e", "é", "=")),
    *(b"\xff", b"\r", b"\n", b"\r\n", b"\t", b'"', b'"""', b"'''", b"\\", b"\\ud800", b"\\u0000", b"#", b",", b";"),
    *(b"[", b"]", b"{", b"}", b"[" * 2000, b"]" * 2000, b"a." * 2000, b"[[a]]\n", b"{}", b":", b"/*", b"//"),
    *(b"NaN", b"-Infinity", b"1e999", b"-0", b"0x", b"9" * 5000, b"0" * 5000, b"nan", b"inf", b"1_000", b"1979-05-27"),
)

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


def changed(content: bytes, kind: str, chance: Random, others: Sequence[bytes]) -> bytes:
    """A file's content after a few changes at random: of its values, of its bytes, or of both.

    Parameters
    ----------
    kind : "json", "toml" or "csv".
    others : contents of which parts may come in.
    """
    of_values = chance.choice((0, 1, 1, 2, 3))
    for _ in range(of_values):
        content = _CHANGES[kind](content, chance, others)
    for _ in range(chance.choice((1, 2, 3)) if not of_values else chance.choice((0, 0, 0, 1))):
        content = _of_bytes(content, chance, others)
    return content


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every list and mapping in a value, with each of its positions or keys.

    >>> places({"a": [1]})
    [({'a': [1]}, 'a'), ([1], 0)]
    """
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    for holder in waiting:
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            found.append((holder, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def _of_bytes(content: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(content) + 1)
    stop = min(len(content), start + int(chance.expovariate(0.1)))
    piece = content[start:stop]
    match chance.randrange(8):
        case 0:
            piece = b""
        case 1:
            piece = piece * chance.choice((2, 3, 100))
        case 2:
            piece = bytes(chance.randrange(256) for _ in piece or b"x")
        case 3:
            piece = bytes(each ^ 1 << chance.randrange(8) for each in piece)
        case 4:
            return content[:start]
        case 5:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            piece = other[begin : begin + int(chance.expovariate(0.01))]
        case 6:
            piece = chance.choice(TOKENS) + piece
        case _:
            piece = chance.choice(TOKENS)
    return content[:start] + piece + content[stop:]


def _of_json(content: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    data = _damaged(json.loads(content), chance, lambda: json.loads(chance.choice(others)))
    return json.dumps(data, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _of_toml(content: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    data = _damaged(tomllib.loads(content.decode()), chance, lambda: tomllib.loads(chance.choice(others).decode()))
    return _toml(data).encode()


def _of_csv(content: bytes, chance: Random, others: Sequence[bytes]) -> bytes:
    separator = chance.choice(",;\t|") if chance.random() < 0.1 else ","
    rows: list[Any] = list(csv.reader(io.StringIO(content.decode("utf-8", "surrogatepass"), newline="")))
    rows = [row for row in _damaged(rows, chance, lambda: [["1", "a"]]) if isinstance(row, list)]
    text = io.StringIO()
    end = chance.choice(("\n", "\n", "\r\n", "\r"))
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


_CHANGES: Mapping[str, Change] = {"json": _of_json, "toml": _of_toml, "csv": _of_csv}


def _damaged(data: Any, chance: Random, other: Callable[[], Any]) -> Any:
    """The value with a random part replaced, deleted, repeated, renamed, nested or taken from elsewhere."""
    found = places(data)
    if not found:
        return data
    holder, key = chance.choice(found)
    match chance.randrange(16):
        case 0 | 1:
            holder[key] = copy.deepcopy(chance.choice(VALUES))
        case 2:
            del holder[key]
        case 3 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 3:
            holder[str(chance.choice(VALUES))] = holder.pop(key)
        case 4:
            holder[key] = chance.choice(([holder[key]], {"a": holder[key]}, [holder[key]] * 3))
        case 5:
            theirs, its = chance.choice(found if chance.random() < 0.5 else places(other()) or found)
            holder[key] = copy.deepcopy(theirs[its])
        case 6 | 7 | 8 | 9:
            alike = [theirs[its] for theirs, its in found if type(theirs[its]) is type(holder[key])]
            holder[key] = copy.deepcopy(chance.choice(alike))
        case _:
            holder[key] = _nudged(holder[key], chance)
    return data


def _nudged(value: Any, chance: Random) -> Any:
    """A value a little beside what it was; a list or a mapping with its items in another order."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return chance.choice((-value, value + 1, value * 2, value // 2, value * 10**9))
    if isinstance(value, float):
        return chance.choice((-value, value + 1, value * 2, math.nextafter(value, math.inf), value * 1e9))
    if isinstance(value, str):
        return chance.choice(
            (value[:-1], value + "x", value.upper(), f" {value}", value + chance.choice("\x00\ud800\u202e\n"))
        )
    items = list(value.items() if isinstance(value, dict) else value)
    chance.shuffle(items)
    return type(value)(items)


def _toml(data: Mapping[str, Any]) -> str:
    lines = []
    for key, value in data.items():
        try:
            lines.append(f"{toml_key(key)} = {toml_value(value)}\n")
        except InputError:  # what TOML cannot hold
            continue
    return "".join(lines)
