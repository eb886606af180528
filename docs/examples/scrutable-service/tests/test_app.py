"""What is asked by HTTP: answers, and what is wrong with a request, without a word of anybody's data."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scrutable import dump
from scrutable.model import fingerprint
from scrutable.testing import card

from scrutable_service import Served, Service, create_app
from scrutable_service.app import LARGEST, MOST

GOOD = {"amount": 25, "job": "cook"}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Service:
    path = tmp_path_factory.mktemp("service") / "score-v1.json"
    dump(card(), path)
    return Service(path)


class Client:
    """Asks the application in this process."""

    def __init__(self, service: Service) -> None:
        self.transport = httpx.ASGITransport(create_app(service), raise_app_exceptions=False)

    def get(self, path: str) -> httpx.Response:
        return asyncio.run(self._ask("GET", path))

    def post(self, path: str, **given: Any) -> httpx.Response:
        return asyncio.run(self._ask("POST", path, **given))

    async def _ask(self, method: str, path: str, **given: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=self.transport, base_url="http://service") as client:
            return await client.request(method, path, **given)


@pytest.fixture(scope="module")
def client(service: Service) -> Client:
    return Client(service)


def test_an_applicant_is_answered(client: Client) -> None:
    answer = client.post("/score", json={"amount": 1.5, "job": None, "name": "ignored"})
    assert answer.status_code == 200
    assert answer.json() == {
        "score": 498.0,
        "decision": "decline",
        "grade": None,
        "reasons": [{"code": "1c", "text": "Number of things"}, {"code": "2c", "text": "Number of things"}],
        "model": {"fingerprint": fingerprint(card()), "version": "score-v1"},
    }


def test_a_list_is_answered_in_its_order(client: Client) -> None:
    given = [GOOD, {"amount": None, "job": "x"}, {"amount": -7, "job": "cook"}]
    several = client.post("/score/batch", json=given).json()
    single = [client.post("/score", json=each).json() for each in given]
    assert [{**each, "model": several["model"]} for each in several["results"]] == single
    assert client.post("/score/batch", json=[]).json()["results"] == []


def test_reasons_and_health(client: Client) -> None:
    assert client.get("/reasons").json()["reasons"] == dict.fromkeys(("1c", "2c", "Kc"), "Number of things")
    told = client.get("/health").json()
    assert told["model"] == {"fingerprint": fingerprint(card()), "version": "score-v1", "kind": "scorecard"}
    assert told["last_failed_change"] is None


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ("", 400, {"what": "not JSON", "at": 0}),
        ("{", 400, {"what": "not JSON", "at": 1}),
        (b'{"job": "\xff"}', 400, {"what": "not UTF-8", "at": 9}),
        ("1" * 5000, 400, {"what": "a number of too many digits, or too many brackets"}),
        ("[" * 60_000, 400, {"what": "a number of too many digits, or too many brackets"}),
        ('{"amount": 1, "amount": 2}', 400, {"what": "the field is there twice", "field": "amount"}),
        ('{"amount": NaN, "job": null}', 400, {"what": "not JSON", "field": "amount", "got": "NaN"}),
        ('{"other": -Infinity}', 400, {"what": "not JSON", "field": "other", "got": "-Infinity"}),
        ("[]", 422, {"what": "expected an object of fields", "got": "a list", "allowed": "an object"}),
        ("null", 422, {"what": "expected an object of fields", "got": "null"}),
        ("NaN", 422, {"what": "expected an object of fields", "got": "NaN"}),
        ('{"job": "cook"}', 422, {"what": "the field is not there", "field": "amount", "got": "nothing"}),
        ('{"amount": 1}', 422, {"what": "the field is not there", "field": "job", "got": "nothing"}),
        ('{"amount": "12", "job": "cook"}', 422, {"what": "expected a number", "field": "amount", "got": "a text"}),
        ('{"amount": true, "job": "cook"}', 422, {"field": "amount", "got": "true or false"}),
        ('{"amount": [1], "job": "cook"}', 422, {"field": "amount", "got": "a list"}),
        ('{"amount": 1e999, "job": "cook"}', 422, {"what": "a number that is too large", "field": "amount"}),
        (f'{{"amount": 1{"0" * 400}, "job": "cook"}}', 422, {"what": "a number that is too large"}),
        ('{"amount": 9007199254740993, "job": "cook"}', 422, {"field": "amount", "got": "a number"}),
        ('{"amount": 1, "job": 7}', 422, {"what": "expected a text", "field": "job", "got": "a number"}),
        ('{"amount": 1, "job": {}}', 422, {"field": "job", "got": "an object"}),
        ('{"amount": 1, "job": "\\u0000"}', 422, {"what": "a text with NUL or half a character", "field": "job"}),
        ('{"amount": 1, "job": "\\ud800"}', 422, {"what": "a text with NUL or half a character", "field": "job"}),
        (" " * (LARGEST + 1), 413, {"what": "the request is too large"}),
    ],
)
def test_what_is_wrong_is_named(client: Client, body: str | bytes, status: int, told: dict[str, Any]) -> None:
    answer = client.post("/score", content=body, headers=JSON)
    assert answer.status_code == status
    assert answer.json()["error"] | told == answer.json()["error"]


def test_an_applicant_in_a_list_is_named_by_its_position(client: Client) -> None:
    answer = client.post("/score/batch", json=[GOOD, {"amount": "x", "job": None}])
    assert answer.status_code == 422
    assert answer.json()["error"] == {
        "what": "expected a number",
        "field": "amount",
        "applicant": 1,
        "got": "a text",
        "allowed": "a number, or null where it is missing",
    }
    assert client.post("/score/batch", json=GOOD).json()["error"]["allowed"] == "a list of objects"
    assert client.post("/score/batch", json=[0] * (MOST + 1)).status_code == 413


def test_only_json_is_taken_and_only_by_the_methods_there_are(client: Client) -> None:
    answer = client.post("/score", content=json.dumps(GOOD), headers={"content-type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]["allowed"]) == (415, "application/json")
    assert client.get("/score").status_code == 405
    assert client.get("/docs").status_code == 404


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("amount", "job", "x")), inner),
)


@settings(max_examples=150, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=60) | JSON_VALUES.map(lambda value: json.dumps(value).encode()))
def test_nothing_that_is_sent_is_an_error_of_the_server(client: Client, body: bytes) -> None:
    for path in ("/score", "/score/batch"):
        assert client.post(path, content=body, headers=JSON).status_code in (200, 400, 422)


def test_an_error_that_nobody_foresaw_tells_and_logs_nobodys_data(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(served: Served, row: tuple[Any, ...]) -> None:
        raise RuntimeError(f"cannot score {row}")

    monkeypatch.setattr(Served, "answer", fail)
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/score", json={"amount": 4711, "job": "cook"})
    assert (answer.status_code, answer.json()) == (500, {"error": {"what": "the request was not answered"}})
    assert "RuntimeError" in caplog.text
    assert "4711" not in caplog.text


def test_a_bad_file_is_refused_and_the_old_model_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    dump(card(), path)
    service = Service(path)
    before = service.served
    path.write_text("{}")
    asyncio.run(service.change())
    assert service.served is before
    assert service.failed is not None
    assert "not a Scrutable file" in service.failed["reason"]
    path.unlink()
    asyncio.run(service.change())
    dump(card(words="Another text"), path)
    asyncio.run(service.change())
    assert service.served.texts["1c"] == "Another text"
    assert service.health()["last_failed_change"] is not None
