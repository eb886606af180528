"""What clients, shells and editors read in any character set holds printable ASCII alone."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.errors import UnsupportedModel
from scrutable.testing.contract import Subject
from scrutable.testing.contract.examples.models import hostile_models, models_accepted, random_models_held

#: Exporters of text that other programs read without being told in which character set it is.
PLAIN = ("c", "java", "javascript", "points-table", "python", "r", "sql")


@pytest.mark.parametrize("name", PLAIN)
def test_every_exported_character_is_printable_ascii_or_a_line_feed(name: str) -> None:
    subject = Subject.of("exporter", name)
    models = {**models_accepted(subject), **random_models_held(subject), **hostile_models(subject, names=False)}
    written = 0
    for title, model in models.items():
        try:
            files = create("exporter", name).export(model).files
        except UnsupportedModel:
            continue
        for file, content in files.items():
            odd = {letter for letter in content if not (" " <= letter <= "~" or letter == "\n")}
            assert not odd, f"{file} of a {title} has {odd!a}"
            written += 1
    assert written > 3
