"""The text itself: hostile words, numbers and literals, options, refusals, stability."""

from __future__ import annotations

import math
import random
import struct
from pathlib import Path

import numpy as np
import pytest
from cards import card, categories, knocking_out, ladder

from scrutable.errors import InputError, PluginError
from scrutable.model import fingerprint
from scrutable.model.evaluator import differences, evaluate
from scrutable.testing.strategies import HOSTILE_NUMBERS, HOSTILE_TEXTS
from scrutable_r import engine
from scrutable_r.exporter import RExporter
from scrutable_r.quoting import number, quoted, vector

from .conftest import RunR

ATTACK = """x"; writeLines("1", "victim"); #'; writeLines("1", "victim") `\\"""


def test_hostile_names_execute_nothing(
    rscript: str, locale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = f'{ATTACK}\nwriteLines("1", "{tmp_path}/victim")\u2028\r'
    model = card(
        ladder(words, 1.0),
        categories(words + "*/", *HOSTILE_TEXTS, ATTACK),
        label=words,
        policy=knocking_out(words, 0, code=words, reason=words),
    )
    texts = [*HOSTILE_TEXTS, ATTACK, "unseen", None]
    rows = {words: [float(i % 4 - 1) for i in range(len(texts))], words + "*/": texts}
    exporter = RExporter(locale=locale)
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}
    assert list(tmp_path.iterdir()) == []


def test_names_that_r_could_mix_up(rscript: str, locale: str) -> None:
    names = [
        "\u00e9",
        "<U+00E9>",
        "e\u0301",
        "\\u00e9",
        "\\xe9",
        "NA",
        "if",
        "x_1",
        "1",
        "data",
        "n",
        "score",
        "...",
        " ",
    ]
    model = card(*(ladder(name, float(i)) for i, name in enumerate(names)))
    rows = {name: np.arange(-1.0, 16.0) + i % 3 for i, name in enumerate(names)}
    exporter = RExporter(locale=locale)
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_words_are_never_read_as_a_template() -> None:
    text = RExporter().export(card(ladder("{{ 7*7 }}{% raw %}", 1.0), label="{{ 7*7 }}")).text
    assert '"points_{{ 7*7 }}{% raw %}"' in text


def test_words_change_nothing_but_comments(run_r: RunR) -> None:
    hostile = "".join(HOSTILE_TEXTS) + "\x85\x0b\x0c\x1c\u2028\u2029\r quit(status = 1) {{ 7*7 }} ${x}"
    texts = [
        RExporter().export(card(ladder("x", 1.0), label=words)).text for words in ("plain", hostile, hostile[200:])
    ]
    pieces = ", ".join(map(quoted, texts))
    code = (
        f"trees <- lapply(list({pieces}), function(t) parse(text = t, keep.source = FALSE)); cat(length(unique(trees)))"
    )
    assert run_r(texts[0], code) == "1"


def test_lines_are_short_enough_for_a_script(run_r: RunR) -> None:
    """A script's lines of more than 4,096 characters break escapes in R; those of `source` do not."""
    long = [chr(0x10FFFF) * 900, "a\n" * 3000, *(f"{i}\u00e9" * 40 for i in range(300))]
    assert max(map(len, vector(long).splitlines())) < 1100
    lengths = run_r("score <- NULL", f"cat(nchar({vector(long)}))")
    assert lengths.split() == [str(len(text)) for text in long]


def test_doubles_are_read_back_to_the_last_bit(run_r: RunR, tmp_path: Path) -> None:
    chance = random.Random(0)
    values = [struct.unpack("<d", chance.randbytes(8))[0] for _ in range(5000)]
    values += [chance.randrange(1, 2**52) * 5e-324 for _ in range(2000)]
    values += [chance.randrange(-(2**50), 2**50) * 2.0**-30 for _ in range(5000)]
    values += [round(chance.uniform(-1000, 1000), chance.randrange(4)) for _ in range(5000)]
    values = [value + 0.0 for value in (*values, *HOSTILE_NUMBERS, math.inf, -math.inf) if not math.isnan(value)]
    written = ",\n".join(map(number, values))
    run_r(f"x <- c({written})", 'writeBin(x, "x.bin", endian = "little")')
    assert (tmp_path / "x.bin").read_bytes() == np.array(values, dtype="<f8").tobytes()


def test_texts_are_read_back_to_the_last_byte(run_r: RunR, tmp_path: Path) -> None:
    chance = random.Random(0)
    points = [*range(1, 0x800), 0xFFFD, 0xFFFE, 0xFFFF, 0x10FFFF, *chance.sample(range(0xE000, 0x110000), 2000)]
    texts = [*map(chr, points), *(f"a{chr(point)}1f" for point in points), *HOSTILE_TEXTS, "\u00e9x" * 7000]
    written = ",\n".join(map(quoted, texts))
    code = "for (one in x) writeBin(c(charToRaw(enc2utf8(one)), as.raw(0)), file); close(file)"
    run_r(f"x <- c({written})", f'file <- file("x.bin", "wb")\n{code}')
    assert (tmp_path / "x.bin").read_bytes() == "".join(f"{text}\0" for text in texts).encode()


def test_the_text_is_the_same_every_time_and_says_what_it_is() -> None:
    model = card(ladder("age", 18.1), policy=knocking_out("age", 17), label="Age of the applicant")
    text = RExporter().export(model).text
    assert text == RExporter(locale="C.UTF-8").export(model).text
    assert text.isascii()
    assert f"# Model fingerprint (SHA-256): {fingerprint(model)}" in text
    assert "# Scorecard for 'outcome', favourable class 'good'." in text
    assert "# Approved is 1 where the score is at least 510.0 and no knock-out applies." in text
    assert "    place_age <- place_of_numbers(x_age, from = c(-Inf, 0x1.219999999999ap+4), missing = 3L)\n" in text
    assert "      10,  # >= 18.1\n" in text
    assert "  x_age < 17  # too young\n" in text
    assert "\ngrade <- local({\n" in RExporter(function_name="grade").export(model).text


OPTIONS = [
    ("form", "script"), ("function_name", "if"), ("function_name", "1x"), ("function_name", "x y"),
    ("function_name", "caf\u00e9"), ("function_name", "x\n"), ("function_name", None), ("package", "x_y"),
    ("package", "x"), ("maintainer", "nobody"), ("maintainer", "A <a@b.c>\nX: y"), ("locale", "C; x"),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value"), OPTIONS)
def test_options_are_checked(option: str, value: object) -> None:
    with pytest.raises(InputError, match=f"option {option}: not a value that the option can have"):
        RExporter(**{option: value})


def test_the_engine_has_a_name_and_a_version(rscript: str) -> None:
    name, version = RExporter().engine().split(" ")
    assert name == "R"
    assert tuple(map(int, version.split("."))) >= (3, 6)


def test_without_r_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.VARIABLE, "no-such-rscript")
    with pytest.raises(PluginError, match=r"R is not installed.*'no-such-rscript'.*r-base-core.*SCRUTABLE_RSCRIPT"):
        RExporter().engine()


def test_an_error_in_r_is_told(rscript: str) -> None:
    job = engine.Job(text="score <- function(data) stop('broken on purpose')\n", columns={}, n_rows=1)
    with pytest.raises(PluginError, match="broken on purpose"):
        engine.run([job], "C")
