"""The catalogue: made from results of checks, up to date, and text in it is text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrutable.cli.component_descriptions import described
from scrutable.cli.conformance import conformance
from scrutable.errors import InputError
from scrutable.plugins.registry import registry
from scrutable.testing.catalogue import ThirdParty, page, read_results, read_third_parties
from scrutable.testing.contract import Subject, checks_for, run_checks

DOCS = Path(__file__).parents[4] / "docs"
RESULTS = sorted((DOCS / "conformance").glob("*.json"))
PARTIES = DOCS / "third-parties.yml"


def entry(**changes: Any) -> dict[str, Any]:
    """What a check leaves, with values of one's own."""
    listing = registry().listing("constraint", "opportunity")
    return {**conformance(listing, run_checks(Subject(listing))), **changes}


def test_the_page_is_what_the_results_make() -> None:
    made = page(read_results(RESULTS), read_third_parties(PARTIES))
    assert (DOCS / "catalogue.md").read_text() == made, "run: make catalogue"


def test_every_component_is_listed_as_it_says_of_itself() -> None:
    results = {(each["kind"], each["name"]): each for each in read_results([DOCS / "conformance" / "scrutable.json"])}
    ours = [listing for listing in registry().listings() if listing.distribution == "scrutable"]
    assert set(results) == {(each.component.kind, each.component.name) for each in ours}
    for listing in ours:
        found = results[listing.component.kind, listing.component.name]
        said = described(listing)
        assert {key: found[key] for key in said.keys() & found.keys()} == {
            k: said[k] for k in said.keys() & found.keys()
        }
        assert found["checks"] == len(checks_for(listing.component))
        assert found["checks"] == found["passed"] + len(found["others"])
        assert {each["status"] for each in found["others"]} <= {"known"}


def test_every_third_party_has_results_and_a_home_that_is_there() -> None:
    parties = read_third_parties(PARTIES)
    assert {each["distribution"] for each in read_results(RESULTS)} == {"scrutable", *parties}
    near = [party.home for party in parties.values() if not party.home.startswith("https://")]
    assert [home for home in near if not (DOCS / home).exists()] == []


@pytest.mark.parametrize("listed", [{}, {"scrutable-x": ThirdParty(distribution="x", home="y", licence="z")}])
def test_listed_distributions_have_results_and_the_other_way_round(listed: dict[str, ThirdParty]) -> None:
    results = [] if listed else [entry(distribution="scrutable_x")]
    said = "an entry and no results" if listed else "results and no entry"
    with pytest.raises(InputError, match=rf"'scrutable-x': a third party that is listed has results.*got '{said}'"):
        page(results, listed)


def test_the_same_component_leaves_the_same_results() -> None:
    assert json.dumps(entry()) == json.dumps(entry())


def test_texts_of_plugins_are_no_markdown() -> None:
    hostile = "<script>alert(1)</script> | [x](javascript:y)\n# h"
    texts = dict.fromkeys(("name", "summary", "reference", "maintainer", "version", "scrutable"), hostile)
    party = ThirdParty(distribution="scrutable-x", home="https://example.org/x", licence=hostile)
    made = page([entry(**texts, distribution="Scrutable_X")], {"scrutable-x": party})
    assert "<script>" not in made
    assert "\n# h" not in made
    [row] = [line for line in made.splitlines() if line.startswith("| **")]
    assert row.replace("\\|", "").count("|") == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "not valid YAML"),
        ("a: 1", "the file is a list of distributions"),
        ("- x", "an entry names a distribution"),
        ("- {distribution: x, home: y, licence: z, hme: u}", "unknown key; got 'hme'. Fix: did you mean 'home'"),
        ("- {distribution: x, home: y}", "entry 1, licence: an entry says this as a text; got None"),
        ("- &a {distribution: x, home: y, licence: z}\n- *a", "listed twice; got 'x'"),
        ("- {distribution: x, home: 'javascript:x', licence: z}", "no home of a distribution; got 'javascript:x'"),
        ("- !!python/object/apply:os.getcwd []", "not valid YAML"),
    ],
)
def test_lists_of_third_parties_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "parties.yml"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_third_parties(path)
    assert said in str(raised.value)


def test_a_component_has_one_result(tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps([entry()]))
    with pytest.raises(InputError, match="a component with two results; got 'scrutable constraint opportunity'"):
        read_results([tmp_path / "one.json", tmp_path / "two.json"])


@pytest.mark.parametrize(
    "text",
    [
        *("{}", '[{"name": 1}]'),
        json.dumps([entry(kind="x")]),
        json.dumps([entry(passed=1)]),
        json.dumps([entry(maintainer=None)]),
        json.dumps([entry(others=["x"])]),
    ],
)
def test_files_that_are_no_results(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(InputError, match="no results of checks"):
        read_results([path])
