"""The example service beside an empty endpoint of the same framework, and requests that it must not lose.

Rates are of CPU time of the server's process, one worker each, by one client that asks both in turn.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from evaluating import subjects
from exporting import cards
from report import Row

from producing.requests import Answer, Server, request, serving
from scrutable import dump
from scrutable.model import Scorecard

#: Where the example lies; it need not be installed.
_SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "scrutable-service" / "src"
_NEEDED = ("fastapi", "uvicorn")
_CHANGES = 10
#: Seconds within which a change is made.
_PATIENCE = 60
#: An endpoint that does nothing, served as the example is.
_EMPTY = """
import asyncio, fastapi, uvicorn
app = fastapi.FastAPI(openapi_url=None)
@app.post("/score")
async def score():
    return {}
config = uvicorn.Config(app, port=0, access_log=False, log_level="warning")
listening = config.bind_socket()
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
"""
#: Bodies that are wrong, with the status that each has to get.
_MALFORMED = (
    (b"", 400),
    (b'{"number_0": 1', 400),
    (b"\xff\xfe", 400),
    (b'{"number_0": NaN}', 400),
    (b"[" * 50_000, 400),
    (b"[]", 422),
    (b"{}", 422),
    (b'{"number_0": "1"}', 422),
    (b'{"number_0": 1e999}', 422),
    (b'{"number_0": {"a": [1, 2, 3]}}', 422),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, the status that it has to get, and the score by the first version where there is one."""

    text: bytes
    status: int
    score: float | None = None


def rows_of_service(*, quick: bool = False) -> Iterator[Row]:
    """The rate with reasons beside that of the empty endpoint, and what becomes of a hundred thousand requests."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        note = f"not installed (make engines): {', '.join(missing)}"
        yield Row(name="example service", value=float("nan"), unit="x", relation=">=", bound=0, note=note)
        return
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        for place in range(_CHANGES + 1):
            dump(_version(place), home / f"v{place}.json")
        (home / "broken.json").write_text("{}")
        _link(home, "v0")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_SOURCE), os.environ.get("PYTHONPATH", "")])}
        started = partial(serving, environment=environment)
        command = ["-m", "scrutable_service", str(home / "model.json"), "--port", "0"]
        service = stack.enter_context(started(command, home / "service.log"))
        empty = stack.enter_context(started(["-c", _EMPTY], home / "empty.log"))
        yield _rate(service, empty, 1_000 if quick else 2_000, 5 if quick else 7)
        yield from _kept(service, home, 10_000 if quick else 100_000)


def _rate(service: Server, empty: Server, count: int, runs: int) -> Row:
    """CPU time a request, both in turn, after a first time."""
    texts = [each.text for each in _good(count)]
    taken: dict[str, list[float]] = {"service": [], "empty": []}
    waited: dict[str, list[float]] = {"service": [], "empty": []}
    for run in range(runs + 1):
        for name, server in (("service", service), ("empty", empty)):
            before = server.cpu()
            answers = list(server.answers(texts))
            if {each.status for each in answers} != {200}:
                raise RuntimeError(f"{name}: {Counter(each.status for each in answers)}")
            if run:
                taken[name].append((server.cpu() - before) / count)
                waited[name] += [each.seconds for each in answers]
    seconds = {name: statistics.median(each) for name, each in taken.items()}
    p99 = {name: float(np.quantile(each, 0.99)) * 1e3 for name, each in waited.items()}
    note = (
        f"{1 / seconds['service']:,.0f} requests/s of CPU, empty {1 / seconds['empty']:,.0f}; "
        f"p99 of 8 at a time {p99['service']:.1f} ms, empty {p99['empty']:.1f}"
    )
    value = seconds["empty"] / seconds["service"]
    name = "service with reasons / empty endpoint"
    return Row(name=name, value=value, unit="x", relation=">=", bound=0.4, note=note)


def _kept(service: Server, home: Path, count: int) -> Iterator[Row]:
    """Requests, one in five malformed, while ten models follow one another and as many files are refused."""
    wrong: Counter[str] = Counter()
    versions: set[str] = set()
    changes = ["", *(name for place in range(_CHANGES) for name in (f"v{place + 1}", "broken"))]
    drawn = [_mixed(count // len(changes) + 1, seed=place) for place in range(len(changes))]
    for part, change in zip(drawn, changes, strict=True):
        before = _health(service)
        if change:
            _link(home, change)
            os.kill(service.process.pid, signal.SIGHUP)
        for asked, answer in zip(part, service.answers([each.text for each in part]), strict=True):
            wrong.update(_wrong(asked, answer, versions))
        _wait(service, change, before)
    n_asked = sum(map(len, drawn))
    faults = sum(n for name, n in wrong.items() if name.startswith("5"))
    note = f"{n_asked:,} requests, a fifth malformed"
    yield Row(name="answers of 5xx", value=faults, unit="", relation="<=", bound=0, note=note)
    told = ", ".join(f"{name}: {n}" for name, n in wrong.items()) or "each answer is of the one model that it names"
    name = "requests lost or answered wrongly"
    yield Row(name=name, value=wrong.total(), unit="", relation="<=", bound=0, note=told)
    note = f"and {_CHANGES} files that were refused, under load"
    yield Row(name="changes of model", value=len(versions) - 1, unit="", relation=">=", bound=_CHANGES, note=note)


def _wrong(asked: Asked, answer: Answer, versions: set[str]) -> list[str]:
    """What is wrong with an answer: its status, or a score that is not that of the version that it names."""
    if answer.status != asked.status:
        return [f"{answer.status} for {asked.status}"]
    if asked.score is None:
        return []
    told = answer.told
    version = told["model"]["version"]
    versions.add(version)
    right = told["score"] == asked.score + int(version.removeprefix("v")) and len(told["reasons"]) == 4
    return [] if right else ["another model's score"]


def _health(service: Server) -> Any:
    """What the service says of itself."""
    [answer] = service.answers([request("GET", "/health")])
    return answer.told


def _wait(service: Server, change: str, before: Any) -> None:
    """Until a change is made, or refused where the file is broken."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        now = _health(service)
        refused = now["last_failed_change"] != before["last_failed_change"]
        if not change or (refused if change == "broken" else now["model"]["version"] == change):
            return
    raise RuntimeError(f"the service did not take {change}: {now}")


def _version(place: int) -> Scorecard:
    """A card that nearly everybody misses, with a point more for each version."""
    card = cards.scorecard()
    return replace(card, base_points=card.base_points + place, cutoff=10_000.0)


def _good(count: int) -> list[Asked]:
    """Applicants who are declined for four reasons, some over and over."""
    score = _version(0).scorer()
    drawn = []
    for applicant in subjects.applicants(1_000):
        plain = {name: float(value) if name.startswith("number") else value for name, value in applicant.items()}
        fields = {name: None if value != value else value for name, value in plain.items()}
        points, _, reasons = score(fields)
        if len(reasons) == 4:
            drawn.append(Asked(request("POST", "/score", json.dumps(fields).encode()), 200, points))
    return [drawn[place % len(drawn)] for place in range(count)]


def _mixed(count: int, seed: int) -> list[Asked]:
    """Good requests with malformed ones in the place of one in five."""
    draw = random.Random(seed)
    malformed = [Asked(request("POST", "/score", body), status) for body, status in _MALFORMED]
    malformed.append(Asked(request("POST", "/score", b"{}", "text/plain"), 415))
    malformed.append(Asked(request("GET", "/score"), 405))
    malformed.append(Asked(request("POST", "/score/batch", b'[{"number_0": 1}]'), 422))
    return [draw.choice(malformed) if draw.random() < 0.2 else each for each in _good(count)]


def _link(home: Path, version: str) -> None:
    """The link to a version, replaced in one step."""
    (home / "next").symlink_to(f"{version}.json")
    (home / "next").replace(home / "model.json")
