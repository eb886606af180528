"""The application: what is asked by HTTP, and how it is answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from scrutable_service.reading import RefusedError, kind_of, parsed, row_of
from scrutable_service.served import Served
from scrutable_service.service import LOG, Service

#: What answers a request with a model.
Answer = Callable[[Served, bytes], Response]
#: Bytes of the largest body about one applicant and about several, and how many these may be.
LARGEST, LARGEST_BATCH, MOST = 64 * 1024, 16 * 1024 * 1024, 10_000


def create_app(service: Service) -> FastAPI:
    """The application of a service, for any ASGI server."""
    app = FastAPI(title="Scrutable service", openapi_url=None)

    @app.post("/score")
    async def score(request: Request) -> Response:
        return await _guarded(service, request, LARGEST, _one)

    @app.post("/score/batch")
    async def batch(request: Request) -> Response:
        return await _guarded(service, request, LARGEST_BATCH, _several, thread=True)

    @app.get("/reasons")
    async def reasons() -> Response:
        served = service.served
        return _json({"reasons": dict(served.texts), "model": served.identity})

    @app.get("/health")
    async def health() -> Response:
        return _json(service.health())

    return app


def _one(served: Served, body: bytes) -> Response:
    answer = served.answer(row_of(served.fields, parsed(body)))
    return _json({**answer, "model": served.identity})


def _several(served: Served, body: bytes) -> Response:
    given = parsed(body)
    if type(given) is not list:
        raise RefusedError("expected a list of applicants", got=kind_of(given), allowed="a list of objects")
    if len(given) > MOST:
        raise RefusedError("too many applicants", status=413, got=len(given), allowed=f"at most {MOST}")
    answers = served.answers([row_of(served.fields, each, place) for place, each in enumerate(given)])
    return _json({"results": answers, "model": served.identity})


async def _guarded(service: Service, request: Request, limit: int, answer: Answer, thread: bool = False) -> Response:
    """What answers, or why the request is refused; of an error that nobody foresaw its kind is logged and no more."""
    try:
        served, body = service.served, await _body(request, limit)
        return await run_in_threadpool(answer, served, body) if thread else answer(served, body)
    except RefusedError as refused:
        return _json({"error": refused.told}, refused.status)
    except ClientDisconnect:
        return Response(status_code=400)
    except Exception as error:
        LOG.error("a request ended in %s", type(error).__name__)
        return _json({"error": {"what": "the request was not answered"}}, 500)


async def _body(request: Request, limit: int) -> bytes:
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise RefusedError("unknown type of content", status=415, allowed="application/json")
    body = bytearray()
    async for chunk in request.stream():
        if len(body) <= limit:  # what is more is read and let go: who is cut off while sending reads no answer
            body += chunk
    if len(body) > limit:
        raise RefusedError("the request is too large", status=413, allowed=f"at most {limit} bytes")
    return bytes(body)


def _json(told: Any, status: int = 200) -> Response:
    return Response(json.dumps(told, allow_nan=False), status, media_type="application/json")
