"""Commands that write several files, and what each of them needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scrutable.data.datasets import load_german_credit

Run = Callable[..., object]

ROLES = "--target credit_risk --favourable good --protected sex"
FIT = "--drop age --drop personal_status --drop marital_status --drop foreign_worker --drop age_group --binner quantile"
#: Each command, and the files that it writes; `{}` is its folder.
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rescale": (
        "rescale {model} --pdo 40 --evidence {evidence} -o {}/model.json --evidence-output {}/evidence.json",
        ("model.json", "evidence.json"),
    ),
    "fit": (
        "fit {loans} {roles} {fit} -o {}/model.json --evidence {}/evidence.json",
        ("model.json", "evidence.json"),
    ),
    "calibrate": (
        "calibrate {model} {loans} --target credit_risk --evidence {evidence} -o {}/m.json --evidence-output {}/e.json",
        ("m.json", "e.json"),
    ),
    "cutoff": (
        "strategy cutoff {model} {loans} {roles} --approval-rate 0.7 -o {}/m.json --evidence {evidence} "
        "--evidence-output {}/e.json --curve {}/curve.csv --picture {}/curve.svg",
        ("m.json", "e.json", "curve.csv", "curve.svg"),
    ),
    "export": (
        "export {model} --to sql --option test_rows=30 -o {}",
        ("score.sql", "score_check.sql", "score_columns.sql", "score_test.sql"),
    ),
    "report": ("report {model} --evidence {evidence} -o {}/report.html", ("report.html",)),
    "monitor": ("monitor {model} {loans} {loans} --protected sex -o {}", ("monitoring.html", "monitoring.json")),
}


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[list[str], list[str]]]:
    """Arguments of a command, and the names of its files."""
    home = tmp_path_factory.mktemp("trials")
    loans, model, evidence = (home / name for name in ("loans.csv", "model.json", "evidence.json"))
    load_german_credit().frame.to_csv(loans, index=False)
    known = {"{loans}": loans, "{model}": model, "{evidence}": evidence, "{roles}": ROLES, "{fit}": FIT}

    def arguments(name: str) -> tuple[list[str], list[str]]:
        line, names = COMMANDS[name]
        for word, meaning in known.items():
            line = line.replace(word, str(meaning))
        return [*line.split(), "--overwrite"], list(names)

    _fit(home, arguments("fit")[0])
    return arguments


def _fit(home: Path, arguments: list[str]) -> None:
    from typer.testing import CliRunner

    from scrutable.cli.app import app

    done = CliRunner().invoke(app, [argument.replace("{}", str(home)) for argument in arguments])
    assert done.exit_code == 0, done.output
