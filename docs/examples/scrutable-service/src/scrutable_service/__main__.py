"""`python -m scrutable_service model.json --port 8000`: serve a model, on this machine unless told otherwise."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from pathlib import Path

import uvicorn
from scrutable.errors import ScrutableError

from scrutable_service.app import create_app
from scrutable_service.service import LOG, Service


def main() -> None:
    """Serve until TERM or INT; on HUP read the model file again."""
    parser = argparse.ArgumentParser(prog="python -m scrutable_service", description=main.__doc__)
    parser.add_argument("model", type=Path, help="a model file, or a link to it")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="0 takes any that is free (default: %(default)s)")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        asyncio.run(serve(asked.model, asked.host, asked.port))
    except ScrutableError as error:
        parser.exit(2, f"{error}\n")


async def serve(path: Path, host: str, port: int) -> None:
    """Serve a model in this process. The signal is minded before the file is read, so that no change is lost."""
    asked = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, asked.set)
    service = Service(path)
    config = uvicorn.Config(create_app(service), host=host, port=port, access_log=False, log_level="warning")
    listening = config.bind_socket()
    LOG.info("%s is served at http://%s:%d", service.served.version, host, listening.getsockname()[1])

    async def mind() -> None:
        while True:
            await asked.wait()
            asked.clear()
            await service.change()

    minding = asyncio.create_task(mind())
    await uvicorn.Server(config).serve(sockets=[listening])
    minding.cancel()


if __name__ == "__main__":
    main()
