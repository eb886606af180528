"""Files of new plugins: the same bytes, well formed whatever the names are, and an author never becomes code."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound
from packaging.requirements import Requirement

import scrutable
from scrutable.plugins.component import KINDS, Kind
from scrutable.testing.scaffold import Names, rendering
from scrutable.testing.scaffold.names import LONGEST_AUTHOR, LONGEST_NAME, check_author
from scrutable.testing.scaffold.rendering import EXAMPLES, render

ROOT = Path(__file__).parents[4]
TEMPLATES = ROOT / "core" / "scrutable" / "testing" / "scaffold" / "templates"
NAMES = ["x", "csv-table", "a" + "-b" * 14 + "c", "w" * LONGEST_NAME]
HOSTILE = [
    'Jane "JD" Doe',
    "Jané Dœ 😀",
    "back\\slash\\",
    '"]\n'.strip() + ' version = "9"',
    "'''",
    '"""',
    "{{ names }} {% raw %} {# x #}",
    "${{ github.token }} $(id) `id` ; rm -rf x",
    "<script>alert(1)</script>",
    "# not a comment",
    "x" * LONGEST_AUTHOR,
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_names_give_the_same_bytes(kind: Kind) -> None:
    first = render(Names(kind, "csv-table"), "Jane Doe")
    code = f"""
from scrutable.testing.scaffold.names import Names
from scrutable.testing.scaffold.rendering import render
import sys
sys.stdout.buffer.write(repr(render(Names({kind!r}, "csv-table"), "Jane Doe")).encode())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode() == repr(first)


@pytest.mark.parametrize("author", HOSTILE)
def test_an_author_is_a_text_and_nothing_else(author: str) -> None:
    names, who = Names("exporter", "csv-table"), check_author(author)
    plain, found = render(names, "Jane Doe"), render(names, who)
    assert {path for path in found if found[path] != plain[path]} <= {"LICENSE", "pyproject.toml"}
    assert found["LICENSE"].splitlines()[2] == f"Copyright (c) {who}"
    project = tomllib.loads(found["pyproject.toml"])
    assert project["project"].pop("authors") == [{"name": who}]
    usual = tomllib.loads(plain["pyproject.toml"])
    assert usual["project"].pop("authors") == [{"name": "Jane Doe"}]
    assert project == usual


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_files_are_well_formed_and_clean_by_their_own_settings(kind: Kind, name: str, tmp_path: Path) -> None:
    names = Names(kind, name)
    for path, text in render(names, "Jane Doe").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
        assert not any(mark in text.replace("${{ matrix.python }}", "") for mark in ("{{", "{%", "{#")), path
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n")), path
    for check in (["check"], ["format", "--diff"]):
        command = [sys.executable, "-m", "ruff", *check, "--no-cache", "--quiet", "."]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_the_project_names_what_it_offers_and_needs(kind: Kind) -> None:
    names = Names(kind, "csv-table")
    files = render(names, "Jane Doe")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["entry-points"] == {"scrutable": {"csv-table": "scrutable_csv_table"}}
    needed = {each.name: each for each in map(Requirement, project["dependencies"])}
    assert needed["scrutable"].specifier.contains(scrutable.__version__)
    code = [ast.parse(text) for path, text in files.items() if path.startswith("src/") and path.endswith(".py")]
    imported = {
        (node.module or "").partition(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name
        for tree in code
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported - set(sys.stdlib_module_names) - {"scrutable_csv_table"} == set(needed)


@pytest.mark.parametrize("kind", KINDS)
def test_lines_and_words_fit_where_they_stand(kind: Kind) -> None:
    assert len(EXAMPLES[kind].summary) <= 100
    assert not EXAMPLES[kind].summary.endswith(".")


def test_every_template_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    environment, used = rendering._environment(), set()
    assert environment.loader is not None
    source = environment.loader.get_source

    def noted(among: object, template: str) -> object:
        used.add(template)
        return source(environment, template)

    monkeypatch.setattr(environment.loader, "get_source", noted)
    monkeypatch.setattr(environment, "cache", None)
    for kind in KINDS:
        render(Names(kind, "csv-table"), "Jane Doe")
    assert used == {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*") if path.is_file()}
    with pytest.raises(TemplateNotFound):
        environment.get_template("../names.py")
