"""What is said of law: nothing known to be out of date, and of the rest where it belongs and when it was read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrutable.plugins.registry import registry
from scrutable_documents.commands.notices import notices
from scrutable_documents.law import REGULATION_B_READ, REGULATION_B_SINCE

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "plugins", "exporters", "docs", "benchmarks")
SUFFIXES = (".py", ".md", ".jinja", ".html", ".toml", ".json", ".ipynb", ".j2", ".yml")
#: The texts of Regulation B that were read are those of this day.
READ = "2023-08-29"


def texts() -> dict[str, str]:
    """Every page, module and template, by its path."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    found.append(ROOT / "README.md")
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in found}


TEXTS = texts()


@pytest.mark.parametrize("gone", ["SR 11-7", "SR letter 11-7", "OCC 2011-12", "24-205"])
def test_what_was_superseded_or_repealed_is_cited_nowhere(gone: str) -> None:
    assert [path for path, text in TEXTS.items() if gone in text] == []


def test_the_four_fifths_rule_is_said_to_be_of_employment_law() -> None:
    cited = {path for path, text in TEXTS.items() if re.search(r"four-fifths rule|1607", " ".join(text.split()))}
    assert "core/scrutable/fairness/four_fifths_rule.py" in cited
    assert [path for path in sorted(cited) if "employment" not in TEXTS[path].lower()] == []


def test_pages_that_cite_regulation_b_say_of_which_day_its_text_is() -> None:
    cited = {path for path, text in TEXTS.items() if path.startswith("docs/") and path.endswith(".md")}
    cited = {path for path in cited if re.search(r"12 CFR (part )?1002|Regulation B", TEXTS[path])}
    generated = {"docs/catalogue.md"}
    assert "docs/plugins/documents/notices.md" in cited
    assert [path for path in sorted(cited - generated) if READ not in TEXTS[path]] == []


def test_what_came_after_the_text_that_was_read_is_said_wherever_a_program_names_its_day() -> None:
    named = [path for path, text in TEXTS.items() if path.endswith(".py") and READ in text]
    assert named == ["exporters/scrutable_documents/law.py"]
    said = " ".join((notices.__doc__ or "").split())
    assert f"Regulation B {REGULATION_B_READ}; {REGULATION_B_SINCE}" in said
    assert READ in REGULATION_B_READ
    assert re.search("2026-04-22.*2026-07-21.*could not be read", REGULATION_B_SINCE)
    for path in (
        "exporters/scrutable_documents/commands/notices.py",
        "exporters/scrutable_documents/reason_document/choosing.py",
    ):
        assert TEXTS[path].count("{REGULATION_B_READ}") == TEXTS[path].count("{REGULATION_B_SINCE}") > 0


def test_a_bound_against_the_reference_is_not_called_the_four_fifths_rule() -> None:
    reference = registry().component("constraint", "adverse-impact-ratio").reference
    assert "reference group" in reference
    assert "not the four-fifths rule" in reference


def test_the_rule_that_tells_copies_is_called_no_protection_against_proxies() -> None:
    for path in ("README.md", "docs/disparity.md"):
        said = " ".join(TEXTS[path].split())
        assert "detects copies" in said, path
        assert re.search(r"(no|not a) protection against proxies", said), path
