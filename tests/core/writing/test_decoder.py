"""What is in a file of JSON or TOML is within the budgets, or is refused with what, where, got and fix."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, ModelError
from scrutable.writing import decoder
from scrutable.writing.decoder import DEPTH, DIGITS, ITEMS, TEXT, checked, from_json, from_toml, read_json, read_toml
from scrutable.writing.files import LARGEST

Read = Callable[[str], Any]
SYNTAXES: dict[str, Read] = {
    "json": lambda value: from_json(f'{{"a": {value}}}', "here"),
    "toml": lambda value: from_toml(f"a = {value}", "here"),
}
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
numbers = st.integers(-(10**DIGITS) + 1, 10**DIGITS - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(values)
def test_what_is_within_the_budgets_is_read_as_it_is(value: Any) -> None:
    assert from_json(json.dumps(value), "here") == value
    assert checked(value, "here") is value


def refused(read: Callable[[], object], *parts: str, kind: type[Exception] = InputError) -> None:
    with pytest.raises(kind) as caught:
        read()
    error = caught.value
    assert isinstance(error, InputError | ModelError)
    assert error.what
    assert error.where
    assert error.got
    assert error.fix
    assert len(str(error)) < 500
    for part in parts:
        assert part in str(error)


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("1" * 5000, ("a number is too long", f"more than {DIGITS} digits")),
        ("-" + "1" * (DIGITS + 1), ("here.a: a number is too long",)),
        ("[" * 2000 + "]" * 2000, ("nested too deeply", f"more than {DEPTH} lists")),
        ("[" * (DEPTH + 1) + "]" * (DEPTH + 1), ("nested too deeply",)),
        ("[[" + f'"{"x" * (TEXT + 1)}"' + "]]", ("here.a[0][0]: a text is too long", f"{TEXT + 1:,} characters")),
        (r'["\u0000"]', ("here.a[0]: text with NUL or a lone surrogate", r"got '\x00'")),
        ("[1, 2", ("here",)),
    ],
)
def test_values_beyond_the_budgets(syntax: str, value: str, parts: tuple[str, ...]) -> None:
    refused(lambda: SYNTAXES[syntax](value), *parts)


@pytest.mark.parametrize("key", [".".join("a" * 2000), " . ".join(["'x y'"] * 2000)])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "[[{}]]", "a = {{ {} = 1 }}"])
def test_keys_of_toml_that_nest(form: str, key: str) -> None:
    refused(lambda: from_toml(form.format(key), "here"), "here: nested too deeply")


@pytest.mark.parametrize("harmless", ['"{}"', "'{}'", '"""\n{}\\""""', "'''{}'''", "1 # {}"])
def test_points_in_texts_of_toml_nest_nothing(harmless: str) -> None:
    assert list(from_toml("a = " + harmless.format("a." * 2000), "here")) == ["a"]


def test_hexadecimal_numbers_without_end() -> None:
    refused(lambda: from_toml("a = 0x" + "f" * 100_000, "here"), "here.a: a number is too long")


def test_lists_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ITEMS > 100_000
    monkeypatch.setattr(decoder, "ITEMS", 10)
    assert len(from_json(str(list(range(10))), "here")) == 10
    refused(lambda: from_json(str(list(range(11))), "here"), "here: a list is too long; got '11 values'")
    refused(lambda: from_toml("\n".join(f"k{i} = 1" for i in range(11)), "here"), "a list is too long")


def test_places_are_told_whatever_keys_are_called() -> None:
    refused(lambda: checked({"a b": {"\n": [0, "\ud800"]}}, "here"), r"here.a b['\n'][1]: ", r"got '\ud800'")
    refused(lambda: checked({"a": {"\ud800": 1}}, "here"), "here.a: ", r"got '\ud800'")


def test_what_is_no_json_is_an_error_of_the_kind_that_is_asked_for() -> None:
    refused(lambda: from_json('{"a": 1', "here", ModelError), "not whole, valid JSON", kind=ModelError)
    refused(lambda: from_json('{"a": NaN}', "here", ModelError), "not a number that JSON has", kind=ModelError)
    refused(lambda: from_json("[" * 100_000, "here", ModelError), "here", kind=ModelError)


def test_files_without_an_end_or_too_large_are_not_read_whole(tmp_path: Path) -> None:
    for read in (read_json, read_toml):
        refused(lambda read=read: read("/dev/zero"), "the file is too large")
    large = tmp_path / "large.toml"
    with large.open("wb") as handle:
        handle.truncate(LARGEST + 1)  # a hole, which takes no room
    refused(lambda: read_json(large), "the file is too large", f"more than {LARGEST:,} bytes")


HOSTILE: dict[str, tuple[Callable[[int], str], Callable[[str], Any]]] = {
    "repeated keys": (
        lambda n: "{" + ", ".join(f'"{i}": 1' for i in [*range(n), n - 1]) + "}",
        lambda text: from_json(text, "here"),
    ),
    "long keys above many values": (
        lambda n: ('{"' + "k" * n + '": [') * 20 + ", ".join(["0"] * n) + "]}" * 20,
        lambda text: from_json(text, "here"),
    ),
    "dotted keys": (lambda n: ".".join("a" * n) + " = 1", lambda text: from_toml(text, "here")),
    "words before a point": (lambda n: "a" * n + " = 1", lambda text: from_toml(text, "here")),
    "open texts": (lambda n: "a = '''" + "\"\"\" ''' '" * n, lambda text: from_toml(text, "here")),
    "tables": (lambda n: "".join(f"[a{i}.b]\nc = 1\n" for i in range(n)), lambda text: from_toml(text, "here")),
    "tables of a list": (lambda n: "[[a]]\nb = 1\n" * n, lambda text: from_toml(text, "here")),
}


@pytest.mark.deep
@pytest.mark.parametrize("name", HOSTILE)
def test_reading_takes_time_in_proportion(proportional: Any, name: str) -> None:
    write, read = HOSTILE[name]

    def made(n: int) -> Callable[[], object]:
        text = write(n)

        def work() -> None:
            try:
                read(text)
            except InputError:
                return

        return work

    proportional(made, 2000 if "table" in name else 10_000)


def test_infinities_of_toml_are_numbers() -> None:
    assert from_toml("a = inf", "here") == {"a": math.inf}
