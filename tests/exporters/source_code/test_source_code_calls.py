"""How application servers call the files: one applicant, columns of many, and what they are told of a mistake."""

from __future__ import annotations

import platform
import re
import subprocess
from pathlib import Path

import pytest

from scrutable import create
from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import models_named

#: Rows of the scorecard, each by both functions of C; a text of bytes with NUL in it, and codes.
_MAIN = r"""
#include <stdio.h>
#include <string.h>
#define SCORE_DECLARATIONS
#include "score.c"

static void told(const score_text *text) {
    if (text == NULL || text->bytes == NULL) printf(" none");
    else printf(" %.*s", (int)text->length, text->bytes);
}

int main(void) {
    const score_text texts[] = {{"cook", 4}, {"cook\0", 5}, {NULL, 0}};
    const double amounts[] = {12.0, -7.0, 0.0 / 0.0};
    const int32_t codes[] = {0, 1, -1};
    double scores[3];
    int32_t reasons[3];
    score_columns columns = {.amount = amounts, .job = {texts, codes, 2}};
    score_results results = {.score = scores, .reason_1 = reasons};
    printf("%d\n", score_rows(3, &columns, &results));
    for (int i = 0; i < 3; i++) {
        score_input input = {.amount = amounts[i], .job = texts[i]};
        score_result result;
        if (score(&input, &result) != 0 || memcmp(&result.score, &scores[i], sizeof(double)) != 0) return 1;
        printf("%g", scores[i]);
        told(score_text_at(reasons[i]));
        told(&result.reason_1);
        printf("\n");
    }
    columns.job.codes = NULL;
    if (score_rows(3, &columns, &results) != 0 || scores[1] != 499.0) return 1;
    columns.job = (score_texts){texts, (const int32_t[]){0, 2, 0}, 2};
    printf("%d\n", score_rows(3, &columns, &results));
    columns.job.codes = (const int32_t[]){0, -2, 0};
    printf("%d\n", score_rows(3, &columns, &results));
    columns.job = (score_texts){texts, codes, -1};
    printf("%d\n", score_rows(3, &columns, &results));
    return 0;
}
"""


@pytest.mark.parametrize("flags", ["-std=c11 -O2 -ffp-contract=off", "-std=gnu11 -O3 -march=native"])
def test_one_applicant_and_columns_in_c(flags: str, tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    exporter.export(card()).write(tmp_path)
    (tmp_path / "main.c").write_text(_MAIN)
    compiled = ["cc", *flags.split(), "-fsanitize=undefined,address", "main.c", "score.c", "-o", "main", "-lm"]
    subprocess.run(compiled, cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = evaluate(card(), {"amount": [12.0, -7.0, None], "job": ["cook", "cook\0", None]}).frame()
    scores, reasons = ours["score"].tolist(), ours["reason_1"].tolist()
    rows = [f"{score:g} {code or 'none'} {code or 'none'}" for score, code in zip(scores, reasons, strict=True)]
    assert done.stdout.splitlines() == ["0", *rows, "2", "2", "2"]
    assert done.stderr == ""


#: Many blocks of rows, of which one of the last has a code that is out of range; then all of them.
_LONG = r"""
#include <stdio.h>
#include "score.c"

#define N 5000

int main(void) {
    static double amounts[N], scores[N];
    static int32_t codes[N];
    const score_text texts[] = {{"cook", 4}};
    for (int i = 0; i < N; i++) amounts[i] = i % 40 - 7;
    const score_columns columns = {.amount = amounts, .job = {texts, codes, 1}};
    const score_results results = {.score = scores};
    codes[N - 9] = 1;
    printf("%d\n", score_rows(N, &columns, &results));
    codes[N - 9] = -1;
    printf("%d\n", score_rows(N, &columns, &results));
    for (int i = 0; i < N; i++) {
        score_input input = {.amount = amounts[i], .job = codes[i] < 0 ? (score_text){NULL, 0} : texts[0]};
        score_result result;
        if (score(&input, &result) != 0 || result.score != scores[i]) return 1;
    }
    return 0;
}
"""


def test_many_blocks_of_rows_in_c(tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    exporter.export(card()).write(tmp_path)
    (tmp_path / "main.c").write_text(_LONG)
    flags = ["-std=c11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address"]
    subprocess.run(["cc", *flags, "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (["2", "0"], "")


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="how other processors fetch is not known")
def test_no_compiler_leaves_out_that_a_later_block_is_fetched(tmp_path: Path) -> None:
    """GCC takes a function that only fetches for one without effect, and leaves out its calls."""
    exporter = create("exporter", "c")
    exporter.engine()
    exporter.export(card()).write(tmp_path)
    subprocess.run(["cc", "-std=c11", "-O3", "-ffp-contract=off", "-S", "score.c"], cwd=tmp_path, check=True)
    assert len(re.findall("prefetch|prfm", (tmp_path / "score.s").read_text())) >= 2


#: An applicant of whom nothing is set, one of whom a text is, and one whose number an initialiser leaves out.
_UNSET = r"""
#include <stdio.h>
#include "score.c"

int main(void) {
    score_input input = score_missing(), zero = {.job = {"cook", 4}};
    score_result result;
    if (score(&input, &result) != 0) return 1;
    printf("%g\n", result.score);
    input.job = zero.job;
    if (score(&input, &result) != 0) return 1;
    printf("%g\n", result.score);
    if (score(&zero, &result) != 0) return 1;
    printf("%g\n", result.score);
    return 0;
}
"""


def test_what_is_not_set_is_missing_in_c(tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    exporter.export(card()).write(tmp_path)
    (tmp_path / "main.c").write_text(_UNSET)
    flags = ["-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = evaluate(card(), {"amount": [None, None, 0.0], "job": [None, "cook", "cook"]}).frame()["score"].tolist()
    assert ours[1] != ours[2]
    assert done.stdout.split() == [f"{score:g}" for score in ours]


#: Rules of two rows: both arrays, then one without the other, of which nothing is written.
_RULES = r"""
#include <stdio.h>
#include "score.c"

int main(void) {
    const double numbers[] = {20.0, 40.0};
    const score_text texts[] = {{"cook", 4}, {NULL, 0}};
    const score_columns columns = {
        .age = numbers, .income = numbers, .job = {.texts = texts}, .region = numbers};
    char rules[2 * SCORE_RULES_SIZE];
    int32_t lengths[2] = {-7, -7};
    double scores[2] = {-7.0, -7.0};
    score_results both = {.rules = rules, .rules_length = lengths};
    score_results texts_alone = {.rules = rules, .score = scores};
    score_results lengths_alone = {.rules_length = lengths, .score = scores};
    printf("%d\n", score_rows(2, &columns, &both));
    for (int row = 0; row < 2; row++) printf("%.*s\n", (int)lengths[row], rules + row * SCORE_RULES_SIZE);
    printf("%d %d %g\n", score_rows(2, &columns, &texts_alone), score_rows(2, &columns, &lengths_alone), scores[0]);
    return 0;
}
"""


def test_rules_without_their_lengths_are_refused_in_c(tmp_path: Path) -> None:
    model, exporter = models_named()["rule-set"], create("exporter", "c")
    exporter.engine()
    exporter.export(model).write(tmp_path)
    (tmp_path / "main.c").write_text(_RULES)
    flags = ["-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address"]
    subprocess.run(["cc", *flags, "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    numbers = [20.0, 40.0]
    rows = {"age": numbers, "income": numbers, "job": ["cook", None], "region": numbers}
    assert done.stdout.splitlines() == ["0", *evaluate(model, rows).frame()["rules"].tolist(), "2 2 -7"]


def test_arithmetic_that_is_not_of_ieee_is_refused_by_the_compiler(tmp_path: Path) -> None:
    exporter = create("exporter", "c")
    exporter.engine()
    exporter.export(card()).write(tmp_path)
    done = subprocess.run(
        ["cc", "-ffast-math", "-c", "score.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "leave -ffast-math out" in done.stderr


def test_rows_of_javascript(tmp_path: Path) -> None:
    told = in_node(card(), "JSON.stringify(score({amount: 12n, job: 'cook', other: 1}))", tmp_path)
    assert told.startswith('{"score":510,"probability":0.5')
    assert in_node(card(), "score(new Map([['amount', undefined], ['job', null]])).score", tmp_path) == "503"
    assert in_node(card(), "Array.from(score_rows([{amount: NaN, job: NaN}]), Object.keys).length", tmp_path) == "1"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{amount: 1}", 'column "job": it is not in the row'),
        ("new Map([['job', null]])", 'column "amount": it is not in the row'),
        ("{amount: '1', job: null}", 'column "amount": expected a number, null or NaN; got string'),
        ("{amount: 1, job: 1}", 'column "job": expected a text or null; got number'),
    ],
)
def test_mistakes_in_javascript(row: str, told: str, tmp_path: Path) -> None:
    asked = f"(() => {{ try {{ score({row}); }} catch (error) {{ return `${{error.name}}: ${{error.message}}`; }} }})()"
    assert in_node(card(), asked, tmp_path) == f"TypeError: {told}"


def in_node(model: Model, expression: str, folder: Path) -> str:
    """What node tells of an expression that may call the functions of a module."""
    exporter = create("exporter", "javascript")
    exporter.engine()
    exporter.export(model).write(folder, overwrite=True)
    (folder / "ask.mjs").write_text(f"import {{ score, score_rows }} from './score.mjs';\nconsole.log({expression});\n")
    done = subprocess.run(["node", "ask.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("language", "options"),
    [
        ("c", {"name": "risk_card"}),
        ("java", {"name": "RiskCard", "package": "org.example.risk"}),
        ("javascript", {"function": "riskCard"}),
    ],
)
def test_files_under_other_names_run(language: str, options: dict[str, str]) -> None:
    model, exporter = models_named()["rule-set"], create("exporter", language, **options)
    rows = {"age": [20.0, 40.0], "income": [5.0, 50.0], "job": ["cook", None], "region": [1.0, 9.0]}
    [name] = exporter.export(model).files
    assert name.partition(".")[0] == next(iter(options.values()))
    told = exporter.run(exporter.export(model), rows)
    assert told["score"].tolist() == evaluate(model, rows).frame()["score"].tolist()
