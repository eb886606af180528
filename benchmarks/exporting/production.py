"""Files of C, Java and JavaScript, timed by programs around them; and compared with the evaluator on edge rows."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from clock import median_seconds

from exporting import cards
from scrutable import create
from scrutable.model import Model
from scrutable.model.evaluator import read_inputs
from scrutable.proof import certify, verification_rows
from scrutable_source_code.c.calling import Library

#: Results of a batch.
BATCHES: dict[str, tuple[str, ...]] = {
    "score and decision": ("score", "approved"),
    "score, decision and four reasons": ("score", "approved", *(f"reason_{i}" for i in range(1, 5))),
}
_RUNS = 5
_FLAGS = ("-std=c11", "-O3", "-march=native", "-ffp-contract=off")
#: Programs that print the seconds of a row, each the median of five; `{n}` rows are scored each time.
_C = r"""
#include "score.c"
#include <stdio.h>
#include <time.h>
int main(void) {
    double sum = 0;
    for (int run = 0; run <= %(runs)d; run++) {
        const clock_t start = clock();
        for (int i = 0; i < %(n)d; i++) {
            score_input input = {%(c)s};
            score_result result;
            score(&input, &result);
            sum += result.score + result.short_1;
        }
        if (run > 0) printf("%%.12f\n", (double)(clock() - start) / CLOCKS_PER_SEC / %(n)d);
    }
    return sum == 0.1;
}
"""
_JAVA = r"""
public final class Time {
    private static final java.lang.management.ThreadMXBean CLOCK =
        java.lang.management.ManagementFactory.getThreadMXBean();

    public static void main(String[] arguments) {
        double sum = 0;
        for (int run = 0; run <= %(runs)d; run++) {
            long start = CLOCK.getCurrentThreadCpuTime();
            for (int i = 0; i < %(n)d; i++) {
                Score.Input input = new Score.Input();
                %(java)s
                Score.Result result = Score.score(input);
                sum += result.score + result.short_1;
            }
            double seconds = (CLOCK.getCurrentThreadCpuTime() - start) / 1e9 / %(n)d;
            if (run > 0) System.out.printf(java.util.Locale.ROOT, "%%.12f%%n", seconds);
        }
        if (sum == 0.1) System.out.println();
    }
}
"""
_JAVASCRIPT = r"""
import { score } from "./score.mjs";
let sum = 0;
for (let run = 0; run <= %(runs)d; run++) {
    const start = process.cpuUsage();
    for (let i = 0; i < %(n)d; i++) {
        const told = score({ %(javascript)s });
        sum += told.score + told.short_1;
    }
    const used = process.cpuUsage(start);
    if (run > 0) console.log((used.user + used.system) / 1e6 / %(n)d);
}
if (sum === 0.1) console.log();
"""
_PROGRAMS = {
    "c": ("time.c", _C, ("cc", *_FLAGS, "time.c", "-o", "time", "-lm"), ("./time",)),
    "java": ("Time.java", _JAVA, ("javac", "Score.java", "Time.java"), ("java", "-XX:+UseSerialGC", "Time")),
    "javascript": ("time.mjs", _JAVASCRIPT, (), ("node", "time.mjs")),
}


def row_seconds(language: str, n: int) -> float:
    """Seconds of a row, warm; the values of every row differ."""
    name, program, compiling, running = _PROGRAMS[language]
    numbers = [f"number_{i}" for i in range(cards.N_NUMBERS)]
    texts = [f"text_{i}" for i in range(cards.N_TEXTS)]
    text = cards.CATEGORIES[1]
    given = {each: f"(i % {place + 5} - {place // 2 + 2}) / 2.0" for place, each in enumerate(numbers)}
    words = {
        "n": n,
        "runs": _RUNS,
        "c": ", ".join(
            [f".{each} = {of}" for each, of in given.items()]
            + [f'.{each} = {{"{text}", {len(text)}}}' for each in texts]
        ),
        "java": " ".join(
            [f"input.{each} = {of};" for each, of in given.items()] + [f'input.{each} = "{text}";' for each in texts]
        ),
        "javascript": ", ".join(
            [f"{each}: {of}" for each, of in given.items()] + [f'{each}: "{text}"' for each in texts]
        ),
    }
    with tempfile.TemporaryDirectory() as folder:
        create("exporter", language).export(cards.scorecard()).write(folder)
        (Path(folder) / name).write_text(program % words)
        if compiling:
            subprocess.run(compiling, cwd=folder, check=True)
        told = subprocess.run(running, cwd=folder, capture_output=True, text=True, check=True).stdout
    return float(np.median(list(map(float, told.split()))))


def batch_seconds(what: str, n: int) -> tuple[float, float]:
    """Seconds of a row: of copying its inputs, and of scoring it among columns of n."""
    card = cards.scorecard()
    columns, _ = read_inputs(card, cards.applicants(n))
    export = create("exporter", "c").export(card)
    with tempfile.TemporaryDirectory() as folder:
        export.write(folder)
        command = ["cc", *_FLAGS, "-shared", "-fPIC", "score.c", "-o", "score.so", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        library = Library(Path(folder) / "score.so", "score")
    call, _ = library.prepared(card, columns, n, export.results or (), BATCHES[what])
    copied = [
        each.values if each.kind == "numeric" else each.coding.codes.astype(np.int32) for each in columns.values()
    ]
    targets = [np.empty_like(values) for values in copied]

    def copy() -> None:
        for values, target in zip(copied, targets, strict=True):
            ctypes.memmove(target.ctypes.data, values.ctypes.data, values.nbytes)

    return median_seconds(copy, _RUNS) / n, median_seconds(call, _RUNS) / n


def tally(language: str, models: Iterable[Model], n_rows: int) -> tuple[int, int, int]:
    """How many rows there were, how many values differ, and by how many units probabilities do at most."""
    count = differ = ulp = 0
    for model in models:
        (run,) = certify(model, [create("exporter", language)], verification_rows(model, n_random=n_rows)).runs
        count += run.n_rows
        differ += sum(run.differing().values())
        ulp = max(ulp, run.ulp)
    return count, differ, ulp
