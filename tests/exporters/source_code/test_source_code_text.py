"""The text itself: nothing that a model says becomes code, and no compiler has a remark."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.errors import InputError, PluginError
from scrutable.model import Model
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.random_models import drawn_models, extended_models

LANGUAGES = ("c", "java", "javascript")
#: What ends a text, a comment, a line or a script in some language, or is read before them.
ATTACKS = (
    '"; exit(99); //',
    "*/ exit(99); /*",
    "</script><script>exit(99)</script><!--",
    "line\nexit(99);",
    "line\r\u2028exit(99);\u2029\x85",
    "??/\nexit(99);??'",
    "a run of signs ???/",
    "a run of signs ????/",
    "\\u0022; exit(99); \\u000a exit(99);",
    "ends with a backslash\\",
    "${exit(99)} `exit(99)` {{ 7*7 }}{% raw %}",
    "%s %n \\x41 \\101",
    "\u202e\ufeff",
)
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')


def code(text: str) -> str:
    """What a compiler reads beside the texts, whose lengths may differ, and with them where lines end."""
    without = _TEXT.sub('""', text)
    lines = [line.partition("//")[0].rstrip() for line in without.split("\n")]
    return re.sub(r'\{"", \d+\}', '{"", 0}', " ".join(" ".join(lines).split()))


def named(text: str) -> Model:
    """A model that says a text wherever a model may; the names of its columns are no words, so that none is a name."""
    return card(amount=f"1.{text}", job=f"2.{text}", categories=(text, f"{text}2"), words=f"{text} words", code=text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_becomes_code(language: str, attack: str) -> None:
    check_harmless(language, attack)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=12, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(st.sampled_from("\\/*\"'?!#<>-u0d\n\r\u2028\u00e9{}`$"), min_size=1, max_size=12))
def test_no_text_of_signs_becomes_code(language: str, text: str) -> None:
    check_harmless(language, text)


def check_harmless(language: str, attack: str) -> None:
    exporter = create("exporter", language)
    text = exporter.export(named(attack)).text
    assert code(text) == code(exporter.export(named(".,")).text)
    assert text.isascii()
    comments = "\n".join(_TEXT.sub('""', line).partition("//")[2] for line in text.split("\n"))
    for opening in ("\\", "??", "</"):
        assert opening not in comments
    for opening in ("??", "</", "<!--"):
        assert opening not in text


def test_java_writes_no_sign_of_ascii_as_an_escape_that_is_read_before_all_else() -> None:
    for attack in ATTACKS:
        text = create("exporter", "java").export(named(attack)).text
        assert [each for each in re.findall(r"\\u([0-9a-f]{4})", text) if int(each, 16) < 0x80] == []


@pytest.mark.parametrize("flags", ["-std=c11 -pedantic -O2", "-std=gnu17 -O1"])
def test_a_compiler_of_c_has_no_remark(flags: str, tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    for model in [
        extended_models()["scorecard with all parts"],
        drawn_models()["segmented model 1"],
        named(ATTACKS[5]),
    ]:
        (tmp_path / "score.c").write_text(exporter.export(model).text)
        command = ["cc", *flags.split(), "-Wall", "-Wextra", "-Werror", "-c", "score.c", "-o", "score.o"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_model_gives_the_same_text_and_says_what_it_is(language: str) -> None:
    exporter = create("exporter", language)
    text = exporter.export(card()).text
    assert text == exporter.export(card()).text
    assert text.startswith("// Scorecard for 'Number of things', favourable class 'good'.\n")
    assert "500.0 + " in text


@pytest.mark.parametrize(
    ("language", "options"),
    [
        ("c", {"name": "int"}),
        ("c", {"name": "a b"}),
        ("c", {"name": "part_1"}),
        ("c", {"name": "log"}),
        ("c", {"name": "index"}),
        ("c", {"name": "signbit"}),
        ("java", {"name": "Result"}),
        ("java", {"name": "Part1"}),
        ("java", {"package": "com.class"}),
        ("javascript", {"function": "await"}),
        ("javascript", {"function": "1x"}),
    ],
)
def test_names_that_a_language_does_not_take_are_refused(language: str, options: dict[str, str]) -> None:
    [option] = options
    with pytest.raises(InputError, match=f"option {option}: no name that .* takes.*Fix: for example"):
        create("exporter", language, **options)


@pytest.mark.parametrize(("language", "option"), [("java", "name"), ("javascript", "function")])
@pytest.mark.parametrize("name", ["run", "Run"])
def test_a_file_may_be_called_as_what_runs_it_is(language: str, option: str, name: str) -> None:
    exporter = create("exporter", language, **{option: name})
    ran = exporter.run(exporter.export(card()), {"amount": [1.0], "job": ["cook"]})
    assert ran["score"].tolist() == [500.0]


@pytest.mark.parametrize(
    ("language", "package"), [("c", "gcc libc6-dev"), ("java", "default-jdk-headless"), ("javascript", "nodejs")]
)
def test_without_the_program_it_says_what_to_install(
    language: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    exporter = create("exporter", language)
    export = exporter.export(card())
    for start in (exporter.engine, lambda: exporter.run(export, {"amount": [1.0], "job": ["cook"]})):
        with pytest.raises(PluginError, match=f"not installed, or not on the path.*apt-get install {package}"):
            start()
