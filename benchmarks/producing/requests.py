"""A light client of HTTP, so that what is measured is the server: prepared requests over sockets that stay open."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Connections that wait for an answer at a time.
AT_A_TIME = 8
#: Seconds within which a server has to start, and to answer.
_PATIENCE = 120


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its status, its body, and the seconds that it took since it was asked for."""

    status: int
    body: bytes
    seconds: float

    @property
    def told(self) -> Any:
        """What its JSON says."""
        return json.loads(self.body)


@dataclass(slots=True)
class Server:
    """A server in a process of its own, on this machine."""

    process: subprocess.Popen[bytes]
    port: int

    def answers(self, requests: Sequence[bytes]) -> Iterator[Answer]:
        """The answers in the order of the requests, of which as many wait at a time as there are connections."""
        with ExitStack() as stack:
            address, count = ("127.0.0.1", self.port), min(AT_A_TIME, len(requests))
            opened = [stack.enter_context(socket.create_connection(address, _PATIENCE)) for _ in range(count)]
            for start in range(0, len(requests), count):
                asked = []
                for connection, text in zip(opened, requests[start : start + count], strict=False):
                    asked.append((connection, time.perf_counter()))
                    connection.sendall(text)
                for connection, since in asked:
                    status, body = _read(connection)
                    yield Answer(status, body, time.perf_counter() - since)

    def cpu(self) -> float:
        """Seconds of CPU that the process has used on its main thread."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def stop(self) -> None:
        """End this process, and no other."""
        self.process.terminate()
        self.process.wait(_PATIENCE)


@contextmanager
def serving(command: Sequence[str], log: Path, environment: dict[str, str]) -> Iterator[Server]:
    """A server that writes its address, `http://127.0.0.1:<port>`, to the log when it listens."""
    with log.open("wb") as told:
        arguments = [sys.executable, *command]
        process = subprocess.Popen(arguments, stdout=told, stderr=subprocess.STDOUT, env=environment)
    server = Server(process, 0)
    try:
        server.port = _port(log, process)
        yield server
    finally:
        server.stop()


def request(method: str, path: str, body: bytes = b"", kind: str = "application/json") -> bytes:
    """A request as it goes over the wire."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        listening = re.search(r"http://127\.0\.0\.1:(\d+)", log.read_text())
        if listening:
            return int(listening[1])
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text()}")


def _read(connection: socket.socket) -> tuple[int, bytes]:
    text = b""
    while b"\r\n\r\n" not in text:
        text += _some(connection)
    head, _, body = text.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    if length is None:
        raise RuntimeError("an answer without its length")
    while len(body) < int(length[1]):
        body += _some(connection)
    return int(head[9:12]), body


def _some(connection: socket.socket) -> bytes:
    some = connection.recv(65_536)
    if not some:
        raise ConnectionError("the server closed a connection")
    return some
